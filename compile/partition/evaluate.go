package partition

// This file finds out what a function costs, again and again while a search
// revises its shardings: what has not changed is not computed again.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

var _ autoshard.Evaluator = (*Evaluator)(nil)

// Evaluator answers what the main function of a module costs as Module would
// partition it, under the shardings that it has at the time. It builds nothing.
type Evaluator struct {
	p      *partitioner
	f      *ir.Func
	outer  *mesh.DeviceMesh // of the module's shardings
	stated map[*layout.Sharding]*layout.Sharding

	params []*valueNode
	ops    []*opNode
	values map[*ir.Value]*valueNode
	nodes  map[*ir.Op]*opNode
	undo   []undo
	inputs []*layout.Sharding // of the op at hand
	spent  Spent              // of the last dry run
}

// Spent is what a device spends on a run, as a dry run estimates it.
type Spent struct {
	Bytes int // sent
	Flops int
	Cost  int // of both, and of launching the collectives: cost.Machine
}

// Spent returns what the last dry run found, of the ops that it came to.
func (e *Evaluator) Spent() Spent { return e.spent }

// valueNode is a value of the function.
type valueNode struct {
	*tensor
	value    *ir.Value
	declared *layout.Sharding
}

// opNode is an op of the function, with its values.
type opNode struct {
	op                *ir.Op
	operands, results []*valueNode
	rule              *factorRule  // nil for ops that are not partitioned by factors
	factors           *factor.Rule // likewise
	outcome                        // of the last dry run
	alternatives      map[mesh.AxisRef]alternatives
}

// outcome is how an op is partitioned for some inputs: the declared shardings of
// its results and the copies there are of its operands.
type outcome struct {
	inputs []*layout.Sharding
	best   *strategy
	cost   int    // of moving operands, and of the op
	spent  Spent  // likewise
	moves  []move // what that makes
}

// move is a copy of an operand that is made.
type move struct {
	value *valueNode
	to    *layout.Sharding
}

// alternatives are the strategies for an op that differ along one axis only.
type alternatives struct {
	base factor.AxesPerFactor // of the other axes
	list []autoshard.Strategy
}

// undo is what a change has replaced.
type undo struct {
	node    *opNode // whose outcome, or nil
	outcome outcome
	value   *valueNode // whose sharding, or nil
	stated  *layout.Sharding
}

// NewEvaluator returns the evaluator of m's main function, which has a sharding
// on every value, on dm and machine.
func NewEvaluator(m *ir.Module, dm *mesh.DeviceMesh, machine *cost.Machine) *Evaluator {
	e := &Evaluator{
		p: newPartitioner(dm, machine), f: m.Main(), outer: dm, stated: map[*layout.Sharding]*layout.Sharding{},
		values: map[*ir.Value]*valueNode{}, nodes: map[*ir.Op]*opNode{},
	}
	e.p.blocks = []*ir.Block{nil}
	for _, v := range e.f.Params() {
		e.params = append(e.params, e.addValue(v, false))
	}
	for op := range e.f.Body.Ops() {
		e.addOp(op)
	}
	return e
}

// addOp adds the node of op and of its results.
func (e *Evaluator) addOp(op *ir.Op) {
	n := &opNode{op: op, alternatives: map[mesh.AxisRef]alternatives{}}
	if r := registry[op.Kind].byFactors; r != nil {
		if factors := e.p.ruleOf(r, op); factors != nil {
			n.rule, n.factors = r, factors
		}
	}
	for _, v := range op.Operands {
		n.operands = append(n.operands, e.values[v])
	}
	for _, v := range op.Results {
		n.results = append(n.results, e.addValue(v, n.rule != nil))
	}
	e.ops = append(e.ops, n)
	e.nodes[op] = n
}

// addValue adds the node of v, a parameter or the result of an op that may be
// partitioned by factors.
func (e *Evaluator) addValue(v *ir.Value, byFactors bool) *valueNode {
	if e.Rematerializes(v) && !byFactors {
		e.p.defineRematerialized(v, func(*layout.Sharding) *ir.Value { return nil })
	} else {
		e.p.define(v, nil, e.p.declared(v))
	}
	n := &valueNode{tensor: e.p.tensor(v), value: v, declared: e.p.declared(v)}
	e.values[v] = n
	return n
}

