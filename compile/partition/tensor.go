package partition

// This file keeps the copies of each value of the global program, one for each sharding, and moves
// values from one sharding to another.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// tensor is a value of the global program, with its copies in the per-device program, each in a
// sharding of its own.
type tensor struct {
	typ ir.Type
	op  string      // the name of the op that makes it
	loc ir.Location // location of that op
	of  ir.Origins  // its origins in the user's program
	// rematerialize, if it is not nil, makes the tensor in any sharding without communication, as
	// for a constant.
	rematerialize func(s *layout.Sharding) *ir.Value
	at            *frame        // the frame that it is defined in
	copies        []shardedCopy // the oldest first
	read          reading       // the first use of the tensor in the strategy that was evaluated last
}

// reading is a use of a tensor as an operand of a strategy.
type reading struct {
	by int // number of the evaluation
	as *layout.Sharding
}

// shardedCopy is a copy of a tensor in one sharding.
type shardedCopy struct {
	sharding *layout.Sharding
	reduce   ir.OpKind // op that reduces the copy if it is partial
	local    *ir.Value
	at       *frame // the frame that it is defined in
}

// define makes local, a device's value in sharding s, the only copy of the global value v so far.
func (p *partitioner) define(v, local *ir.Value, s *layout.Sharding) {
	p.definePartial(v, local, s, ir.OpUnregistered)
}

// definePartial makes local the only copy of the global value v so far. It is in sharding s, where
// devices hold partial results: the op reduce combines them over the unreduced axes of s.
func (p *partitioner) definePartial(v, local *ir.Value, s *layout.Sharding, reduce ir.OpKind) {
	name := "a parameter"
	if v.Def() != nil {
		name = v.Def().FullName()
	}
	t := &tensor{typ: v.Type, op: name, loc: p.Loc, of: v.Origins, at: p.at}
	p.tensors[v] = t
	t.add(shardedCopy{s, reduce, local, p.at})
}

// add appends c to the copies of t. The value of c, if there is one, gets the origins of t, in the
// sharding of c.
func (t *tensor) add(c shardedCopy) {
	t.copies = append(t.copies, c)
	if c.local != nil {
		c.local.Origins = c.local.Origins.Add(t.of.WithSharding(c.sharding)...)
	}
}

// defineAll defines, for each result of op, the local value in locals, which is sharded as in
// shardings.
func (p *partitioner) defineAll(op *ir.Op, locals []*ir.Value, shardings []*layout.Sharding) {
	for i, r := range op.Results {
		p.define(r, locals[i], shardings[i])
	}
}

// defineRematerialized records that the global value v has no copy, but rematerialize makes it in
// any sharding s where it is used.
func (p *partitioner) defineRematerialized(v *ir.Value, rematerialize func(s *layout.Sharding) *ir.Value) {
	p.tensors[v] = &tensor{typ: v.Type, loc: p.Loc, of: v.Origins, at: p.at, rematerialize: rematerialize}
}

// alias makes v another name for the tensor of w, which must be defined. The tensor and its copies
// get the origins of v, too.
func (p *partitioner) alias(v, w *ir.Value) {
	t := p.tensor(w)
	p.tensors[v] = t
	t.of = t.of.Add(v.Origins...)
	for _, c := range t.copies {
		if c.local != nil {
			c.local.Origins = c.local.Origins.Add(v.Origins.WithSharding(c.sharding)...)
		}
	}
}

func (p *partitioner) tensor(v *ir.Value) *tensor {
	t := p.tensors[v]
	if t == nil {
		panic(fmt.Sprintf("BUG: a value of type %s is used before it is partitioned", v.Type))
	}
	return t
}

// eachVisible calls visit for each copy of t that can be used in the current frame.
func (p *partitioner) eachVisible(t *tensor, visit func(shardedCopy)) {
	for _, c := range t.copies {
		if p.at.sees(c.at) {
			visit(c)
		}
	}
}

// get returns the device's copy of the global value v in sharding want. If there is none, it adds
// the ops that move the cheapest copy to it, or make v again, once: later uses find the new copy. A
// value that does not change in a loop is moved before the loop. A tensor without elements is made
// as a constant, and a token has one copy for all shardings.
func (p *partitioner) get(v *ir.Value, want *layout.Sharding) *ir.Value {
	t := p.tensor(v)
	if t.typ.IsToken() {
		return t.copies[0].local
	}
	from, how := p.cheapestCopy(t, want)
	if from.sharding == want {
		return from.local
	}
	var local *ir.Value
	if at := p.at.hoistTarget(cmp.Or(from.at, t.at)); at != p.at {
		defer p.enter(at)()
	}
	switch {
	case t.typ.Size() == 0:
		local = p.Constant(ir.Splat(p.localType(t.typ, want), 0)) // the tensor has no elements
	case from.local == nil:
		local = t.rematerialize(want)
	default:
		local = p.move(t, from, how)
	}
	t.add(shardedCopy{want, ir.OpUnregistered, local, p.at})
	return local
}

