package page

// This file lists the findings, ranked by their savings.

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

// findingKind says what a Finding is about: it is one of the constants below, such as collective.
type findingKind string

// The kinds of findings.
const (
	suggestion    findingKind = "suggestion"    // a layout that costs less
	shardedUpdate findingKind = "shardedUpdate" // a sharded update of the weights would cost less
	override      findingKind = "override"      // an annotation that the program does not keep
	collective    findingKind = "collective"    // a collective that takes a large part of the time for sending
	replicated    findingKind = "replicated"    // an input that is the same on several devices
	conflict      findingKind = "conflict"      // an axis that did not reach an input or output
)

// Finding is something that a user should look at.
type Finding struct {
	Kind findingKind `json:"kind"`
	Text string      `json:"text"`
	// Line is a command without the word gospmd in front: it applies the layout that costs less, or
	// shows more. It is empty if there is neither.
	Line string `json:"line,omitempty"`
	// The savings of a device in a run or, if the finding is a collective, its costs: Time is a
	// fraction of the step's time; Bytes are sent; Memory is in bytes, and Part is its fraction of
	// the device's memory, or of the peak if the size of the memory is not known.
	Time   float64 `json:"time,omitempty"`
	Bytes  int     `json:"bytes,omitempty"`
	Memory int     `json:"memory,omitempty"`
	Part   float64 `json:"part,omitempty"`
	// Small says that neither Time nor Part reaches smallShare. The page lists such findings on
	// demand.
	Small bool `json:"small,omitempty"`
	Op    int  `json:"op"` // the op of the finding, or -1

	about string // the value that Line explains, if Line is an explain command; empty otherwise
	input string // the input that is named in the text
}

// The largest numbers of conflicts and of collectives that are listed.
const (
	maxConflicts   = 20
	maxCollectives = 5
)

// smallShare is the least fraction of the time or the memory that a user should look at.
const smallShare = 0.001

// addFindings adds all findings to the page, sorted by their savings: annotations that are not
// kept, expensive collectives, replicated inputs, and axes that propagation lost. A finding without
// a command gets one that explains its value.
func (r *rows) addFindings(e *explain.Explanation, rep *report.Report) {
	r.Findings = append([]Finding{}, slices.Concat(r.overrides(e), r.collectives(e), r.replicas(rep), r.conflicts(e))...)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Line == "" {
			f.Line = explains(e, f.about)
		}
	}
	r.sortByGain()
}

// Suggest adds suggestions to the findings, which it sorts again. The Line of each suggestion has
// its flags.
func (p *Page) Suggest(s *suggest.Suggestions) {
	var out []Finding
	add := func(kind findingKind, after suggest.Cost, text, flags string) {
		b := s.Before
		out = append(out, Finding{Kind: kind, Text: text, Line: flags, Op: -1, Time: b.TimeSaved(after), Bytes: b.Bytes - after.Bytes, Memory: b.Memory - after.Memory})
	}
	for _, x := range s.Best {
		var texts []string
		for i, rule := range x.Rules {
			texts = append(texts, rule.String()+" instead of "+x.Instead[i])
		}
		add(suggestion, x.After, strings.Join(texts, "; "), strings.Join(x.Flags, " "))
	}
	if s.ShardedUpdate != nil {
		add(shardedUpdate, *s.ShardedUpdate, "each device updates a part of the weights, and keeps the optimizer's state of that part only", "-sharded-update")
	}
	p.Findings = append(out, p.Findings...)
	p.sortByGain()
}

// sortByGain sets Part and Small of each finding, and sorts the findings by their fractions of the
// time or the memory, whichever is larger: what a finding saves or, if it is a collective, costs.
// Behind the large fractions come the findings without any, such as conflicts, then the small ones.
func (p *Page) sortByGain() {
	memory := float64(max(1, cmp.Or(p.Machine.Memory, p.Totals.Peak)))
	for i := range p.Findings {
		f := &p.Findings[i]
		f.Part = float64(f.Memory) / memory
		f.Small = f.share() < smallShare && (f.Time != 0 || f.Memory != 0)
	}
	class := func(f Finding) int {
		switch {
		case f.Small:
			return 2
		case f.share() < smallShare:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(p.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(class(a), class(b)), cmp.Compare(b.share(), a.share()))
	})
}

// share returns the fraction of the time or of the memory that f is about, whichever is larger.
func (f Finding) share() float64 { return max(f.Time, f.Part) }

// rankFindings returns the findings with those of repeated layers merged into one, whose gains are
// summed. The text of such a finding has * for the numbers in which they differ, and how many they
// are; if they are replicated inputs without names, it lists these. The findings with the most time
// come first, then those with the most memory. all is not changed.
func rankFindings(all []Finding) []Finding {
	out := []Finding{}
	index, keys, inputs := map[string]int{}, []string{}, [][]string{}
	for _, f := range all {
		key := pattern(f.Text)
		if f.Kind == collective && isUnnamed(f.input) {
			key = f.Text
		}
		at, ok := index[key]
		if !ok {
			index[key] = len(out)
			out, keys, inputs = append(out, f), append(keys, key), append(inputs, []string{f.input})
			continue
		}
		g := &out[at]
		g.Time, g.Bytes, g.Memory = g.Time+f.Time, g.Bytes+f.Bytes, g.Memory+f.Memory
		inputs[at] = append(inputs[at], f.input)
	}
	for i, names := range inputs {
		f := &out[i]
		switch n := len(names); {
		case n == 1:
		case f.Kind == replicated && isUnnamed(f.input):
			listed := strings.Join(names[:min(n, maxNames)], ", ")
			if n > maxNames {
				listed += fmt.Sprintf(" and %d more", n-maxNames)
			}
			f.Text = listed + strings.TrimPrefix(f.Text, f.input)
		default:
			f.Text = fmt.Sprintf("%s (×%d)", keys[i], n)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Memory, a.Memory))
	})
	return out
}

