package compile

// This file implements the passes that avoid ops which XLA on CPUs gets wrong:
// conv_padding, conv_groups and clamp.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// convPadding slices off what a convolution's negative padding drops:
//
//	%1 = convolution(%0, %k) pad = [[-1, 1]]    =>    %s = slice %0 [1:n]
//	                                                  %1 = convolution(%s, %k) pad = [[0, 1]]
//
// With negative padding XLA on CPUs reads beyond the operand: some results are
// then garbage.
func convPadding(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConvolution {
			sliceNegativePadding(op)
		}
	})
}

// sliceNegativePadding makes the padding of a convolution 0 or more, by a slice
// of the operand where it was not.
func sliceNegativePadding(op *ir.Op) {
	conv := op.Convolution()
	x, padding, dilation := op.Operands[0], conv.Padding(), conv.LHSDilation()
	start, limit := make([]int, x.Type.Rank()), slices.Clone(x.Type.Dims)
	changed := false
	for i, d := range conv.DimensionNumbers().InputSpatial {
		// Elements are dilation[i] places apart: slicing off one may drop too many
		// places, which are padded again.
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

// convGroups pads a dimension of a convolution that looks like one of groups, and slices off
// the result what that adds:
//
//	%1 = convolution(%0, %k) {kernel size 2,          %c = convolution(%0, %k) {…, pad = [[0, 1]]}
//	     lhs_dilate = [2], pad = [[0, 0]]}     =>     %1 = slice %c [0:n-1]
//
// XLA swaps operand and kernel where the kernel is the larger one, as in the gradients of
// kernels. A dimension that is dilated by the size of the kernel, with a stride of one less,
// it takes for that of as many groups, and leaves the size of its window as it is: it aborts
// if the operand has another size.
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

// clampIndices makes explicit what dynamic_slice, dynamic_update_slice and
// gather do to indices that are out of range:
//
//	%1 = dynamic_slice %0, %i, sizes = [2]        %c = clamp 0, %i, 6
//	(%0 has 8 elements)                       =>  %1 = dynamic_slice %0, %c, sizes = [2]
//
// XLA on CPUs makes one slice of a slice of a slice by adding the indices, and
// forgets that the first ones had to be clamped; its partitioner forgets it of
// an update of shards: silently wrong numbers. It aborts where a gather from
// shards has indices of 8 or 16 bits: those get 32. Constants in range stay as
// they are.
func clampIndices(f *ir.Func) {
	b := &ir.Builder{}
	f.Walk(func(op *ir.Op) {
		b.Before(op).Loc = op.Loc
		switch op.Kind {
		case ir.OpDynamicSlice:
			s := op.DynamicSlice()
			for d, size := range s.SliceSizes() {
				op.SetOperand(1+d, clamped(b, s.StartIndices()[d], []int{s.Operand().Type.Dims[d] - size}, -1))
			}
		case ir.OpDynamicUpdateSlice:
			s := op.DynamicUpdateSlice()
			for d, size := range s.Update().Type.Dims {
				op.SetOperand(2+d, clamped(b, s.StartIndices()[d], []int{s.Operand().Type.Dims[d] - size}, -1))
			}
		case ir.OpGather:
			g := op.Gather()
			dims, sizes := g.DimensionNumbers(), g.SliceSizes()
			high := make([]int, len(dims.StartIndexMap))
			for i, d := range dims.StartIndexMap {
				high[i] = g.Operand().Type.Dims[d] - sizes[d]
			}
			index := clamped(b, g.StartIndices(), high, dims.IndexVectorDim)
			if index.Type.DType.Bits() < 32 {
				index = b.Convert(index, index.Type.WithDType(dtypes.Int32))
			}
			op.SetOperand(1, index)
		}
	})
}

// clamped returns index between 0 and high, of which each entry is for one
// position along dimension d of index; where there is no such dimension, the
// only entry is for all.
func clamped(b *ir.Builder, index *ir.Value, high []int, d int) *ir.Value {
	t := index.Type
	if t.Size() == 0 {
		return index
	}
	high = slices.Clone(high)
	if limit, ok := smallIntegers[t.DType]; ok {
		for i := range high {
			high[i] = min(high[i], limit)
		}
	}
	if l := literal(index); l != nil && !slices.ContainsFunc(l.Int64s(), func(i int64) bool { return i < 0 || i > int64(slices.Min(high)) }) {
		return index
	}
	low := b.Constant(ir.Scalar(t.DType, 0))
	if slices.Min(high) == slices.Max(high) {
		return b.Clamp(low, index, b.Constant(ir.Scalar(t.DType, float64(high[0]))))
	}
	list, err := ir.DenseFromFlat(ir.Tensor(dtypes.Int64, len(high)), high)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	top := b.Convert(b.Constant(list), ir.Tensor(t.DType, len(high)))
	top = b.BroadcastInDim(top, []int{d}, t)
	return b.Clamp(b.BroadcastInDim(low, []int{}, t), index, top)
}

// smallIntegers holds the largest numbers of integer types that a dimension's
// size may exceed.
var smallIntegers = map[dtypes.DType]int{
	dtypes.Int8: math.MaxInt8, dtypes.Uint8: math.MaxUint8, dtypes.Int16: math.MaxInt16, dtypes.Uint16: math.MaxUint16,
	dtypes.Int32: math.MaxInt32, dtypes.Uint32: math.MaxUint32,
}
