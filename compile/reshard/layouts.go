package reshard

// This file searches the graph of layouts, for a path without permutations.

import (
	"container/heap"
	"slices"
)

// Bounds for the states that one search visits: on a mesh whose axes make up
// to smallAtoms parts, where searches end long before, and on a larger one.
const (
	smallAtoms    = 5
	manyVisited   = 50_000
	fewestVisited = 2_000
)

// maxVisited returns the number of states that a search may visit.
func (sp *space) maxVisited() int {
	if sp.cuts > smallAtoms {
		return fewestVisited
	}
	return manyVisited
}

// hop is a move from a state.
type hop struct {
	from state
	move move
}

// search runs A* from p.from to p.to. Only paths cheaper than bound are looked
// for, and none where that takes too long.
func (p *problem) search(bound cost, distance func(state) (cost, bool), least *bounds) (path []hop, total cost, found bool) {
	sp := p.layouts
	ids := map[string]int{}
	var states []state
	var best []cost
	id := func(s state) int {
		key := s.key()
		i, ok := ids[key]
		if !ok {
			i = len(states)
			ids[key] = i
			states = append(states, s)
			best = append(best, cost{-1, 0})
		}
		return i
	}
	ahead := func(s state) (cost, bool) {
		c, ok := distance(s)
		if !ok {
			return c, false
		}
		if n := least.from(s); n > c.sent {
			c = cost{n, 0}
		}
		return c, true
	}
	var visited []entry
	order := 0
	q := &queue{}
	push := func(s state, paid cost, prev int, m move) {
		i := id(s)
		if best[i].sent >= 0 && !paid.less(best[i]) {
			return
		}
		left, ok := ahead(s)
		if total := paid.plus(left); ok && total.less(bound) {
			best[i] = paid
			order++
			heap.Push(q, entry{total, paid, order, i, prev, m})
		}
	}
	push(p.from, cost{}, -1, move{})
	goal := id(p.to)
	w := sp.start(p.from)
	for q.Len() > 0 {
		e := heap.Pop(q).(entry)
		if best[e.node] != e.paid {
			continue // a cheaper way has been found since
		}
		at := len(visited)
		visited = append(visited, e)
		if e.node == goal {
			for i := at; visited[i].prev >= 0; i = visited[i].prev {
				path = append(path, hop{states[visited[visited[i].prev].node], visited[i].move})
			}
			slices.Reverse(path)
			return path, e.paid, true
		}
		if len(visited) >= sp.maxVisited() {
			return nil, cost{}, false
		}
		s := states[e.node]
		sp.moves(s, func(m move) {
			w.reset(s)
			w.run(s, m)
			if w.live <= sp.limit {
				push(s.apply(m), e.paid.plus(w.cost), at, m)
			}
		})
	}
	return nil, cost{}, false
}

// realize chooses atoms for a path of shapes: up to the first permutation from
// the start on, and after it from the end backwards.
func (p *problem) realize(found *shapePath) []hop {
	path := found.moves
	cut := slices.IndexFunc(path, func(m move) bool { return m.kind == Permute })
	out := make([]hop, len(path))
	first := p.variants(p.from)[found.source]
	s := first
	for i, m := range path[:cut] {
		out[i] = hop{s, p.choose(s, m)}
		s = s.apply(out[i].move)
	}
	end := p.variants(p.to)[found.goal]
	for i := len(path) - 1; i > cut; i-- {
		m := path[i]
		before := slices.Clone(end)
		if m.kind == Permute {
			// Only the order of sizes matters, of the shape before it.
			m.labels = end.key()
			before = p.reorder(end, shapeAfter(p.shapeOf(first), path[:i]))
		} else {
			before, m.labels = end.undo(m, p.layouts, p.pick)
		}
		out[i] = hop{before, m}
		end = before
	}
	out[cut] = hop{s, move{Permute, -1, -1, end.key()}}
	return out
}

// shapeAfter returns the shape that a path leads to from s.
func shapeAfter(s state, path []move) state {
	for _, m := range path {
		s = s.apply(m)
	}
	return s
}

// variants returns s in all ways to write it: itself first.
func (p *problem) variants(s state) []state {
	out := []state{s}
	seen := map[string]bool{s.key(): true}
	for i := 0; i < len(out); i++ {
		p.layouts.regroupings(out[i], func(m move) {
			next := out[i].apply(m)
			if key := next.key(); !seen[key] {
				seen[key] = true
				out = append(out, next)
			}
		})
	}
	return out
}

// reorder returns the atoms of s in the order that shape tells, within each
// dimension.
func (p *problem) reorder(s, shape state) state {
	out := slices.Clone(s)
	for d := range s.rank() {
		out[d] = p.pick(s[d], string(shape[d]))
	}
	return out
}

// choose returns the move of a layout that fits a move of its shape.
func (p *problem) choose(s state, m move) move {
	n := len(m.labels)
	switch m.kind {
	case Slice, idle:
		m.labels = string(p.pick(p.layouts.unused(s), m.labels))
	case wake:
		m.labels = string(s[m.dim][:n])
	case AllGather, Union, AllToAll:
		m.labels = string(s[m.dim][len(s[m.dim])-n:])
	case ReduceScatter, AllReduce:
		m.labels = string(p.pick(append(p.layouts.summed(s), s.rest()...), m.labels))
	case KeepFirst:
		unused := p.layouts.unused(s)
		wanted := without(unused, without(unused, p.to.rest()))
		m.labels = string(p.pick(append(wanted, unused...), m.labels))
	}
	return m
}
