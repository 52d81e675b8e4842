package compile

// This file implements conv_padding, which keeps convolutions from negative
// padding.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// convPadding cuts off what a convolution's negative padding drops:
//
//	%1 = convolution(%0, %k) pad = [[-1, 1]]    =>    %s = slice %0 [1:n]
//	                                                  %1 = convolution(%s, %k) pad = [[0, 1]]
//
// XLA on CPUs reads beyond the operand there: now and then garbage among the
// results.
func convPadding(u *unit) error {
	return eachBlock(u.main().Body, func(b *ir.Block) error {
		var out []*ir.Op
		for op := range b.Ops() {
			if op.Kind == ir.OpConvolution {
				if cut := cutNegative(op); cut != nil {
					out = append(out, cut)
				}
			}
			out = append(out, op)
		}
		b.SetOps(out)
		return nil
	})
}

// cutNegative makes the padding of a convolution 0 or more; it returns the
// slice of the operand that does it, or nil.
func cutNegative(op *ir.Op) *ir.Op {
	x, dims := op.Operands[0], op.Convolution().DimensionNumbers()
	padding := op.Matrix("padding")
	start, limit, strides := make(ir.Ints, x.Type.Rank()), ir.Ints(slices.Clone(x.Type.Dims)), make(ir.Ints, x.Type.Rank())
	for d := range strides {
		strides[d] = 1
	}
	cut := false
	for i, d := range dims.InputSpatial {
		// Elements are dilation places apart: cutting off one may drop too many
		// places, which are padded again.
		dilation := op.Ints("lhs_dilation")[i]
		for side, pad := range padding[i] {
			n := min((-pad+dilation-1)/dilation, limit[d]-start[d]-1)
			if pad >= 0 || n <= 0 {
				continue
			}
			cut = true
			padding[i][side] += n * dilation
			if side == 0 {
				start[d] += n
			} else {
				limit[d] -= n
			}
		}
	}
	if !cut {
		return nil
	}
	sizes := make([]int, x.Type.Rank())
	for d := range sizes {
		sizes[d] = limit[d] - start[d]
	}
	s := ir.NewOp(ir.OpSlice, []*ir.Value{x}, ir.Attrs{
		{Name: "start_indices", Value: start}, {Name: "limit_indices", Value: limit}, {Name: "strides", Value: strides},
	}, []ir.Type{x.Type.WithDims(sizes)})
	s.Loc = op.Loc
	op.SetOperand(0, s.Result())
	op.Attrs = op.Attrs.With("padding", ir.IntMatrix(padding, 2))
	return s
}

// eachBlock calls visit for b and the blocks in it, inner ones first.
func eachBlock(b *ir.Block, visit func(*ir.Block) error) error {
	for op := range b.Ops() {
		for _, r := range op.Regions {
			if err := eachBlock(r, visit); err != nil {
				return err
			}
		}
	}
	return visit(b)
}
