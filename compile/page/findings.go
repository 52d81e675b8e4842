package page

// This file lists what is worth a look, ranked by what it would save.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/ir"
)

// findingKind says what a Finding is about.
type findingKind string

// The kinds.
const (
	suggestion findingKind = "suggestion" // a layout that costs less
	override   findingKind = "override"   // an annotation that does not hold
	collective findingKind = "collective" // what takes most of the time for sending
	replicated findingKind = "replicated" // an input that several devices hold alike
	conflict   findingKind = "conflict"   // an axis that did not reach an input or output
)

// Finding is something worth a look.
type Finding struct {
	Kind findingKind `json:"kind"`
	Text string      `json:"text"`
	// Line can be pasted behind a gospmd command: the layout that costs less, or what
	// tells more; empty if there is nothing to tell.
	Line string `json:"line,omitempty"`
	// What it would save a device in a run, or what it costs if it is a
	// collective.
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int     `json:"bytes,omitempty"`
	Memory  int     `json:"memory,omitempty"`
	Op      int     `json:"op"` // the op that it is about, or -1

	about string // the value to explain, if Line is not another one
}

// maxConflicts bounds the conflicts, and maxCollectives the collectives that are
// listed.
const (
	maxConflicts   = 20
	maxCollectives = 5
)

// addFindings adds what the report and the explanation have found.
func (r *rows) addFindings(e *explain.Explanation, rep *report.Report) {
	r.Findings = append([]Finding{}, slices.Concat(r.overrides(e), r.collectives(e), replicas(rep), r.conflicts(e))...)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Line == "" {
			f.Line = explains(e, f.about)
		}
	}
	byGain(r.Findings)
}

// Suggest adds suggestions to the findings, each with its flags as the line to copy.
func (p *Page) Suggest(s *suggest.Suggestions) {
	var out []Finding
	for _, x := range s.Best {
		text := strings.Join(x.Flags, " ") + " instead of " + strings.Join(x.Instead, ", ")
		out = append(out, Finding{
			Kind: suggestion, Text: text, Line: strings.Join(x.Flags, " "), Op: -1,
			Seconds: float64(s.Before.Ops-x.After.Ops) / p.Machine.Flops, Bytes: s.Before.Bytes - x.After.Bytes, Memory: s.Before.Memory - x.After.Memory,
		})
	}
	p.Findings = append(out, p.Findings...)
	byGain(p.Findings)
}

// byGain sorts findings: the most time that is gained first, then the most memory, then
// bytes; those without a gain stay as they are, behind the collectives, which tell what
// they cost.
func byGain(list []Finding) {
	gain := func(f Finding) Finding {
		if f.Kind == collective {
			return Finding{Bytes: 1}
		}
		return f
	}
	slices.SortStableFunc(list, func(a, b Finding) int {
		a, b = gain(a), gain(b)
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(b.Memory, a.Memory), cmp.Compare(b.Bytes, a.Bytes))
	})
}

// ranked returns findings with those of repeats as one, the largest gain first.
func ranked(all []Finding) []Finding {
	out := []Finding{}
	index, repeats := map[string]int{}, []int{}
	for _, f := range all {
		key := pattern(f.Text)
		at, ok := index[key]
		if !ok {
			index[key] = len(out)
			out, repeats = append(out, f), append(repeats, 1)
			continue
		}
		g := &out[at]
		g.Seconds, g.Bytes, g.Memory = g.Seconds+f.Seconds, g.Bytes+f.Bytes, g.Memory+f.Memory
		repeats[at]++
	}
	for i, n := range repeats {
		if n > 1 {
			out[i].Text = fmt.Sprintf("%s (×%d)", pattern(out[i].Text), n)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(b.Memory, a.Memory))
	})
	return out
}

// numbers finds what the names of repeats differ in.
var numbers = regexp.MustCompile(`([A-Za-z]_?)\d+`)

// pattern returns a text with what the names of repeats differ in left out.
func pattern(text string) string { return numbers.ReplaceAllString(text, "$1*") }

