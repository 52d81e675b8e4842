package memory

// This file describes a function as a problem for the search: its values, in the order in which the
// target's compiler computes them, and the steps during which each is in memory.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/mesh"
)

// value is the output of a kernel of the function: all results of the kernel's last op. Or it is an
// operand of an op that the compiler has transposed into the order in which the op reads it; holds
// is then that op. Steps are indices of cost.Usage.Curve.
type value struct {
	op      *ir.Op
	typ     ir.Type
	bytes   int     // of memory that the value takes
	seconds float64 // of computing the value once more
	made    int     // the step that computes it
	last    int     // the last step at which it is in memory
	reads   []int   // the values that its kernel reads; all are before it
	// early is the last step before the gap in which nothing uses the value, and late are the steps
	// after the gap that use it, in order. If late is empty, the value has no gap.
	early   int
	late    []int
	movable bool    // the value may be computed again
	moves   bool    // the value may be moved to the host
	moving  float64 // the seconds of moving it to the host, and of fetching it
	// compressed says that it is kept in fewer bits where it is evicted (choice.away)
	compressed bool
	// unused says that nothing uses the value before the gap. An evicted value is then computed
	// once, behind the gap.
	unused bool
	// holds is the op that reads this transposed operand; nil for results of kernels. To evict the
	// operand is to hold back its source until just before that op.
	holds *ir.Op
	size  int // of the operand itself, in bytes
}

// crosses reports whether the value has a gap: a time without a use before its last uses, in which
// it may be freed.
func (v *value) crosses() bool { return len(v.late) > 0 }

// ways returns how v may be evicted, as arguments of choice.evict: computed again, moved to the
// host.
func (v *value) ways() (list []bool) {
	if v.movable {
		list = append(list, false)
	}
	if v.moves {
		list = append(list, true)
	}
	return list
}

// problem is a function whose memory is to be bounded, without its ops: the search reads only this.
type problem struct {
	limit  int   // bytes
	base   []int // by step: bytes in memory if nothing is evicted
	values []value
	// clock has the time when each step starts, and that of the end; nil if the device does not
	// compute while it moves values.
	clock []float64
	moves []move // in the order of time, if clock is known
}

// builder makes the problem of a function, and rewrites the function by a choice.
type builder struct {
	f       *ir.Func
	machine *cost.Machine
	mesh    *mesh.DeviceMesh
	usage   cost.Usage
	steps   map[*ir.Op][]int // the steps at which an op runs, if it writes memory
	index   map[*ir.Op]int   // the index in problem.values of what such an op writes
	over    []int            // by step: how many earlier steps are over the limit
}

// newProblem returns the problem of f for a limit in bytes, and the builder that rewrites f by a
// choice for it. usage is the predicted memory of f. Values may be moved to the host where o allows
// it (movesByLimit). A daring problem may give up more values: those that stay for a kernel that
// computes something once more are taken for its operands. Their own memory is then left out, so
// the peak is farther from the prediction.
func newProblem(f *ir.Func, usage cost.Usage, o Options, limit int, daring bool) (*problem, *builder) {
	b := &builder{f: f, machine: o.Machine, mesh: o.Mesh, usage: usage, steps: map[*ir.Op][]int{}, index: map[*ir.Op]int{}}
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
	host := o.movesByLimit()
	for i := range stays {
		if v := &p.values[i]; (v.movable || host && canMove(v.op)) && v.bytes > 0 && !stays[i] {
			b.findGap(v, readers[i])
		}
	}
	if host {
		b.offerMoves(p)
	}
	return p, b
}

