package compile

// This file finds, for each collective of a program, the layout rule that would
// remove it: by trying.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Suggestions say what another layout of one input would do about each
// collective of a program. The JSON form has the names in the tags.
type Suggestions struct {
	Program string `json:"program"`
	Before  Totals `json:"before"`
	// Collectives are those of the Report, in its order.
	Collectives []Suggestion `json:"collectives"`
	// Tried counts the programs that were compiled to find out, Untried those
	// that there was no time for: the inputs far from a collective come last.
	Tried   int `json:"tried"`
	Untried int `json:"untried"`
}

// Suggestion is about one collective.
type Suggestion struct {
	Collective report.Collective `json:"collective"`
	// Rule removes the collective; of several that do it is the one with the
	// cheapest program. It is nil if none that was tried does.
	Rule *LayoutRule `json:"rule"`
	// After is what the program would cost with the rule.
	After Totals `json:"after"`
	// Pays says that the program as a whole gets cheaper by it, on
	// Options.Machine.
	Pays bool `json:"pays"`
}

// LayoutRule is a rule of a layout map: the layout of one input, and of the
// optimizer's slots for it.
type LayoutRule struct {
	Path    string   `json:"path"`    // the input's name
	Axes    []string `json:"axes"`    // per dimension, as layout.NewTensorLayout takes them
	Instead []string `json:"instead"` // the axes without the rule
}

// Totals is what a program costs a device in one run.
type Totals struct {
	Collectives int `json:"collectives"`
	Bytes       int `json:"bytes"` // sent
	Flops       int `json:"flops"`
	Memory      int `json:"memory"` // at the peak
}

func totalsOf(r *report.Report) Totals {
	return Totals{len(r.Collectives), r.Bytes, r.Flops, r.Memory.Peak}
}

const (
	// nearInputs is how many inputs are tried for a collective.
	nearInputs = 4
	// trialOps bounds the time: about as many ops are compiled, all trials
	// together, but minTrials trials at least.
	trialOps  = 400_000
	minTrials = 16
)

// Suggest compiles m, and compiles it again with one layout changed at a time,
// to find for each collective the layout rule that would remove it. m and o are
// those of Compile; o needs the partitioner SPMD.
//
// Rules are tried for the weights that are the nearest to a collective in the
// program; where no input is known to be a weight, for all inputs. A rule takes
// one of the collective's axes from a weight or moves it to another dimension.
// Removed means no collective of that kind serves the same op, and its layer
// has fewer of that kind: an all_gather that became an all_to_all, or a
// sum that is done a step later, is not removed. What is tried, and so the
// result, depends on m and o alone.
func Suggest(m *ir.Module, o Options) (*Suggestions, error) {
	if o.Partitioner != SPMD {
		return nil, fmt.Errorf("compile: suggestions need to know the collectives, and XLA's partitioner adds them when the program is loaded: use compile.SPMD")
	}
	o.Debug, o.Budget = pass.Debug{}, report.Budget{}
	s := &searcher{m: m, o: o, trials: make(map[string]*trial)}
	p, err := Compile(m, o)
	if err != nil {
		return nil, err
	}
	s.p, s.before = p, s.newTrial(p, nil)
	s.roles = roles.Of(m.Main())
	s.slots = roles.SlotsOf(m.Main(), s.roles)
	out := &Suggestions{Program: p.Name, Before: s.before.totals, Collectives: []Suggestion{}}
	r := report.New(p)
	for i, c := range r.Collectives {
		out.Collectives = append(out.Collectives, Suggestion{Collective: c})
		s.targets = append(s.targets, &target{purposes: s.before.purposes[i], candidates: s.candidatesFor(s.before.ops[i])})
	}
	ops := 0
	m.Main().Walk(func(*ir.Op) { ops++ })
	if err := s.tryAll(r, max(minTrials, trialOps/max(ops, 1))); err != nil {
		return nil, err
	}
	for i := range out.Collectives {
		if best := s.best(s.targets[i]); best != nil {
			c := &out.Collectives[i]
			c.Rule, c.After, c.Pays = best.rule, best.totals, best.cost < s.before.cost
		}
	}
	out.Tried, out.Untried = len(s.trials), s.untried
	return out, nil
}

// String returns the suggestions as text, the rules as they are written in a Go
// map of layouts.
func (s *Suggestions) String() string {
	var b strings.Builder
	name := report.ProgramName(s.Program)
	if len(s.Collectives) == 0 {
		fmt.Fprintf(&b, "suggestions for %s: it has no collectives to remove\n", name)
		return b.String()
	}
	fmt.Fprintf(&b, "suggestions for %s: %d rules tried", name, s.Tried)
	if s.Untried > 0 {
		fmt.Fprintf(&b, ", %d not, for the time it takes", s.Untried)
	}
	b.WriteByte('\n')
	for _, c := range s.Collectives {
		fmt.Fprintf(&b, "\n%s\n", c.Collective)
		if c.Rule == nil {
			b.WriteString("  no rule that was tried removes it\n")
			continue
		}
		fmt.Fprintf(&b, "  %s\n", c.Rule)
		fmt.Fprintf(&b, "    instead of %s removes it", axesList(c.Rule.Instead))
		if !c.Pays {
			b.WriteString(", but costs more than it saves")
		}
		b.WriteByte('\n')
		fmt.Fprintf(&b, "    other collectives: %s\n", change(s.Before.Bytes-c.Collective.Total(), c.After.Bytes, " bytes"))
		fmt.Fprintf(&b, "    in total: %s; %s; %s; %s\n", change(s.Before.Bytes, c.After.Bytes, " bytes sent"),
			change(s.Before.Collectives, c.After.Collectives, " collectives"), change(s.Before.Flops, c.After.Flops, " flops"),
			change(s.Before.Memory, c.After.Memory, " bytes of memory"))
	}
	return b.String()
}

// String returns the rule as it is written in a Go map: "d1/kernel": {"model", ""}.
func (l *LayoutRule) String() string { return fmt.Sprintf("%q: %s", l.Path, axesList(l.Axes)) }

func axesList(axes []string) string {
	quoted := make([]string, len(axes))
	for i, a := range axes {
		quoted[i] = fmt.Sprintf("%q", a)
	}
	return "{" + strings.Join(quoted, ", ") + "}"
}

// change says how a number changes.
func change(before, after int, unit string) string {
	if before == after {
		return texttable.Grouped(before) + unit + " as before"
	}
	return texttable.Grouped(before) + " → " + texttable.Grouped(after) + unit
}

// ruleOf returns the rule that gives the input of that name the sharding s. ok
// is false where a layout map cannot say it: sub-axes.
func ruleOf(name string, s, before *layout.Sharding) (l *LayoutRule, ok bool) {
	l = &LayoutRule{Path: name, Axes: make([]string, len(s.Dims)), Instead: make([]string, len(s.Dims))}
	for d := range s.Dims {
		if slices.ContainsFunc(s.Dims[d].Axes, func(a mesh.AxisRef) bool { return a.Sub }) {
			return nil, false
		}
		l.Axes[d] = strings.Join(report.AxisNames(s.Dims[d].Axes), "+")
		l.Instead[d] = strings.Join(report.AxisNames(before.Dims[d].Axes), "+")
	}
	return l, true
}
