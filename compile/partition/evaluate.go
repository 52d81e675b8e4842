package partition

// This file answers questions about a function for a search for shardings. dryrun.go computes the
// cost of the function.

import (
	"encoding/binary"
	"slices"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

var _ autoshard.Evaluator = (*Evaluator)(nil)

// Evaluator computes what the main function of a module would cost if Module partitioned it with
// its current shardings. It does not build the program.
type Evaluator struct {
	dryRun
	f      *ir.Func
	outer  *mesh.DeviceMesh // mesh of the shardings in the module
	stated map[*layout.Sharding]*layout.Sharding

	values map[*ir.Value]*valueNode
	nodes  map[*ir.Op]*opNode
	frames map[*ir.Block]*frame // frame of the function's body and of each region of a loop, by block

	classes    *classes
	strategies map[string][]autoshard.Strategy
	key        []byte // memory for the key of a look-up in strategies
}

// Spent is the estimated cost of a run for a device.
type Spent struct {
	Bytes int // bytes sent
	Flops int
	Cost  int // cost of FLOPs, bytes and launches of collectives (cost.Machine)
}

// Spent returns the costs that the last dry run found.
func (e *Evaluator) Spent() Spent { return e.total }

// NewEvaluator returns the evaluator of m's main function on the mesh dm and the machine. All
// values must have a sharding.
func NewEvaluator(m *ir.Module, dm *mesh.DeviceMesh, machine *cost.Machine) *Evaluator {
	e := &Evaluator{
		dryRun: dryRun{p: newPartitioner(dm, machine), outcomes: map[inputKey]*outcome{}, runs: map[string]int32{}},
		outer:  dm, classes: &classes{byKey: map[string]class{}}, strategies: map[string][]autoshard.Strategy{},
	}
	return e.For(m)
}

// For returns an evaluator of m, another clone of e's module, on the same mesh and machine. Both
// share their plans and the costs of equal ops.
func (e *Evaluator) For(m *ir.Module) *Evaluator {
	size := len(m.Main().Params()) + m.Main().Body.Len()
	e = &Evaluator{
		dryRun: dryRun{p: e.partitioner(), outcomes: e.outcomes, runs: e.runs},
		f:      m.Main(), outer: e.outer, stated: map[*layout.Sharding]*layout.Sharding{},
		values: make(map[*ir.Value]*valueNode, size), nodes: make(map[*ir.Op]*opNode, size), frames: map[*ir.Block]*frame{},
		classes: e.classes, strategies: e.strategies,
	}
	e.p.findAccesses(e.f)
	e.p.tensors = make(map[*ir.Value]*tensor, size)
	e.p.at = &frame{runs: 1}
	for _, v := range e.f.Params() {
		n := e.addValue(v, nil)
		n.made = n.declared
	}
	e.addBlock(e.f.Body, e.p.at)
	return e
}

// Module partitions m, as the function Module does, with the same errors; m must be on e's mesh and
// machine. It reuses the plans that e has found and, for ops that e has evaluated, their rules and
// strategies.
func (e *Evaluator) Module(m *ir.Module) (*ir.Module, error) {
	p := e.partitioner()
	p.searched = e
	return p.module(m)
}

// node returns the node of op in the search's evaluator if op is partitioned by r, and otherwise
// nil.
func (p *partitioner) node(r *factorRule, op *ir.Op) *opNode {
	if p.searched == nil {
		return nil
	}
	if n := p.searched.nodes[op]; n != nil && n.rule == r {
		return n
	}
	return nil
}

// chosenStrategy returns the strategy that a dry run has chosen for an op of n's class with the
// current inputs of n, or nil.
func (p *partitioner) chosenStrategy(n *opNode) *strategy {
	e := p.searched
	e.inputs, e.sources = e.inputs[:0], e.sources[:0]
	for _, v := range n.op.Results {
		e.inputs = append(e.inputs, p.declaredSharding(v))
	}
	for _, v := range n.op.Operands {
		e.inputs = append(e.inputs, nil)
		p.eachVisible(p.tensor(v), func(c shardedCopy) { e.addInput(c, p.declaredSharding(v)) })
	}
	e.endInputs(p.at)
	known := e.outcomes[e.inputKey(n.class, p.at)]
	if known == nil || len(e.inputs) > maxKeyInputs {
		return nil
	}
	c := *known.best
	c.op, c.rule = n.op, n.factors
	return &c
}

// partitioner returns a new partitioner that shares e's plans.
func (e *Evaluator) partitioner() *partitioner {
	p := newPartitioner(e.outer, e.p.machine)
	p.interner, p.plans, p.planner = e.p.interner, e.p.plans, e.p.planner
	return p
}

// Mesh returns the mesh of all shardings that e accepts and returns.
func (e *Evaluator) Mesh() *mesh.DeviceMesh { return e.p.mesh }

// Machine returns the machine whose costs e uses.
func (e *Evaluator) Machine() *cost.Machine { return e.p.machine }

// Intern returns the sharding whose dimension d is sharded by axes[d]. Equal shardings are one
// pointer.
func (e *Evaluator) Intern(axes [][]mesh.AxisRef) *layout.Sharding { return e.p.intern(axes, nil) }

// Sharding returns the sharding that v, a value of the function, has now: interned, and on e's
// mesh.
func (e *Evaluator) Sharding(v *ir.Value) *layout.Sharding { return e.values[v].declared }

// SetSharding changes the sharding of v to s, which is on e's mesh and interned, as Intern returns
// it. It marks the ops that the next dry run must evaluate again. Value.Sharding becomes the same
// sharding on the module's mesh. Rollback undoes it.
func (e *Evaluator) SetSharding(v *ir.Value, s *layout.Sharding) {
	stated, ok := e.stated[s]
	if !ok {
		// The mesh of e has its devices in order; that of the module may not.
		stated = s.Clone()
		stated.Mesh = e.outer
		e.stated[s] = stated
	}
	n := e.values[v]
	e.undo = append(e.undo, undo{value: n, stated: v.Sharding, declared: n.declared})
	v.Sharding = stated
	e.declare(n, s)
}

// Rule returns the sharding rule that op is partitioned by, or nil.
func (e *Evaluator) Rule(op *ir.Op) *factor.Rule {
	if n := e.nodes[op]; n != nil {
		return n.factors
	}
	return nil
}

// Demand returns the sharding that op demands of an operand, for three ops without a rule: the end
// of the function, the end of a region of a loop, and a constraint. It returns nil for other ops.
func (e *Evaluator) Demand(op *ir.Op, operand int) *layout.Sharding {
	return e.demand(op, operand).sharding()
}

func (e *Evaluator) demand(op *ir.Op, operand int) demand {
	rank := op.Operands[operand].Type.Rank()
	switch b := op.Block(); {
	case e.frames[b] == nil:
	case op.Kind == ir.OpShardingConstraint:
		return demand{stated: e.p.declaredSharding(op.Result())}
	case op != b.Terminator():
	case b == e.f.Body:
		return demand{stated: e.p.fromModule(e.f.Results[operand].Sharding, rank)}
	case b == b.Parent().Regions[0]:
		return demand{stated: e.p.replicatedSharding(rank)}
	default:
		return demand{as: e.values[b.Args[operand]]}
	}
	return demand{}
}

// Rematerializes reports whether each device can compute its part of v in any sharding without
// communication: v is a constant, an iota, or the random bits of an RNG.
func (e *Evaluator) Rematerializes(v *ir.Value) bool {
	op := v.Def()
	return op != nil && (op.Kind == ir.OpConstant || op.Kind == ir.OpIota || op.Kind == ir.OpRngBitGenerator && v.Index() == 1)
}

// Runs returns how often block b runs, or is assumed to run (cost.AssumedTripCount). b is the body
// of the function, or a region of a loop in it.
func (e *Evaluator) Runs(b *ir.Block) int { return e.frames[b].runs }

// OpCost returns the cost of all runs of op in the last dry run, including all moves for it, and
// the part of it that is the device's own work. op must have a rule.
func (e *Evaluator) OpCost(op *ir.Op) (total, local int) {
	n := e.nodes[op]
	return n.best.total, n.best.local * n.at.runs
}

// Strategies returns strategies for op, which must have a rule. They differ from the choice of the
// last dry run only in the use of axis: it shards no factor, or one of them. If that choice is
// among them, it is the first. If it uses axis in part, or not as the last axis of a factor, there
// are no others. The cost of each is that of one run of op without moves. The caller must not
// change the list.
func (e *Evaluator) Strategies(op *ir.Op, axis mesh.AxisRef) []autoshard.Strategy {
	n := e.nodes[op]
	i := e.p.mesh.AxisIndex(axis.Name)
	if n.strategies == nil {
		n.strategies = make([][]autoshard.Strategy, len(e.p.mesh.Axes()))
	}
	if axis.Sub || n.strategies[i] == nil {
		list := e.strategiesOf(n, axis)
		if axis.Sub {
			return list
		}
		n.strategies[i] = list
	}
	return n.strategies[i]
}

// strategiesOf returns what Strategies returns, for n. If another op of the class with the same
// current strategy has been asked for, it returns the same list.
func (e *Evaluator) strategiesOf(n *opNode, axis mesh.AxisRef) []autoshard.Strategy {
	op, sub := n.op, e.p.mesh.SubAxis(axis)
	base := n.best.axes.Clone()
	for f, axes := range base {
		if last := len(axes) - 1; last >= 0 && axes[last] == sub {
			base[f] = axes[:last:last]
		}
	}
	e.key = appendList(binary.AppendUvarint(e.key[:0], uint64(n.class)), mesh.AxisList{sub})
	for _, axes := range base {
		e.key = appendList(e.key, axes)
	}
	if known, ok := e.strategies[string(e.key)]; ok {
		return known
	}
	key := string(e.key)
	list := []*strategy{e.p.candidate(n.rule, op, n.factors, base)}
	for f := range base {
		if base.Overlaps(sub) {
			break // the axis is used in part, or not as the last one: no other strategies
		}
		a := base.Clone()
		a[f] = append(slices.Clone(a[f]), sub)
		if a[f].Size() > n.factors.Factors[f].Size {
			continue // some devices would have no elements
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
			out[0], out[i] = out[i], out[0] // this strategy is likely to remain the best
		}
	}
	e.strategies[key] = out
	return out
}

// MoveCost returns the cost of moving a value of type t once from one sharding to another, which
// must not be unreduced; 0 if nothing has to be sent.
func (e *Evaluator) MoveCost(t ir.Type, from, to *layout.Sharding) int {
	return e.p.plan(from, to, t).cost()
}
