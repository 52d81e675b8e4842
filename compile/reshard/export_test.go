package reshard

// This file gives the tests access to the graph of shardings.

import (
	"strings"

	"github.com/gospmd/gospmd/layout"
)

// ExhaustiveCost returns the bytes that all devices together send in the cheapest plan. It uses
// Dijkstra's algorithm over all shardings, moves and permutations, without any of the shortcuts of
// Plan. ok is false if no plan is within the limit of live bytes. It is for meshes of few devices.
func ExhaustiveCost(from, to *layout.Sharding, t Tensor) (sent int, ok bool) {
	p := newProblem(primeSubAxes(from.Mesh, usedAxes(from, to), ""), from, to, t, liveFactor*(heldBytes(from, t)+heldBytes(to, t)))
	sp := p.shardings
	all := p.everyState()
	dist := map[state]cost{p.from: {}}
	done := map[state]bool{}
	w := sp.start(p.from)
	for {
		best := state("")
		for _, s := range all {
			if c, known := dist[s]; known && !done[s] && (best == "" || c.less(dist[best])) {
				best = s
			}
		}
		if best == "" {
			return 0, false
		}
		if best == p.to {
			return dist[best].sent, true
		}
		done[best] = true
		s := best
		relax := func(m move) {
			w.reset(s)
			if w.run(s, m); w.live > sp.limit {
				return
			}
			key, c := s.apply(m), dist[best].plus(w.cost)
			if old, known := dist[key]; !known || c.less(old) {
				dist[key] = c
			}
		}
		sp.moves(s, relax)
		for _, next := range all {
			if samePartCounts(sp, s, next) {
				relax(move{Permute, -1, -1, string(next)})
			}
		}
	}
}

// CountVisited returns the number of states that the search for sub-axes which has found the plan
// visited, among shardings and among shapes together. It is 0 if the plan needed no search. The
// error is that of solve.
func CountVisited(from, to *layout.Sharding, t Tensor) (int, error) {
	s, err := solve(from, to, t, "")
	if err != nil || s.problem == nil {
		return 0, err
	}
	return s.problem.shardings.visited + s.problem.shapes.visited, nil
}

// Detour returns the steps of the planner's last resort for resharding t, whatever memory they
// take. It plans with axes that are cut into prime sub-axes. The steps reduce, gather the
// dimensions that the two shardings shard differently, and slice. If to is unreduced over axes that
// from is not, a last step makes partial sums of copies.
func Detour(from, to *layout.Sharding, t Tensor) Steps {
	p := newProblem(primeSubAxes(from.Mesh, usedAxes(from, to), ""), from, to, t, liveFactor*(heldBytes(from, t)+heldBytes(to, t)))
	return p.detour(0).steps(t)
}

func samePartCounts(sp *stateSpace, a, b state) bool {
	for i := range a.rank() + 1 {
		if sp.parts(a.list(i)) != sp.parts(b.list(i)) {
			return false
		}
	}
	return true
}

// everyState returns all states of a problem: all ways to give each of its axes to a dimension, to
// the unreduced axes, or to none.
func (p *problem) everyState() []state {
	var out []state
	rank := p.from.rank()
	var extend func(s state, d int)
	extend = func(s state, d int) {
		if d > rank {
			out = append(out, s)
			return
		}
		extend(s, d+1)
		unused, list := p.shardings.unusedAxes(s), s.list(d)
		for i := range len(unused) {
			if n := len(list); d == rank && n > 0 && list[n-1] > unused[i] {
				continue // the order of unreduced axes has no meaning
			}
			extend(s.give(d, unused[i:i+1]), d)
		}
	}
	extend(state(strings.Repeat(divider, rank+1)), 0)
	return out
}
