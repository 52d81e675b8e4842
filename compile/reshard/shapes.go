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

import "slices"

// shapeGraph is the part of the graph of shapes that has been explored.
type shapeGraph struct {
	sp    *stateSpace
	ids   map[string]int
	nodes []shapeNode
}

type shapeNode struct {
	state    state
	key      string
	expanded bool
	edges    []shapeEdge // without permutations
	visited  [2]bool     // by search, before a permutation and after one
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
	g.nodes = append(g.nodes, shapeNode{state: s, key: key})
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
// paths that could be cheaper than bound and than the one found; noCost for others.
func (g *shapeGraph) search(sources, goals []state, bound cost) (*shapePath, []cost) {
	var path *shapePath
	goalAt := map[int]int{}
	for i, s := range goals {
		goalAt[g.id(s)] = i
	}
	var visited []entry
	q := &queue{}
	order := 0
	for i, s := range sources {
		q.push(entry{node: g.id(s) * 2, prev: -1 - i, order: order})
		order++
	}
	w := g.sp.start(sources[0])
	for len(*q) > 0 && len(visited) < g.sp.maxVisited {
		e := q.pop()
		id, layer := e.node/2, e.node%2
		if g.nodes[id].visited[layer] {
			continue
		}
		g.nodes[id].visited[layer] = true
		g.sp.visited++
		at := len(visited)
		visited = append(visited, e)
		if goal, ok := goalAt[id]; ok && layer == 1 {
			path = pathOfShapes(visited, goal)
			break
		}
		push := func(id, layer int, c cost, m move) {
			if paid := e.paid.plus(c); !g.nodes[id].visited[layer] && paid.less(bound) {
				order++
				q.push(entry{paid, paid, order, id*2 + layer, at, m})
			}
		}
		for _, edge := range g.edges(id) {
			push(edge.to, layer, edge.cost, edge.move)
		}
		s := g.nodes[id].state
		w.reset(s)
		w.run(s, move{kind: Permute})
		if w.live > g.sp.limit {
			continue
		}
		for _, next := range g.permutations(s) {
			to := g.id(next)
			push(to, 1, w.cost, move{Permute, -1, -1, g.nodes[to].key})
		}
	}
	return path, g.distances(goals)
}

// pathOfShapes returns the path to the entry that was visited last.
func pathOfShapes(visited []entry, goal int) *shapePath {
	e := visited[len(visited)-1]
	path := &shapePath{goal: goal, cost: e.paid}
	for e.prev >= 0 {
		path.moves = append(path.moves, e.move)
		e = visited[e.prev]
	}
	slices.Reverse(path.moves)
	path.source = -1 - e.prev
	return path
}

// distances returns the distances of the nodes that search has visited before a
// permutation from the goals, without one; noCost where no path leads there.
func (g *shapeGraph) distances(goals []state) []cost {
	back := make([][]shapeEdge, len(g.nodes))
	for id, n := range g.nodes {
		if n.visited[0] {
			for _, e := range n.edges {
				back[e.to] = append(back[e.to], shapeEdge{to: id, cost: e.cost})
			}
		}
	}
	out := slices.Repeat([]cost{noCost}, len(g.nodes))
	q := &queue{}
	order := 0
	for _, s := range goals {
		q.push(entry{node: g.id(s)})
	}
	for len(*q) > 0 {
		e := q.pop()
		if out[e.node] != noCost {
			continue
		}
		out[e.node] = e.paid
		for _, edge := range back[e.node] {
			if out[edge.to] == noCost {
				order++
				paid := e.paid.plus(edge.cost)
				q.push(entry{total: paid, paid: paid, order: order, node: edge.to})
			}
		}
	}
	return out
}
