package ir

// This file answers questions of passes about ops that have many forms: which role each dimension
// has in a gather or a scatter, and what the body of a reduction computes.

import (
	"bytes"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// Indexing describes a gather or a scatter by three tensors: the operand, the indices and the
// slices. The slices are the result of a gather, or the updates of a scatter. They have the batch
// dimensions of the indices and the window dimensions of the operand. See the StableHLO
// specification, gather and scatter.
type Indexing struct {
	Operand, Indices, Slices []int // shapes
	Sizes                    []int // sizes of a window, for each dimension of the operand
	Dropped                  []int // dimensions of the operand with window size 1 that the slices do not have
	Batch, IndexBatch        []int // batching dimensions of the operand, and the corresponding ones of the indices
	Mapped                   []int // the dimensions of the operand that an index vector indexes
	// the dimension of the indices that holds the index vectors; if it is the rank of the indices,
	// each element is an index by itself
	VectorDim int
	Window    []int // dimensions of the slices that run within a window
}

// Indexing returns the Indexing of op, which must be a gather or a scatter.
func (op *Op) Indexing() *Indexing {
	if op.Kind == OpGather {
		d := op.Gather().DimensionNumbers()
		return &Indexing{
			Operand: op.Operands[0].Type.Dims, Indices: op.Operands[1].Type.Dims, Slices: op.Results[0].Type.Dims,
			Sizes: op.Ints("slice_sizes"), Dropped: d.CollapsedSliceDims, Batch: d.OperandBatchingDims,
			IndexBatch: d.IndicesBatchingDims, Mapped: d.StartIndexMap, VectorDim: d.IndexVectorDim, Window: d.OffsetDims,
		}
	}
	n, d := len(op.Results), op.Scatter().ScatterDimensionNumbers()
	x := &Indexing{
		Operand: op.Operands[0].Type.Dims, Indices: op.Operands[n].Type.Dims, Slices: op.Operands[n+1].Type.Dims,
		Dropped: d.InsertedWindowDims, Batch: d.InputBatchingDims, IndexBatch: d.ScatterIndicesBatchDims,
		Mapped: d.ScatterDimsToOperandDims, VectorDim: d.IndexVectorDim, Window: d.UpdateWindowDims,
	}
	x.Sizes = slices.Repeat([]int{1}, len(x.Operand))
	x.EachWindow(func(d, slice int) { x.Sizes[d] = x.Slices[slice] })
	return x
}

// EachBatch calls visit for each batch dimension of the slices. It passes the corresponding
// dimensions of the operand and of the indices. The operand has one only for a batching dimension;
// otherwise visit gets -1.
func (x *Indexing) EachBatch(visit func(operand, index, slice int)) {
	index := 0
	for s := range x.Slices {
		if slices.Contains(x.Window, s) {
			continue
		}
		if index == x.VectorDim {
			index++
		}
		operand := -1
		if i := slices.Index(x.IndexBatch, index); i >= 0 {
			operand = x.Batch[i]
		}
		visit(operand, index, s)
		index++
	}
}

// EachWindow calls visit for each dimension of the operand that the slices also have, with the
// corresponding dimension of the slices.
func (x *Indexing) EachWindow(visit func(operand, slice int)) {
	i := 0
	for d := range x.Operand {
		if !slices.Contains(x.Dropped, d) && !slices.Contains(x.Batch, d) {
			visit(d, x.Window[i])
			i++
		}
	}
}

// IsCut reports whether a window covers only a part of dimension d of the operand. An index then
// says which part. It is false for batching dimensions.
func (x *Indexing) IsCut(d int) bool {
	return !slices.Contains(x.Batch, d) && x.Sizes[d] != x.Operand[d]
}

// ReductionBody returns a new region that combines two scalars of type dtype by one op of the kind,
// such as OpAdd, and returns the result. It is a body for reduce, all_reduce, reduce_scatter,
// scatter and reduce_window.
func ReductionBody(kind OpKind, dtype dtypes.DType) *Block {
	b := &Block{}
	x, y := b.AddArg(Tensor(dtype)), b.AddArg(Tensor(dtype))
	op := NewOp(kind, []*Value{x, y}, nil, []Type{Tensor(dtype)})
	b.Append(op)
	b.Append(NewOp(OpReturn, op.Results, nil, nil))
	return b
}

// ReductionOf returns the op that op's region reduces by: OpAdd, OpMultiply, OpMaximum, OpMinimum,
// OpAnd, OpOr or OpXor. For select_and_scatter the region is the second one. ok is false if the
// region is not just one such op on its two arguments; sharding constraints in it do not count.
func ReductionOf(op *Op) (kind OpKind, ok bool) {
	kinds, ok := ReductionsOf(op)
	if !ok || len(kinds) != 1 {
		return OpUnregistered, false
	}
	return kinds[0], true
}

// ReductionsOf is ReductionOf for a region that reduces several tensors at once, each by one op. ok
// is false for any other region.
func ReductionsOf(op *Op) (kinds []OpKind, ok bool) {
	if len(op.Regions) == 0 {
		return nil, false
	}
	b := op.Regions[len(op.Regions)-1]
	n := len(b.Args) / 2
	constraints := 0
	for op := range b.Ops() {
		if op.Kind == OpShardingConstraint {
			constraints++
		}
	}
	if n == 0 || b.Len()-constraints != n+1 || b.last.Kind != OpReturn || len(b.last.Operands) != n {
		return nil, false
	}
	for i, v := range b.last.Operands {
		def := skipConstraints(v).Def()
		// OpMulHi is not associative.
		if def == nil || def.Block() != b || len(def.Operands) != 2 || !def.Info().Is(Elementwise|Commutative) || def.Kind == OpMulHi {
			return nil, false
		}
		x, y := skipConstraints(def.Operands[0]), skipConstraints(def.Operands[1])
		if lhs, rhs := b.Args[i], b.Args[n+i]; !(x == lhs && y == rhs || x == rhs && y == lhs) {
			return nil, false
		}
		kinds = append(kinds, def.Kind)
	}
	return kinds, true
}

// skipConstraints returns v, or the value that v is a sharding constraint of. JAX writes
// constraints into the body of a reduction inside of a manual computation whose mesh also has other
// axes. On a scalar they have no effect.
func skipConstraints(v *Value) *Value {
	for v.Def() != nil && v.Def().Kind == OpShardingConstraint {
		v = v.Def().Operands[0]
	}
	return v
}

// ReductionInit returns the neutral element of a reduction by kind over dtype: combining a value
// with it changes no bit of the value, unless the value is NaN. It is the lowest value for
// OpMaximum, and zero for OpAdd. For OpAdd of floats it is -0.0, because 0.0 would turn -0.0 into
// 0.0. ok is false for kinds that ReductionOf does not return, for the sum of a type without zero,
// and for complex numbers, except their sum: a complex maximum is not that of the parts, and (1,0)
// times an infinity is NaN.
func ReductionInit(kind OpKind, dtype dtypes.DType) (init *Dense, ok bool) {
	c, known := codecOf(dtype)
	if !known || c.complex && kind != OpAdd || c.kind == elemFloat && c.float.special == fnu && kind == OpAdd {
		return nil, false
	}
	var bits uint64
	switch kind {
	case OpOr, OpXor: // zero
	case OpAdd:
		bits = c.fromFloat64(math.Copysign(0, -1))
	case OpMultiply:
		bits = c.fromFloat64(1)
	case OpAnd:
		bits = c.ones()
	case OpMaximum:
		bits = c.lowestBits()
	case OpMinimum:
		bits = c.highestBits()
	default:
		return nil, false
	}
	d := &Dense{Type: Tensor(dtype), Data: c.store(nil, bits)}
	if c.complex {
		d.Data = c.store(d.Data, bits)
	}
	return d, true
}

// IsReductionInit reports whether d, a scalar or a splat, can be combined any number of times with
// the result of a reduction by kind that starts from d, without changing the result. This holds if
// d is the neutral element, or if d is 0.0 and kind is OpAdd: a sum that contains 0.0 is never
// -0.0.
func IsReductionInit(kind OpKind, d *Dense) bool {
	neutral, ok := ReductionInit(kind, d.Type.DType)
	if !ok || len(d.Data) != len(neutral.Data) {
		return false
	}
	return bytes.Equal(d.Data, neutral.Data) || kind == OpAdd && d.IsZero()
}
