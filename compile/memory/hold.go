package memory

// This file holds ops back: what is computed again must not run before the place of its use, and
// must not be merged with the ops that compute the same the first time. So what it reads is a new
// value, equal to the old one, which is not there before a value of the later time is: the anchor.
//
// XLA for GPUs and TPUs keeps an optimization_barrier until its ops have their order:
//
//	%y, %a = optimization_barrier %x, %anchor
//
// XLA for CPUs removes barriers before it looks for equal ops. There, an element of the value is
// replaced by itself, in place. Which element that is depends on the anchor, and the index is
// computed in two ways, so that the compiler cannot know that nothing changes:
//
//	%e = reshape (slice %anchor [0:1, 0:1])
//	%p = compare LT, %e, 1
//	%r = convert %p : i32                              0 or 1
//	%w = 1 - convert (not %p) : i32                    the same
//	%s = dynamic_slice %x, %r, 0, sizes = [1, 1]
//	%y = dynamic_update_slice %x, %s, %w, 0

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// holder holds values back at one place of the function.
type holder struct {
	b       *ir.Builder
	barrier bool
	anchor  *ir.Value

	read, write, zero *ir.Value // indices; nil until they are needed
}

// canAnchor reports whether v can be an anchor.
func canAnchor(v *ir.Value) bool {
	t := v.Type
	return !t.IsToken() && t.Size() > 0 && !t.DType.IsPacked() && (t.DType.IsFloat() || t.DType.IsInt() || t.DType == dtypes.Bool)
}

// canHold reports whether v can be held back.
func (h *holder) canHold(v *ir.Value) bool {
	return !v.Type.IsToken() && (h.barrier || !v.Type.DType.IsPacked() && slices.ContainsFunc(v.Type.Dims, func(d int) bool { return d > 1 }) && v.Type.Size() > 0)
}

// hold returns values equal to vs that are not there before the anchor.
func (h *holder) hold(vs []*ir.Value) []*ir.Value {
	if h.barrier {
		return h.b.OptimizationBarrier(append(slices.Clip(vs), h.anchor)).Results[:len(vs)]
	}
	out := make([]*ir.Value, len(vs))
	for i, v := range vs {
		out[i] = h.replaceElement(v)
	}
	return out
}

// replaceElement replaces an element of v by itself.
func (h *holder) replaceElement(v *ir.Value) *ir.Value {
	if h.read == nil {
		h.computeIndices()
	}
	at, dims := 0, v.Type.Dims
	for i, d := range dims {
		if d > dims[at] {
			at = i
		}
	}
	read, write := slices.Repeat([]*ir.Value{h.zero}, len(dims)), slices.Repeat([]*ir.Value{h.zero}, len(dims))
	read[at], write[at] = h.read, h.write
	element := h.b.DynamicSlice(v, read, slices.Repeat([]int{1}, len(dims)))
	return h.b.DynamicUpdateSlice(v, element, write)
}

// computeIndices computes an index, 0 or 1, of the first element of the anchor.
func (h *holder) computeIndices() {
	b, v := h.b, h.anchor
	index := ir.Tensor(dtypes.Int32)
	first := slices.Repeat([]int{1}, v.Type.Rank())
	if v.Type.Rank() > 0 {
		v = b.Reshape(b.Slice(v, make([]int, len(first)), first, first), v.Type.WithDims(nil))
	}
	if v.Type.DType != dtypes.Bool {
		v = b.Compare(v, b.Constant(ir.Scalar(v.Type.DType, 1)), "LT")
	}
	h.zero = b.Constant(ir.Scalar(dtypes.Int32, 0))
	h.read = b.Convert(v, index)
	h.write = b.Subtract(b.Constant(ir.Scalar(dtypes.Int32, 1)), b.Convert(b.Not(v), index))
}
