package compile

// This file holds the rewrites of ops that only move data.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

var shapeRewrites = []ir.Pattern{
	pattern("reshape to the same shape => x", sameType, ir.OpReshape),
	pattern("reshape (reshape x) => reshape x", reshapeTwice, ir.OpReshape),
	pattern("transpose that moves nothing => x", transposeNothing, ir.OpTranspose),
	pattern("transpose (transpose x) => transpose x", transposeTwice, ir.OpTranspose),
	pattern("transpose (dot_general x, y) => dot_general y, x", swapProductOperands, ir.OpTranspose),
	pattern("broadcast to the same shape => x", broadcastNothing, ir.OpBroadcastInDim),
	pattern("broadcast (broadcast x) => broadcast x", broadcastTwice, ir.OpBroadcastInDim),
	pattern("broadcast (reshape x) => broadcast x, if the reshape only adds sizes 1", broadcastReshaped, ir.OpBroadcastInDim),
	pattern("slice of everything => x", sameType, ir.OpSlice),
	pattern("slice (slice x) => slice x", sliceTwice, ir.OpSlice),
	pattern("reverse (reverse x) => x; reverse of sizes 1 => x", reverseNothing, ir.OpReverse),
	pattern("pad by nothing => x", padNothing, ir.OpPad),
	pattern("concatenate x => x", concatenateOne, ir.OpConcatenate),
	pattern("dynamic_slice of everything => x", sameType, ir.OpDynamicSlice),
	pattern("dynamic_update_slice of everything => update", updateAll, ir.OpDynamicUpdateSlice),
	pattern("op on a constant with equal elements => constant", moveUniform, ir.OpReshape, ir.OpTranspose, ir.OpBroadcastInDim, ir.OpSlice, ir.OpReverse),
	pattern("reshape of a constant => constant", reshapeConstant, ir.OpReshape),
}

// sameType replaces op by its first operand if that has the type of the result. It is for ops that
// must then return the operand unchanged.
func sameType(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if x := op.Operands[0]; x.Type.Equal(op.Result().Type) {
		return x
	}
	return nil
}

func reshapeTwice(r *ir.Rewriter, op *ir.Op) *ir.Value {
	inner := definingOp(op.Operands[0], ir.OpReshape)
	if inner == nil {
		return nil
	}
	return rebuild(r, op, op.Attrs, inner.Operands[0])
}

func transposeNothing(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if isIota(op.Transpose().Permutation(), op.Result().Type.Rank()) {
		return op.Operands[0]
	}
	return nil
}

func transposeTwice(r *ir.Rewriter, op *ir.Op) *ir.Value {
	inner := definingOp(op.Operands[0], ir.OpTranspose)
	if inner == nil {
		return nil
	}
	first, then := inner.Transpose().Permutation(), op.Transpose().Permutation()
	both := make(ir.Ints, len(then))
	for i, d := range then {
		both[i] = first[d]
	}
	return rebuild(r, op, op.Attrs.With("permutation", both), inner.Operands[0])
}

// swapProductOperands removes a transpose of a product that only moves the dimensions of y before
// those of x, if nothing else reads the product: it exchanges the operands of the product. JAX
// writes gradients of weights in this way. If the transpose stayed after the sum of the gradient
// over devices, XLA for TPUs would copy the weight and its slots to the layout of the transpose,
// and back. The elements are sums of the same products.
func swapProductOperands(r *ir.Rewriter, op *ir.Op) *ir.Value {
	dot := definingOp(op.Operands[0], ir.OpDotGeneral)
	if dot == nil || !dot.Result().HasOneUse() || dot.DotGeneral().Algorithm() != "" {
		return nil
	}
	d := dot.DotGeneral().DotDimensionNumbers()
	batch, rank := len(d.LHSBatch), op.Result().Type.Rank()
	ofX := dot.Operands[0].Type.Rank() - batch - len(d.LHSContracting)
	var swapped []int // batch dimensions, those of y, then those of x
	for i := range rank {
		switch {
		case i < batch:
			swapped = append(swapped, i)
		case i < rank-ofX:
			swapped = append(swapped, i+ofX)
		default:
			swapped = append(swapped, i-(rank-ofX)+batch)
		}
	}
	if !slices.Equal(op.Transpose().Permutation(), swapped) {
		return nil
	}
	attrs := dot.Attrs.With("dot_dimension_numbers", &ir.DotDims{
		LHSBatch: d.RHSBatch, RHSBatch: d.LHSBatch, LHSContracting: d.RHSContracting, RHSContracting: d.LHSContracting,
	})
	if p := dot.DotGeneral().PrecisionConfig(); len(p) == 2 {
		attrs = attrs.With("precision_config", ir.Array{p[1], p[0]})
	}
	return r.OpWithTypes(ir.OpDotGeneral, attrs, []ir.Type{op.Result().Type}, dot.Operands[1], dot.Operands[0]).Result()
}

