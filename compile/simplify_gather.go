package compile

// This file holds the rewrites of ops that move data by computed indices.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

var gatherRewrites = []ir.Pattern{
	pattern("gather by an iota along a batch dimension => gather with batching dims", batchIndexing, ir.OpGather),
	pattern("scatter by an iota along a batch dimension => scatter with batching dims", batchIndexing, ir.OpScatter),
}

// batchIndexing removes an element of the index vectors that only counts along a dimension of the
// indices. That dimension becomes a batching dimension:
//
//	%0 = iota dim = 0 : tensor<8x5x1xi32>
//	%1 = concatenate %0, %i, dim = 2         =>  %2 = gather(%x, %i), operand_batching_dims = [0],
//	%2 = gather(%x, %1), collapsed [0, 1]             start_indices_batching_dims = [0], collapsed [1]
//
// GoMLX can write such a gather, and its gradient, only in the first way. In the second way the
// dimension may be sharded in both operands: each device looks up elements of its own shard. In the
// first way the results would have to be reduced over the devices.
func batchIndexing(r *ir.Rewriter, op *ir.Op) *ir.Value {
	x, n := op.Indexing(), len(op.Results) // one operand of a gather, or all of a scatter
	joined := definingOp(op.Operands[n], ir.OpConcatenate)
	if joined == nil || len(x.Mapped) < 2 || joined.Concatenate().Dimension() != x.VectorDim || len(joined.Operands) < 2 {
		return nil
	}
	at := 0 // position of a part in the index vectors
	for i, part := range joined.Operands {
		size := part.Type.Dims[x.VectorDim]
		dim := iotaDimension(part)
		if size != 1 || dim < 0 || dim == x.VectorDim || slices.Contains(x.IndexBatch, dim) {
			at += size
			continue
		}
		if d := x.Mapped[at]; x.Operand[d] == x.Indices[dim] && slices.Contains(x.Dropped, d) {
			rest := slices.Delete(slices.Clone(joined.Operands), i, i+1)
			indices := rest[0]
			if len(rest) > 1 {
				indices = r.Concatenate(rest, x.VectorDim)
			}
			return withBatch(r, op, indices, d, dim, at)
		}
		at += size
	}
	return nil
}

// iotaDimension returns the dimension in which v, of at least 32 bits, counts up from 0; -1 if it
// is no iota, or a broadcast of one.
func iotaDimension(v *ir.Value) int {
	if v.Type.DType.Bits() < 32 { // the type may be too small for the numbers
		return -1
	}
	if iota := definingOp(v, ir.OpIota); iota != nil {
		return iota.Int("iota_dimension")
	}
	if b := definingOp(v, ir.OpBroadcastInDim); b != nil {
		if dim := iotaDimension(b.Operands[0]); dim >= 0 && b.Operands[0].Type.Dims[dim] > 1 {
			return b.Ints("broadcast_dimensions")[dim]
		}
	}
	return -1
}

// withBatch returns the result of a copy of op with new indices, whose vectors do not have the
// element at position at. Instead, dimension d of the operands and dimension dim of the indices
// become batching dimensions.
func withBatch(r *ir.Rewriter, op *ir.Op, indices *ir.Value, d, dim, at int) *ir.Value {
	without := func(list []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(x int) bool { return x == d })
	}
	place := func(batch []int) int { i, _ := slices.BinarySearch(batch, d); return i }
	n := len(op.Results)
	out := r.Insert(ir.Cloner{op.Operands[n]: indices}.Op(op))
	if op.Kind == ir.OpGather {
		g := *op.Gather().DimensionNumbers()
		i := place(g.OperandBatchingDims)
		g.OperandBatchingDims = slices.Insert(slices.Clone(g.OperandBatchingDims), i, d)
		g.IndicesBatchingDims = slices.Insert(slices.Clone(g.IndicesBatchingDims), i, dim)
		g.CollapsedSliceDims = without(g.CollapsedSliceDims)
		g.StartIndexMap = slices.Delete(slices.Clone(g.StartIndexMap), at, at+1)
		out.Attrs = out.Attrs.With("dimension_numbers", &g)
	} else {
		s := *op.Scatter().ScatterDimensionNumbers()
		i := place(s.InputBatchingDims)
		s.InputBatchingDims = slices.Insert(slices.Clone(s.InputBatchingDims), i, d)
		s.ScatterIndicesBatchDims = slices.Insert(slices.Clone(s.ScatterIndicesBatchDims), i, dim)
		s.InsertedWindowDims = without(s.InsertedWindowDims)
		s.ScatterDimsToOperandDims = slices.Delete(slices.Clone(s.ScatterDimsToOperandDims), at, at+1)
		out.Attrs = out.Attrs.With("scatter_dimension_numbers", &s)
	}
	out.Attrs = out.Attrs.With("indices_are_sorted", ir.Bool(false))
	return out.Result()
}
