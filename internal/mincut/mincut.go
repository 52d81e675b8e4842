// Package mincut finds minimal cuts of networks. It uses the algorithm of Boykov and Kolmogorov (An
// experimental comparison of min-cut/max-flow algorithms for energy minimization in vision, 2004).
// It grows one tree of nodes that the source reaches, and one of nodes that reach the sink, and
// sends flow where they meet. Afterwards it repairs the trees instead of building them again. In
// the networks of shardings, most nodes have an edge from the source or to the sink. There the time
// is about proportional to the number of edges.
//
// Order of use: New, AddNode and Connect, then Cut.
//
//	file        what it holds
//	mincut.go   Network, and the search for paths
//	orphans.go  repairs the trees when an edge is full
package mincut

import "slices"

// The nodes that every network has.
const (
	Source = iota
	Sink
)

// Unbounded is a capacity larger than all others together.
const Unbounded = 1 << 61

// Network is a directed network with capacities, whose least cut is wanted.
type Network struct {
	edges []edge // edges between nodes other than source and sink; each edge is followed by its reverse
	nodes []node
	total int // the total flow

	active  []int32 // nodes that may have neighbours to grow to, the oldest first
	grown   int     // how many nodes at the start of active are done
	orphans []int32 // nodes that have lost the edge to their parent
	time    int     // the number of paths that have carried flow
	steps   int     // number of visited edges, for tests
}

// edge is an edge in the list of a node's outgoing edges: the node that it leads to, and its free
// capacity.
type edge struct {
	to, next int32 // next is the next edge in the list; -1 at the end
	free     int
}

// node is a node of the network, and its place in a tree.
type node struct {
	first    int32 // first edge that leaves it, or -1
	terminal int   // free capacity of the edge from the source; if negative, of the edge to the sink
	tree     tree
	queued   bool  // whether it is in active
	current  int32 // if queued, the next edge to grow by
	parent   int32 // the edge to the parent, or one of the values below
	depth    int   // distance from the root of the node's tree, as of the search number known
	known    int   // this time
}

// tree says in which tree a node is: in that of the source, in that of the sink, or in none.
type tree int8

const (
	none tree = iota
	ofSource
	ofSink
)

// Values of node.parent besides edges.
const (
	isRoot   = -1 // an edge from the source, or to the sink
	isOrphan = -2
)

// New returns a network that has only a source and a sink.
func New() *Network {
	n := &Network{}
	n.Reset()
	return n
}

// Reset empties the network, as New returns it, and keeps its memory.
func (n *Network) Reset() {
	*n = Network{edges: n.edges[:0], nodes: n.nodes[:0], active: n.active[:0], orphans: n.orphans[:0]}
	n.AddNode()
	n.AddNode()
}

// Grow reserves memory for the given numbers of further nodes and edges.
func (n *Network) Grow(nodes, edges int) {
	n.nodes = slices.Grow(n.nodes, nodes)
	n.edges = slices.Grow(n.edges, 2*edges)
}

// AddNode adds a node and returns its number.
func (n *Network) AddNode() int {
	n.nodes = append(n.nodes, node{first: -1})
	return len(n.nodes) - 1
}

// Connect adds an edge between the nodes from and to, with the given capacity, which must not be
// negative. It ignores an edge that no flow from the source to the sink uses: of capacity 0, from a
// node to itself, to the source, or from the sink.
func (n *Network) Connect(from, to, capacity int) {
	switch {
	case capacity == 0 || from == to || to == Source || from == Sink:
	case from == Source && to == Sink:
		n.total += capacity
	case from == Source:
		n.terminal(to, capacity)
	case to == Sink:
		n.terminal(from, -capacity)
	default:
		n.addEdge(from, to, capacity)
		n.addEdge(to, from, 0)
	}
}

// terminal adds an edge from the source to a node, or, if capacity is negative, from the node to
// the sink. It sends flow that goes from the source through the node to the sink at once.
func (n *Network) terminal(i, capacity int) {
	x := &n.nodes[i]
	if (x.terminal < 0) != (capacity < 0) {
		n.total += min(max(x.terminal, -x.terminal), max(capacity, -capacity))
	}
	x.terminal = max(-Unbounded, min(x.terminal+capacity, Unbounded))
}

func (n *Network) addEdge(from, to, free int) {
	n.edges = append(n.edges, edge{int32(to), n.nodes[from].first, free})
	n.nodes[from].first = int32(len(n.edges) - 1)
}

