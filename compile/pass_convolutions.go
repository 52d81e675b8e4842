package compile

// This file implements the passes that rewrite convolutions which XLA on CPUs gets
// wrong or computes slowly: conv_padding, conv_groups and conv_images.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// convPadding replaces the negative padding of a convolution by a slice:
//
//	%1 = convolution(%0, %k) pad = [[-1, 1]]    =>    %s = slice %0 [1:n]
//	                                                  %1 = convolution(%s, %k) pad = [[0, 1]]
//
// With negative padding XLA on CPUs reads beyond the operand, and some results are garbage.
func convPadding(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConvolution {
			sliceNegativePadding(op)
		}
	})
}

// sliceNegativePadding makes the negative padding of a convolution 0 or more, by slicing its
// operand.
func sliceNegativePadding(op *ir.Op) {
	conv := op.Convolution()
	x, padding, dilation := op.Operands[0], conv.Padding(), conv.LHSDilation()
	start, limit := make([]int, x.Type.Rank()), slices.Clone(x.Type.Dims)
	changed := false
	for i, d := range conv.DimensionNumbers().InputSpatial {
		// Neighbouring elements are dilation[i] positions apart. So slicing off an element may
		// remove too many positions; padding adds these again.
		for side, pad := range padding[i] {
			n := min((-pad+dilation[i]-1)/dilation[i], limit[d]-start[d]-1)
			if pad >= 0 || n <= 0 {
				continue
			}
			changed = true
			padding[i][side] += n * dilation[i]
			if side == 0 {
				start[d] += n
			} else {
				limit[d] -= n
			}
		}
	}
	if !changed {
		return
	}
	b := ir.Builder{Loc: op.Loc}
	op.SetOperand(0, b.Before(op).Slice(x, start, limit, slices.Repeat([]int{1}, len(start))))
	op.Attrs = op.Attrs.With("padding", ir.IntMatrix(padding, 2))
}

// convGroups pads a dimension of a convolution that XLA would take for a dimension of groups, and
// slices the added elements off the result:
//
//	%1 = convolution(%0, %k) {kernel size 2,          %c = convolution(%0, %k) {…, pad = [[0, 1]]}
//	     lhs_dilate = [2], pad = [[0, 0]]}     =>     %1 = slice %c [0:n-1]
//
// XLA swaps operand and kernel if the kernel is the larger one, as in the gradients of kernels. If
// a dimension is dilated by the size of the kernel, with a stride of one less, XLA takes it for the
// dimension of as many groups, and does not change the size of its window. It then aborts if the
// operand has another size.
func convGroups(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConvolution && op.Result().Type.Size() > 0 {
			padGroups(op)
		}
	})
}

func padGroups(op *ir.Op) {
	conv := op.Convolution()
	numbers, padding, t := conv.DimensionNumbers(), conv.Padding(), op.Results[0].Type
	dims := slices.Clone(t.Dims)
	for i, d := range numbers.InputSpatial {
		size, stride := op.Operands[1].Type.Dims[numbers.KernelSpatial[i]], conv.WindowStrides()[i]
		if size > 1 && conv.LHSDilation()[i] == size && stride == size-1 && conv.RHSDilation()[i] == 1 && padding[i][0] == 0 && padding[i][1] == 0 &&
			!conv.WindowReversal()[i] && op.Operands[0].Type.Dims[d] != size {
			padding[i][1] = stride
			dims[numbers.OutputSpatial[i]]++
		}
	}
	if slices.Equal(dims, t.Dims) {
		return
	}
	b := ir.Builder{Loc: op.Loc}
	b.Before(op)
	padded := b.Insert(ir.Cloner{}.Op(op))
	padded.Attrs = padded.Attrs.With("padding", ir.IntMatrix(padding, 2))
	padded.Results[0].Type = t.WithDims(dims)
	op.ReplaceWith(b.Slice(padded.Results[0], make([]int, len(dims)), t.Dims, slices.Repeat([]int{1}, len(dims))))
}

// convSmallImages pads images that are smaller than the kernel of a convolution before it:
//
//	%1 = convolution(%0, %k) {images of 2×2,           %p = pad %0 to 4×4
//	     kernels of 3×3, pad = [[1, 1], [1, 1]]}   =>  %b = optimization_barrier %p
//	                                                   %1 = convolution(%b, %k) {…, pad = [[0, 0], [0, 0]]}
//
// XLA swaps operand and kernel if the kernel is the larger one. On CPUs it computes the swapped
// convolution by a slow loop over single products. Without the barrier XLA would undo the padding.
func convSmallImages(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConvolution {
			padSmallImages(op)
		}
	})
}

func padSmallImages(op *ir.Op) {
	conv := op.Convolution()
	numbers, padding, x := conv.DimensionNumbers(), conv.Padding(), op.Operands[0]
	low, high := make([]int, x.Type.Rank()), make([]int, x.Type.Rank())
	image, kernel := 1, 1
	for i, d := range numbers.InputSpatial {
		if conv.LHSDilation()[i] != 1 || padding[i][0] < 0 || padding[i][1] < 0 {
			return
		}
		low[d], high[d] = padding[i][0], padding[i][1]
		image *= x.Type.Dims[d]
		kernel *= op.Operands[1].Type.Dims[numbers.KernelSpatial[i]]
	}
	if image >= kernel || conv.FeatureGroupCount() > 1 || conv.BatchGroupCount() > 1 {
		return
	}
	b := ir.Builder{Loc: op.Loc}
	zero := b.Before(op).Constant(ir.Scalar(x.Type.DType, 0))
	larger := b.Pad(x, zero, low, high, make([]int, x.Type.Rank()))
	op.SetOperand(0, b.OptimizationBarrier([]*ir.Value{larger}).Result())
	op.Attrs = op.Attrs.With("padding", ir.IntMatrix(slices.Repeat([][]int{{0, 0}}, len(padding)), 2))
}