// freeCopy returns the copy of v in the sharding want that the current frame can use, or nil if
// there is none. It appends no ops. A token has one copy for all shardings.
func (p *partitioner) freeCopy(v *ir.Value, want *layout.Sharding) *ir.Value {
	t := p.tensor(v)
	if t.typ.IsToken() {
		return t.copies[0].local
	}
	if from, _ := p.cheapestCopy(t, want); from.sharding == want {
		return from.local
	}
	return nil
}

// cheapestCopy returns the copy of t that can be moved to the sharding want with the fewest bytes
// in a run of the function, and the plan for it. A copy without a value says that t is to be
// rematerialized. It panics if the current frame can use no copy.
func (p *partitioner) cheapestCopy(t *tensor, want *layout.Sharding) (best shardedCopy, how plan) {
	found, times := false, 0
	p.eachVisible(t, func(c shardedCopy) {
		if found && best.sharding == want {
			return
		}
		o, runs := p.plan(c.sharding, want, t.typ), p.runsOfMove(c)
		if !found || cmp.Or(cmp.Compare(o.transfer*runs, how.transfer*times), cmp.Compare(len(o.steps), len(how.steps))) < 0 {
			best, how, found, times = c, o, true, runs
		}
	})
	if t.rematerialize != nil && (!found || best.sharding != want) {
		return shardedCopy{}, plan{}
	}
	if !found {
		panic(fmt.Sprintf("BUG: no copy of a %s from %s can be used here", t.typ, t.loc))
	}
	return best, how
}

// runsOfMove returns how often the copy from is moved in a run of the function, if the current op
// needs another sharding of it.
func (p *partitioner) runsOfMove(from shardedCopy) int { return p.at.hoistTarget(from.at).runs }

// plan is the steps that move a tensor from one sharding to another, and their cost.
type plan struct {
	traffic
	steps reshard.Steps
}

// planKey identifies a plan. shape stands for the global type.
type planKey struct {
	from, to *layout.Sharding
	shape    string
}

// plan returns the cheapest plan of steps that reshards a tensor of type t, and its cost. It is
// empty if nothing is to be done, and for tokens and tensors without elements. It panics if to is
// partial; from may be. Plans are kept for later calls.
func (p *partitioner) plan(from, to *layout.Sharding, t ir.Type) plan {
	if from == to || t.IsToken() || t.Size() == 0 {
		return plan{}
	}
	p.key = append(p.key[:0], byte(t.DType))
	for _, d := range t.Dims {
		p.key = binary.AppendUvarint(p.key, uint64(d))
	}
	if known, ok := p.plans[planKey{from, to, string(p.key)}]; ok { // does not allocate a key
		return known
	}
	key := planKey{from, to, string(p.key)}
	if isPartial(to) {
		panic(fmt.Sprintf("BUG: a plan from %s to the partial sharding %s", from, to))
	}
	shape := reshard.Tensor{Dims: t.Dims, ElemSize: ir.ElementBytes(t.DType)}
	steps, err := p.planner.Plan(from, to, shape)
	if err == nil && p.dividesOverSteps(steps, from, to) {
		sum, summed := p.sumOverSteps(from, t.Dims)
		steps, err = p.planner.Plan(summed, to, shape)
		steps = append(reshard.Steps{sum}, steps...)
	}
	if err != nil {
		panic("BUG: " + err.Error())
	}
	out := plan{steps: steps}
	for _, s := range steps {
		if s.Kind.Communicates() {
			out.add(p.sendsStep(s))
		}
	}
	p.plans[key] = out
	return out
}

// dividesOverSteps reports whether a plan between the shardings divides the sum of a tensor over the
// axis cost.Machine.Steps: by a reduce_scatter or, where neither sharding divides a dimension over
// that axis, in another way. A device computes the positions of the axis one after the other, and
// adds them up without communication: to divide their sum saves nothing, and would need all of them
// at once.
func (p *partitioner) dividesOverSteps(plan reshard.Steps, from, to *layout.Sharding) bool {
	if p.machine.Steps == "" {
		return false
	}
	kept := slices.ContainsFunc(slices.Concat(from.Dims, to.Dims), func(d layout.DimSharding) bool { return slices.ContainsFunc(d.Axes, p.isStep) })
	return slices.ContainsFunc(plan, func(s reshard.Step) bool {
		divides := s.Kind == reshard.ReduceScatter || !kept && s.Kind != reshard.AllReduce
		return divides && slices.ContainsFunc(axesOfStep(s), p.isStep)
	})
}

