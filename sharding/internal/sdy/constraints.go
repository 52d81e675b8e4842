package sdy

// This file applies sharding constraints before propagation.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// ApplyConstraints is ApplyConstraints that tells which values have got a
// sharding, and from which op.
func ApplyConstraints(m *ir.Module) map[*ir.Value]*ir.Op {
	by := make(map[*ir.Value]*ir.Op)
	for _, f := range m.Funcs {
		a := &applier{fn: f, edits: NewEdits(), edges: make(map[*ir.Value]*ir.Op), by: by}
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpDataFlowEdge {
				a.edges[op.Operands[0]] = op
			}
		})
		a.uses = f.Uses()
		a.number(f.Body)
		a.block(f.Body)
		a.edits.Apply(f)
	}
	return by
}

// applier applies the constraints of one function.
type applier struct {
	fn    *ir.Func
	edits *Edits
	uses  map[*ir.Value][]ir.Use
	edges map[*ir.Value]*ir.Op // data-flow edges by owner
	place map[*ir.Op]int       // position in the block
	by    map[*ir.Value]*ir.Op // values that have got a sharding
}

func (a *applier) number(b *ir.Block) {
	if a.place == nil {
		a.place = make(map[*ir.Op]int)
	}
	i := 0
	for op := range b.Ops() {
		a.place[op] = i
		i++
		for _, r := range op.Regions {
			a.number(r)
		}
	}
}

// block visits the ops of b, those in regions before the op around them.
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
		a.apply(op, 0, func(v *ir.Value, _ *layout.Sharding) *ir.Op {
			a.edits.Moved[op] = true
			a.place[op] = -1
			if v.Def() != nil {
				a.place[op] = a.place[v.Def()]
			}
			return op
		})
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

// apply applies what op demands of operand i. behind makes the constraint that
// is to stand right behind a value that flows between blocks.
func (a *applier) apply(op *ir.Op, i int, behind func(v *ir.Value, s *layout.Sharding) *ir.Op) {
	v, want := op.Operands[i], ConstraintOn(op, i)
	if want == nil || a.shardingOf(v) != nil || !IsClosed(want) || a.disagrees(v, want) || !a.isShardable(v) {
		return
	}
	if a.edges[v] == nil && !isEdge(v) && a.edgeOf(v) == nil {
		SetSharding(v, want)
		a.by[v] = op
		return
	}
	c := behind(v, want)
	a.replace(v, c.Result(), c)
	if c != op {
		a.uses[v] = append(a.uses[v], ir.Use{Op: c})
	}
	a.edits.PutAfterValue(v, c)
	if len(want.Unreduced) > 0 { // these do not propagate
		s := a.shardingOf(v)
		if s = s.Clone(); s == nil {
			s = layout.OpenSharding(want.Mesh, v.Type.Rank())
		}
		s.Unreduced = want.Unreduced
		SetSharding(a.holder(v), s)
	}
}

// holder returns the value whose sharding is v's: the result of its edge.
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

// shardingOf returns the sharding that v has so far. An op states shardings for
// all of its results at once: where one of them has one, the others are open.
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

// isShardable reports whether v can have a sharding: not so arguments of
// regions that have no edge.
func (a *applier) isShardable(v *ir.Value) bool {
	return !v.Type.IsToken() && (!v.IsArg() || v.Block().Parent() == nil || a.edgeOf(v) != nil || IsOwnArg(v))
}

func isEdge(v *ir.Value) bool { return v.Def() != nil && v.Def().Kind == ir.OpDataFlowEdge }

// disagrees reports whether another constraint on v differs from want.
func (a *applier) disagrees(v *ir.Value, want *layout.Sharding) bool {
	return slices.ContainsFunc(a.uses[v], func(u ir.Use) bool {
		other := ConstraintOn(u.Op, u.Operand)
		return other != nil && !other.Equal(want)
	})
}

// replace makes every use of v, but those by the excepted op, one of w.
func (a *applier) replace(v, w *ir.Value, except *ir.Op) {
	a.replaceIf(v, w, func(u ir.Use) bool { return u.Op != except })
}

func (a *applier) replaceIf(v, w *ir.Value, ok func(u ir.Use) bool) {
	var left []ir.Use
	for _, u := range a.uses[v] {
		if !ok(u) {
			left = append(left, u)
			continue
		}
		u.Op.SetOperand(u.Operand, w)
		a.uses[w] = append(a.uses[w], u)
	}
	a.uses[v] = left
}

// shortcut has the last of a chain of constraints that starts at head take the
// constrained value's place in uses behind the chain.
func (a *applier) shortcut(head *ir.Op) {
	v := head.Operands[0]
	if v.Def() != nil && v.Def().Kind == ir.OpShardingConstraint || a.shardingOf(v) != nil || a.constrained(v, head) {
		return
	}
	tail := head
	for {
		uses := a.uses[tail.Result()]
		if len(uses) != 1 || uses[0].Op.Kind != ir.OpShardingConstraint {
			break
		}
		tail = uses[0].Op
	}
	if tail == head || a.constrained(tail.Result(), nil) {
		return
	}
	a.replaceIf(v, tail.Result(), func(u ir.Use) bool {
		return u.Op != head && u.Op.Kind != ir.OpFuncReturn && u.Op.Block() == tail.Block() && a.place[tail] < a.place[u.Op]
	})
}

// constrained reports whether an op other than the excepted one constrains v.
func (a *applier) constrained(v *ir.Value, except *ir.Op) bool {
	return slices.ContainsFunc(a.uses[v], func(u ir.Use) bool {
		return u.Op != except && (u.Op.Kind == ir.OpShardingConstraint || u.Op.Kind == ir.OpManualComputation)
	})
}

// ConstraintOn returns the sharding that op demands of operand i, or nil.
func ConstraintOn(op *ir.Op, i int) *layout.Sharding {
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

func IsClosed(s *layout.Sharding) bool {
	return !slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return d.Open })
}
