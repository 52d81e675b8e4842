package trace

// This file defines fused, the fused operations of a Builder, and what their files share.

import (
	"slices"

	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
)

// fused records the fused operations of package compute as the ops that they are made of:
//
//	operation                       file               its parts
//	FusedSoftmax                    fused_norm.go      exp(x - max) / sum
//	FusedLayerNorm                  fused_norm.go      (x - mean) / sqrt(variance + epsilon) * gamma + beta
//	FusedGelu                       fused_dense.go     x * (1 + erf(x/√2)) / 2, or the form with tanh
//	FusedDense                      fused_dense.go     a product, a bias, an activation
//	FusedAttentionQKVProjection     fused_dense.go     a product, three slices of it, their biases
//	FusedScaledDotProductAttention  fused_attention.go two products, and a softmax between them
//	FusedQuantizedDense             fused_quantized.go weights as floats, then FusedDense
//	QuantizedEmbeddingLookup        fused_quantized.go a gather of rows, then rows as floats
//
// The functions of GoMLX's graphs (graph.Softmax, attention.Core, …) record their own parts first,
// for the gradient, and then ask for the fused operation. So the parts here are GoMLX's, op by op:
// pass cse merges both, and the program is the one without fused operations.
// FusedScaledDotProductAttentionVJP is not implemented: GoMLX then takes the gradient of its parts.
//
// A Recorder has none of them: its programs are GoMLX's graphs, which need no second form.
type fused struct {
	compute.FusedOps // for what is not implemented
	f                *function
}

// optional returns v as an ir.Value, and nil for nil, which stands for an operand that is not
// given. A value of no recording fails e.
func (e *emitter) optional(v compute.Value) *ir.Value {
	if v == nil {
		return nil
	}
	return e.value(v)
}

// expandLeft returns x with axes of size 1 in front, so that it has the given rank; x itself if its
// rank is not smaller.
func (e *emitter) expandLeft(x *ir.Value, rank int) *ir.Value {
	if e.err != nil || x.Type.Rank() >= rank {
		return x
	}
	return e.reshape(x, append(slices.Repeat([]int{1}, rank-x.Type.Rank()), x.Type.Dims...)...)
}

// requireRank fails e if v has not the given rank; what names v in the error.
func (e *emitter) requireRank(what string, v *ir.Value, rank int) {
	if e.err == nil && v.Type.Rank() != rank {
		e.failf("%s is %s, want rank %d", what, v.Type, rank)
	}
}

// refuseRepeated refuses the operation if the last op was computed from an op of the given kind
// whose operands are x, perhaps reshaped, and something that was computed from y.
//
// nn.Dense, nn.QuantizedDense and nn.QuantizedGather record their parts, and then ask for the fused
// operation. For an activation that package compute does not know, they ask for ActivationNone, and
// for the approximate GELU, they ask for the exact one. Refused, they use the parts.
func (e *emitter) refuseRepeated(kind ir.OpKind, x, y *ir.Value) {
	if e.err != nil {
		return
	}
	last := e.f.block.Terminator()
	for op := range e.f.block.Backward() {
		if last = op; op.Kind != ir.OpConstant {
			break
		}
	}
	if last == nil {
		return
	}
	seen := make(map[*ir.Op]bool)
	if search(last, seen, func(op *ir.Op) bool {
		return op.Kind == kind && unreshaped(op.Operands[0]) == unreshaped(x) && computedFrom(op.Operands[1], y)
	}) {
		e.failf("%w: the parts of %s have just been recorded: GoMLX uses them", compute.ErrNotImplemented, e.name)
	}
}

// search reports whether found holds for op, or for an op that it was computed from. It does not
// visit the ops in seen, and adds those that it visits.
func search(op *ir.Op, seen map[*ir.Op]bool, found func(*ir.Op) bool) bool {
	if op == nil || seen[op] {
		return false
	}
	seen[op] = true
	return found(op) || slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return search(v.Def(), seen, found) })
}

// computedFrom reports whether v is w, or was computed from it.
func computedFrom(v, w *ir.Value) bool {
	uses := func(op *ir.Op) bool { return slices.Contains(op.Operands, w) }
	return v == w || search(v.Def(), make(map[*ir.Op]bool), uses)
}

// unreshaped returns the value that v is a reshape of, through any number of reshapes; v itself if
// it is none.
func unreshaped(v *ir.Value) *ir.Value {
	for v.Def() != nil && v.Def().Kind == ir.OpReshape {
		v = v.Def().Operands[0]
	}
	return v
}