// sumOverSteps returns the step of a plan that adds up a tensor with the sharding from over the axis
// cost.Machine.Steps, and the sharding of the sum. dims are the global sizes.
func (p *partitioner) sumOverSteps(from *layout.Sharding, dims []int) (reshard.Step, *layout.Sharding) {
	steps, local := mesh.FullAxis(p.machine.Steps), from.LocalShape(dims)
	sum := reshard.Step{Kind: reshard.AllReduce, Dim: -1, To: -1, Axes: []mesh.AxisRef{steps}, Before: local, After: local, Dims: dims}
	rest := slices.DeleteFunc(slices.Clone(from.Unreduced), func(a mesh.AxisRef) bool { return a == steps })
	return sum, p.intern(dimAxes(from), rest)
}

// axesOfStep returns the mesh axes that a step communicates along, each once. If the step uses
// several parts of an axis, the result has the full axis.
func axesOfStep(s reshard.Step) (out []mesh.AxisRef) {
	if s.Target == nil {
		return s.Axes
	}
	add := func(axes []mesh.AxisRef) {
		for _, a := range axes {
			if i := slices.IndexFunc(out, a.Overlaps); i < 0 {
				out = append(out, a)
			} else if out[i] != a {
				out[i] = mesh.FullAxis(a.Name)
			}
		}
	}
	for _, side := range []*layout.Sharding{s.Source, s.Target} {
		for _, d := range side.Dims {
			add(d.Axes)
		}
		add(side.Unreduced)
	}
	return out
}

// traffic is the cost of the bytes that a device sends.
type traffic struct {
	transfer int // cost of the bytes
	launch   int // cost of the latency of collectives
	bytes    int
}

// sendsStep returns the traffic of a step of a plan. An all-reduce sends nothing along the axis
// whose positions a device computes one after the other (isStep).
func (p *partitioner) sendsStep(s reshard.Step) traffic {
	axes := axesOfStep(s)
	if s.Kind == reshard.AllReduce && p.machine.Steps != "" { // the device adds up over its steps itself
		if axes = slices.DeleteFunc(slices.Clone(axes), p.isStep); len(axes) == 0 {
			return traffic{}
		}
	}
	return p.sends(axes, s.Bytes)
}

// isStep reports whether a is the axis whose positions a device computes one after the other.
func (p *partitioner) isStep(a mesh.AxisRef) bool { return a.Name == p.machine.Steps }

// avoided is the number of bytes that one byte counts for, if it is moved between the steps of a
// device: enough to prefer any other plan.
const avoided = 1 << 10

// sends returns the traffic of one collective in which a device sends so many bytes over axes. If
// one of the axes is that of the steps of a device (isStep), each byte counts as avoided bytes.
func (p *partitioner) sends(axes []mesh.AxisRef, bytes int) traffic {
	if slices.ContainsFunc(axes, p.isStep) {
		bytes *= avoided
	}
	return traffic{p.machine.SendCost(axes, bytes, 0), p.machine.SendCost(axes, 0, 1), bytes}
}

// add counts more traffic.
func (t *traffic) add(o traffic) {
	t.transfer += o.transfer
	t.launch += o.launch
	t.bytes += o.bytes
}

// times returns n times the traffic.
func (t traffic) times(n int) traffic { return traffic{t.transfer * n, t.launch * n, t.bytes * n} }

// cost returns the cost of bytes and latency together.
func (t traffic) cost() int { return t.transfer + t.launch }

// move builds the steps of the plan how on from, a copy of t, and returns the last value, a copy in
// another sharding. It does not add that one to t.
func (p *partitioner) move(t *tensor, from shardedCopy, how plan) *ir.Value {
	if !isPartial(from.sharding) {
		return p.reshard(from.local, how.steps, from.reduce)
	}
	loc, why := p.Loc, p.why
	p.Loc = t.loc
	// each step's op names its axes, so the reason need not
	p.reason(fmt.Sprintf("reduces partial results of %s; %s", t.op, why))
	v := p.reshard(from.local, how.steps, from.reduce)
	p.Loc, p.why = loc, why
	return v
}

// localShard returns this device's part of v if axes shard dimension d. The parts have equal sizes,
// rounded up; the last ones end in zeros. Every device must hold dimension d in full.
func (p *partitioner) localShard(v *ir.Value, d int, axes []mesh.AxisRef) *ir.Value {
	n, size := p.mesh.RefsSize(axes), v.Type.Dims[d]
	part := (size + n - 1) / n
	if rest := n*part - size; rest > 0 {
		v = p.pad(v, d, 0, rest, p.zero(v.Type.DType))
	}
	return p.dynamicSlice(v, d, p.times(p.SPMDAxisIndex(axes), part), part)
}
