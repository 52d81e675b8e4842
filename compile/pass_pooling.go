package compile

// This file implements pooling, which computes the gradient of a max pooling without a scatter.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

// rewritePooling computes the select_and_scatter of a max pooling whose windows do not overlap, as
// those of 2x2 with a stride of 2, by the position of each window's largest element:
//
//	%1 = select_and_scatter %x, %g    =>    %w = reshape %x : (4x6) -> (2x2x3x2)
//	     windows 2x2, by GE, add            %p = the position of the largest element in each window of %w
//	                                        %1 = reshape (%g where the position is %p, else 0)
//
// For this op XLA on CPUs makes four arrays of indices as large as %x, a reduction of five arrays
// over windows, and a scatter of the result. This takes a third of the time of a small
// convolutional network's step. As in select_and_scatter, the first of the largest elements of a
// window gets its whole gradient. If a window has a NaN, its first element gets the gradient.
//
// The elements of a window are compared with each other. Comparing each with the largest one, as
// the max pooling has computed it, would be wrong: XLA computes the elements again in the kernel that
// compares, and may round them in another way there. A window whose elements all differ from its
// largest one would lose its gradient.
//
// Windows of more than maxPooled elements stay as they are: the comparisons are written out.
func rewritePooling(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpSelectAndScatter && isMaxGradient(op) {
			op.ReplaceWith(maxGradient(op))
		}
	})
}

// maxPooled is the largest number of elements of a window that pooling writes out as comparisons.
const maxPooled = 64

// isMaxGradient reports whether op is the gradient of a max pooling of floats that rewritePooling
// takes: its windows do not overlap, start at the start of the operand, and have 2 to maxPooled
// elements; it selects by GE, and adds to 0.
func isMaxGradient(op *ir.Op) bool {
	s := op.SelectAndScatter()
	if kind, ok := ir.ReductionOf(op); !ok || kind != ir.OpAdd || !op.Result().Type.DType.IsFloat() || literal(s.InitValue()) == nil || !literal(s.InitValue()).IsZero() || op.Result().Type.Size() == 0 {
		return false
	}
	if first := op.Regions[0].First(); first == nil || first.Kind != ir.OpCompare || first.Compare().ComparisonDirection() != "GE" ||
		!slices.Equal(first.Operands, op.Regions[0].Args) {
		return false
	}
	for d, size := range s.WindowDimensions() {
		if s.WindowStrides()[d] != size || s.Padding()[d][0] != 0 || s.Padding()[d][1] < 0 {
			return false
		}
	}
	elements := 1
	for _, size := range s.WindowDimensions() {
		elements *= size
	}
	return elements > 1 && elements <= maxPooled
}

// maxGradient builds ops that compute the same as op, the gradient of a max-pooling that
// isMaxGradient accepts, and returns their result. op stays.
func maxGradient(op *ir.Op) *ir.Value {
	s := op.SelectAndScatter()
	x, g, sizes := s.Operand(), s.Source(), s.WindowDimensions()
	b := (&ir.Builder{Loc: op.Loc}).Before(op)
	covered := slices.Clone(x.Type.Dims) // sizes of the part that windows cover
	// the sizes of %w's dimensions; the sizes of a window; which dimensions of %w count the
	// windows, and which are within a window
	var split, in, outer, inner []int
	for d, n := range g.Type.Dims {
		covered[d] = n * sizes[d]
		outer = append(outer, len(split))
		if split = append(split, n); sizes[d] > 1 {
			inner, in = append(inner, len(split)), append(in, sizes[d])
			split = append(split, sizes[d])
		}
	}
	all := x.Type.WithDims(split)
	w := b.Reshape(resize(b, x, covered, math.Inf(-1)), all)
	count := all.WithDims(in).Size()
	order := make([]int32, count)
	for i := range order {
		order[i] = int32(i)
	}
	numbers, err := ir.DenseFromFlat(ir.Tensor(dtypes.Int32, in...), order)
	if err != nil {
		panic("BUG: compile: " + err.Error())
	}
	position := b.BroadcastInDim(b.Constant(numbers), inner, all.WithDType(dtypes.Int32))
	first := b.BroadcastInDim(firstLargest(b, w, inner, in, g.Type.WithDType(x.Type.DType)), outer, position.Type)

	zero := b.BroadcastInDim(b.Constant(ir.Scalar(x.Type.DType, 0)), nil, all)
	out := b.Select(b.Compare(position, first, "EQ"), b.BroadcastInDim(g, outer, all), zero)
	return resize(b, b.Reshape(out, x.Type.WithDims(covered)), x.Type.Dims, 0)
}

// firstLargest returns the position, in each window of w, of its largest element, of the first one
// if there are several: 0 if an element is NaN. The dimensions inner of w are within a window, and
// in are their sizes; t is the type of a tensor with one element for each window.
func firstLargest(b *ir.Builder, w *ir.Value, inner, in []int, t ir.Type) *ir.Value {
	numbers := t.WithDType(dtypes.Int32)
	number := func(i int) *ir.Value {
		return b.BroadcastInDim(b.Constant(ir.Scalar(dtypes.Int32, float64(i))), nil, numbers)
	}
	none := number(0)
	var largest, first *ir.Value
	step := slices.Repeat([]int{1}, w.Type.Rank())
	i := 0
	rowmajor.Each(in, func(index []int) {
		start, end := make([]int, w.Type.Rank()), slices.Clone(w.Type.Dims)
		for k, d := range inner {
			start[d], end[d] = index[k], index[k]+1
		}
		element := b.Reshape(b.Slice(w, start, end, step), t)
		if i == 0 {
			largest, first = element, none
		} else {
			first = b.Select(b.Compare(element, largest, "GT"), number(i), first)
			largest = b.Maximum(largest, element)
		}
		i++
	})
	return b.Select(b.Compare(largest, largest, "NE"), none, first)
}

// resize slices v, or pads it with the number fill, at the end of each dimension, so that it has
// the sizes dims.
func resize(b *ir.Builder, v *ir.Value, dims []int, fill float64) *ir.Value {
	none := make([]int, len(dims))
	if less := minima(v.Type.Dims, dims); !slices.Equal(less, v.Type.Dims) {
		v = b.Slice(v, none, less, slices.Repeat([]int{1}, len(dims)))
	}
	if slices.Equal(v.Type.Dims, dims) {
		return v
	}
	more := make([]int, len(dims))
	for d, n := range dims {
		more[d] = n - v.Type.Dims[d]
	}
	return b.Pad(v, b.Constant(ir.Scalar(v.Type.DType, fill)), none, more, none)
}

// minima returns the smaller number of each pair of a and b, lists of equal length.
func minima(a, b []int) []int {
	out := slices.Clone(a)
	for i := range out {
		out[i] = min(a[i], b[i])
	}
	return out
}
