package memory

// This file makes the problem of a function: its values in the order in which the target's compiler
// makes them, and when they are in memory.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/mesh"
)

// value is what a kernel of the function writes: all results of its last op. Steps are the Moments
// of cost.Usage.
type value struct {
	op      *ir.Op
	typ     ir.Type
	bytes   int     // that it takes in memory
	seconds float64 // that computing it once more takes
	made    int     // the step that makes it
	last    int     // the last step at which it is in memory
	reads   []int   // the values that its kernel reads; all are before it
	// early is the last step before the gap in which nothing uses the value, and late are the steps
	// after the gap that use it, in order. There is no gap where late is empty.
	early int
	late  []int
	// movable says that it may be computed again.
	movable bool
	// unused says that nothing uses it before the gap: it is then computed later, not once more.
	unused bool
	// holds is not nil where this is no result of an op, but an operand in the order in which the op
	// holds reads it. It is made again if what it is made of is held back before that op.
	holds *ir.Op
	size  int // of the operand, in bytes
}

// crosses reports whether the value is a candidate: it is kept over a gap.
func (v *value) crosses() bool { return len(v.late) > 0 }

// problem is a function whose memory is to be bounded.
type problem struct {
	limit  int
	base   []int // the memory at each step, as the function is
	values []value
}

// builder makes the problem of a function.
type builder struct {
	f       *ir.Func
	machine *cost.Machine
	mesh    *mesh.DeviceMesh
	usage   cost.Usage
	steps   map[*ir.Op][]int // of the ops that write memory: those at which they run
	index   map[*ir.Op]int   // of their values
	over    []int            // for each step, how many before it are over the limit
}

// newProblem returns the problem of f, whose memory is usage, for a limit. A daring one may give up
// more values: those that stay for a kernel that computes something once more are taken for its
// operands. Their own memory is then left out, so the peak is farther from the prediction.
func newProblem(f *ir.Func, usage cost.Usage, m *cost.Machine, dm *mesh.DeviceMesh, limit int, daring bool) (*problem, *builder) {
	b := &builder{f: f, machine: m, mesh: dm, usage: usage, steps: map[*ir.Op][]int{}, index: map[*ir.Op]int{}}
	p := &problem{limit: limit}
	b.over = []int{0}
	var ops []*ir.Op
	for t, moment := range usage.Curve {
		p.base = append(p.base, moment.Bytes)
		n := b.over[t]
		if moment.Bytes > limit {
			n++
		}
		b.over = append(b.over, n)
		op := moment.Op
		if op == nil || op.Block() != f.Body || op == f.Body.Terminator() {
			continue
		}
		if b.steps[op] == nil {
			ops = append(ops, op)
		}
		b.steps[op] = append(b.steps[op], t)
	}
	// a value is there when the last instruction of its op has run
	slices.SortStableFunc(ops, func(x, y *ir.Op) int { return b.end(x) - b.end(y) })
	for i, op := range ops {
		b.index[op] = i
	}
	p.values = make([]value, len(ops))
	readers := make([][]int, len(ops)) // steps
	returned := make([]bool, len(ops))
	for i, op := range ops {
		p.values[i] = b.value(op)
		for _, v := range op.Operands {
			t := b.readAt(op, v)
			for _, def := range b.kernelOf(op, v).reads {
				readers[b.index[def]] = append(readers[b.index[def]], t)
			}
		}
		if len(op.Regions) > 0 {
			for _, d := range p.values[i].reads {
				readers[d] = append(readers[d], b.steps[op][0])
			}
		}
	}
	for _, def := range b.kernel(f.Body.Terminator()).reads {
		returned[b.index[def]] = true
	}
	stays := slices.Clone(returned)
	for _, l := range usage.Lifetimes {
		if l.Type.IsToken() {
			continue
		}
		i, ok := b.index[l.Op]
		if user, known := b.index[usage.Curve[l.Last].Op]; ok && (returned[i] || known && slices.Contains(p.values[user].reads, i)) {
			p.values[i].bytes += l.Room
			p.values[i].last = max(p.values[i].last, l.Last)
		} else if ok && !daring && l.Type.Equal(p.values[i].typ) {
			v := &p.values[i]
			stays[i] = true
			v.bytes += l.Room
			v.last = max(v.last, slices.Max(append(readers[i], v.made)))
			if again, ok := b.fusedAgain(l, v.last); ok {
				p.values = append(p.values, again)
			} else {
				v.last = max(v.last, l.Last)
			}
		} else if v, ok := b.operand(l, p.values); ok {
			p.values = append(p.values, v)
		}
	}
	for i := range stays {
		if v := &p.values[i]; v.movable && v.bytes > 0 && !stays[i] {
			b.findGap(v, readers[i])
		}
	}
	return p, b
}

// operand describes an operand in the order in which an op reads it, if it is kept for that op while
// memory is over the limit. Compilers that run what they can as soon as they can make it early.
func (b *builder) operand(l cost.Lifetime, values []value) (v value, ok bool) {
	user := b.usage.Curve[l.Last].Op
	at, ok := b.index[user]
	if !ok || l.Last <= l.First+2 || b.over[l.Last] == b.over[l.First+1] {
		return v, false
	}
	v = value{op: l.Op, typ: l.Type, holds: user, size: l.Bytes, bytes: l.Room, made: l.First, last: l.Last, early: l.First, late: []int{l.Last}, movable: true, unused: l.Op == user}
	if _, ok := b.steps[l.Op]; ok && !v.unused { // another op has read it before
		v.early = min(max(b.end(l.Op), l.First), l.Last-1)
		v.seconds = float64(b.machine.LocalCost(user, 0, 2*l.Bytes)) / b.machine.FlopsPerSecond
	}
	for _, d := range values[at].reads {
		if values[d].made <= l.First {
			v.reads = append(v.reads, d)
		}
	}
	return v, true
}

