package reshard

// This file searches the graph of shardings for a path without permutations,
// and chooses sub-axes for a path of shapes.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
)

// Limits of the number of states that one search visits: on a mesh whose axes have up to fewParts
// prime parts, where searches end long before; on a larger mesh if no plan is known; and there for
// a better plan.
const (
	fewParts      = 5
	manyVisited   = 50_000
	someVisited   = 1_000
	fewestVisited = 200
)

// pathStep is one edge of a path: a move from a state.
type pathStep struct {
	from state
	move move
}

// aStar is the state of an A* search from p.from to p.to.
type aStar struct {
	ids     map[state]int
	states  []state
	best    []cost // the lowest cost found for each state, or noCost
	visited []entry
	queue   queue
	moves   []move // indexed by entry
}

// id returns the number of the state s in a.states. It adds a state that is new.
func (a *aStar) id(s state) int {
	i, ok := a.ids[s]
	if !ok {
		i = len(a.states)
		a.ids[s] = i
		a.states = append(a.states, s)
		a.best = append(a.best, noCost)
	}
	return i
}

// path returns the steps from the start to the entry with number at in a.visited, in order.
func (a *aStar) path(at int) []pathStep {
	var out []pathStep
	for e := a.visited[at]; e.prev >= 0; e = a.visited[e.prev] {
		out = append(out, pathStep{a.states[a.visited[e.prev].node], a.moves[e.order]})
	}
	slices.Reverse(out)
	return out
}

