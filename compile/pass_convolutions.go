package compile

// This file implements the passes that rewrite convolutions which XLA on CPUs gets
// wrong or computes slowly: conv_padding, conv_groups, conv_images and conv_loops.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// rewriteConvPadding replaces the negative padding of a convolution by a slice:
//
//	%1 = convolution(%0, %k) pad = [[-1, 1]]    =>    %s = slice %0 [1:n]
//	                                                  %1 = convolution(%s, %k) pad = [[0, 1]]
//
// With negative padding XLA on CPUs reads beyond the operand, and some results are garbage.
func rewriteConvPadding(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConvolution {
			sliceNegativePadding(op)
		}
	})
}

// sliceNegativePadding makes the negative padding of the convolution op 0 or more, by slicing its
// operand before it. Padding that no slice can replace stays.
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
//	     lhs_dilate = [2], pad = [[0, 0]]}     =>     %b = optimization_barrier %c
//	                                                  %1 = slice %b [0:n-1]
//
// XLA swaps operand and kernel if the kernel is the larger one, as in the gradients of kernels. If
// a dimension is dilated by the size of the kernel, with a stride of one less, XLA takes it for the
// dimension of as many groups, and does not change the size of its window. It then aborts if the
// operand has another size. Without the barrier libtpu would make the slice a part of the
// convolution, which takes the padding back.
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
	whole := b.OptimizationBarrier(padded.Results).Result()
	op.ReplaceWith(b.Slice(whole, make([]int, len(dims)), t.Dims, slices.Repeat([]int{1}, len(dims))))
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

// convLoops transposes the tensors of convolutions inside of loops. XLA on CPUs has fast code for
// the new order of dimensions:
//
//	%1 = convolution(%x, %d)                    %a, %b = transpose %x, transpose %d
//	     [f, 0, 1, b]x[i, 0, 1, o]       =>     %c = convolution(%a, %b) [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
//	     ->[0, 1, b, f]                         %1 = transpose %c
//
// Outside of loops XLA does this itself. The gradients of kernels have other orders: in a loop, XLA
// computes them by single products.
func convLoops(f *ir.Func) {
	eachLoop(f.Body, func(loop *ir.Op) {
		for op := range loop.Regions[1].Body() {
			op.Walk(func(o *ir.Op) {
				if o.Kind == ir.OpConvolution {
					orderDims(o)
				}
			})
		}
	})
}

// orderDims transposes the operands and the result of a convolution, if they are in another order
// than batch, space, features, and for the kernel space, input features, output features.
func orderDims(op *ir.Op) {
	n := op.Convolution().DimensionNumbers()
	input := slices.Concat([]int{n.InputBatch}, n.InputSpatial, []int{n.InputFeature})
	kernel := slices.Concat(n.KernelSpatial, []int{n.KernelInputFeature, n.KernelOutputFeature})
	output := slices.Concat([]int{n.OutputBatch}, n.OutputSpatial, []int{n.OutputFeature})
	if slices.IsSorted(input) && slices.IsSorted(kernel) && slices.IsSorted(output) {
		return
	}
	b := ir.Builder{Loc: op.Loc}
	b.Before(op)
	transposed := func(v *ir.Value, order []int) *ir.Value {
		if slices.IsSorted(order) {
			return v
		}
		return b.Transpose(v, order)
	}
	last := len(output) - 1
	space := make([]int, last-1)
	for i := range space {
		space[i] = 1 + i
	}
	kernelSpace := make([]int, last-1)
	for i := range kernelSpace {
		kernelSpace[i] = i
	}
	dims, from := make([]int, len(output)), make([]int, len(output))
	for i, d := range output {
		dims[i], from[d] = op.Result().Type.Dims[d], i
	}
	attrs := op.Attrs.With("dimension_numbers", &ir.ConvDims{
		InputFeature: last, InputSpatial: space, KernelSpatial: kernelSpace, KernelInputFeature: last - 1, KernelOutputFeature: last, OutputFeature: last, OutputSpatial: space,
	})
	ordered := b.Insert(ir.NewOp(op.Kind, []*ir.Value{transposed(op.Operands[0], input), transposed(op.Operands[1], kernel)}, attrs, []ir.Type{op.Result().Type.WithDims(dims)}))
	op.ReplaceWith(transposed(ordered.Result(), from))
}
