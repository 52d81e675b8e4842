package reshard

// This file searches the graph of shapes.
//
// The cost of a move depends only on sizes, not on the sub-axes that have them. A permutation leads
// from a sharding to any other one that has the same number of parts of each dimension. So a path
// may use any sub-axes before its permutation: it is a path of shapes, and the permutation puts all
// sub-axes where the rest of the path needs them. The shortest path with a permutation is therefore
// found among the shapes, and there are few shapes. Its cost bounds the search among shardings for
// a path without a permutation, and the distances between shapes guide that search.

import (
	"slices"
	"strings"
)

// shapeGraph is the part of the graph of shapes that has been explored.
type shapeGraph struct {
	sp    *stateSpace
	ids   map[state]int
	nodes []shapeNode
	walk  *walk
}

type shapeNode struct {
	state    state
	expanded bool
	edges    []shapeEdge // edges of each node, without permutations
	visited  [2]bool     // visited by search, before a permutation and after one
	best     [2]cost     // the lowest cost in the queue, before a permutation and after one
}

type shapeEdge struct {
	to   int
	cost cost
	move move
}

func newShapeGraph(sp *stateSpace) *shapeGraph {
	return &shapeGraph{sp: sp, ids: map[state]int{}, nodes: make([]shapeNode, 0, roomy/2)}
}

// id returns the number of the node of s. A new shape gets the next number.
func (g *shapeGraph) id(s state) int {
	if id, ok := g.ids[s]; ok {
		return id
	}
	g.ids[s] = len(g.nodes)
	g.nodes = append(g.nodes, shapeNode{state: s, best: [2]cost{noCost, noCost}})
	return len(g.nodes) - 1
}