// Cut returns the minimal cut: source tells for each node, by its number, whether it is on the
// source's side, and total is the capacity of the cut. Of several minimal cuts it takes the one
// nearest to the source. It changes the network: call it once.
func (n *Network) Cut() (source []bool, total int) {
	for i := range n.nodes {
		if x := &n.nodes[i]; x.terminal != 0 {
			x.tree, x.parent = ofSource, isRoot
			if x.terminal < 0 {
				x.tree = ofSink
			}
			n.activate(int32(i))
		}
	}
	for n.grown < len(n.active) {
		at := n.active[n.grown]
		bridge, ok := n.grow(at)
		if !ok {
			n.nodes[at].queued = false
			if n.grown++; 2*n.grown > len(n.active) {
				n.active = n.active[:copy(n.active, n.active[n.grown:])]
				n.grown = 0
			}
			continue
		}
		n.time++
		n.send(bridge)
		n.adopt()
	}
	source = make([]bool, len(n.nodes))
	for i := range n.nodes {
		source[i] = n.nodes[i].tree == ofSource
	}
	source[Source] = true
	return source, n.total
}

// activate adds a node to the active ones. A node that is already active visits all its edges
// again.
func (n *Network) activate(i int32) {
	x := &n.nodes[i]
	x.current = x.first
	if !x.queued {
		x.queued = true
		n.active = append(n.active, i)
	}
}

// freeCapacity returns the free capacity of edge e in the direction in which a search of tree t
// would send flow through it, if it leaves a node of t by e: forwards in the source's tree,
// backwards in the sink's.
func (n *Network) freeCapacity(e int32, t tree) int {
	if t == ofSource {
		return n.edges[e].free
	}
	return n.edges[e^1].free
}

// grow adds the neighbours of a node to its tree, if edges with free capacity lead there. If it
// meets the other tree, ok is true, and it returns the edge between them, from the source's tree to
// the sink's. Otherwise ok is false.
func (n *Network) grow(at int32) (bridge int32, ok bool) {
	x := &n.nodes[at]
	if x.tree == none {
		return 0, false
	}
	for ; x.current >= 0; x.current = n.edges[x.current].next {
		n.steps++
		e := x.current
		if n.freeCapacity(e, x.tree) == 0 {
			continue
		}
		to := &n.nodes[n.edges[e].to]
		switch {
		case to.tree == none:
			to.tree, to.parent, to.depth, to.known = x.tree, e^1, x.depth+1, x.known
			n.activate(n.edges[e].to)
		case to.tree != x.tree && x.tree == ofSource:
			return e, true
		case to.tree != x.tree:
			return e ^ 1, true
		case to.known <= x.known && to.depth > x.depth+1:
			// This is a shorter path to the root.
			to.parent, to.depth, to.known = e^1, x.depth+1, x.known
		}
	}
	return 0, false
}

// send sends as much as it can from the source to the sink by an edge between the trees. Nodes
// become orphans if their edge to the parent (of a root, to the source or the sink) is full then.
func (n *Network) send(bridge int32) {
	from, to := n.edges[bridge^1].to, n.edges[bridge].to
	most := n.edges[bridge].free
	for _, i := range []int32{from, to} {
		most = min(most, n.carries(i))
	}
	n.total += most
	n.carry(bridge, most)
	for _, i := range []int32{from, to} {
		n.carryFrom(i, most)
	}
}

// carries returns the free capacity of the path between node i and the source or the sink: that of
// the edges to the root of i's tree, and of the root's own edge to the source or the sink.
func (n *Network) carries(i int32) int {
	most, t := Unbounded, n.nodes[i].tree
	for n.nodes[i].parent != isRoot {
		n.steps++
		e := n.nodes[i].parent
		most = min(most, n.freeCapacity(e^1, t))
		i = n.edges[e].to
	}
	return min(most, max(n.nodes[i].terminal, -n.nodes[i].terminal))
}

// carryFrom sends an amount between the source or the sink and node i, along the path of i's tree:
// from the source to i, or from i to the sink. The path must have as much free capacity (carries).
// Nodes become orphans if their edge to the parent (of a root, to the source or the sink) is full
// then.
func (n *Network) carryFrom(i int32, amount int) {
	t := n.nodes[i].tree
	for n.nodes[i].parent != isRoot {
		e := n.nodes[i].parent
		if t == ofSource {
			n.carry(e^1, amount)
		} else {
			n.carry(e, amount)
		}
		if n.freeCapacity(e^1, t) == 0 {
			n.detach(i)
		}
		i = n.edges[e].to
	}
	if t == ofSource {
		amount = -amount
	}
	if n.nodes[i].terminal += amount; n.nodes[i].terminal == 0 {
		n.detach(i)
	}
}

func (n *Network) carry(e int32, amount int) {
	n.steps++
	n.edges[e].free -= amount
	n.edges[e^1].free += amount
}

// detach takes a node from its parent, and adds it to the orphans.
func (n *Network) detach(i int32) {
	n.nodes[i].parent = isOrphan
	n.orphans = append(n.orphans, i)
}