// Mesh returns the mesh of all shardings that e takes and returns.
func (e *Evaluator) Mesh() *mesh.DeviceMesh { return e.p.mesh }

// Machine returns the machine whose costs e counts.
func (e *Evaluator) Machine() *cost.Machine { return e.p.machine }

// Intern returns the sharding of dimensions by axes; equal ones are one pointer.
func (e *Evaluator) Intern(axes [][]mesh.AxisRef) *layout.Sharding { return e.p.interned(axes, nil) }

// Sharding returns the sharding that v has.
func (e *Evaluator) Sharding(v *ir.Value) *layout.Sharding { return e.values[v].declared }

// SetSharding changes the sharding of v.
func (e *Evaluator) SetSharding(v *ir.Value, s *layout.Sharding) {
	stated, ok := e.stated[s]
	if !ok {
		// e's own mesh has its devices in order.
		stated = s.Clone()
		stated.Mesh = e.outer
		e.stated[s] = stated
	}
	n := e.values[v]
	e.undo = append(e.undo, undo{value: n, stated: v.Sharding})
	v.Sharding, n.declared = stated, s
}

// Rule returns the sharding rule by whose factors op is partitioned, or nil.
func (e *Evaluator) Rule(op *ir.Op) *factor.Rule {
	if n := e.nodes[op]; n != nil {
		return n.factors
	}
	return nil
}

// Demand returns the sharding in which op, which has no rule, reads an operand:
// what a function returns, and what a constraint states. It returns nil for
// other ops.
func (e *Evaluator) Demand(op *ir.Op, operand int) *layout.Sharding {
	switch {
	case op == e.f.Body.Terminator():
		return e.p.fromModule(e.f.Results[operand].Sharding, op.Operands[operand].Type.Rank())
	case op.Kind == ir.OpShardingConstraint && op.Block() == e.f.Body:
		return e.p.declared(op.Result())
	}
	return nil
}

// Rematerializes reports whether v is computed in any sharding that is asked
// for, without communication.
func (e *Evaluator) Rematerializes(v *ir.Value) bool {
	op := v.Def()
	return op != nil && (op.Kind == ir.OpConstant || op.Kind == ir.OpIota || op.Kind == ir.OpRngBitGenerator && v.Index() == 1)
}

// OpCost returns what op, which has a rule, cost in the last dry run with all
// that is moved for it, and its flops.
func (e *Evaluator) OpCost(op *ir.Op) (total, flops int) {
	best := e.nodes[op].best
	return best.total, best.flops()
}

// Strategies returns the strategies for op that differ from the one that was
// chosen in the last dry run in what axis shards: nothing, or one of the factors.
func (e *Evaluator) Strategies(op *ir.Op, axis mesh.AxisRef) []autoshard.Strategy {
	n, sub := e.nodes[op], e.p.mesh.SubAxis(axis)
	base := n.best.axes.Clone()
	for f, axes := range base {
		if last := len(axes) - 1; last >= 0 && axes[last] == sub {
			base[f] = axes[:last:last]
		}
	}
	old := n.alternatives[axis]
	if old.base.Equal(base) {
		return old.list
	}
	list := []*strategy{e.p.candidate(n.rule, op, n.factors, base)}
	for f := range base {
		if base.Overlaps(sub) {
			break // a part of it, or others shard further: that is how it stays
		}
		a := base.Clone()
		a[f] = append(slices.Clone(a[f]), sub)
		if a[f].Size() > n.factors.Factors[f].Size {
			continue // devices without an element
		}
		if c := e.p.candidate(n.rule, op, n.factors, a); slices.Contains(c.axes[f], sub) {
			list = append(list, c)
		}
	}
	out := make([]autoshard.Strategy, len(list))
	for i, c := range list {
		e.p.evaluateInside(n.rule, c)
		out[i] = autoshard.Strategy{Operands: c.operands, Results: c.results, Cost: c.inside}
		if c.axes.Equal(n.best.axes) {
			out[0], out[i] = out[i], out[0] // it is likely to remain the best
		}
	}
	n.alternatives[axis] = alternatives{base, out}
	return out
}

