package buffers

// This file moves reshapes behind element-wise instructions, as XLA does (ReshapeMover there). Such
// an instruction then has the shape of the value before the reshape, such as the result of a
// product, and its result can take over the memory of that value.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// moveReshapes moves reshapes in g behind the element-wise instructions that read only reshapes of
// values with equal dimensions, besides literals. It leaves a reshape that other instructions read,
// too, because it would stay where it is.
func (g *graph) moveReshapes() {
	g.link()
	m := &mover{dims: make([][]int, len(g.nodes))}
	for _, n := range g.nodes {
		m.dims[n.index] = m.movedTo(n)
	}
	for changed := true; changed; {
		changed = false
		for _, n := range g.nodes {
			if m.dims[n.index] != nil && m.readsKept(n) {
				m.dims[n.index], changed = nil, true
			}
		}
	}
	m.apply(g)
}

// mover has, for each node by its index, the dimensions that it gets; nil if it stays as it is.
type mover struct{ dims [][]int }

// movedTo returns the dimensions that n gets, if reshapes are moved behind it and behind the nodes
// before it; nil if they cannot be.
func (m *mover) movedTo(n *node) (dims []int) {
	if n.role != element {
		return nil
	}
	for _, o := range n.operands {
		if isFree(o) {
			continue
		}
		from := m.before(o, n)
		if from == nil || dims != nil && !slices.Equal(from, dims) {
			return nil
		}
		dims = from
	}
	return dims
}

// isFree reports whether n has the same elements in every shape: whether it is a literal, or a
// scalar that is broadcast.
func isFree(n *node) bool {
	return n.role == constant || n.role == broadcast && n.operands[0].elements() == 1
}

// before returns the dimensions of o, an operand of n, before a reshape, or those that o gets; nil if
// it is no reshape and stays as it is.
func (m *mover) before(o, n *node) []int {
	switch {
	case o.graph != n.graph:
	case o.role == view && !isPart(o):
		return o.operands[0].typ().Dims
	case o.role == element:
		return m.dims[o.index]
	}
	return nil
}

// readsKept reports whether another instruction that is not moved reads one of the operands of n.
func (m *mover) readsKept(n *node) bool {
	return slices.ContainsFunc(n.operands, func(o *node) bool {
		return !isFree(o) && (m.before(o, n) == nil || slices.ContainsFunc(o.users, func(u *node) bool { return m.dims[u.index] == nil }))
	})
}

// apply moves the reshapes, and numbers the nodes of g again. A reshape that then changes nothing
// has no readers.
func (m *mover) apply(g *graph) {
	nodes := g.nodes
	g.nodes = make([]*node, 0, len(nodes))
	instead := map[*node]*node{} // what nodes that stay read in place of a node
	for at, n := range nodes {
		dims := m.dims[at]
		for _, o := range slices.Clone(n.operands) {
			by := instead[o]
			switch {
			case dims != nil && o.role == view:
				by = o.operands[0]
			case dims != nil && o.role == broadcast:
				by = g.addOne(broadcast, o.op, o.typ().WithDims(dims), o.operands[0])
			case dims != nil || by == nil || n.role == view:
				continue
			}
			n.replace(o, by)
		}
		g.nodes = append(g.nodes, n)
		switch {
		case dims != nil:
			old := n.typ()
			n.types = []ir.Type{old.WithDims(dims)}
			instead[n] = g.addOne(view, n.op, old, n)
		case n.role == view && !isPart(n) && n.typ().Equal(n.operands[0].typ()) && !readByRegion(n):
			instead[n] = n.operands[0]
		}
	}
	g.number()
}

// readByRegion reports whether an op with regions reads n: instructions of its regions may.
func readByRegion(n *node) bool {
	return slices.ContainsFunc(n.users, func(u *node) bool { return len(u.graphs) > 0 })
}
