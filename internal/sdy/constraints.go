package sdy

// This file applies sharding constraints before propagation.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// ApplyConstraints applies closed sharding constraints to the values that they constrain, so that a
// value is computed in that sharding. It does not do so if another constraint on the value differs.
// The operand shardings of a manual computation count as constraints.
//
//   - A value without a sharding gets the sharding of the constraint.
//   - If a value flows between blocks, the constraint moves right after it and replaces it in all
//     other uses. So the other sources and targets of the flow stay free.
//   - In a chain of constraints on a value without other constraints, the last one replaces the
//     value in the uses after it.
//
// It returns the values that got a sharding, each with the op that constrains it.
func ApplyConstraints(m *ir.Module) map[*ir.Value]*ir.Op {
	by := make(map[*ir.Value]*ir.Op)
	for _, f := range m.Funcs {
		a := &applier{edges: Edges(f), by: by}
		a.block(f.Body)
	}
	return by
}

// applier applies the constraints of one function.
type applier struct {
	edges map[*ir.Value]*ir.Op // data-flow edges by owner
	by    map[*ir.Value]*ir.Op // values that have got a sharding, with the op that constrains them
}

// block applies the constraints of the ops of b. It visits the ops of a region before the op that
// has the region.
func (a *applier) block(b *ir.Block) {
	for op := range b.Ops() {
		for _, r := range op.Regions {
			a.block(r)
		}
		a.op(op)
	}
}

func (a *applier) op(op *ir.Op) {
	switch op.Kind {
	case ir.OpShardingConstraint:
		a.shortcut(op)
		a.apply(op, 0, func(*ir.Value, *layout.Sharding) *ir.Op { return op })
	case ir.OpManualComputation:
		for i := range op.Operands {
			a.apply(op, i, func(v *ir.Value, s *layout.Sharding) *ir.Op {
				c := NewConstraint(ir.OpShardingConstraint, v, s)
				c.Loc = op.Loc
				return c
			})
		}
	}
}

// apply gives the value that op constrains, its operand i, the sharding of the constraint. It does
// nothing if the value has a sharding, if the constraint leaves dimensions open, or if another
// constraint differs. If the value flows between blocks, it inserts the op that constraint returns
// right after the value.
func (a *applier) apply(op *ir.Op, i int, constraint func(v *ir.Value, s *layout.Sharding) *ir.Op) {
	v, want := op.Operands[i], constraintOn(op, i)
	if want == nil || a.shardingOf(v) != nil || !isClosed(want) || a.disagrees(v, want) || !a.isShardable(v) {
		return
	}
	if a.edges[v] == nil && !isEdge(v) && a.edgeOf(v) == nil {
		SetSharding(v, want)
		a.by[v] = op
		return
	}
	c := constraint(v, want)
	v.ReplaceUsesIf(c.Result(), func(u ir.Use) bool { return u.Op != c })
	if c == op {
		c.Remove()
	}
	new(ir.Builder).AfterValue(v).Insert(c)
	if len(want.Unreduced) > 0 { // unreduced axes do not propagate
		s := a.shardingOf(v)
		if s = s.Clone(); s == nil {
			s = layout.OpenSharding(want.Mesh, v.Type.Rank())
		}
		s.Unreduced = want.Unreduced
		SetSharding(a.holder(v), s)
	}
}

// holder returns the value that holds the sharding of v: the result of v's edge or, without an
// edge, v.
func (a *applier) holder(v *ir.Value) *ir.Value {
	if e := a.edgeOf(v); e != nil {
		return e.Result()
	}
	return v
}

func (a *applier) edgeOf(v *ir.Value) *ir.Op {
	if owner := EdgeOwner(v); owner != nil {
		return a.edges[owner]
	}
	return nil
}

// shardingOf returns the current sharding of v. An op has shardings for all of its results or for
// none: if another result has one, that of v is open.
func (a *applier) shardingOf(v *ir.Value) *layout.Sharding {
	v = a.holder(v)
	if s := StatedSharding(v); s != nil || v.IsArg() || dataFlows[v.Def().Kind].ownArgs {
		return s
	}
	for _, r := range v.Def().Results {
		if r.Sharding != nil {
			return layout.OpenSharding(r.Sharding.Mesh, v.Type.Rank())
		}
	}
	return nil
}

// isShardable reports whether v can have a sharding. Tokens, and arguments of regions without an
// edge, cannot.
func (a *applier) isShardable(v *ir.Value) bool {
	return !v.Type.IsToken() && (!v.IsArg() || v.Block().Parent() == nil || a.edgeOf(v) != nil || IsOwnArg(v))
}

func isEdge(v *ir.Value) bool { return v.Def() != nil && v.Def().Kind == ir.OpDataFlowEdge }

// disagrees reports whether another constraint on v differs from want.
func (a *applier) disagrees(v *ir.Value, want *layout.Sharding) bool {
	for u := range v.Uses() {
		if other := constraintOn(u.Op, u.Operand); other != nil && !other.Equal(want) {
			return true
		}
	}
	return false
}

// shortcut handles a chain of at least two sharding constraints that starts at head. Uses of the
// constrained value that come after the chain, in its block, then use the chain's last result, if
// nothing else shards the value. A function's return is no such use.
func (a *applier) shortcut(head *ir.Op) {
	v := head.Operands[0]
	if v.Def() != nil && v.Def().Kind == ir.OpShardingConstraint || a.shardingOf(v) != nil || a.isConstrained(v, head) {
		return
	}
	tail := head
	for {
		next := onlyUser(tail.Result())
		if next == nil || next.Kind != ir.OpShardingConstraint {
			break
		}
		tail = next
	}
	if tail == head || a.isConstrained(tail.Result(), nil) {
		return
	}
	v.ReplaceUsesIf(tail.Result(), func(u ir.Use) bool {
		return u.Op != head && u.Op.Kind != ir.OpFuncReturn && u.Op.Block() == tail.Block() && tail.IsBefore(u.Op)
	})
}

// onlyUser returns the op that uses v if v has exactly one use, and otherwise nil.
func onlyUser(v *ir.Value) *ir.Op {
	if !v.HasOneUse() {
		return nil
	}
	for u := range v.Uses() {
		return u.Op
	}
	return nil
}

// isConstrained reports whether an op other than except constrains v.
func (a *applier) isConstrained(v *ir.Value, except *ir.Op) bool {
	for u := range v.Uses() {
		if u.Op != except && (u.Op.Kind == ir.OpShardingConstraint || u.Op.Kind == ir.OpManualComputation) {
			return true
		}
	}
	return false
}

// constraintOn returns the sharding that op constrains operand i to, or nil.
func constraintOn(op *ir.Op, i int) *layout.Sharding {
	switch op.Kind {
	case ir.OpShardingConstraint:
		if a, ok := op.Attrs.Get("sharding").(ir.ShardingAttr); ok {
			return a.Sharding
		}
	case ir.OpManualComputation:
		if in, ok := op.Attrs.Get("in_shardings").(ir.ShardingsAttr); ok && i < len(in) {
			return in[i]
		}
	}
	return nil
}

// isClosed reports whether all dimensions of s are closed.
func isClosed(s *layout.Sharding) bool {
	return !slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return d.Open })
}
