package buffers

// This file lowers sums. A sum with a tensor that is zero except where something was scattered or
// written becomes a scatter or an update of the other operand (AlgebraicSimplifierVisitor::HandleAdd
// in XLA).

import "github.com/gospmd/gospmd/ir"

// add lowers a sum, and returns the node of its result.
func (l *lowering) add(op *ir.Op) []*node {
	for i := len(op.Operands) - 1; i >= 0; i-- {
		x, other := l.value(op.Operands[i]), op.Operands[1-i]
		switch {
		case l.model.accelerator() || x.graph != l.g:
		case x.role == kernel && x.op.Kind == ir.OpScatter && addsOnce(x.op):
			return []*node{l.scatterOnto(op, x, l.value(other))}
		case x.role == update && x.op.Kind == ir.OpDynamicUpdateSlice && isZero(x.operands[0]):
			return []*node{l.updateWithSum(op, x, l.value(other))}
		}
	}
	return []*node{l.elementwise(op)}
}

// addsOnce reports whether the scatter op has one result, which is read once, and adds.
func addsOnce(op *ir.Op) bool {
	kind, ok := ir.ReductionOf(op)
	return ok && kind == ir.OpAdd && len(op.Results) == 1 && op.Results[0].HasOneUse()
}

// isZero reports whether all elements of n are the same zero of a literal.
func isZero(n *node) bool {
	return n.role == broadcast && n.operands[0].role == constant && n.operands[0].op.Literal().IsZero()
}

// scatterOnto returns a new node for the sum op of other and the node scatter, which adds: a scatter
// onto the sum of its first operand and other. The old node stays for its other readers.
func (l *lowering) scatterOnto(op *ir.Op, scatter, other *node) *node {
	if to := scatter.operands[0]; !isZero(to) {
		other = l.g.addOne(element, op, other.typ(), other, to)
	}
	n := l.g.addOne(kernel, scatter.op, scatter.typ(), append([]*node{other}, scatter.operands[1:]...)...)
	n.into = other
	return n
}

// updateWithSum returns a new node for the sum op of other and the node written, an update of
// zeros: an update of other by its sum with what is written.
func (l *lowering) updateWithSum(op *ir.Op, written, other *node) *node {
	part, at := written.operands[1], written.operands[2:]
	old := l.g.addOne(dynamicSlice, op, part.typ(), append([]*node{other}, at...)...)
	sum := l.g.addOne(element, op, part.typ(), old, part)
	n := l.g.addOne(update, op, other.typ(), append([]*node{other, sum}, at...)...)
	n.into = other
	return n
}