// fusedAgain describes a value after the last step that reads it, where it stays for a kernel that
// computes once more what is in memory by then: compilers fuse a sum into each of its users. The
// kernel reads what is in memory instead if that is held back.
func (b *builder) fusedAgain(l cost.Lifetime, last int) (v value, ok bool) {
	user := b.usage.Curve[l.Last].Op
	if _, ok := b.index[user]; !ok || l.Last <= last+1 {
		return v, false
	}
	v = value{op: l.Op, typ: l.Type, holds: user, size: l.Bytes, bytes: l.Room, made: last, last: l.Last, early: last, late: []int{l.Last}, movable: true}
	v.seconds = float64(b.machine.LocalCost(user, 0, 2*l.Bytes)) / b.machine.FlopsPerSecond
	return v, true
}

// end returns the step that makes the value of op.
func (b *builder) end(op *ir.Op) int { return b.steps[op][len(b.steps[op])-1] }

// readAt returns the step when op reads v, an operand. An op of several steps, such as a product,
// brings operands into order first, as soon as they are there.
func (b *builder) readAt(op *ir.Op, v *ir.Value) int {
	steps := b.steps[op]
	if len(steps) == 1 {
		return steps[0]
	}
	there := -1
	for _, def := range b.kernelOf(op, v).reads {
		there = max(there, b.end(def))
	}
	for _, t := range steps {
		if t > there {
			return t
		}
	}
	return b.end(op)
}

// value describes what op writes.
func (b *builder) value(op *ir.Op) value {
	k := b.kernel(op)
	v := value{op: op, typ: op.Results[0].Type, made: b.end(op), last: b.end(op), movable: repeatable(op), seconds: b.seconds(k)}
	for _, def := range k.reads {
		i := b.index[def]
		if i >= b.index[op] { // it is merged with another op, and so has no place of its own
			continue
		}
		v.reads = append(v.reads, i)
	}
	return v
}

// kernel is an op that writes memory, with the ops that are computed in it.
type kernel struct {
	op     *ir.Op
	inside []*ir.Op // without op
	reads  []*ir.Op // that make what it reads
}

// kernel returns that of op.
func (b *builder) kernel(op *ir.Op) kernel {
	var all []*ir.Value
	operands(op, func(v *ir.Value) { all = append(all, v) })
	return b.kernelOf(op, all...)
}

// kernelOf returns the part of op's kernel that makes these operands.
func (b *builder) kernelOf(op *ir.Op, list ...*ir.Value) kernel {
	k := kernel{op: op}
	seen := map[*ir.Op]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		def := v.Def()
		if def == nil || def.Block() != b.f.Body || def == op || seen[def] {
			return
		}
		seen[def] = true
		if b.steps[def] != nil {
			k.reads = append(k.reads, def)
			return
		}
		k.inside = append(k.inside, def)
		operands(def, visit)
	}
	for _, v := range list {
		visit(v)
	}
	return k
}

// operands visits what op and the ops in its regions read.
func operands(op *ir.Op, visit func(*ir.Value)) {
	op.Walk(func(o *ir.Op) {
		for _, v := range o.Operands {
			visit(v)
		}
	})
}

// seconds returns how long k takes: its arithmetic or its memory traffic, whichever is longer, or
// what it sends.
func (b *builder) seconds(k kernel) float64 {
	m, n := b.machine, 0
	if _, ok := cost.KindOf(k.op); ok {
		n = m.SendCost(cost.Axes(b.mesh, k.op), cost.SentBytes(b.mesh, k.op), 1)
	} else {
		bytes := 0
		for _, v := range k.op.Results {
			bytes += v.Type.MemoryBytes()
		}
		for _, def := range k.reads {
			for _, v := range def.Results {
				bytes += v.Type.MemoryBytes()
			}
		}
		for _, op := range append(k.inside, k.op) {
			n += m.LocalCost(op, cost.OpFlops(op), 0)
		}
		n = max(n, m.LocalCost(k.op, 0, bytes))
	}
	return float64(n) / m.FlopsPerSecond
}

// repeatable reports whether op may be computed again: it computes the same each time, and does
// nothing else. Loops and branches stay: what they take is not known from their op alone.
func repeatable(op *ir.Op) bool {
	info := op.Info()
	switch {
	case len(op.Regions) > 0 && !info.Is(ir.ScalarBody), transform.HasSideEffect(op), info.Is(ir.Collective) && !info.Is(ir.OnMesh):
		return false
	}
	switch op.Kind {
	case ir.OpRng, ir.OpRngBitGenerator, ir.OpCustomCall, ir.OpCreateToken, ir.OpAfterAll, ir.OpOptimizationBarrier, ir.OpUnregistered:
		return false
	case ir.OpConstant, ir.OpIota: // they read nothing that could be held back
		return false
	}
	return !slices.ContainsFunc(op.Results, func(v *ir.Value) bool { return v.Type.IsToken() })
}

// findGap finds the gap between two uses of v in which memory is over the limit for the longest
// time.
func (b *builder) findGap(v *value, readers []int) {
	slices.Sort(readers)
	readers = slices.Compact(readers)
	most, at, from := 0, -1, v.made
	for i, t := range readers {
		if t > from+1 {
			if n := b.over[t] - b.over[from+1]; n > most {
				most, at = n, i
			}
		}
		from = max(from, t)
	}
	if at < 0 {
		return
	}
	v.late, v.early, v.unused = readers[at:], v.made, at == 0
	if at > 0 {
		v.early = max(v.made, readers[at-1])
	}
}
