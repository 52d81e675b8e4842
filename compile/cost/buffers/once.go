package buffers

// This file finds the instructions that must not be computed more than once. An instruction with
// several large operands may fuse into only some of its users. It would then be computed there and
// also be stored for the other users, and its operands would be read twice. So it is fused into all
// users, on all paths to them, or into none (InstructionFusion::ComputeGloballyUnfusible in XLA).
// On GPUs only the users themselves count, not the paths to them. TPUs compute what only
// convolutions read again in each of them, however far apart they are: in the convolution of the
// forward pass and in that of the weights' gradient.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// maxBetween is the largest number of instructions between one and its users that are examined. If
// there are more, it is practically certain that one of them does not fuse.
const maxBetween = 64

// findOnce sets f.once for the nodes of g that have several users and read several large operands,
// but do not fuse into all of their users: fused into some, they would be computed more than once.
// On GPUs these are the nodes that some user reads from memory (isStored).
func (f *fusion) findOnce(g *graph, m Model) {
	for i := len(g.nodes) - 1; i >= 0; i-- {
		n := g.nodes[i]
		if m == GPU {
			f.once[i] = isStored(n)
			continue
		}
		if len(n.users) < 2 || !canProduce(n) || isAtMostUnary(n) || operandElements(n) <= n.elements() || onlyConvolved(n) {
			continue
		}
		f.once[i] = !f.fusesEverywhere(n)
	}
}

// isStored reports whether some user of n does not compute n inside of its kernel, and so reads it
// from memory. The others then do as well, on GPUs (CanFuseWithAllNonBitcastUsers in XLA's
// PriorityFusion).
func isStored(n *node) bool {
	return len(n.users) > 1 && canProduce(n) && !isAlwaysRepeated(n) && n.role != constant &&
		slices.ContainsFunc(n.users, func(u *node) bool { return u.role != view && !edge(n, u) })
}

// onlyConvolved reports whether only convolutions of a TPU read n: they fuse with the ops that make
// their operands.
func onlyConvolved(n *node) bool {
	return !slices.ContainsFunc(n.users, func(u *node) bool { return u.role != product || u.op.Kind != ir.OpConvolution })
}

// isAtMostUnary reports whether n has at most one operand that must be read from memory and has at
// least as many dimensions as n. Dimensions of size 1 do not count.
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

// operandElements returns the number of elements of n's operands, each operand counted once.
func operandElements(n *node) int {
	sum := 0
	for i, o := range n.operands {
		if !slices.Contains(n.operands[:i], o) {
			sum += o.elements()
		}
	}
	return sum
}

// fusesEverywhere reports whether n fuses into all of its users. All ops on paths from n to them
// must fuse, too, and be few: above maxBetween the result is false. It starts a new search, whose
// number it writes to the nodes between.
func (f *fusion) fusesEverywhere(n *node) bool {
	last := 0
	for _, u := range n.users {
		if !edge(n, u) {
			return false
		}
		last = max(last, u.index)
	}
	f.ids.searches++
	n.seen.between = f.ids.searches // so do nodes that depend on n, up to its last user
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

// waysFuse reports whether, on every path from a node of the current search to u, each instruction
// can be fused into the next one. It marks u as checked, and is true for a node that is marked: the
// caller must stop at the first false.
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
