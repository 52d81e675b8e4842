package memory

// This file removes stacks, the buffers in which a loop saves a value of each of its iterations
// (stacks.go). A later loop that reads one place of a stack computes the value again instead, from
// other values of the same iteration: places of other stacks, places of arrays that the first loop
// reads at the same index, and values that are the same in all iterations. Then nothing reads the
// stack, and the first loop does not write it.
//
//	%v1 = dynamic_slice %r#2, %j, 0, 0     =>     %h1 = reshape (dynamic_slice %r#3, %j, 0, 0)
//	                                              %v1 = tanh %h1
//
// A value that the first loop carries into an iteration is a result of the iteration before. If a
// stack has that result, it is read from there. Otherwise the value may get a new stack, if that
// makes several others unnecessary.
//
// Where devices have memory apart from the host's, a stack may also move to the host
// (movestacks.go).
//
// The copies need no holding back: they depend on the number of the later loop's iteration.

import (
	"cmp"
	"math"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/program"
)

// scan is a loop that has stacks.
type scan struct {
	counted
	stacks []stack
	at     line               // the index at which an iteration writes all stacks
	known  map[*ir.Value]bool // what computes has returned
	added  bool               // whether values that the loop carries, and that no stack saves, may get new stacks
}

// candidate is a stack that can be removed or moved to the host.
type candidate struct {
	scan, stack int     // indices in the list of scans, and in scan.stacks
	seconds     float64 // seconds that computing or moving the values takes, in all iterations together
	bytes       int     // of the stack
	away        bool    // it is moved
}

// scansOf returns the loops in the body of f that have stacks. added says that values that a loop
// carries may get new stacks. Stacks of layers that p saves stay.
func scansOf(f *ir.Func, added bool, p *Policies) (list []*scan) {
	for op := range f.Body.Ops() {
		if op.Kind != ir.OpWhile {
			continue
		}
		l, ok := countedLoop(op)
		if !ok {
			continue
		}
		if stacks, at := l.stacks(); len(stacks) > 0 {
			p.pinStacks(stacks)
			list = append(list, &scan{counted: l, stacks: stacks, at: at, known: map[*ir.Value]bool{}, added: added})
		}
	}
	return list
}

// saved returns the index of a stack that saves v and that ok accepts; -1 if there is none.
func (s *scan) saved(v *ir.Value, ok func(i int) bool) int {
	for i, x := range s.stacks {
		if x.value == v && ok(i) {
			return i
		}
	}
	return -1
}

// stays reports whether stack i must stay, because not only later loops read it place by place.
func (s *scan) stays(i int) bool { return s.stacks[i].slices == nil }

// isOutside reports whether v, which the body reads, is made before the loop.
func (s *scan) isOutside(v *ir.Value) bool { return v.Block() == s.op.Block() }

// isIndex reports whether v is the index that the stacks are written at, in each iteration.
func (s *scan) isIndex(v *ir.Value) bool {
	at, ok := s.lineOf(v)
	return ok && at == s.at
}

// isUnchanged reports whether each iteration passes v, an argument of the loop's body, on
// unchanged.
func (s *scan) isUnchanged(v *ir.Value) bool { return s.body().Terminator().Operands[v.Index()] == v }

// before returns the index of a stack that stays and saves the value that becomes v, an argument of
// the body, in the next iteration; -1 if there is none.
func (s *scan) before(v *ir.Value) int {
	return s.saved(s.body().Terminator().Operands[v.Index()], s.stays)
}

// computes reports whether a later loop can compute v, a value of the body, without a stack of v.
func (s *scan) computes(v *ir.Value) bool {
	if known, ok := s.known[v]; ok {
		return known
	}
	s.known[v] = s.compute(v)
	return s.known[v]
}

func (s *scan) compute(v *ir.Value) bool {
	def := v.Def()
	switch {
	case s.isOutside(v), s.isIndex(v), s.saved(v, s.stays) >= 0:
		return true
	case v.Type.IsToken():
		return false
	case def == nil:
		return v.Block() == s.body() && (s.isUnchanged(v) || s.before(v) >= 0 || s.added && plain(v.Type.DType) && s.saved(v, anyStack) < 0)
	case def.Kind == ir.OpConstant, def.Kind == ir.OpIota:
		return true
	case !repeatable(def):
		return false
	}
	for _, w := range s.reads(def) {
		if !s.computes(w) && s.saved(w, anyStack) < 0 {
			return false
		}
	}
	return true
}

func anyStack(int) bool { return true }

// reads returns the operands of op, an op of the body, and those of the ops in its regions that are
// made in the body or before the loop.
func (s *scan) reads(op *ir.Op) (list []*ir.Value) {
	operands(op, func(v *ir.Value) {
		if v.Block() == s.body() || s.isOutside(v) {
			list = append(list, v)
		}
	})
	return list
}

