package compile

// This file makes the trials of Suggest: which layouts are tried, in which
// order, and what each does to a collective.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// searcher is one run of Suggest.
type searcher struct {
	m       *ir.Module
	o       Options
	p       *program.Program
	before  *trial
	roles   []ir.Role
	slots   [][]int // of each input
	targets []*target
	trials  map[string]*trial // by candidate.key
	untried int
	near    map[*ir.Op][]*ir.Op
}

// target is a collective to remove.
type target struct {
	purposes   []purpose
	candidates []candidate // the most promising first
}

// candidate is a layout to try for an input.
type candidate struct {
	input    int
	sharding *layout.Sharding
	rule     *LayoutRule
}

func (c candidate) key() string { return fmt.Sprint(c.input, c.sharding) }

// trial is what a compiled program does.
type trial struct {
	rule     *LayoutRule
	totals   Totals
	cost     int         // of a run, memory aside
	ops      []*ir.Op    // the collectives
	purposes [][]purpose // of each of them
}

// purpose says what a collective is for, for one of its operands, in terms that
// hold for other shardings too.
type purpose struct {
	reduces   bool   // else it moves data
	op, place string // the op that it serves, and where that comes from
	layer     string
}

// newTrial looks at a compiled program.
func (s *searcher) newTrial(p *program.Program, rule *LayoutRule) *trial {
	t := &trial{rule: rule, totals: totalsOf(report.New(p))}
	t.cost = t.totals.Flops
	machine := s.o.machine()
	for _, c := range cost.Collectives(p.Mesh, p.Module.Main()) {
		t.cost += machine.SendCost(c.Axes, c.Total(), 1)
		reduces := c.Kind == cost.AllReduce || c.Kind == cost.ReduceScatter
		var purposes []purpose
		for i, v := range c.Op.Operands {
			x := purpose{reduces: reduces, op: "input", place: c.Op.Loc.String(), layer: c.Op.Loc.Path}
			served := v.Def() // of a reduction; else the first op that uses the result
			if !reduces {
				served = c.Op.Results[min(i, len(c.Op.Results)-1)].FirstUse()
			}
			if served != nil {
				x.op, x.place = served.FullName(), served.Loc.String()
			}
			purposes = append(purposes, x)
		}
		t.ops, t.purposes = append(t.ops, c.Op), append(t.purposes, purposes)
	}
	return t
}

// removes reports whether t, a changed program, does without a collective of
// the program before.
func (t *trial) removes(purposes []purpose, before *trial) bool {
	for _, x := range purposes {
		if t.count(func(y purpose) bool { return x == y }) > 0 {
			return false
		}
		alike := func(y purpose) bool { return x.reduces == y.reduces && x.layer == y.layer }
		if t.count(alike) >= before.count(alike) {
			return false
		}
	}
	return true
}

func (t *trial) count(is func(purpose) bool) int {
	n := 0
	for _, purposes := range t.purposes {
		for _, x := range purposes {
			if is(x) {
				n++
			}
		}
	}
	return n
}

// candidatesFor returns what to try for a collective, the nearest inputs first.
func (s *searcher) candidatesFor(op *ir.Op) []candidate {
	var out []candidate
	for _, input := range s.nearest(op) {
		for _, a := range cost.Axes(s.p.Mesh, op) {
			out = append(out, s.candidatesOf(input, mesh.FullAxis(a.Name))...)
		}
	}
	return out
}

// candidatesOf returns the shardings of an input that take axis a from where it
// is, or move it to another dimension.
func (s *searcher) candidatesOf(input int, a mesh.AxisRef) []candidate {
	in := s.p.Inputs[input]
	without := layout.Replicated(s.p.Mesh, in.Type.Rank())
	for d := range without.Dims {
		without.Dims[d].Axes = slices.DeleteFunc(slices.Clone(in.Sharding.Dims[d].Axes), a.Overlaps)
	}
	var out []candidate
	add := func(to *layout.Sharding) {
		if to.SameLayout(in.Sharding) {
			return
		}
		if rule, ok := ruleOf(in.Name, to, in.Sharding); ok {
			out = append(out, candidate{input, to, rule})
		}
	}
	for d := range without.Dims {
		with := without.Clone()
		with.Dims[d].Axes = append(with.Dims[d].Axes, a)
		if with.DimShards(d) <= in.Type.Dims[d] {
			add(with)
		}
	}
	add(without)
	return out
}

