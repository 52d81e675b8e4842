package mincut

// This file repairs the trees: an orphan gets another parent in the same tree, or leaves the tree.

import "math"

// adopt finds a parent for each orphan, or frees it if there is none. It empties the list of
// orphans.
func (n *Network) adopt() {
	for len(n.orphans) > 0 {
		last := len(n.orphans) - 1
		i := n.orphans[last]
		n.orphans = n.orphans[:last]
		if parent, depth := n.parentFor(i); depth < math.MaxInt {
			n.nodes[i].parent, n.nodes[i].depth, n.nodes[i].known = parent, depth, n.time
			continue
		}
		n.release(i)
	}
	n.orphans = n.orphans[:0]
}

// parentFor returns the edge to the best new parent of the orphan i: the neighbour that is nearest
// to the root. It also returns the orphan's distance through it, or math.MaxInt if no neighbour
// leads to the root.
func (n *Network) parentFor(i int32) (parent int32, depth int) {
	t := n.nodes[i].tree
	depth = math.MaxInt
	for e := n.nodes[i].first; e >= 0; e = n.edges[e].next {
		n.steps++
		to := n.edges[e].to
		if n.nodes[to].tree != t || n.freeCapacity(e^1, t) == 0 {
			continue
		}
		if d := n.distance(to); d < depth-1 {
			parent, depth = e, d+1
		}
	}
	return parent, depth
}

// distance returns the distance of a node from the root of its tree; math.MaxInt if it is not
// connected with the root. It stores the distances of the nodes on the path.
func (n *Network) distance(i int32) int {
	d, at := 0, i
	for {
		x := &n.nodes[at]
		if x.parent == isOrphan {
			return math.MaxInt
		}
		if x.parent == isRoot {
			x.known, x.depth = n.time, 0
			break
		}
		if x.known == n.time {
			d += x.depth
			break
		}
		n.steps++
		d++
		at = n.edges[x.parent].to
	}
	for at, left := i, d; n.nodes[at].known != n.time; left-- {
		n.nodes[at].known, n.nodes[at].depth = n.time, left
		at = n.edges[n.nodes[at].parent].to
	}
	return d
}

// release removes an orphan from its tree. Its children become orphans, and its neighbours may grow
// to it again.
func (n *Network) release(i int32) {
	t := n.nodes[i].tree
	for e := n.nodes[i].first; e >= 0; e = n.edges[e].next {
		n.steps++
		to := n.edges[e].to
		if n.nodes[to].tree != t {
			continue
		}
		if n.freeCapacity(e^1, t) > 0 {
			n.activate(to)
		}
		if p := n.nodes[to].parent; p >= 0 && p == e^1 {
			n.detach(to)
		}
	}
	n.nodes[i].tree = none
}