// operand returns the value of a transposed operand whose lifetime is l. values are those of the
// problem so far: the operand reads what the value of its op reads. ok is false if memory is not
// over the limit while the operand waits for its op. Compilers transpose an operand as soon as its
// source is there, so it may wait for long.
func (b *builder) operand(l cost.Lifetime, values []value) (v value, ok bool) {
	user := b.usage.Curve[l.Last].Op
	at, ok := b.index[user]
	if !ok || l.Last <= l.First+2 || b.over[l.Last] == b.over[l.First+1] {
		return v, false
	}
	v = value{op: l.Op, typ: l.Type, holds: user, size: l.Bytes, bytes: l.Room, made: l.First, last: l.Last, early: l.First, late: []int{l.Last}, movable: true, unused: l.Op == user}
	if _, ok := b.steps[l.Op]; ok && !v.unused { // an earlier op reads it too
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

// fusedAgain returns a value that stays in memory after last, the last step that reads it, as a
// value with a gap that may be evicted. Such a value stays because the compiler fuses an op that
// reads it into each user of that op, such as a sum, and one of these kernels runs late. If the sum
// itself is held back until then, the late kernel reads the sum, and the value need not stay. l is
// the value's lifetime; ok is false if it does not stay that long.
func (b *builder) fusedAgain(l cost.Lifetime, last int) (v value, ok bool) {
	user := b.usage.Curve[l.Last].Op
	if _, ok := b.index[user]; !ok || l.Last <= last+1 {
		return v, false
	}
	v = value{op: l.Op, typ: l.Type, holds: user, size: l.Bytes, bytes: l.Room, made: last, last: l.Last, early: last, late: []int{l.Last}, movable: true}
	v.seconds = float64(b.machine.LocalCost(user, 0, 2*l.Bytes)) / b.machine.FlopsPerSecond
	return v, true
}

// end returns the last step that runs op: its value is in memory from then on.
func (b *builder) end(op *ir.Op) int { return b.steps[op][len(b.steps[op])-1] }

// readAt returns the step that reads operand v of op. An op of several steps, such as a matrix
// product, transposes each operand in a step of its own, as soon as the operand is there.
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

// value returns what op writes, without its gap and its bytes.
func (b *builder) value(op *ir.Op) value {
	k := b.kernel(op)
	v := value{op: op, typ: op.Results[0].Type, made: b.end(op), last: b.end(op), movable: repeatable(op), seconds: b.seconds(k)}
	for _, def := range k.reads {
		i := b.index[def]
		if i >= b.index[op] { // the compiler merges def with another op: def has no step of its own
			continue
		}
		v.reads = append(v.reads, i)
	}
	return v
}

// kernel is an op that writes memory, with the ops that the compiler fuses into it.
type kernel struct {
	op     *ir.Op   // the last op
	inside []*ir.Op // the fused ops, without op
	reads  []*ir.Op // the last ops of the kernels whose outputs this one reads
}

// kernel returns the kernel whose last op is op.
func (b *builder) kernel(op *ir.Op) kernel {
	var all []*ir.Value
	operands(op, func(v *ir.Value) { all = append(all, v) })
	return b.kernelOf(op, all...)
}

// kernelOf returns the part of op's kernel that computes the values of list, which op reads.
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

// operands calls visit with each operand of op and of the ops in its regions.
func operands(op *ir.Op, visit func(*ir.Value)) {
	op.Walk(func(o *ir.Op) {
		for _, v := range o.Operands {
			visit(v)
		}
	})
}

// seconds returns the predicted time of k: the time of sending if its op is a collective, otherwise
// that of its arithmetic or of its memory traffic, whichever is longer.
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

// repeatable reports whether op may be computed again: it computes the same each time, has no side
// effect and no token, and has operands that can be held back, so constants may not. Loops and
// branches may not, because their op alone does not tell their memory; nor may custom calls,
// barriers and collectives between processes.
func repeatable(op *ir.Op) bool {
	info := op.Info()
	switch {
	case len(op.Regions) > 0 && !info.Is(ir.ScalarBody), transform.HasSideEffect(op), info.Is(ir.Collective) && !info.Is(ir.OnMesh):
		return false
	}
	switch op.Kind {
	case ir.OpRng, ir.OpRngBitGenerator, ir.OpCustomCall, ir.OpCreateToken, ir.OpAfterAll, ir.OpOptimizationBarrier, ir.OpUnregistered:
		return false
	case ir.OpConstant, ir.OpIota: // they have no operand that could be held back
		return false
	}
	return !slices.ContainsFunc(op.Results, func(v *ir.Value) bool { return v.Type.IsToken() })
}

// findGap sets the gap of v: the time between two uses in which memory is over the limit for the
// most steps. readers are the steps that read v. Without such a time v gets no gap.
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
