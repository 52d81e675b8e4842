package buffers

// This file implements how XLA for CPUs computes with 16-bit floats (FloatNormalization in XLA). It
// computes in float32: each op that computes or moves numbers converts its operands before, and its
// result after. These conversions then fuse with other instructions, so that values are in memory
// before or after them. Collectives, loops, branches and changes of the shape alone take 16-bit
// numbers as they are, and so do accelerators.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// short are the types that XLA's compiler for CPUs only stores numbers in.
var short = map[dtypes.DType]bool{dtypes.BFloat16: true, dtypes.Float16: true}

// computed returns the type that numbers of type t are computed in.
func (l *lowering) computed(t ir.Type) ir.Type {
	if short[t.DType] && !l.model.accelerator() {
		t.DType = dtypes.Float32
	}
	return t
}

// widen returns x converted to the type that it is computed in, or x itself if it has that type.
func (l *lowering) widen(op *ir.Op, x *node) *node {
	return l.convert(op, x, l.computed(x.typ()).DType)
}

// input returns operand i of op, converted to the type that it is computed in.
func (l *lowering) input(op *ir.Op, i int) *node { return l.widen(op, l.value(op.Operands[i])) }

// inputs returns the operands of op, converted to the types that they are computed in.
func (l *lowering) inputs(op *ir.Op) []*node {
	out := make([]*node, len(op.Operands))
	for i := range out {
		out[i] = l.input(op, i)
	}
	return out
}

// stored returns x, a result of op, converted from the type that it was computed in to its type t.
func (l *lowering) stored(op *ir.Op, x *node, t ir.Type) *node {
	if x.typ().DType != l.computed(t).DType {
		return x
	}
	return l.convert(op, x, t.DType)
}

// converted lowers a conversion, and returns the node of its result.
func (l *lowering) converted(op *ir.Op) []*node {
	return []*node{l.convert(op, l.value(op.Operands[0]), op.Results[0].Type.DType)}
}

// convert returns x converted to the element type to: a node that op needs, or x itself if it has
// that type. On CPUs a literal, and an operand that is broadcast, is converted itself, and a
// conversion that only undoes one to a wider type is left out.
func (l *lowering) convert(op *ir.Op, x *node, to dtypes.DType) *node {
	t := x.typ().WithDType(to)
	switch {
	case x.typ().DType == to:
		return x
	case x.graph != l.g || l.model.accelerator():
	case x.role == constant:
		n := l.move(constant, x.op, t, x, nil)
		n.operands = nil
		return n
	case x.role == broadcast:
		from := l.convert(op, x.operands[0], to)
		n := l.move(broadcast, op, t, x, nil)
		n.operands[0] = from
		return n
	case widens(x) && x.operands[0].typ().DType == to && short[to]:
		return x.operands[0]
	}
	return l.move(element, op, t, x, nil)
}

// widens reports whether n is a conversion to a wider type.
func widens(n *node) bool {
	return n.role == element && len(n.operands) == 1 && n.operands[0].typ().MemoryBytes() < n.typ().MemoryBytes()
}