// replicas finds the inputs that could be sharded along more axes.
func replicas(rep *report.Report) (out []Finding) {
	for _, x := range rep.Replicated {
		out = append(out, Finding{
			Kind: replicated, Memory: x.Saved, Op: -1, about: x.Name,
			Text: fmt.Sprintf("%s: all devices along %s hold the same", x.Name, strings.Join(x.Axes, ",")),
		})
	}
	return ranked(out)
}

// overrides finds the annotations that do not hold.
func (r *rows) overrides(e *explain.Explanation) (out []Finding) {
	for _, o := range e.Overrides() {
		f := Finding{Kind: override, Op: r.opOf(o.Value), Line: "-keep-layouts"}
		f.Text = fmt.Sprintf("%s: the annotation %s does not hold", about(o.Value), o.Value.Annotated)
		if o.By != "" {
			f.Text += ", of " + o.By
		}
		out = append(out, f)
	}
	return ranked(out)
}

// collectives finds those that take most time.
func (r *rows) collectives(e *explain.Explanation) (out []Finding) {
	for at, op := range r.order {
		c, sends := r.sent[op]
		if !sends || c.Total() == 0 {
			continue
		}
		l := r.machine.Over(c.Axes)
		layer := r.strings.Strings[r.Layers.Name[r.Ops.Layer[at]]]
		out = append(out, Finding{
			Kind: collective, Op: at, Bytes: c.Total(), Seconds: float64(c.Runs)*l.Latency + float64(c.Total())/l.Bandwidth,
			Text: strings.TrimSuffix(fmt.Sprintf("%s along %s, %s, in %s", c.Kind, r.AxisTexts[r.Ops.Axes[at]], phaseNames[r.Ops.Phase[at]], layer), ", in "),
		})
	}
	out = ranked(out)
	out = out[:min(len(out), maxCollectives)]
	for i := range out {
		out[i].about = r.moved(e, r.order[out[i].Op])
	}
	return out
}

// moved returns the name of what a collective moves: of the first value on the way back
// that the program has before it is partitioned, or its input.
func (r *rows) moved(e *explain.Explanation, op *ir.Op) string {
	for {
		v := op.Operands[0]
		name := r.names[v]
		if _, err := e.Value(name); err == nil {
			return name
		}
		if op = v.Def(); op == nil || len(op.Operands) == 0 {
			return name
		}
	}
}

// explains returns the line that explains a value by its path or its name.
func explains(e *explain.Explanation, name string) string {
	if _, err := e.Input(name); err == nil {
		return "explain -path " + quoted(name)
	}
	if v, err := e.Value(name); err == nil {
		return "explain -value " + quoted(v.Name)
	}
	return ""
}

// conflicts finds the axes that did not reach an input or an output.
func (r *rows) conflicts(e *explain.Explanation) (out []Finding) {
	for _, v := range e.Values {
		if v.Path == "" || v.Kind != explain.Parameter && v.Kind != explain.Result {
			continue
		}
		for _, l := range v.Conflicts() {
			var axes []string
			for _, a := range l.Axes {
				axes = append(axes, a.String())
			}
			out = append(out, Finding{Kind: conflict, Op: r.opOf(v), about: v.Path, Text: fmt.Sprintf("%s: dimension %d is not cut by %s: %s", v.Path, l.Dim, strings.Join(axes, ","), l.Why)})
		}
	}
	out = ranked(out)
	return out[:min(len(out), maxConflicts)]
}

// quoted quotes a name for a shell.
func quoted(name string) string { return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'" }

// about names a value so that repeats have names that differ in numbers only.
func about(v *explain.Value) string {
	if v.Path != "" {
		return v.Path
	}
	return strings.TrimSuffix(v.Op+" in "+v.Layer, " in ")
}

// opOf returns the op to show for a value: that which makes it, or the first
// that uses it; -1 if nothing of it runs.
func (r *rows) opOf(v *explain.Value) int {
	for _, run := range v.Runs {
		value := r.byName[run.Name]
		if value == nil {
			continue
		}
		if def := r.Values.Def[r.values[value]]; def >= 0 {
			return def
		}
		if user := value.FirstUse(); user != nil {
			return r.ops[user]
		}
	}
	return -1
}
