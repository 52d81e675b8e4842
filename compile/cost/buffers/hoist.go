package buffers

// This file moves instructions out of the bodies of loops: those that compute the same in each
// iteration, and on TPUs conversions of sliced tensors. XLA's compiler for CPUs moves the former
// before it fuses (WhileLoopInvariantCodeMotion). The results are in memory until the loop ends. XLA
// does not compare their sizes with the time that it gains. Some instructions, such as broadcasts
// and transposes, leave a loop only together with an instruction that reads them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// staysAlone has the roles of the instructions that do not leave a loop by themselves.
var staysAlone = map[role]bool{constant: true, broadcast: true, ramp: true, slice: true, transpose: true}

// hoister moves instructions from the body of a loop to l.g.
type hoister struct {
	l    *lowering // of the block around the loop
	body *graph
	// fixed maps the nodes of body that are the same in each iteration, but stay in it, to the same
	// values outside of the loop: nil if they do not exist there yet.
	fixed map[*node]*node
}

// hoist moves the instructions of the loop n that compute the same in each iteration from n's body
// to l.g. A loop that reads nothing from outside and carries no constant value stays as it is.
func (l *lowering) hoist(n *node) {
	h := &hoister{l: l, body: n.graphs[1], fixed: map[*node]*node{}}
	for i, p := range h.body.params {
		if stays(n, i) {
			h.fixed[p] = n.operands[i]
		}
	}
	reads := len(h.fixed) > 0
	h.body.captures(func(o *node) { reads = reads || o.graph != h.body })
	if !reads {
		return
	}
	kept := h.body.nodes[:0]
	for _, x := range h.body.nodes {
		switch {
		case !h.isFixed(x):
		case staysAlone[x.role] || x.role == view && !isPart(x):
			h.fixed[x] = nil
		default:
			h.move(x)
			continue
		}
		kept = append(kept, x)
	}
	h.body.nodes = kept
	h.body.number()
	h.body.sweep() // what only moved instructions read
}

// isFixed reports whether x computes the same in each iteration, and may run outside of the loop.
func (h *hoister) isFixed(x *node) bool {
	if x.role == param || x.role == result || len(x.graphs) > 0 || x.op.Info().Is(ir.Collective) || x.op.Info().Is(ir.SideEffect) || unlike[x.op.Kind] {
		return false
	}
	return !slices.ContainsFunc(x.operands, func(o *node) bool {
		_, ok := h.fixed[o]
		return !ok && o.graph == h.body
	})
}

// move moves x from the body to the block around the loop.
func (h *hoister) move(x *node) {
	for _, o := range slices.Clone(x.operands) {
		x.replace(o, h.outside(o))
	}
	g := h.l.g
	x.graph, x.index = g, len(g.nodes)
	g.nodes = append(g.nodes, x)
}

// outside returns the node outside of the loop that has the value of x: x itself, or a copy of a
// node of the body, which it adds if there is none yet.
func (h *hoister) outside(x *node) *node {
	if x.graph != h.body {
		return x
	}
	out := h.fixed[x]
	if out == nil {
		operands := make([]*node, len(x.operands))
		for i, o := range x.operands {
			operands[i] = h.outside(o)
		}
		out = h.l.g.add(x.role, x.op, x.types, operands...)
		out.expensive = x.expensive
		h.fixed[x] = out
	}
	return out
}

// narrow moves conversions to a narrower type out of the loop n, as libtpu does: what the body slices
// and then converts, such as the data of a micro-batch, is converted as a whole before the loop.
func (l *lowering) narrow(n *node) {
	body := n.graphs[1]
	for _, x := range body.nodes {
		if x.role != element || x.op.Kind != ir.OpConvert || x.operands[0].role != dynamicSlice {
			continue
		}
		part := x.operands[0]
		if from := part.operands[0]; from.graph == l.g && x.typ().MemoryBytes() < part.typ().MemoryBytes() {
			whole := l.convert(x.op, from, x.typ().DType)
			x.role, x.op, x.operands = dynamicSlice, part.op, append([]*node{whole}, part.operands[1:]...)
		}
	}
	body.sweep() // slices that only conversions have read
}
