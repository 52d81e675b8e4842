package buffers

// This file merges instructions that compute the same.

import (
	"encoding/binary"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// appendType appends the element type and the sizes of t to key, and returns the longer key.
func appendType(key []byte, t ir.Type) []byte {
	key = binary.AppendVarint(key, int64(t.DType))
	for _, d := range t.Dims {
		key = binary.AppendVarint(key, int64(d))
	}
	return key
}

// sameOp returns an earlier op of the block that computes the same as op, or nil if there is none.
// Then it remembers op for later calls, unless ops of its kind are never merged.
func (l *lowering) sameOp(op *ir.Op) *ir.Op {
	if len(op.Regions) > 0 && !op.Info().Is(ir.ScalarBody) || op.Info().Is(ir.Collective) || unlike[op.Kind] {
		return nil
	}
	key := binary.AppendVarint(l.key[:0], int64(op.Kind))
	for _, v := range op.Operands {
		key = binary.AppendVarint(key, int64(l.value(v).id))
	}
	for _, v := range op.Results {
		key = appendType(key, v.Type)
	}
	if op.Kind == ir.OpConstant {
		d := op.Literal().Data
		key = append(key, d[:min(len(d), 16)]...)
	}
	l.key = key
	for _, o := range l.ops[string(key)] {
		if o.Attrs.Equal(op.Attrs) && slices.EqualFunc(o.Regions, op.Regions, (*ir.Block).ComputesLike) {
			return o
		}
	}
	l.ops[string(key)] = append(l.ops[string(key)], op)
	return nil
}

// unlike are kinds of ops that are never merged: two ops that look the same may give different
// results.
var unlike = map[ir.OpKind]bool{ir.OpRng: true, ir.OpCustomCall: true, ir.OpOptimizationBarrier: true, ir.OpCreateToken: true, ir.OpAfterAll: true}

// move returns an instruction that moves or converts x to type t for op. Calls with the same r, x,
// t and order return the same instruction. order is the order of dimensions, for a transpose.
func (l *lowering) move(r role, op *ir.Op, t ir.Type, x *node, order []int) *node {
	key := appendType(binary.AppendVarint(binary.AppendVarint(l.key[:0], int64(-int(r))), int64(x.id)), t)
	key = appendType(key, ir.Tensor(0, order...))
	l.key = key
	if n := l.made[string(key)]; n != nil {
		return n
	}
	n := l.g.addOne(r, op, t, x)
	l.made[string(key)] = n
	return n
}
