package ir

// This file defines Indexing, one view of what the dimensions of gather and
// scatter are for.

import "slices"

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
	VectorDim                int   // where the index vectors are; beyond the last dimension of the indices: single indices
	Window                   []int // the slices' dimensions that run within a window
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