// seconds returns the predicted time of computing v in all iterations, from values that stacks
// save.
func (s *scan) seconds(v *ir.Value, m *cost.Machine) float64 {
	n, seen := 0, map[*ir.Op]bool{}
	var visit func(w *ir.Value)
	visit = func(w *ir.Value) {
		def := w.Def()
		if def == nil || seen[def] || s.isOutside(w) || w != v && s.saved(w, anyStack) >= 0 {
			return
		}
		seen[def] = true
		n += m.LocalCost(def, cost.OpFlops(def), 0)
		for _, x := range s.reads(def) {
			visit(x)
		}
	}
	visit(v)
	return float64(s.n) * float64(max(n, m.LocalCost(v.Def(), 0, v.Type.MemoryBytes()))) / m.FlopsPerSecond
}

// candidates returns the stacks of the loops that can be removed or moved to the host, each with
// what takes less time, sorted by that time per byte, the least first.
func candidates(list []*scan, o Options) (out []candidate) {
	for k, s := range list {
		for i, x := range s.stacks {
			computes, seconds := s.computes(x.value), o.movingSeconds(x, s.n)
			if s.stays(i) || !computes && math.IsInf(seconds, 1) {
				continue
			}
			c := candidate{scan: k, stack: i, bytes: s.op.Results[x.carry].Type.MemoryBytes()}
			if x.value.Def() != nil && s.saved(x.value, s.stays) < 0 {
				c.seconds = s.seconds(x.value, o.Machine)
			}
			if !computes || seconds < c.seconds {
				c.seconds, c.away = seconds, true
			}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Compare(a.seconds*float64(b.bytes), b.seconds*float64(a.bytes))
	})
	return out
}

// fitScans returns a copy of f without the first of its candidates: without as few as the limit
// allows, or without all of them if even then f does not fit. It also lists all candidates, with
// what was done. peak is the predicted peak of f. If no removal lowers the peak, fitScans
// returns f itself and no list.
func fitScans(f *ir.Func, peak int, o Options) (*ir.Func, []program.Crossing) {
	out, least := f, peak
	var values []program.Crossing
	for _, added := range []bool{false, true} {
		n := len(candidates(scansOf(f, added, o.Policies), o))
		try := func(count int) (fits bool) {
			g, more := withoutStacks(f, added, count, o)
			p := o.Machine.MemoryOf(g, o.Donated).Peak()
			if p <= o.Limit || p < least {
				out, least, values = g, p, more
			}
			return p <= o.Limit
		}
		if n == 0 || !try(n) {
			continue
		}
		for low, high := 0, n; high-low > 1; { // high fits, low does not
			if middle := (low + high) / 2; try(middle) {
				high = middle
			} else {
				low = middle
			}
		}
		break
	}
	return out, values
}

// withoutStacks returns a copy of f without the first count candidates, and lists all candidates
// with what was done. added is as for scansOf.
func withoutStacks(f *ir.Func, added bool, count int, o Options) (*ir.Func, []program.Crossing) {
	f = f.Clone()
	list := scansOf(f, added, o.Policies)
	out := candidates(list, o)
	gone := make([]map[int]bool, len(list))
	for i := range gone {
		gone[i] = map[int]bool{}
	}
	values := make([]program.Crossing, 0, len(out))
	for i, c := range out {
		x := list[c.scan].stacks[c.stack]
		v := program.Crossing{Action: program.Save, Type: list[c.scan].op.Results[x.carry].Type.Short(), Bytes: c.bytes, Op: list[c.scan].op.FullName(), Layer: list[c.scan].op.Loc.Path}
		if def := x.value.Def(); def != nil {
			v.Op, v.Layer = def.FullName(), def.Loc.Path
		}
		switch {
		case i >= count:
		case c.away:
			v.Action, v.Seconds = program.Offload, c.seconds
		default:
			gone[c.scan][c.stack] = true
			v.Action, v.Seconds = program.Recompute, c.seconds
		}
		values = append(values, v)
	}
	for i, s := range list {
		s.remove(gone[i])
	}
	for _, c := range out[:count] {
		if c.away {
			list[c.scan].moveAway(c.stack)
		}
	}
	transform.EliminateDeadOps(f, transform.DeadOps{Carries: true})
	return f, values
}

// iteration is an iteration of a scan as a later loop reads it: in the body of that loop, at index
// j of the stacks.
type iteration struct {
	block *ir.Block
	j     *ir.Value
}

// remove replaces all reads of the stacks in gone, which has their indices, by ops that compute
// their values again.
func (s *scan) remove(gone map[int]bool) {
	var places []iteration
	reads, values := map[iteration][]*ir.Op{}, map[*ir.Op]*ir.Value{}
	for i, x := range s.stacks {
		if !gone[i] {
			continue
		}
		for _, op := range x.slices {
			at := iteration{op.Block(), op.Operands[1]}
			if reads[at] == nil {
				places = append(places, at)
			}
			reads[at], values[op] = append(reads[at], op), x.value
		}
	}
	for _, at := range places {
		list := reads[at]
		slices.SortFunc(list, inOrder)
		a := &again{scan: s, gone: gone, j: at.j, made: ir.Cloner{}}
		for _, op := range list {
			a.b.Before(op).Loc = op.Loc
			op.ReplaceWith(a.b.Reshape(a.value(values[op]), op.Result().Type))
		}
	}
}

