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
	parts []part
	lines []candidate // the most promising first
}

// candidate is a layout to try for an input.
type candidate struct {
	input    int
	sharding *layout.Sharding
	line     *Line
}

func (c candidate) key() string { return fmt.Sprint(c.input, c.sharding) }

// trial is what a compiled program does.
type trial struct {
	line   *Line
	totals Totals
	ops    []*ir.Op // the collectives
	parts  [][]part // of each of them
}

// part names what a collective does, for one of its operands, in words that
// hold for other layouts too.
type part struct {
	sums      bool   // else it moves
	op, place string // the op that it is there for, and where that comes from
	layer     string
}

// newTrial looks at a compiled program.
func newTrial(p *program.Program, line *Line) *trial {
	t := &trial{line: line, totals: totalsOf(report.New(p))}
	f := p.Module.Main()
	uses := f.Uses()
	for _, c := range cost.Collectives(p.Mesh, f) {
		sums := c.Kind == cost.AllReduce || c.Kind == cost.ReduceScatter
		var parts []part
		for i, v := range c.Op.Operands {
			x := part{sums: sums, op: "input", place: c.Op.Loc.String(), layer: c.Op.Loc.Path}
			if by := servedBy(c.Op, v, i, sums, uses); by != nil {
				x.op, x.place = by.FullName(), by.Loc.String()
			}
			parts = append(parts, x)
		}
		t.ops, t.parts = append(t.ops, c.Op), append(t.parts, parts)
	}
	return t
}

// servedBy returns the op that collective c is there for as far as its operand
// v is concerned: of a sum the one that makes v, else the one that wants the
// result.
func servedBy(c *ir.Op, v *ir.Value, i int, sums bool, uses map[*ir.Value][]ir.Use) *ir.Op {
	if sums {
		return v.Def()
	}
	if us := uses[c.Results[min(i, len(c.Results)-1)]]; len(us) > 0 {
		return us[0].Op
	}
	return nil
}

// removes reports whether t, a changed program, does without a collective.
func (t *trial) removes(parts []part, before *trial) bool {
	for _, x := range parts {
		if t.count(func(y part) bool { return x == y }) > 0 {
			return false
		}
		alike := func(y part) bool { return x.sums == y.sums && x.layer == y.layer }
		if t.count(alike) >= before.count(alike) {
			return false
		}
	}
	return true
}

func (t *trial) count(is func(part) bool) int {
	n := 0
	for _, ps := range t.parts {
		for _, x := range ps {
			if is(x) {
				n++
			}
		}
	}
	return n
}

// inputsOf returns the role of each parameter of f, and of each weight the
// optimizer's slots: those of its size that its new value depends on.
func inputsOf(f *ir.Func) (roles []ir.Role, slots [][]int) {
	roles = rolesOf(f)
	slots = make([][]int, len(roles))
	for i, p := range f.Params() {
		out := aliasOf(f, i)
		if roles[i] != ir.RoleParameter || out < 0 {
			continue
		}
		needed := sourcesOf(f.Returned()[out])
		for j, q := range f.Params() {
			if roles[j] == ir.RoleOptimizer && needed[q] && slices.Equal(p.Type.Dims, q.Type.Dims) {
				slots[i] = append(slots[i], j)
			}
		}
	}
	return roles, slots
}

// linesFor returns the lines to try for a collective, those for the nearest
// inputs first.
func (s *searcher) linesFor(op *ir.Op) []candidate {
	var out []candidate
	for _, input := range s.nearest(op) {
		for _, a := range cost.Axes(s.p.Mesh, op) {
			out = append(out, s.linesOf(input, mesh.FullAxis(a.Name))...)
		}
	}
	return out
}

// linesOf returns the lines for an input that take axis a from where it is, or
// move it to another dimension.
func (s *searcher) linesOf(input int, a mesh.AxisRef) []candidate {
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
		if line, ok := lineOf(in.Name, to, in.Sharding); ok {
			out = append(out, candidate{input, to, line})
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
// values to, lies in or holds. Neither a parameter nor the return ties ops
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
		if outer := op.Block().Parent(); outer != nil {
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
			if rank >= len(s.targets[i].lines) {
				continue
			}
			more = true
			c := s.targets[i].lines[rank]
			switch {
			case s.trials[c.key()] != nil:
			case len(s.trials) >= most:
				left[c.key()] = true
			default:
				t, err := s.try(c)
				if err != nil {
					return fmt.Errorf("compile: the suggestion %s cannot be tried: %w", c.line, err)
				}
				s.trials[c.key()] = t
			}
		}
	}
	s.untried = len(left)
	return nil
}

// try compiles the program with the input, its slots and the results that
// they are donated to laid out as the candidate says.
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
		if out := aliasOf(f, i); out >= 0 {
			f.Results[out].Sharding = c.sharding
		}
	}
	p, err := Compile(m, s.o)
	if err != nil {
		return nil, err
	}
	return newTrial(p, c.line), nil
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
	for _, c := range t.lines {
		x := s.trials[c.key()]
		if x == nil || !x.removes(t.parts, s.before) {
			continue
		}
		if best == nil || x.totals.cost() < best.totals.cost() {
			best = x
		}
	}
	return best
}
