package autoshard

// This file implements Refine: the loop of the search.

import (
	"context"
	"math"

	"github.com/gospmd/gospmd/internal/mincut"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// sweeps is the number of times that each axis is tried: a gain along one axis may let another axis
// gain more.
const sweeps = 3

// search revises the shardings of a function.
type search struct {
	e     Evaluator
	mesh  *mesh.DeviceMesh
	nodes []*node // in program order
	loops bool    // the function has loops

	variables []*variable
	dims      int // number of dimensions of all variables together
	factors   int // the largest number of factors of a node

	net      *mincut.Network // memory for the network of a cut graph; each graph uses it again
	readings int             // number of times that the operands of an op have been counted
	derived  map[derivation]*layout.Sharding
	costs    map[costKey][2][2]int
	// fruitless has, for each dimension group that the search tried in vain, the shardings at that
	// time: it is not tried again while they are the same.
	fruitless map[groupKey][]*layout.Sharding
}

// Change is one step of the search that Refine kept.
type Change struct {
	Axis   mesh.AxisRef // the axis that shards more values, or fewer
	Values []*ir.Value  // the values whose shardings changed, in program order
}

// Refine changes the shardings of values of f so that f costs less, by the costs of e. Every value
// of f must have a sharding, as sharding.Complete sets it. Parameters, results, and values with a
// sharding constraint keep theirs. If kept is not nil, Refine calls it after each step of the
// search that changes shardings; e then knows the new cost of f. If ctx ends, Refine returns its
// cause as the error, and f is valid; there are no other errors. On a mesh of one device it changes
// nothing.
func Refine(ctx context.Context, f *ir.Func, e Evaluator, kept func(Change)) error {
	if e.Mesh().Size() == 1 {
		return nil
	}
	s := newSearch(f, e)
	total, _ := e.DryRun(math.MaxInt)
	e.Commit()
	for range sweeps {
		changed := false
		for _, a := range s.mesh.Axes() {
			if a.Size == 1 {
				continue
			}
			axis := mesh.FullAxis(a.Name)
			groups := s.groups(axis, false)
			if s.loops {
				groups = append(groups, s.groups(axis, true)...)
			}
			for _, g := range groups {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				for _, part := range g.parts() {
					after, values := s.try(part, total)
					if values == nil {
						continue
					}
					total, changed = after, true
					if kept != nil {
						kept(Change{g.axis, values})
					}
				}
			}
		}
		if !changed {
			return nil
		}
	}
	return nil
}

// try gives the variables of group g the shardings that a minimal cut chooses. If the program then
// costs less than limit, the evaluator keeps them, and try returns the new cost and the values
// whose shardings have changed, in program order. Otherwise it undoes the changes, and returns no
// values. It then remembers the shardings of g, and does nothing as long as they are the same.
func (s *search) try(g *group, limit int) (total int, values []*ir.Value) {
	if g.has(s.fruitless[g.key]) {
		return 0, nil
	}
	changed := s.decide(g)
	if len(changed) > 0 {
		if total, ok := s.e.DryRun(limit); ok {
			s.e.Commit()
			for _, v := range changed {
				values = append(values, v.value)
			}
			return total, values
		}
		s.e.Rollback()
		for _, v := range changed {
			v.sharding = s.e.Sharding(v.value)
		}
	}
	s.fruitless[g.key] = g.shardings()
	return 0, nil
}

// decide gives the values of g the shardings of the minimal cut, also in the evaluator, and returns
// those that have changed.
func (s *search) decide(g *group) (changed []*variable) {
	variables := s.decidableVariables(g)
	if len(variables) == 0 {
		return nil
	}
	isSharded := newCutGraph(s, g).solve()
	for _, v := range variables {
		want := v.other
		if isSharded(v) {
			want = v.sharded
		}
		if want != v.sharding {
			v.sharding = want
			s.e.SetSharding(v.value, want)
			changed = append(changed, v)
		}
	}
	return changed
}
