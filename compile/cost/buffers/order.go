package buffers

// This file orders the instructions of a graph.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// schedule sets the order in which the nodes of g and of its regions run. On GPUs it first combines
// sums (concatenateSums), which changes the nodes. For CPUInOrder it is their order in g.
func (g *graph) schedule(m Model) {
	g.runs = g.nodes
	switch m {
	case CPU:
		g.runs = g.breadthFirstOrder()
	case GPU:
		g.concatenateSums()
		g.runs = g.frugalOrder(m, nil)
	case TPU:
		g.runs = g.frugalOrder(m, g.combinedGroups(TPU))
	}
	for _, n := range g.nodes {
		for _, inner := range n.graphs {
			inner.schedule(m)
		}
	}
}

// generation says when XLA adds n to the users of its operands: 0 for instructions that it takes
// over from the program, 1 for products that it writes again, in another form, 2 for kernels that
// fusion makes.
func (n *node) generation() int {
	switch {
	case canConsume(n):
		return 2
	case n.made > 0:
		return 1
	}
	return 0
}

// numberProducts numbers the products of g that XLA writes again, in the order in which it does so:
// that of a search from the result, depth first.
func (g *graph) numberProducts() {
	seen := make([]bool, len(g.nodes))
	count := 0
	var visit func(n *node)
	visit = func(n *node) {
		if n.graph != g || seen[n.index] {
			return
		}
		seen[n.index] = true
		for _, o := range n.operands {
			visit(o)
		}
		if isReshaped(n) {
			count++
			n.made = count
		}
	}
	visit(g.root)
}

// isReshaped reports whether n is a product whose operands XLA transposes or reshapes.
func isReshaped(n *node) bool {
	if n.role != kernel || n.op.Kind != ir.OpDotGeneral {
		return false
	}
	d := n.op.DotGeneral().DotDimensionNumbers()
	batch := len(d.LHSBatch)
	for i := range batch {
		if d.LHSBatch[i] != i || d.RHSBatch[i] != i {
			return true
		}
	}
	x, y := n.op.Operands[0].Type.Rank(), n.op.Operands[1].Type.Rank()
	return len(d.LHSContracting) != 1 || x != batch+2 || y != batch+2 || d.LHSContracting[0] != batch+1 || d.RHSContracting[0] != batch
}

// breadthFirstOrder returns the nodes in the order of XLA's compiler for CPUs (BFScheduler), in
// which many of them can run at the same time. The result of g is the last. It sorts the users of
// each node.
func (g *graph) breadthFirstOrder() []*node {
	g.link()
	for _, n := range g.nodes {
		slices.SortStableFunc(n.users, func(a, b *node) int {
			return cmp.Or(cmp.Compare(a.generation(), b.generation()), cmp.Compare(a.made, b.made))
		})
	}
	waits := make([]int, len(g.nodes)) // number of operands that have not run
	var ready []*node
	for _, n := range g.nodes {
		for _, u := range n.users {
			waits[u.index]++
		}
	}
	for _, first := range []func(*node) bool{
		func(n *node) bool { return n.role == param },
		func(n *node) bool { return n.role == constant },
		func(n *node) bool { return n.role != param && n.role != constant },
	} {
		for i, n := range g.nodes {
			if waits[i] == 0 && first(n) {
				ready = append(ready, n)
			}
		}
	}
	for at := 0; at < len(ready); at++ {
		for _, u := range ready[at].users {
			if waits[u.index]--; waits[u.index] == 0 {
				ready = append(ready, u)
			}
		}
	}
	for i, n := range ready { // among independent nodes, returned values come last
		if n == g.root {
			ready = append(append(ready[:i:i], ready[i+1:]...), n)
			break
		}
	}
	return ready
}
