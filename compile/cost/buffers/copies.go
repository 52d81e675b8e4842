package buffers

// This file adds copies. Two values may have to share memory although the first is still needed
// when the second is written: the argument of a loop and its value for the next iteration, a
// donated input and the output that takes over its memory, a tensor and the tensor with a part
// replaced. Then the first value is copied.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// pair is two values that share memory: next is the new value of old.
type pair struct {
	old  *node
	next *node
}

// copyPairs adds copies to g and its regions, where two values that must share memory are in use at
// the same time. arguments pairs the arguments of g with the values that g returns for them; nil
// for none.
func (g *graph) copyPairs(arguments []pair) {
	var pairs []pair
	for _, n := range slices.Clone(g.nodes) {
		for i, inner := range n.graphs {
			if n.role == branch || i == 1 {
				inner.copyRoots(func(k int) bool { return n.role == loop && stays(n, k) })
			}
			if n.role == loop && i == 1 {
				inner.copyPairs(carriedPairs(inner))
			} else {
				inner.copyPairs(nil)
			}
		}
		if n.role == loop {
			pairs = append(pairs, enteringPairs(n)...)
		}
		if n.into != nil {
			pairs = append(pairs, pair{n.into, n})
		}
	}
	g.separate(pairs, arguments)
}

// carriedPairs returns pairs of an argument of a loop's body and its value for the next iteration.
// It leaves out values that do not change, because they need no second memory.
func carriedPairs(body *graph) []pair {
	var out []pair
	for i, p := range body.params {
		if next := body.root.operands[i]; next.origin() != p {
			out = append(out, pair{p, next})
		}
	}
	return out
}

// stays reports whether argument i of the loop n has the same value in all iterations.
func stays(n *node, i int) bool {
	body := n.graphs[1]
	return body.root.operands[i].origin() == body.params[i]
}

// enteringPairs returns pairs of an initial value of the loop n and n itself, except for the values
// that stay the same in all iterations.
func enteringPairs(n *node) []pair {
	var out []pair
	for i := range n.graphs[1].params {
		if !stays(n, i) {
			out = append(out, pair{n.operands[i], n})
		}
	}
	return out
}

// separate adds a copy of a pair's old value if that value may still be needed when the next value
// is written to the same memory. arguments holds the pairs whose old value is an argument of g, and
// pairs holds the others.
func (g *graph) separate(pairs, arguments []pair) {
	g.link()
	order := newAncestors(g, append(slices.Clone(pairs), arguments...))
	copies := &copies{g: g}
	owned := map[*node]bool{} // arguments whose memory may be overwritten
	copied := map[*node]*node{}
	for _, p := range arguments {
		owned[p.old] = true
	}
	for _, p := range arguments {
		if order.interferes(p) {
			c := copies.add(p.old, 0, p.next.origin().op)
			for _, u := range p.old.users {
				u.replace(p.old, c)
			}
			c.users, p.old.users = p.old.users, []*node{c}
			owned[c], copied[p.old] = true, c
		}
	}
	written := map[*node]bool{}
	for _, p := range pairs {
		if c := copied[p.old]; c != nil {
			p.old = c
		}
		from := p.old.origin()
		foreign := from.graph != g || from.role == constant || from.role == param && !owned[from]
		if !foreign && !written[from] && !order.interferes(p) {
			written[from] = true
			continue
		}
		c := copies.add(p.old, p.next.index, p.next.op)
		if i := slices.Index(p.next.operands, p.old); i >= 0 { // the first use that is not copied yet
			p.next.operands[i] = c
		}
		if p.next.into == p.old {
			p.next.into = c
		}
	}
	copies.insert()
}

// copies are nodes to be inserted into a graph.
type copies struct {
	g    *graph
	list []*node // index: the position of the node that it is inserted before
}

// add makes a copy of n for op and returns it. insert will put it before position at.
func (c *copies) add(n *node, at int, op *ir.Op) *node {
	out := &node{role: kernel, op: op, types: []ir.Type{n.typ()}, operands: []*node{n}, graph: c.g, index: at}
	c.list = append(c.list, out)
	return out
}