// maxNames is the largest number of unnamed inputs that a finding lists.
const maxNames = 3

// numbers matches the numbers in which names of repeated layers differ.
var numbers = regexp.MustCompile(`([A-Za-z]_?|\[)\d+`)

// pattern returns text with its numbers replaced by *, so that it is equal for repeated layers.
func pattern(text string) string { return numbers.ReplaceAllString(text, "$1*") }

// replicas returns findings for the inputs that could be sharded along more axes. Those of repeated
// layers are one.
func (r *rows) replicas(rep *report.Report) (out []Finding) {
	shown := map[string]string{}
	for i, in := range r.program.Inputs {
		shown[in.Name] = shownName(r.program, i)
	}
	for _, x := range rep.Replicated {
		name := shown[x.Name]
		out = append(out, Finding{
			Kind: replicated, Memory: x.Saved, Op: -1, about: x.Name, input: name,
			Text: fmt.Sprintf("%s: all devices along %s hold the same", name, strings.Join(x.Axes, ",")),
		})
	}
	return rankFindings(out)
}

// overrides returns findings for the annotations that the program does not keep. Those of repeated
// layers are one. Each has the flag -keep-layouts as its Line.
func (r *rows) overrides(e *explain.Explanation) (out []Finding) {
	for _, o := range r.program.Overrides {
		f := Finding{Kind: override, Op: -1, Line: "-keep-layouts"}
		subject := o.Name
		if v, err := e.Value(o.Value); err == nil {
			f.Op, subject = r.opOf(v), subjectOf(v)
		}
		f.Text = fmt.Sprintf("%s: the annotation %s does not hold", subject, o.Annotated)
		if o.By != "" {
			f.Text += ", of " + o.By
		}
		out = append(out, f)
	}
	return rankFindings(out)
}

// collectives returns findings for the collectives that take most time, at most maxCollectives, the
// slowest first. Those of repeated layers are one. Time is their share of the step's time.
func (r *rows) collectives(e *explain.Explanation) (out []Finding) {
	total, phases := 1.0, map[int]bool{} // total must not be 0; times are many picoseconds
	for at, t := range r.Ops.Time {
		total += float64(t * r.Ops.Runs[at])
		phases[r.Ops.Phase[at]] = true
	}
	phase := func(i int) string {
		if len(phases) < 2 { // the program does not train, or has no layer paths that say so
			return ""
		}
		return ", " + phaseNames[i]
	}
	for at, op := range r.order {
		c, sends := r.sent[op]
		if !sends || c.Total() == 0 {
			continue
		}
		layer := r.strings.Strings[r.Layers.Name[r.Ops.Layer[at]]]
		out = append(out, Finding{
			Kind: collective, Op: at, input: layer, Bytes: c.Total(), Time: float64(c.Runs*r.Ops.Time[at]) / total,
			Text: strings.TrimSuffix(fmt.Sprintf("%s along %s%s, in %s", c.Kind, r.AxisTexts[r.Ops.Axes[at]], phase(r.Ops.Phase[at]), layer), ", in "),
		})
	}
	out = rankFindings(out)
	out = out[:min(len(out), maxCollectives)]
	for i := range out {
		out[i].about = r.movedName(e, r.order[out[i].Op])
	}
	return out
}

// movedName returns the name of the value that a collective moves. It follows operands back to the
// first value that the program had before partitioning, or to an input.
func (r *rows) movedName(e *explain.Explanation, op *ir.Op) string {
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

// explains returns the arguments of the command that explains the value with the given path or
// name, "" if there is no such value.
func explains(e *explain.Explanation, name string) string {
	if _, err := e.Input(name); err == nil {
		return "explain -path " + quote(name)
	}
	if v, err := e.Value(name); err == nil {
		return "explain -value " + quote(v.Name)
	}
	return ""
}

// conflicts returns findings for axes that did not reach an input or an output, at most
// maxConflicts. Those of repeated layers are one.
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
	out = rankFindings(out)
	return out[:min(len(out), maxConflicts)]
}

// quote quotes a name for a shell.
func quote(name string) string { return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'" }

// subjectOf returns a name for a value. For repeated layers, the names differ only in numbers.
func subjectOf(v *explain.Value) string {
	if v.Path != "" {
		return v.Path
	}
	return strings.TrimSuffix(v.Op+" in "+v.Layer, " in ")
}

// opOf returns the op that the page shows for a value: the one that makes it, or the first one that
// uses it. It returns -1 if no part of the value is in the program.
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
