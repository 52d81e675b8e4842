package compile

// This file holds the rewrites of ops that only move data.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

var shapeRewrites = []rewrite{
	{"reshape to the same shape => x", kinds(ir.OpReshape), sameType},
	{"reshape (reshape x) => reshape x", kinds(ir.OpReshape), reshapeTwice},
	{"transpose that moves nothing => x", kinds(ir.OpTranspose), transposeNothing},
	{"transpose (transpose x) => transpose x", kinds(ir.OpTranspose), transposeTwice},
	{"broadcast to the same shape => x", kinds(ir.OpBroadcastInDim), broadcastNothing},
	{"broadcast (broadcast x) => broadcast x", kinds(ir.OpBroadcastInDim), broadcastTwice},
	{"broadcast (reshape x) => broadcast x, if the reshape only adds sizes 1", kinds(ir.OpBroadcastInDim), broadcastReshaped},
	{"slice of everything => x", kinds(ir.OpSlice), sameType},
	{"slice (slice x) => slice x", kinds(ir.OpSlice), sliceTwice},
	{"reverse (reverse x) => x; reverse of sizes 1 => x", kinds(ir.OpReverse), reverseNothing},
	{"pad by nothing => x", kinds(ir.OpPad), padNothing},
	{"concatenate x => x", kinds(ir.OpConcatenate), concatenateOne},
	{"dynamic_slice of everything => x", kinds(ir.OpDynamicSlice), sameType},
	{"dynamic_update_slice of everything => update", kinds(ir.OpDynamicUpdateSlice), updateAll},
	{"op on a constant with equal elements => constant", kinds(ir.OpReshape, ir.OpTranspose, ir.OpBroadcastInDim, ir.OpSlice, ir.OpReverse), moveUniform},
	{"reshape of a constant => constant", kinds(ir.OpReshape), reshapeConstant},
}

// sameType drops an op that cannot but return its first operand if that has
// the result's type.
func sameType(_ *rewriter, op *ir.Op) *ir.Value {
	if x := op.Operands[0]; x.Type.Equal(op.Result().Type) {
		return x
	}
	return nil
}

func reshapeTwice(r *rewriter, op *ir.Op) *ir.Value {
	inner := defined(op.Operands[0], ir.OpReshape)
	if inner == nil {
		return nil
	}
	return r.emit(op, ir.OpReshape, op.Attrs, op.Result().Type, inner.Operands[0])
}

func transposeNothing(_ *rewriter, op *ir.Op) *ir.Value {
	if isIota(op.Ints("permutation"), op.Result().Type.Rank()) {
		return op.Operands[0]
	}
	return nil
}

func transposeTwice(r *rewriter, op *ir.Op) *ir.Value {
	inner := defined(op.Operands[0], ir.OpTranspose)
	if inner == nil {
		return nil
	}
	first, then := inner.Ints("permutation"), op.Ints("permutation")
	both := make(ir.Ints, len(then))
	for i, d := range then {
		both[i] = first[d]
	}
	return r.emit(op, ir.OpTranspose, op.Attrs.With("permutation", both), op.Result().Type, inner.Operands[0])
}

func broadcastNothing(_ *rewriter, op *ir.Op) *ir.Value {
	x := op.Operands[0]
	if x.Type.Equal(op.Result().Type) && isIota(op.Ints("broadcast_dimensions"), x.Type.Rank()) {
		return x
	}
	return nil
}

func broadcastTwice(r *rewriter, op *ir.Op) *ir.Value {
	inner := defined(op.Operands[0], ir.OpBroadcastInDim)
	if inner == nil {
		return nil
	}
	first, then := inner.Ints("broadcast_dimensions"), op.Ints("broadcast_dimensions")
	both := make(ir.Ints, len(first))
	for i, d := range first {
		both[i] = then[d]
	}
	return r.emit(op, ir.OpBroadcastInDim, op.Attrs.With("broadcast_dimensions", both), op.Result().Type, inner.Operands[0])
}

// broadcastReshaped skips x whose own dimensions of size 1 leave open which of
// the result's is which.
func broadcastReshaped(r *rewriter, op *ir.Op) *ir.Value {
	inner := defined(op.Operands[0], ir.OpReshape)
	if inner == nil {
		return nil
	}
	x := inner.Operands[0]
	var both, sizes ir.Ints
	for i, size := range inner.Result().Type.Dims {
		if size != 1 {
			both, sizes = append(both, op.Ints("broadcast_dimensions")[i]), append(sizes, size)
		}
	}
	if !slices.Equal(sizes, x.Type.Dims) {
		return nil
	}
	return r.emit(op, ir.OpBroadcastInDim, op.Attrs.With("broadcast_dimensions", both), op.Result().Type, x)
}

func sliceTwice(r *rewriter, op *ir.Op) *ir.Value {
	inner := defined(op.Operands[0], ir.OpSlice)
	if inner == nil {
		return nil
	}
	rank := op.Result().Type.Rank()
	start, limit, strides := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	for i, size := range op.Result().Type.Dims {
		s, t := inner.Ints("start_indices")[i], inner.Ints("strides")[i]
		start[i], limit[i], strides[i] = s, s, t*op.Ints("strides")[i]
		if size > 0 {
			start[i] += t * op.Ints("start_indices")[i]
			limit[i] = start[i] + strides[i]*(size-1) + 1
		}
	}
	attrs := op.Attrs.With("start_indices", start).With("limit_indices", limit).With("strides", strides)
	return r.emit(op, ir.OpSlice, attrs, op.Result().Type, inner.Operands[0])
}

func reverseNothing(_ *rewriter, op *ir.Op) *ir.Value {
	x := op.Operands[0]
	if !slices.ContainsFunc(op.Ints("dimensions"), func(d int) bool { return x.Type.Dims[d] > 1 }) {
		return x
	}
	if inner := defined(x, ir.OpReverse); inner != nil {
		a, b := slices.Sorted(slices.Values(inner.Ints("dimensions"))), slices.Sorted(slices.Values(op.Ints("dimensions")))
		if slices.Equal(a, b) {
			return inner.Operands[0]
		}
	}
	return nil
}

func padNothing(_ *rewriter, op *ir.Op) *ir.Value {
	for _, name := range []string{"edge_padding_low", "edge_padding_high", "interior_padding"} {
		if slices.ContainsFunc(op.Ints(name), func(n int) bool { return n != 0 }) {
			return nil
		}
	}
	return op.Operands[0]
}

func concatenateOne(_ *rewriter, op *ir.Op) *ir.Value {
	if len(op.Operands) == 1 {
		return op.Operands[0]
	}
	return nil
}

// updateAll may ignore the start indices: they are clamped to 0.
func updateAll(_ *rewriter, op *ir.Op) *ir.Value {
	if update := op.Operands[1]; update.Type.Equal(op.Result().Type) {
		return update
	}
	return nil
}

func moveUniform(r *rewriter, op *ir.Op) *ir.Value {
	d := literal(op.Operands[0])
	if d == nil || numberOf(d.Type.DType).class == opaque || !isUniform(d) {
		return nil
	}
	size := numberOf(d.Type.DType).bits / 8
	return r.constant(op, &ir.Dense{Type: op.Result().Type, Splat: true, Data: d.Data[:size]})
}

func reshapeConstant(r *rewriter, op *ir.Op) *ir.Value {
	d := literal(op.Operands[0])
	if d == nil {
		return nil
	}
	return r.constant(op, &ir.Dense{Type: op.Result().Type, Splat: d.Splat, Data: d.Data})
}
