package compile

// This file finds minimal cuts: Edmonds' and Karp's maximal flow (Theoretical
// improvements in algorithmic efficiency for network flow problems, 1972).

// The nodes that every network has; others are numbered from flowFirst.
const (
	flowSource = iota
	flowSink
	flowFirst
)

// unbounded is more than all capacities together.
const unbounded = 1 << 62

// flowNet is a directed network.
type flowNet struct {
	edges []flowEdge // an edge and its reverse stand side by side
	out   [][]int    // edges of each node
}

type flowEdge struct{ to, free int }

func newFlowNet() *flowNet { return &flowNet{} }

// connect adds an edge.
func (n *flowNet) connect(from, to, capacity int) {
	for len(n.out) <= max(from, to) {
		n.out = append(n.out, nil)
	}
	n.out[from] = append(n.out[from], len(n.edges))
	n.out[to] = append(n.out[to], len(n.edges)+1)
	n.edges = append(n.edges, flowEdge{to, capacity}, flowEdge{from, 0})
}

// minCut returns which nodes are on the source's side of the minimal cut that
// is next to the source.
func (n *flowNet) minCut() []bool {
	for {
		via := make([]int, len(n.out)) // the edge by which a node was reached, plus one
		via[flowSource] = -1
		for queue := []int{flowSource}; len(queue) > 0 && via[flowSink] == 0; queue = queue[1:] {
			for _, e := range n.out[queue[0]] {
				if edge := n.edges[e]; edge.free > 0 && via[edge.to] == 0 {
					via[edge.to] = e + 1
					queue = append(queue, edge.to)
				}
			}
		}
		if via[flowSink] == 0 {
			reached := make([]bool, len(via))
			for i, e := range via {
				reached[i] = e != 0
			}
			return reached
		}
		least := unbounded
		for v := flowSink; v != flowSource; v = n.edges[(via[v]-1)^1].to {
			least = min(least, n.edges[via[v]-1].free)
		}
		for v := flowSink; v != flowSource; v = n.edges[(via[v]-1)^1].to {
			n.edges[via[v]-1].free -= least
			n.edges[(via[v]-1)^1].free += least
		}
	}
}