// insert inserts the copies in c.list into the graph, each at its index, and numbers the nodes
// again. Parameters stay first. It empties c.list.
func (c *copies) insert() {
	if len(c.list) == 0 {
		return
	}
	slices.SortStableFunc(c.list, func(a, b *node) int { return a.index - b.index })
	out := make([]*node, 0, len(c.g.nodes)+len(c.list))
	for i, n := range c.g.nodes {
		for n.role != param && len(c.list) > 0 && c.list[0].index <= i {
			out, c.list = append(out, c.list[0]), c.list[1:]
		}
		out = append(out, n)
	}
	c.g.nodes = out
	c.g.number()
}

// copyRoots inserts a copy for each result that g did not make or returns twice, except for results
// that leave returns true for.
func (g *graph) copyRoots(leave func(int) bool) {
	copies := &copies{g: g}
	returned := map[place]bool{}
	for i, o := range g.root.operands {
		from := o.origin()
		at := place{from, o.resultIndex()}
		if !leave(i) && (from.graph != g || from.role == param || from.role == constant || returned[at]) {
			g.root.operands[i] = copies.add(o, g.root.index, g.root.op)
		}
		returned[at] = true
	}
	copies.insert()
}

// place is one result of a node.
type place struct {
	node   *node
	result int
}

// ancestors answers the question whether a user of a pair's old value must run before a node, in
// any order.
type ancestors struct {
	bit map[*node]int // number of each user of an old value
	of  [][]uint64    // for each node, the users that must run before it, as bits
}

// maxAsked is the largest number of users that are considered, so that the time is linear. If there
// are more, their pairs are copied.
const maxAsked = 1 << 14

// newAncestors returns which nodes of g are computed from readers of the pairs' old values, for at
// most maxAsked of these readers. If there are readers, it sets the rank of each node.
func newAncestors(g *graph, pairs []pair) *ancestors {
	a := &ancestors{bit: map[*node]int{}, of: make([][]uint64, len(g.nodes))}
	for _, p := range pairs {
		readers(p.old, func(u *node) {
			if _, ok := a.bit[u]; !ok && len(a.bit) < maxAsked {
				a.bit[u] = len(a.bit)
			}
		})
	}
	words := (len(a.bit) + 63) / 64
	if words == 0 {
		return a
	}
	for i, n := range g.nodes {
		row := make([]uint64, words)
		for _, o := range n.operands {
			if o.graph == g {
				for w, bits := range a.of[o.index] {
					row[w] |= bits
				}
			}
		}
		if b, ok := a.bit[n]; ok {
			row[b/64] |= 1 << (b % 64)
		}
		a.of[i] = row
		n.rank = i
	}
	return a
}

// readers calls visit for the nodes that read n, directly, through a view, or through a barrier
// that passes n on; more than once for a node that reads it in several of these ways.
func readers(n *node, visit func(*node)) {
	for _, u := range n.users {
		if u.role == view || u.role == held && u.operands[0] == n {
			readers(u, visit)
			continue
		}
		visit(u)
	}
}

// interferes reports whether the old value of p may still be needed when the next value is written.
// It is also true if the next value is an argument, a constant or a value of another graph, and if
// a does not know a reader of the old one (maxAsked).
func (a *ancestors) interferes(p pair) bool {
	writer := p.next.origin()
	if writer.graph != p.old.graph || writer.role == param || writer.role == constant {
		return true
	}
	found := false
	readers(p.old.origin(), func(u *node) {
		if u == writer {
			found = found || !mayWriteInto(writer, p)
			return
		}
		b, ok := a.bit[u]
		row := a.row(writer)
		found = found || !ok || len(row) == 0 || row[b/64]&(1<<(b%64)) == 0
	})
	return found
}

func (a *ancestors) row(n *node) []uint64 { return a.of[n.rank] }

// mayWriteInto reports whether writer may write the next value of p into the memory of the old one
// while it reads the old one.
func mayWriteInto(writer *node, p pair) bool {
	from := p.old.origin()
	isSame := func(o *node) bool { return o.origin() == from }
	switch {
	case writer.into != nil && isSame(writer.into):
		return true
	case writer.role == loop:
		// the value enters the loop, or leaves it
		return p.next == writer || isSame(writer.operands[p.next.resultIndex()])
	}
	return slices.ContainsFunc(writer.takes, isSame)
}
