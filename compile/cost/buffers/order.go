package buffers

// This file orders the instructions of a graph.

import "slices"

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

// breadthFirstOrder returns the nodes in the order of XLA's compiler for CPUs (BFScheduler), in
// which many of them can run at the same time. The result of g is the last. It sorts the users of
// each node.
func (g *graph) breadthFirstOrder() []*node {
	g.link()
	// fusion has added kernels, which come after the other users
	for _, n := range g.nodes {
		slices.SortStableFunc(n.users, func(a, b *node) int { return compareBool(!canConsume(a), !canConsume(b)) })
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