// inOrder compares two ops of a block by their order: -1 if x is before y, 0 if they are the same.
func inOrder(x, y *ir.Op) int {
	switch {
	case x == y:
		return 0
	case x.IsBefore(y):
		return -1
	}
	return 1
}

// again computes values of one iteration of a scan again, in the body of a later loop.
type again struct {
	*scan
	gone map[int]bool // the stacks that must not be read
	b    ir.Builder   // inserts ops in the later loop
	j    *ir.Value    // the index of the iteration
	made ir.Cloner    // the values in the later loop, by value of the scan's body
}

// value returns a value of the later loop that is equal to v, a value of the scan's body, in the
// iteration a.j. It inserts the ops that compute it.
func (a *again) value(v *ir.Value) *ir.Value {
	if w := a.made[v]; w != nil {
		return w
	}
	if a.isOutside(v) {
		return v
	}
	i := a.saved(v, func(i int) bool { return !a.gone[i] })
	def := v.Def()
	switch {
	case a.isIndex(v):
		a.made[v] = a.b.Convert(a.j, v.Type)
	case i >= 0:
		a.made[v] = a.read(i, a.j)
	case def == nil && a.isUnchanged(v):
		return a.op.Operands[v.Index()]
	case def == nil && a.before(v) >= 0:
		a.made[v] = a.carried(v)
	case def == nil:
		a.made[v] = a.read(a.addStack(v), a.j)
	default:
		for _, w := range a.reads(def) {
			if x := a.value(w); x != w {
				a.made[w] = x
			}
		}
		a.b.Insert(a.made.Op(def))
	}
	return a.made[v]
}

// read inserts ops that read the value of stack i at an index, and returns that value.
func (a *again) read(i int, index *ir.Value) *ir.Value {
	x := a.stacks[i]
	buffer := a.op.Results[x.carry]
	return a.b.Reshape(slicedAt(&a.b, buffer, index), x.value.Type)
}

// slicedAt inserts a dynamic_slice of size 1 in the first dimension of buffer, at an index, and
// returns its result.
func slicedAt(b *ir.Builder, buffer, index *ir.Value) *ir.Value {
	sizes := slices.Clone(buffer.Type.Dims)
	sizes[0] = 1
	return b.DynamicSlice(buffer, placeOf(b, buffer, index), sizes)
}

// placeOf returns the start indices of a dynamic_slice or dynamic_update_slice at an index of the
// first dimension of buffer: index, then zeros.
func placeOf(b *ir.Builder, buffer, index *ir.Value) []*ir.Value {
	at := []*ir.Value{index}
	for range buffer.Type.Rank() - 1 {
		at = append(at, b.Constant(ir.Scalar(index.Type.DType, 0)))
	}
	return at
}

// carried inserts ops that compute v, an argument of the scan's body, in the iteration a.j: the
// value that the iteration before has saved or, for the first iteration, the operand of the loop.
func (a *again) carried(v *ir.Value) *ir.Value {
	number := func(n int) *ir.Value { return a.b.Constant(ir.Scalar(a.j.Type.DType, float64(n))) }
	isFirst := a.b.Compare(a.j, number(a.at.at), "EQ")
	last := a.read(a.before(v), a.b.Clamp(number(0), a.b.Subtract(a.j, number(a.at.slope)), number(a.n-1)))
	first := a.op.Operands[v.Index()]
	return a.b.Select(isFirst, first, last)
}

// addStack gives the loop a new stack that saves v, an argument of its body, and returns the index
// of the stack.
func (s *scan) addStack(v *ir.Value) int {
	carry := len(s.op.Results)
	t := v.Type.WithDims(append([]int{s.n}, v.Type.Dims...))
	one := v.Type.WithDims(append([]int{1}, v.Type.Dims...))
	var b ir.Builder
	b.Before(s.op).Loc = s.op.Loc
	s.op.AddOperands(b.BroadcastInDim(b.Constant(ir.Scalar(v.Type.DType, 0)), nil, t))
	s.op.AddResult(t)
	s.op.Regions[0].AddArg(t)
	arg, end := s.body().AddArg(t), s.body().Terminator()
	b.Before(end)
	index := s.stacks[0].index[0]
	end.AddOperands(b.DynamicUpdateSlice(arg, b.Reshape(v, one), placeOf(&b, arg, index)))
	s.stacks = append(s.stacks, stack{carry: carry, value: v, index: []*ir.Value{index}})
	return len(s.stacks) - 1
}