// search runs A* from p.from to p.to, and returns the path with its cost. Two lower bounds of the
// cost that is left guide it: distance, that in the graph of shapes, which is false for states
// without a way to the goal, and least. It finds only paths that are cheaper than bound, and gives
// up after it has visited too many states; found is false then, and if there is no such path.
func (p *problem) search(bound cost, distance func(state) (cost, bool), least *lowerBound) (path []pathStep, total cost, found bool) {
	sp := p.shardings
	a := &aStar{ids: map[state]int{}}
	// ahead returns a lower bound of the cost from s to the goal.
	ahead := func(s state) (cost, bool) {
		c, ok := distance(s)
		if !ok {
			return c, false
		}
		if n := least.boundFrom(s); n > c.sent {
			c = cost{n, 0}
		}
		return c, true
	}
	push := func(s state, paid cost, prev int, m move) {
		i := a.id(s)
		if a.best[i] != noCost && !paid.less(a.best[i]) {
			return
		}
		left, ok := ahead(s)
		if total := paid.plus(left); ok && total.less(bound) {
			a.best[i] = paid
			a.queue.push(entry{total, paid, int32(len(a.moves)), int32(i), int32(prev)})
			a.moves = append(a.moves, m)
		}
	}
	push(p.from, cost{}, -1, move{})
	goal := a.id(p.to)
	w := sp.start(p.from)
	for len(a.queue) > 0 {
		e := a.queue.pop()
		if a.best[e.node] != e.paid {
			continue // a cheaper path to the state has been found since
		}
		sp.visited++
		at := len(a.visited)
		a.visited = append(a.visited, e)
		if int(e.node) == goal {
			return a.path(at), e.paid, true
		}
		if len(a.visited) >= sp.maxVisited {
			return nil, cost{}, false
		}
		s := a.states[e.node]
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

// realize returns the path of shardings for found, a path of shapes: it chooses the sub-axes. It
// goes forward from the start to the first permutation, and backward from the end to that
// permutation, which becomes the only one.
func (p *problem) realize(found *shapePath) []pathStep {
	path := found.moves
	cut := slices.IndexFunc(path, func(m move) bool { return m.kind == Permute })
	out := make([]pathStep, len(path))
	first := p.variants(p.from)[found.source]
	s := first
	for i, m := range path[:cut] {
		out[i] = pathStep{s, p.choose(s, m)}
		s = s.apply(out[i].move)
	}
	goal := p.variants(p.to)[found.goal]
	for i := len(path) - 1; i > cut; i-- {
		m := path[i]
		var before state
		if m.kind == Permute {
			// Before the permutation only the order of the sizes matters.
			m.ids = string(goal)
			before = p.reorder(goal, shapeAfter(p.shapeOf(first), path[:i]))
		} else {
			before, m.ids = goal.undo(m, p.shardings, p.pick)
		}
		out[i] = pathStep{before, m}
		goal = before
	}
	out[cut] = pathStep{s, move{Permute, -1, -1, string(goal)}}
	return out
}

// shapeAfter returns the shape that path leads to from s.
func shapeAfter(s state, path []move) state {
	for _, m := range path {
		s = s.apply(m)
	}
	return s
}

// variants returns all states that are the same sharding as s; s itself comes first.
func (p *problem) variants(s state) []state {
	out := []state{s}
	if len(p.shardings.regroup) == 0 {
		return out
	}
	seen := map[state]bool{s: true}
	for i := 0; i < len(out); i++ {
		p.shardings.regroupings(out[i], func(m move) {
			next := out[i].apply(m)
			if !seen[next] {
				seen[next] = true
				out = append(out, next)
			}
		})
	}
	return out
}

// reorder returns s with the sub-axes of each dimension in the order of the sizes in shape.
func (p *problem) reorder(s, shape state) state {
	for d := range s.rank() {
		s = s.withList(d, p.pick(s.list(d), shape.list(d)))
	}
	return s
}

// choose returns the move from s, a state of sub-axes, that corresponds to m, a move of its shape:
// the same move with the sub-axes that it takes.
func (p *problem) choose(s state, m move) move {
	n := len(m.ids)
	switch m.kind {
	case Slice, maskDevices:
		m.ids = p.pick(p.shardings.unusedAxes(s), m.ids)
	case broadcastDevices:
		m.ids = s.list(int(m.dim))[:n]
	case AllGather, BitwiseAllReduce, AllToAll:
		list := s.list(int(m.dim))
		m.ids = list[len(list)-n:]
	case ReduceScatter, AllReduce:
		m.ids = p.pick(p.shardings.summableAxes(s)+s.unreducedAxes(), m.ids)
	case ReplicatedToUnreduced:
		unused := p.shardings.unusedAxes(s)
		wanted := withoutIDs(unused, withoutIDs(unused, p.to.unreducedAxes()))
		m.ids = p.pick(wanted+unused, m.ids)
	}
	return m
}

// maxSamples is the largest number of devices whose missing bytes are counted.
const maxSamples = 16

// sample is one device: its coordinates, and the elements of the tensor that it needs in the end.
type sample struct {
	digit []int // its coordinate along each sub-axis
	needs []layout.Range
}

// samples returns all devices of a small mesh, by position, or maxSamples devices of a large one,
// scattered over it and the same at each call. Each has its coordinates, and the elements that it
// needs for the sharding to.
func (p *problem) samples(to *layout.Sharding) []sample {
	n := to.Mesh.Size()
	out := make([]sample, min(n, maxSamples))
	for i := range out {
		pos := i
		if n > maxSamples {
			pos = int(uint64(i) * 0x9E3779B97F4A7C15 >> 16 % uint64(n))
		}
		s := sample{digit: make([]int, len(p.subAxes.list)), needs: to.ShardRanges(p.shardings.tensor.Dims, pos)}
		for id, a := range p.subAxes.list {
			s.digit[id] = to.Mesh.Coordinate(pos, a)
		}
		out[i] = s
	}
	return out
}

// lowerBound is a lower bound for the cost of the rest of a path.
//
// In each kind of step, the busiest device sends at least as many bytes as any device receives. So
// a path costs at least the bytes that a device needs in the end and does not hold yet. These bytes
// are counted for some devices.
//
// If the tensor is unreduced over n devices, the bytes of all devices are counted instead: to
// reduce each element once, n-1 summands must be received, and then each further copy of the sum.
type lowerBound struct {
	p       *problem
	samples []sample
	bytes   int // bytes of the full tensor
	needed  int // bytes that all devices together need
}

func (p *problem) lowerBound(to *layout.Sharding) *lowerBound {
	b := &lowerBound{p: p, samples: p.samples(to), bytes: p.shardings.tensor.ElemSize}
	for _, d := range p.shardings.tensor.Dims {
		b.bytes *= d
	}
	b.needed = b.bytes * (to.Mesh.Size() / to.ShardCount())
	return b
}

// boundFrom returns a lower bound of the bytes that a path from s sends, counted as in cost. It is
// 0 if the goal has unreduced axes.
func (b *lowerBound) boundFrom(s state) int {
	if len(b.p.to.unreducedAxes()) > 0 {
		return 0 // which summands a device needs depends on the path
	}
	sp := b.p.shardings
	if n := sp.parts(s.unreducedAxes()); n > 1 {
		return (n-2)*b.bytes + b.needed
	}
	most := 0
	for _, dev := range b.samples {
		need, have, at := sp.tensor.ElemSize, sp.tensor.ElemSize, 0
		for d, size := range sp.tensor.Dims {
			i, n := 0, 1
			for ; s[at] != end; at++ {
				id := s[at]
				i, n = i*sp.size[id]+dev.digit[id], n*sp.size[id]
			}
			at++
			block := ceil(size, n)
			need *= dev.needs[d].Len()
			have *= max(0, min(dev.needs[d].Limit, (i+1)*block)-max(dev.needs[d].Start, i*block))
		}
		most = max(most, need-have)
	}
	return most * sp.devices
}
