package memory

// This file holds values back. A copy must not run before the place of its use, and the compiler
// must not merge it with the ops that compute the same value the first time. So the copy reads a
// new value, which is equal to the old one but depends on the anchor: a value that is computed
// shortly before the place of use.
//
// XLA for GPUs and TPUs keeps an optimization_barrier until its ops have their order:
//
//	%y, %a = optimization_barrier %x, %anchor
//
// XLA for CPUs removes barriers before it looks for equal ops. There the value is multiplied by a
// one that is computed from the anchor, in a way that the compiler does not see through. The
// multiplication is part of the kernel that reads the value, which therefore waits for the anchor:
//
//	%e = reshape (slice %anchor [0:1, 0:1])
//	%p = compare LT, %e, 1
//	%r = convert %p : i32                              0 or 1
//	%w = 1 - convert (not %p) : i32                    the same
//	%t = compare EQ, %r, %w                            true
//	%y = multiply %x, (broadcast (convert %t))         of truth values: and %x, (broadcast %t)

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// holder holds values back at one place of the function, where b inserts ops.
type holder struct {
	b       *ir.Builder
	barrier bool      // by an optimization_barrier; otherwise by a product
	anchor  *ir.Value // the values are not computed before it

	// isOne is a boolean scalar that is always true but computed from the anchor; nil until hold
	// needs it.
	isOne *ir.Value
}

// plain reports whether values of element type t can be held back by a product: t has a comparison,
// and a product with one does not change a value.
func plain(t dtypes.DType) bool {
	return !t.IsPacked() && (t.IsFloat() || t.IsInt() || t == dtypes.Bool)
}

// canAnchor reports whether v can be an anchor: it has an element, of a plain type.
func canAnchor(v *ir.Value) bool {
	return !v.Type.IsToken() && v.Type.Size() > 0 && plain(v.Type.DType)
}

// canHold reports whether h can hold v back: v is no token and, without barriers, of a plain type.
func (h *holder) canHold(v *ir.Value) bool {
	return !v.Type.IsToken() && (h.barrier || plain(v.Type.DType))
}

// hold returns values that are equal to vs, in the same order, and are not computed before the
// anchor.
func (h *holder) hold(vs []*ir.Value) []*ir.Value {
	if h.barrier {
		return h.b.OptimizationBarrier(append(slices.Clip(vs), h.anchor)).Results[:len(vs)]
	}
	if h.isOne == nil {
		h.isOne = h.computeOne()
	}
	out := make([]*ir.Value, len(vs))
	for i, v := range vs {
		one := h.isOne
		if v.Type.DType != dtypes.Bool {
			one = h.b.Convert(one, v.Type.WithDims(nil))
		}
		if v.Type.Rank() > 0 {
			one = h.b.BroadcastInDim(one, nil, v.Type)
		}
		if v.Type.DType == dtypes.Bool {
			out[i] = h.b.And(v, one)
		} else {
			out[i] = h.b.Multiply(v, one)
		}
	}
	return out
}

// computeOne returns a scalar truth value that is always true, but that is computed from the first
// element of the anchor.
func (h *holder) computeOne() *ir.Value {
	b, v := h.b, h.anchor
	index := ir.Tensor(dtypes.Int32)
	first := slices.Repeat([]int{1}, v.Type.Rank())
	if v.Type.Rank() > 0 {
		v = b.Reshape(b.Slice(v, make([]int, len(first)), first, first), v.Type.WithDims(nil))
	}
	if v.Type.DType != dtypes.Bool {
		v = b.Compare(v, b.Constant(ir.Scalar(v.Type.DType, 1)), "LT")
	}
	read := b.Convert(v, index)
	again := b.Subtract(b.Constant(ir.Scalar(dtypes.Int32, 1)), b.Convert(b.Not(v), index))
	return b.Compare(read, again, "EQ")
}
