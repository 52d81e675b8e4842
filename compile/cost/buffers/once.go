package buffers

// This file finds the instructions that must not be computed more than once: an
// instruction of several large operands that is fused into some of its users
// only would be computed there and be stored for the others, which reads its
// operands again. It is fused into all of them, on all ways to them, or into none
// (InstructionFusion::ComputeGloballyUnfusible in XLA).

import "slices"

// maxBetween bounds the instructions between one and its users that are looked
// at; where there are more, one of them does not fuse, as good as always.
const maxBetween = 64

// findOnce sets once for the nodes of g.
func (f *fusion) findOnce(g *graph) {
	for i := len(g.nodes) - 1; i >= 0; i-- {
		n := g.nodes[i]
		if len(n.users) < 2 || !canProduce(n) || isAtMostUnary(n) || operandElements(n) <= n.elements() {
			continue
		}
		f.once[i] = !f.fusesEverywhere(n)
	}
}

// isAtMostUnary reports whether n has at most one operand of its own rank that has
// to be read.
func isAtMostUnary(n *node) bool {
	large := 0
	for _, o := range n.operands {
		if o.role == broadcast || o.role == ramp || o.role == constant && o.elements() == 1 {
			continue
		}
		if o.trueRank() >= n.trueRank() {
			large++
		}
	}
	return large <= 1
}

// operandElements counts the elements that n reads.
func operandElements(n *node) int {
	sum := 0
	for i, o := range n.operands {
		if !slices.Contains(n.operands[:i], o) {
			sum += o.elements()
		}
	}
	return sum
}

// fusesEverywhere reports whether n fuses into all its users on all ways.
func (f *fusion) fusesEverywhere(n *node) bool {
	last := 0
	for _, u := range n.users {
		if !edge(n, u) {
			return false
		}
		last = max(last, u.index)
	}
	f.ids.searches++
	n.seen.between = f.ids.searches // and what depends on n, up to its last user
	count := 1
	for todo := []*node{n}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range at.users {
			if u.index > last || u.seen.between == f.ids.searches {
				continue
			}
			u.seen.between = f.ids.searches
			if count++; count > maxBetween {
				return false
			}
			todo = append(todo, u)
		}
	}
	for _, u := range n.users {
		if !f.waysFuse(u) {
			return false
		}
	}
	return true
}

// waysFuse reports whether each path to u fuses that starts at a node marked as between by this
// search.
func (f *fusion) waysFuse(u *node) bool {
	if u.seen.checked == f.ids.searches {
		return true
	}
	u.seen.checked = f.ids.searches
	for _, o := range u.operands {
		if o.seen.between != f.ids.searches {
			continue
		}
		if f.once[o.index] || !edge(o, u) || o.expensive && len(o.users) > 1 && !isAlwaysRepeated(o) {
			return false
		}
		if len(o.operands) > 0 && !f.waysFuse(o) {
			return false
		}
	}
	return true
}
