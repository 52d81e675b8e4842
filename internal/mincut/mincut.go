// Package mincut finds minimal cuts of networks, by Dinic's maximal flow
// (Algorithm for solution of a problem of maximum flow in a network with power
// estimation, 1970).
//
// Order of use: New, AddNode and Connect, then Cut.
package mincut

// The nodes that every network has.
const (
	Source = iota
	Sink
)

// Unbounded is a capacity larger than all others together.
const Unbounded = 1 << 60

// Network is a directed network.
type Network struct {
	edges []edge  // an edge is followed by its reverse
	out   [][]int // edges of each node
	level []int   // distance from the source, of the flow at hand
	next  []int   // the first edge of each node that may still carry flow
}

type edge struct{ to, free int }

// New returns a network of a source and a sink.
func New() *Network { return &Network{out: make([][]int, 2)} }

// AddNode adds a node and returns its number.
func (n *Network) AddNode() int {
	n.out = append(n.out, nil)
	return len(n.out) - 1
}

// Connect adds an edge of the given capacity, which is not negative.
func (n *Network) Connect(from, to, capacity int) {
	if capacity == 0 || from == to {
		return
	}
	n.out[from] = append(n.out[from], len(n.edges))
	n.out[to] = append(n.out[to], len(n.edges)+1)
	n.edges = append(n.edges, edge{to, capacity}, edge{from, 0})
}

// Cut returns which nodes are on the source's side of the minimal cut that is
// next to the source, and what the cut's edges carry.
func (n *Network) Cut() (source []bool, total int) {
	for n.layer() {
		n.next = make([]int, len(n.out))
		for {
			sent := n.push(Source, Unbounded)
			if sent == 0 {
				break
			}
			total += sent
		}
	}
	source = make([]bool, len(n.out))
	for i, l := range n.level {
		source[i] = l >= 0
	}
	return source, total
}

// layer finds how far each node is from the source, and reports whether the
// sink can be reached.
func (n *Network) layer() bool {
	n.level = make([]int, len(n.out))
	for i := range n.level {
		n.level[i] = -1
	}
	n.level[Source] = 0
	for queue := []int{Source}; len(queue) > 0; queue = queue[1:] {
		for _, e := range n.out[queue[0]] {
			if to := n.edges[e].to; n.edges[e].free > 0 && n.level[to] < 0 {
				n.level[to] = n.level[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return n.level[Sink] >= 0
}

// push sends up to limit from a node towards the sink, along one path.
func (n *Network) push(from, limit int) int {
	if from == Sink {
		return limit
	}
	for ; n.next[from] < len(n.out[from]); n.next[from]++ {
		e := n.out[from][n.next[from]]
		to, free := n.edges[e].to, n.edges[e].free
		if free == 0 || n.level[to] != n.level[from]+1 {
			continue
		}
		if sent := n.push(to, min(limit, free)); sent > 0 {
			n.edges[e].free -= sent
			n.edges[e^1].free += sent
			return sent
		}
	}
	return 0
}
