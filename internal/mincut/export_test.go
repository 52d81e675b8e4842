package mincut

// Steps returns how many edges Cut has looked at.
func (n *Network) Steps() int { return n.steps }
