package sharding

// This file handles sharding groups: values that are to be laid out alike.

import (
	"maps"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// syncGroups gives the values of each group the sharding that those which have
// one agree on. Where they do not agree, it puts a constraint behind every
// value that leaves all open, and the constraints take the values' place in the
// group: what users pinned stays, what follows is alike.
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

// groupSharding returns the first sharding of a group's values that says
// something, and whether all others that do are equal to it.
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

// saysNothing reports whether s leaves all dimensions open and unsplit.
func saysNothing(s *layout.Sharding) bool {
	return !slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return !d.Open || len(d.Axes) > 0 })
}