// edges returns the moves that leave the node with number id, with their costs and targets, except
// moves that hold too many bytes. It finds them once, and adds nodes for new targets.
func (g *shapeGraph) edges(id int) []shapeEdge {
	if g.nodes[id].expanded {
		return g.nodes[id].edges
	}
	s := g.nodes[id].state
	w := g.walk
	out := make([]shapeEdge, 0, 8)
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

// permutations calls visit for the shapes that a permutation leads to from s: s itself, and shapes
// that have the same parts of a dimension in another order.
func (g *shapeGraph) permutations(s state, visit func(state)) {
	rank := s.rank()
	var order func(d int, s state)
	order = func(d int, s state) {
		for ; d < rank; d++ {
			if list := s.list(d); !isUniform(list) {
				eachOrder(list, func(list string) { order(d+1, s.withList(d, list)) })
				return
			}
		}
		visit(s)
	}
	order(0, s)
}

// isUniform reports whether all IDs are the same, so that their order does not matter.
func isUniform(ids string) bool { return ids == "" || strings.Count(ids, ids[:1]) == len(ids) }

// eachOrder calls visit for all different orders of ids, which may have equal ones.
func eachOrder(ids string, visit func(string)) {
	var extend func(done, left string)
	extend = func(done, left string) {
		if left == "" {
			visit(done)
			return
		}
		for i := range len(left) {
			if i == 0 || left[i-1] != left[i] {
				extend(done+left[i:i+1], left[:i]+left[i+1:])
			}
		}
	}
	extend("", sortIDs(ids))
}

// shapePath is a path of shapes: from one of several sources to one of several
// goals.
type shapePath struct {
	source, goal int
	moves        []move
	cost         cost
}

// search runs Dijkstra's algorithm for the cheapest path with at least one permutation from one of
// sources to one of goals. It returns nil if none is cheaper than bound, or if it has visited too
// many shapes. The second result is the distance of each node to the goals without a permutation.
// It has only the nodes on paths that could be cheaper than bound and than the path found, and
// noCost for others.
func (g *shapeGraph) search(sources, goals []state, bound cost) (*shapePath, []cost) {
	var path *shapePath
	goalAt := map[int]int{}
	for i, s := range goals {
		goalAt[g.id(s)] = i
	}
	visited, q := make([]entry, 0, roomy), make(queue, 0, roomy)
	moves := make([]move, 0, roomy) // indexed by entry
	push := func(id, layer int, paid cost, prev int, m move) {
		q.push(entry{paid, paid, int32(len(moves)), int32(id*2 + layer), int32(prev)})
		moves = append(moves, m)
	}
	for i, s := range sources {
		push(g.id(s), 0, cost{}, -1-i, move{})
		g.nodes[g.id(s)].best[0] = cost{}
	}
	w := g.sp.start(sources[0])
	g.walk = g.sp.start(sources[0])
	for len(q) > 0 && len(visited) < g.sp.maxVisited {
		e := q.pop()
		id, layer := int(e.node/2), int(e.node%2)
		if g.nodes[id].visited[layer] {
			continue
		}
		g.nodes[id].visited[layer] = true
		g.sp.visited++
		at := len(visited)
		visited = append(visited, e)
		if goal, ok := goalAt[id]; ok && layer == 1 {
			path = pathOfShapes(visited, moves, goal)
			break
		}
		reach := func(id, layer int, c cost, m move) {
			paid, best := e.paid.plus(c), &g.nodes[id].best[layer]
			if paid.less(bound) && (*best == noCost || paid.less(*best)) {
				*best = paid
				push(id, layer, paid, at, m)
			}
		}
		for _, edge := range g.edges(id) {
			reach(edge.to, layer, edge.cost, edge.move)
		}
		s := g.nodes[id].state
		w.reset(s)
		w.run(s, move{kind: Permute})
		if w.live > g.sp.limit {
			continue
		}
		g.permutations(s, func(next state) { reach(g.id(next), 1, w.cost, move{Permute, -1, -1, string(next)}) })
	}
	return path, g.distances(goals)
}

// pathOfShapes returns the path of moves that leads to the last entry of visited, with its cost.
// goal is the number of the goal that the entry is.
func pathOfShapes(visited []entry, moves []move, goal int) *shapePath {
	e := visited[len(visited)-1]
	path := &shapePath{goal: goal, cost: e.paid}
	for e.prev >= 0 {
		path.moves = append(path.moves, moves[e.order])
		e = visited[e.prev]
	}
	slices.Reverse(path.moves)
	path.source = int(-1 - e.prev)
	return path
}

// distances returns, for the nodes that search has visited before a permutation, the distance to
// the goals without a permutation, or noCost if no path leads there.
func (g *shapeGraph) distances(goals []state) []cost {
	back := g.backEdges()
	out := slices.Repeat([]cost{noCost}, len(g.nodes))
	q, order := make(queue, 0, roomy), int32(0)
	for _, s := range goals {
		q.push(entry{node: int32(g.id(s))})
	}
	for len(q) > 0 {
		e := q.pop()
		if out[e.node] != noCost {
			continue
		}
		out[e.node] = e.paid
		for _, edge := range back[e.node] {
			if out[edge.from] == noCost {
				order++
				paid := e.paid.plus(edge.cost)
				q.push(entry{total: paid, paid: paid, order: order, node: edge.from})
			}
		}
	}
	return out
}

// backEdge is an edge in the opposite direction.
type backEdge struct {
	from int32
	cost cost
}

// backEdges returns, for each node, the edges that lead to it from nodes that search has visited
// before a permutation.
func (g *shapeGraph) backEdges() [][]backEdge {
	out, counts, total := make([][]backEdge, len(g.nodes)), make([]int, len(g.nodes)), 0
	each := func(visit func(from int, e shapeEdge)) {
		for id, n := range g.nodes {
			if n.visited[0] {
				for _, e := range n.edges {
					visit(id, e)
				}
			}
		}
	}
	each(func(_ int, e shapeEdge) { counts[e.to]++; total++ })
	room := make([]backEdge, total)
	for id, n := range counts {
		out[id], room = room[:0:n], room[n:]
	}
	each(func(from int, e shapeEdge) { out[e.to] = append(out[e.to], backEdge{int32(from), e.cost}) })
	return out
}
