package ir

// This file says what passes ask about ops with many forms: what the dimensions
// of gather and scatter are for, and what a reduction's body computes.

import (
	"bytes"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// Indexing relates the three tensors of a gather or a scatter: the operand, the
// indices, and the slices, which are a gather's result or a scatter's updates.
// The slices have the batch dimensions of the indices and the window dimensions
// of the operand. See the StableHLO specification, gather and scatter.
type Indexing struct {
	Operand, Indices, Slices []int // shapes
	Sizes                    []int // of a window, for each dimension of the operand
	Dropped                  []int // dimensions of the operand that the slices lack
	Batch, IndexBatch        []int // dimensions that operand and indices share
	Mapped                   []int // the dimensions of the operand that an index vector addresses
	// where the index vectors are; beyond the last dimension of the indices: single indices
	VectorDim int
	Window    []int // the slices' dimensions that run within a window
}

// Indexing returns the view of op, a gather or a scatter.
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

// EachBatch calls visit for each batch dimension of the slices, with its
// counterpart in the indices and, for a shared one, in the operand, else -1.
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

// EachWindow calls visit for each dimension of the operand that the slices
// have, and where they have it.
func (x *Indexing) EachWindow(visit func(operand, slice int)) {
	i := 0
	for d := range x.Operand {
		if !slices.Contains(x.Dropped, d) && !slices.Contains(x.Batch, d) {
			visit(d, x.Window[i])
			i++
		}
	}
}

// IsCut reports whether windows cover dimension d of the operand in part: an
// index says which.
func (x *Indexing) IsCut(d int) bool {
	return !slices.Contains(x.Batch, d) && x.Sizes[d] != x.Operand[d]
}

// ReductionBody returns a region that combines two scalars by one op, such as
// OpAdd, for reduce, all_reduce, reduce_scatter, scatter and reduce_window.
func ReductionBody(kind OpKind, dtype dtypes.DType) *Block {
	b := &Block{}
	x, y := b.AddArg(Tensor(dtype)), b.AddArg(Tensor(dtype))
	op := NewOp(kind, []*Value{x, y}, nil, []Type{Tensor(dtype)})
	b.Append(op)
	b.Append(NewOp(OpReturn, op.Results, nil, nil))
	return b
}

// ReductionOf returns the op that the region of op reduces by: OpAdd, OpMultiply,
// OpMaximum, OpMinimum, OpAnd, OpOr or OpXor. ok is false unless the region,
// of select_and_scatter the second one, is one such op on its two arguments.
func ReductionOf(op *Op) (kind OpKind, ok bool) {
	kinds, ok := ReductionsOf(op)
	if !ok || len(kinds) != 1 {
		return OpUnregistered, false
	}
	return kinds[0], true
}

// ReductionsOf is ReductionOf for a region that reduces one or more tensors at
// the same time, each by one op of its own.
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
		// which is not associative
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

// skipConstraints returns the value that v is without sharding constraints. JAX writes them
// into the reducer of a sum whose mesh has other axes than the manual ones; a number has
// no layout that they could change.
func skipConstraints(v *Value) *Value {
	for v.Def() != nil && v.Def().Kind == OpShardingConstraint {
		v = v.Def().Operands[0]
	}
	return v
}

// ReductionInit returns the neutral initial value of a reduction by kind over dtype. It changes
// no bit of a value that it is combined with, except of NaN: the lowest value for OpMaximum, zero
// for OpAdd, -0.0 for OpAdd of floats, since 0.0 makes 0.0 of -0.0. ok is false for other ops
// than ReductionOf returns, for the sum of a type without zero, and for complex numbers except
// their sum: a complex maximum is not that of the parts, and (1,0) times an infinity is NaN.
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

// IsReductionInit reports whether d, a scalar or a splat, may be combined any number of
// times with the result of a reduction by kind that starts from it: d is neutral, or it
// is 0.0 and kind is OpAdd, since a sum with one zero of this sign is none of the other.
func IsReductionInit(kind OpKind, d *Dense) bool {
	neutral, ok := ReductionInit(kind, d.Type.DType)
	if !ok || len(d.Data) != len(neutral.Data) {
		return false
	}
	return bytes.Equal(d.Data, neutral.Data) || kind == OpAdd && d.IsZero()
}