// MoveCost returns what it costs to move a value of type t from one sharding to
// another.
func (e *Evaluator) MoveCost(t ir.Type, from, to *layout.Sharding) int {
	return e.p.plan(from, to, t).cost()
}

// DryRun returns the estimated cost of partitioning the function, which Module
// does in the same order; ok is false if it reaches limit. Call Commit or
// Rollback afterwards.
func (e *Evaluator) DryRun(limit int) (total int, ok bool) {
	e.spent = Spent{}
	for _, v := range e.params {
		v.makeAs(v.declared)
	}
	for _, n := range e.ops {
		total += e.evaluateOp(n)
		if total >= limit {
			return total, false
		}
	}
	e.spent.Cost = total
	return total, true
}

// evaluateOp returns what an op costs, and makes its results.
func (e *Evaluator) evaluateOp(n *opNode) (total int) {
	if n.rule != nil {
		total = e.evaluateByFactors(n)
		e.spent.Bytes += n.spent.Bytes
		e.spent.Flops += n.spent.Flops
		for i, v := range n.results {
			v.makeAs(n.best.results[i])
		}
		return total
	}
	for i, v := range n.operands {
		want := e.Demand(n.op, i)
		if want == nil {
			break
		}
		c, _ := e.moveTo(v, want)
		total += c.cost()
		e.spent.Bytes += c.bytes
	}
	for _, v := range n.results {
		if v.rematerialize == nil {
			v.makeAs(v.declared)
		}
	}
	return total
}

// evaluateByFactors returns what an op costs that is partitioned by factors. If
// its inputs are the same as the last time, so is everything else.
func (e *Evaluator) evaluateByFactors(n *opNode) int {
	e.inputs = e.inputs[:0]
	for _, v := range n.results {
		e.inputs = append(e.inputs, v.declared)
	}
	for _, v := range n.operands {
		e.inputs = append(e.inputs, nil)
		for _, c := range v.copies {
			e.inputs = append(e.inputs, c.sharding)
			if isPartial(c.sharding) {
				e.inputs = append(e.inputs, v.declared) // choose looks at it then
			}
		}
	}
	if n.best != nil && slices.Equal(n.inputs, e.inputs) {
		for _, m := range n.outcome.moves {
			m.value.copies = append(m.value.copies, shardedCopy{sharding: m.to})
		}
		return n.cost
	}
	e.undo = append(e.undo, undo{node: n, outcome: n.outcome})
	best := e.p.choose(n.rule, n.op, n.factors)
	n.outcome = outcome{inputs: slices.Clone(e.inputs), best: best, cost: best.inside}
	n.spent = Spent{Bytes: best.within.bytes, Flops: best.flops()}
	for i, v := range n.operands {
		c, made := e.moveTo(v, best.operands[i])
		n.cost += c.cost()
		n.spent.Bytes += c.bytes
		if made {
			n.moves = append(n.moves, move{v, best.operands[i]})
		}
	}
	return n.cost
}

// makeAs says that the value has been made as s, and no other copy of it.
func (v *valueNode) makeAs(s *layout.Sharding) {
	v.copies = append(v.copies[:0], shardedCopy{sharding: s})
}

// moveTo makes another copy of the value, if there is none as wanted, and
// returns what that sends; made is false where there is nothing to make.
func (e *Evaluator) moveTo(v *valueNode, want *layout.Sharding) (sent traffic, made bool) {
	from, how := e.p.cheapest(v.tensor, want)
	if from.sharding == want || from.sharding == nil {
		return traffic{}, false
	}
	v.copies = append(v.copies, shardedCopy{sharding: want})
	return how.traffic, true
}

// Commit keeps the shardings that were set, and what the last dry run found.
func (e *Evaluator) Commit() { e.undo = e.undo[:0] }

// Rollback takes back all that has changed since the last Commit.
func (e *Evaluator) Rollback() {
	for _, u := range slices.Backward(e.undo) {
		if u.node != nil {
			u.node.outcome = u.outcome
		} else {
			u.value.value.Sharding = u.stated
			u.value.declared = e.p.declared(u.value.value)
		}
	}
	e.Commit()
}
