package mincut

// Steps returns the number of edges that Cut has visited.
func (n *Network) Steps() int { return n.steps }