func broadcastNothing(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	x := op.Operands[0]
	if x.Type.Equal(op.Result().Type) && isIota(op.BroadcastInDim().BroadcastDimensions(), x.Type.Rank()) {
		return x
	}
	return nil
}

func broadcastTwice(r *ir.Rewriter, op *ir.Op) *ir.Value {
	inner := definingOp(op.Operands[0], ir.OpBroadcastInDim)
	if inner == nil {
		return nil
	}
	first, then := inner.BroadcastInDim().BroadcastDimensions(), op.BroadcastInDim().BroadcastDimensions()
	both := make(ir.Ints, len(first))
	for i, d := range first {
		both[i] = then[d]
	}
	return rebuild(r, op, op.Attrs.With("broadcast_dimensions", both), inner.Operands[0])
}

// broadcastReshaped replaces the broadcast of a reshape that only adds dimensions of size 1 to x by
// a broadcast of x. It does nothing if x has dimensions of size 1 of its own: it is then not known
// which dimensions of the result they are.
func broadcastReshaped(r *ir.Rewriter, op *ir.Op) *ir.Value {
	inner := definingOp(op.Operands[0], ir.OpReshape)
	if inner == nil {
		return nil
	}
	x := inner.Operands[0]
	var both, sizes ir.Ints
	for i, size := range inner.Result().Type.Dims {
		if size != 1 {
			both, sizes = append(both, op.BroadcastInDim().BroadcastDimensions()[i]), append(sizes, size)
		}
	}
	if !slices.Equal(sizes, x.Type.Dims) {
		return nil
	}
	return rebuild(r, op, op.Attrs.With("broadcast_dimensions", both), x)
}

func sliceTwice(r *ir.Rewriter, op *ir.Op) *ir.Value {
	inner := definingOp(op.Operands[0], ir.OpSlice)
	if inner == nil {
		return nil
	}
	first, then := inner.Slice(), op.Slice()
	rank := op.Result().Type.Rank()
	start, limit, strides := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	for i, size := range op.Result().Type.Dims {
		s, t := first.StartIndices()[i], first.Strides()[i]
		start[i], limit[i], strides[i] = s, s, t*then.Strides()[i]
		if size > 0 {
			start[i] += t * then.StartIndices()[i]
			limit[i] = start[i] + strides[i]*(size-1) + 1
		}
	}
	attrs := op.Attrs.With("start_indices", start).With("limit_indices", limit).With("strides", strides)
	return rebuild(r, op, attrs, inner.Operands[0])
}

func reverseNothing(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	x := op.Operands[0]
	if !slices.ContainsFunc(op.Reverse().Dimensions(), func(d int) bool { return x.Type.Dims[d] > 1 }) {
		return x
	}
	if inner := definingOp(x, ir.OpReverse); inner != nil {
		a, b := slices.Sorted(slices.Values(inner.Reverse().Dimensions())), slices.Sorted(slices.Values(op.Reverse().Dimensions()))
		if slices.Equal(a, b) {
			return inner.Operands[0]
		}
	}
	return nil
}

func padNothing(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	pad := op.Pad()
	for _, n := range slices.Concat(pad.EdgePaddingLow(), pad.EdgePaddingHigh(), pad.InteriorPadding()) {
		if n != 0 {
			return nil
		}
	}
	return pad.Operand()
}

func concatenateOne(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if len(op.Operands) == 1 {
		return op.Operands[0]
	}
	return nil
}

// updateAll replaces a dynamic_update_slice by its update if that has the size of the whole result.
// The start indices do not matter, because they are clamped to 0.
func updateAll(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if update := op.Operands[1]; update.Type.Equal(op.Result().Type) {
		return update
	}
	return nil
}

func moveUniform(r *ir.Rewriter, op *ir.Op) *ir.Value {
	d := literal(op.Operands[0])
	if d == nil || numberOf(d.Type.DType).class == opaque || !isUniform(d) {
		return nil
	}
	size := numberOf(d.Type.DType).bits / 8
	return r.Constant(&ir.Dense{Type: op.Result().Type, Splat: true, Data: d.Data[:size]})
}

func reshapeConstant(r *ir.Rewriter, op *ir.Op) *ir.Value {
	d := literal(op.Operands[0])
	if d == nil {
		return nil
	}
	return r.Constant(&ir.Dense{Type: op.Result().Type, Splat: d.Splat, Data: d.Data})
}
