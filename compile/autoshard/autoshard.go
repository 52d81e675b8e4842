package autoshard

// This file holds the loop of the search.

import (
	"math"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// sweeps is how often each axis is tried: what one has gained may let another
// gain more.
const sweeps = 3

// search revises the shardings of a function.
type search struct {
	e     Evaluator
	mesh  *mesh.DeviceMesh
	nodes []*node // in program order
	dims  int     // of all variables together

	derived map[derivation]*layout.Sharding
	// fruitless holds the shardings with which groups were tried in vain.
	fruitless map[groupKey][]*layout.Sharding
}

// Refine changes the shardings of values of f, which has one on every value as
// sharding.Complete leaves it, so that f costs less by what e says. Parameters,
// results, and values with a sharding constraint stay as they are.
func Refine(f *ir.Func, e Evaluator) {
	if e.Mesh().Size() == 1 {
		return
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
			for _, g := range s.groups(mesh.FullAxis(a.Name)) {
				if after, ok := s.try(g, total); ok {
					total, changed = after, true
				}
			}
		}
		if !changed {
			return
		}
	}
}

// try decides the variables of g; ok is false, and all as it was, where f does
// not cost less than limit then.
func (s *search) try(g *group, limit int) (total int, ok bool) {
	before := g.shardings()
	if slices.Equal(before, s.fruitless[g.key]) {
		return 0, false
	}
	changed := s.decide(g)
	if len(changed) > 0 {
		if total, ok = s.e.DryRun(limit); ok {
			s.e.Commit()
			return total, true
		}
		s.e.Rollback()
		for _, v := range changed {
			v.sharding = s.e.Sharding(v.value)
		}
	}
	s.fruitless[g.key] = before
	return 0, false
}

// decide shards the values of g as its minimal cut says, and returns those that
// this changes.
func (s *search) decide(g *group) (changed []*variable) {
	variables := s.decidable(g)
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
