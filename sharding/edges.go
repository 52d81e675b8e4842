package sharding

// This file adds relations to the graph between values that are not operands and results of one op:
// data-flow edges and sharding groups.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// edgeOf returns the op, a data-flow edge, that holds the sharding of v; nil if v flows through no
// edge.
func (g *graph) edgeOf(v *ir.Value) *ir.Op {
	if owner := sdy.EdgeOwner(v); owner != nil {
		return g.edges[owner]
	}
	return nil
}

// addEdge adds the step that relates the sources and the target of edge, a data-flow edge, such as
// the arguments and results of a loop. It is an error if the operand of the edge is no value that
// flows between blocks.
func (g *graph) addEdge(edge *ir.Op) error {
	owner := sdy.EdgeOwner(edge.Operands[0])
	if owner == nil {
		return fmt.Errorf("%s: its operand is neither a result of while, case, if, optimization_barrier, manual_computation or named_computation nor an argument of the last two",
			edge.FullName())
	}
	sources := sdy.EdgeSources(owner)
	target := g.slotOf(edge.Result())
	s := &step{op: edge, allowed: both}
	for _, v := range sources {
		s.slots = append(s.slots, g.slotOf(v))
	}
	s.slots = append(s.slots, target)
	outer := owner.Type
	if view := sdy.ManualViewOf(owner); view != nil {
		view.Mesh = g.intern(view.Mesh)
		if owner.IsArg() {
			outer = sources[0].Type
			target.view = view
			target.manual = view.All
		} else {
			s.slots[0].view = view
			target.manual = view.Free
		}
	}
	s.rule = identityRule(outer, len(sources))
	g.enter(s)
	return nil
}

// addFuncEdge adds a step for an edge between calls and the function that they call. If the edge is
// at a parameter, its sources are the operands of the calls; at the result of a call, its source is
// the value that the function returns. It adds none for a token, or if there is no source.
func (g *graph) addFuncEdge(edge *ir.Op) {
	v := edge.Operands[0]
	var sources []*ir.Value
	if v.IsArg() {
		f := g.byValue[v].fn
		for _, caller := range g.module.Funcs {
			caller.Walk(func(op *ir.Op) {
				if op.Kind == ir.OpCall && sdy.Callee(g.module, op) == f {
					sources = append(sources, op.Operands[v.Index()])
				}
			})
		}
	} else if v.Def().Kind == ir.OpCall {
		if f := sdy.Callee(g.module, v.Def()); f != nil && f.Body.Terminator() != nil {
			sources = append(sources, f.Returned()[v.Index()])
		}
	}
	if len(sources) == 0 || v.Type.IsToken() {
		return
	}
	s := &step{op: edge, allowed: both, rule: identityRule(v.Type, len(sources))}
	for _, v := range append(sources, edge.Result()) {
		s.slots = append(s.slots, g.slotOf(v))
	}
	g.enter(s)
}

// syncGroups makes the values of each sharding group agree. If those with a sharding have the same
// one, all values get it, except arguments in a manual or named computation. If not, it adds an
// open constraint to every value, and the constraints take the place of the values in the group. So
// annotations are kept, and the values computed from them are sharded alike.
func syncGroups(m *ir.Module) {
	groups := make(map[int][]*ir.Op)
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpShardingGroup {
				groups[op.Int("group_id")] = append(groups[op.Int("group_id")], op)
			}
		})
	}
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		members := groups[id]
		s, agree := groupSharding(members)
		switch {
		case s == nil:
		case agree:
			for _, op := range members {
				if v := op.Operands[0]; !sdy.IsOwnArg(v) {
					sdy.SetSharding(v, s)
				}
			}
		default:
			for _, op := range members {
				v := op.Operands[0]
				sdy.Interpose(v, sdy.NewConstraint(ir.OpShardingConstraint, v, layout.OpenSharding(s.Mesh, v.Type.Rank())))
			}
		}
	}
}

// groupSharding returns the first sharding of the group's values that is not fully open; members
// are the sharding_group ops, one for each value. In a group of one value it may be fully open. It
// is nil if there is none. agree says whether all others that are not fully open are equal to it.
func groupSharding(members []*ir.Op) (s *layout.Sharding, agree bool) {
	for _, op := range members {
		t := sdy.StatedSharding(op.Operands[0])
		switch {
		case t == nil || len(members) > 1 && saysNothing(t):
		case s == nil:
			s = t
		case !s.Equal(t):
			return s, false
		}
	}
	return s, true
}

// saysNothing reports whether s is fully open, as if there were no sharding: all dimensions are
// open and unsharded.
func saysNothing(s *layout.Sharding) bool {
	return !slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return !d.Open || len(d.Axes) > 0 })
}
