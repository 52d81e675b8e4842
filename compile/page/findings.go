package page

// This file lists what is worth a look, ranked by what it would save.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
)

// Finding is something worth a look.
type Finding struct {
	Kind string `json:"kind"` // suggestion, conflict, override, replicated
	Text string `json:"text"`
	// Line can be pasted behind a gospmd command; empty if there is none.
	Line string `json:"line,omitempty"`
	// What it would save a device in a run.
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int     `json:"bytes,omitempty"`
	Memory  int     `json:"memory,omitempty"`
	Op      int     `json:"op"` // the op that it is about, or -1
}

// numbers finds what names of repeats differ in.
var numbers = regexp.MustCompile(`\d+`)

// addReplicated adds the inputs that could be sharded along more axes, those of
// repeats as one.
func (p *Page) addReplicated(r *report.Report) {
	type key struct{ name, role, axes string }
	type group struct {
		key
		names        []string
		bytes, saved int
	}
	var groups []*group
	index := map[key]*group{}
	for _, x := range r.Replicated {
		k := key{numbers.ReplaceAllString(x.Name, "*"), string(x.Role), strings.Join(x.Axes, ",")}
		g := index[k]
		if g == nil {
			g = &group{key: k}
			index[k] = g
			groups = append(groups, g)
		}
		g.names = append(g.names, x.Name)
		g.bytes, g.saved = g.bytes+x.Bytes, g.saved+x.Saved
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.saved, a.saved) })
	for _, g := range groups {
		what := g.names[0]
		if len(g.names) > 1 {
			what = fmt.Sprintf("%s ×%d", g.name, len(g.names))
		}
		p.Findings = append(p.Findings, Finding{
			Kind: "replicated", Memory: g.saved, Op: -1,
			Text: fmt.Sprintf("%s: all devices along %s hold the same", what, g.axes),
		})
	}
}
