package reshard

// This file searches the graph of shapes.
//
// The cost of a move depends on sizes only, not on which sub-axes have them. A
// permutation leads from a sharding to any other with as many parts of each
// dimension. So which sub-axes a path with a permutation uses before it does not
// matter: it is a path of shapes, and the permutation puts all sub-axes where
// the rest of the path needs them. The shortest path with a permutation is
// therefore found among shapes, of which there are few. Its cost bounds the
// search among shardings for a path without one, and the distances between
// shapes guide that search.

import (
	"container/heap"
	"slices"
)

// shapeGraph is the part of the graph of shapes that has been explored.
type shapeGraph struct {
	sp    *stateSpace
	ids   map[string]int
	nodes []shapeNode
}

type shapeNode struct {
	state    state
	expanded bool
	edges    []shapeEdge // without permutations
}

type shapeEdge struct {
	to   int
	cost cost
	move move
}

func newShapeGraph(sp *stateSpace) *shapeGraph { return &shapeGraph{sp: sp, ids: map[string]int{}} }

// id returns the node of s.
func (g *shapeGraph) id(s state) int {
	key := s.key()
	if id, ok := g.ids[key]; ok {
		return id
	}
	g.ids[key] = len(g.nodes)
	g.nodes = append(g.nodes, shapeNode{state: s})
	return len(g.nodes) - 1
}

// edges returns the moves that leave a node.
func (g *shapeGraph) edges(id int) []shapeEdge {
	if g.nodes[id].expanded {
		return g.nodes[id].edges
	}
	s := g.nodes[id].state
	w := g.sp.start(s)
	var out []shapeEdge
	g.sp.moves(s, func(m move) {
		w.reset(s)
		w.run(s, m)
		if w.live <= g.sp.limit {
			out = append(out, shapeEdge{g.id(s.apply(m)), w.cost, m})
		}
	})
	g.nodes[id].expanded, g.nodes[id].edges = true, out
	return out
}

// permutations returns the shapes that a permutation leads to: s itself and
// those with the same parts in another order in some dimension.
func (g *shapeGraph) permutations(s state) []state {
	out := []state{s}
	for d := range s.rank() {
		var more []state
		for _, base := range out {
			eachOrder(s[d], func(list []axisID) {
				next := slices.Clone(base)
				next[d] = list
				more = append(more, next)
			})
		}
		out = more
	}
	return out
}

// eachOrder visits the distinct orders of list.
func eachOrder(list []axisID, visit func([]axisID)) {
	left := slices.Sorted(slices.Values(list))
	if len(left) == 0 || left[0] == left[len(left)-1] {
		visit(list)
		return
	}
	var extend func(done, left []axisID)
	extend = func(done, left []axisID) {
		if len(left) == 0 {
			visit(slices.Clone(done))
			return
		}
		for i, l := range left {
			if i == 0 || left[i-1] != l {
				extend(append(done, l), slices.Concat(left[:i], left[i+1:]))
			}
		}
	}
	extend(make([]axisID, 0, len(list)), left)
}

// entry is an element of a priority queue: the node reached, from which one and
// by which move.
type entry struct {
	total cost // what the queue is ordered by
	paid  cost // from the source to here
	order int  // of entries with the same total, the first comes first
	node  int
	prev  int // index into the visited nodes
	move  move
}

type queue []entry

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	if c := q[i].total.compare(q[j].total); c != 0 {
		return c < 0
	}
	return q[i].order < q[j].order
}
func (q *queue) Push(e any) { *q = append(*q, e.(entry)) }
func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}

// shapePath is a path of shapes: from one of several sources to one of several
// goals.
type shapePath struct {
	source, goal int
	moves        []move
	cost         cost
}

// search runs Dijkstra's algorithm for paths with at least one permutation. It
// returns nil where there is no path cheaper than bound. It also returns the
// distance of each node from the goals without a permutation, for the nodes on
// paths that could be cheaper than bound and than the one found.
func (g *shapeGraph) search(sources, goals []state, bound cost) (*shapePath, map[int]cost) {
	var path *shapePath
	goalAt := map[int]int{}
	for i, s := range goals {
		goalAt[g.id(s)*2+1] = i
	}
	done := map[int]bool{}
	var visited []entry
	q := &queue{}
	order := 0
	for i, s := range sources {
		heap.Push(q, entry{node: g.id(s) * 2, prev: -1 - i, order: order})
		order++
	}
	w := g.sp.start(sources[0])
	for q.Len() > 0 && len(visited) < g.sp.maxVisited {
		e := heap.Pop(q).(entry)
		if done[e.node] {
			continue
		}
		done[e.node] = true
		g.sp.visited++
		at := len(visited)
		visited = append(visited, e)
		if goal, ok := goalAt[e.node]; ok {
			path = &shapePath{goal: goal, cost: e.paid}
			for e.prev >= 0 {
				path.moves = append(path.moves, e.move)
				e = visited[e.prev]
			}
			slices.Reverse(path.moves)
			path.source = -1 - e.prev
			break
		}
		push := func(node int, c cost, m move) {
			if paid := e.paid.plus(c); !done[node] && paid.less(bound) {
				order++
				heap.Push(q, entry{paid, paid, order, node, at, m})
			}
		}
		id, layer := e.node/2, e.node%2
		for _, edge := range g.edges(id) {
			push(edge.to*2+layer, edge.cost, edge.move)
		}
		s := g.nodes[id].state
		for _, next := range g.permutations(s) {
			m := move{Permute, -1, -1, next.key()}
			w.reset(s)
			w.run(s, m)
			if w.live <= g.sp.limit {
				push(g.id(next)*2+1, w.cost, m)
			}
		}
	}
	return path, g.distances(goals, func(id int) bool { return done[id*2] })
}

// distances returns the distances of the known nodes from the goals, without a
// permutation.
func (g *shapeGraph) distances(goals []state, known func(int) bool) map[int]cost {
	back := make([][]shapeEdge, len(g.nodes))
	for id := range g.nodes {
		if known(id) {
			for _, e := range g.nodes[id].edges {
				back[e.to] = append(back[e.to], shapeEdge{id, e.cost, e.move})
			}
		}
	}
	out := map[int]cost{}
	q := &queue{}
	order := 0
	for _, s := range goals {
		heap.Push(q, entry{node: g.id(s)})
	}
	for q.Len() > 0 {
		e := heap.Pop(q).(entry)
		if _, ok := out[e.node]; ok {
			continue
		}
		out[e.node] = e.paid
		if e.node >= len(back) {
			continue
		}
		for _, edge := range back[e.node] {
			order++
			paid := e.paid.plus(edge.cost)
			heap.Push(q, entry{paid, paid, order, edge.to, 0, move{}})
		}
	}
	return out
}
