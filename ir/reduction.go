package ir

// This file makes and recognises the bodies of reductions.

import "github.com/gomlx/compute/dtypes"

// ReductionBody returns a region that combines two scalars by one op, such as
// OpAdd, for reduce, all_reduce, reduce_scatter, scatter and reduce_window.
func ReductionBody(kind OpKind, dtype dtypes.DType) *Block {
	b := &Block{}
	x, y := b.AddArg(Tensor(dtype)), b.AddArg(Tensor(dtype))
	op := NewOp(kind, []*Value{x, y}, nil, []Type{Tensor(dtype)})
	b.Append(op)
	b.Append(NewOp(OpReturn, op.Results, nil, nil))
	return b
}

// ReductionOf returns the op that the region of op reduces by: OpAdd, OpMultiply,
// OpMaximum, OpMinimum, OpAnd, OpOr or OpXor. ok is false unless the region,
// of select_and_scatter the second one, is one such op on its two arguments.
func ReductionOf(op *Op) (kind OpKind, ok bool) {
	if len(op.Regions) == 0 {
		return OpUnregistered, false
	}
	return bodyKind(op.Regions[len(op.Regions)-1])
}

func bodyKind(b *Block) (OpKind, bool) {
	if len(b.Args) != 2 || b.Len() != 2 || b.last.Kind != OpReturn {
		return OpUnregistered, false
	}
	op, ret := b.first, b.last
	if len(op.Operands) != 2 || len(op.Results) != 1 || len(ret.Operands) != 1 || ret.Operands[0] != op.Results[0] ||
		!op.Info().Is(Elementwise|Commutative) || op.Kind == OpMulHi { // which is not associative
		return OpUnregistered, false
	}
	x, y := op.Operands[0], op.Operands[1]
	if x == b.Args[0] && y == b.Args[1] || x == b.Args[1] && y == b.Args[0] {
		return op.Kind, true
	}
	return OpUnregistered, false
}

// ReductionInit returns the value that changes nothing when it is combined by
// kind, as the initial value of a reduction over dtype: 0 for OpAdd, the
// lowest value for OpMaximum. ok is false for other ops than ReductionOf
// returns, and for the maximum of complex numbers.
func ReductionInit(kind OpKind, dtype dtypes.DType) (init *Dense, ok bool) {
	c, known := codecOf(dtype)
	if !known || c.complex && (kind == OpMaximum || kind == OpMinimum) {
		return nil, false
	}
	var bits uint64
	switch kind {
	case OpAdd, OpOr, OpXor: // zero
	case OpMultiply:
		bits = c.fromFloat64(1)
	case OpAnd:
		bits = c.ones()
	case OpMaximum:
		bits = c.lowest()
	case OpMinimum:
		bits = c.highest()
	default:
		return nil, false
	}
	d := &Dense{Type: Tensor(dtype), Data: c.store(nil, bits)}
	if c.complex {
		d.Data = c.store(d.Data, 0)
	}
	return d, true
}