// nearest returns the inputs to try for a collective: the weights with the
// fewest ops between, in whichever direction data flows.
func (s *searcher) nearest(from *ir.Op) []int {
	f := s.p.Module.Main()
	if s.near == nil {
		s.near = neighbours(f)
	}
	anyWeight := slices.Contains(s.roles, ir.RoleParameter)
	distance := make([]int, len(f.Params()))
	seen := map[*ir.Op]int{from: 1}
	for todo := []*ir.Op{from}; len(todo) > 0; todo = todo[1:] {
		op := todo[0]
		for _, v := range op.Operands {
			if v.IsArg() && v.Block() == f.Body && distance[v.Index()] == 0 {
				distance[v.Index()] = seen[op]
			}
		}
		for _, next := range s.near[op] {
			if seen[next] == 0 {
				seen[next] = seen[op] + 1
				todo = append(todo, next)
			}
		}
	}
	var out []int
	for i, d := range distance {
		if d > 0 && (s.roles[i] == ir.RoleParameter || !anyWeight) && s.p.Inputs[i].Type.Rank() > 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(distance[i], distance[j]) })
	return out[:min(len(out), nearInputs)]
}

// neighbours returns for each op of f those that it gets values from, gives
// values to, is inside of or holds. Neither a parameter nor the return ties ops
// together.
func neighbours(f *ir.Func) map[*ir.Op][]*ir.Op {
	near := make(map[*ir.Op][]*ir.Op)
	tie := func(a, b *ir.Op) {
		near[a] = append(near[a], b)
		near[b] = append(near[b], a)
	}
	f.Walk(func(op *ir.Op) {
		if op == f.Body.Terminator() {
			return
		}
		for _, v := range op.Operands {
			if d := v.Def(); d != nil && d.Kind != ir.OpConstant {
				tie(op, d)
			}
		}
		if outer := op.Parent(); outer != nil {
			tie(op, outer)
		}
	})
	return near
}

// tryAll compiles the candidates of all targets, the first of each, then the
// second of each, and so on, of the targets that send most first.
func (s *searcher) tryAll(r *report.Report, most int) error {
	order := make([]int, len(s.targets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.Collectives[j].Total(), r.Collectives[i].Total()) })
	left := make(map[string]bool)
	for rank, more := 0, true; more; rank++ {
		more = false
		for _, i := range order {
			if rank >= len(s.targets[i].candidates) {
				continue
			}
			more = true
			c := s.targets[i].candidates[rank]
			switch {
			case s.trials[c.key()] != nil:
			case len(s.trials) >= most:
				left[c.key()] = true
			default:
				t, err := s.try(c)
				if err != nil {
					return fmt.Errorf("compile: the suggestion %s cannot be tried: %w", c.rule, err)
				}
				s.trials[c.key()] = t
			}
		}
	}
	s.untried = len(left)
	return nil
}

// try compiles the program with the candidate's sharding for the input, its
// slots and the results that they are donated to.
func (s *searcher) try(c candidate) (*trial, error) {
	m := s.m.Clone()
	f := m.Main()
	was := f.Params()[c.input].Sharding
	for _, i := range append([]int{c.input}, s.slots[c.input]...) {
		p := f.Params()[i]
		if i != c.input && !sameLayout(p.Sharding, was) {
			continue // the slot has a layout of its own
		}
		p.Sharding = c.sharding
		if out := roles.DonatedTo(f, i); out >= 0 {
			f.Results[out].Sharding = c.sharding
		}
	}
	p, err := Compile(m, s.o)
	if err != nil {
		return nil, err
	}
	return s.newTrial(p, c.rule), nil
}

func sameLayout(a, b *layout.Sharding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SameLayout(b)
}

// best returns the cheapest trial that does without the target, of equal ones
// the first.
func (s *searcher) best(t *target) *trial {
	var best *trial
	for _, c := range t.candidates {
		x := s.trials[c.key()]
		if x == nil || !x.removes(t.purposes, s.before) {
			continue
		}
		if best == nil || x.cost < best.cost {
			best = x
		}
	}
	return best
}
