package microbatch

// This file implements columns, which exchanges the updates of a scatter in place of its result.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// columns replaces a scatter and the reduce_scatter that adds up its results and divides them by
// columns, if that sends fewer bytes. A device then scatters the updates of all devices into its own columns:
//
//	%1 = scatter %zeros, %indices, %updates           %i = spmd.all_gather %indices dim=0 axes={"data"}
//	%2 = spmd.reduce_scatter %1 dim=1           =>    %u = spmd.all_to_all %updates split_dim=1 concat_dim=0 axes={"data"}
//	         axes={"data"}                            %2 = scatter (zeros of fewer columns), %i, %u
//
// Such scatters make the gradients of tables of embeddings. A micro-batch updates a few rows, and no
// device needs memory for all columns. For a whole batch pass autoshard finds these shardings.
// Here the axis of micro-batches divides the rows of each device, and a sharding cannot say that the
// other axis moves from the rows to the columns.
func (b *Batch) columns(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind != ir.OpSPMDReduceScatter || len(op.Operands) != 1 || !op.AddsUp() || !op.Operands[0].HasOneUse() {
			return
		}
		scatter := op.Operands[0].Def()
		if scatter == nil || scatter.Block() != op.Block() || !addsToZeros(scatter) {
			return
		}
		if c, ok := columnsOf(scatter, op.SPMDReduceScatter().Dim()); ok {
			c.replace(scatter, op, b.Mesh.RefsSize(op.SPMDReduceScatter().Axes()))
		}
	})
}

// addsToZeros reports whether op is a scatter that adds updates to one array of zeros.
func addsToZeros(op *ir.Op) bool {
	if op.Kind != ir.OpScatter || len(op.Results) > 1 || !isZero(op.Operands[0]) {
		return false
	}
	kind, ok := ir.ReductionOf(op)
	return ok && kind == ir.OpAdd
}

// columnDims are dimensions of a scatter: rows is a batch dimension of the indices, updateRows the
// same of the updates, and updateColumns the columns of the updates.
type columnDims struct{ rows, updateRows, updateColumns int }

// columnsOf returns the dimensions of a scatter whose columns are dimension dim of the result; ok is
// false if an index addresses that dimension, or if there are no rows.
func columnsOf(scatter *ir.Op, dim int) (c columnDims, ok bool) {
	ix := scatter.Indexing()
	c = columnDims{-1, -1, -1}
	ix.EachWindow(func(d, slice int) {
		if d == dim && !ix.IsCut(d) && !slices.Contains(ix.Mapped, d) {
			c.updateColumns = slice
		}
	})
	ix.EachBatch(func(operand, index, slice int) {
		if operand < 0 && c.rows < 0 {
			c.rows, c.updateRows = index, slice
		}
	})
	return c, c.updateColumns >= 0 && c.rows >= 0
}

// replace replaces scatter and reduce, the reduce_scatter of its result over n devices, if that
// sends fewer bytes.
func (c columnDims) replace(scatter, reduce *ir.Op, n int) {
	indices, updates := scatter.Scatter().ScatterIndices(), scatter.Scatter().Updates()[0]
	if updates.Type.Bytes()+n*indices.Type.Bytes() >= reduce.Operands[0].Type.Bytes() {
		return
	}
	axes, t := reduce.SPMDReduceScatter().Axes(), reduce.Result().Type
	b := (&ir.Builder{Loc: scatter.Loc}).Before(reduce)
	all := b.SPMDAllGather([]*ir.Value{indices}, c.rows, axes, []ir.Type{longer(indices.Type, c.rows, n)})
	part := longer(updates.Type, c.updateRows, n)
	part.Dims[c.updateColumns] /= n
	exchanged := b.SPMDAllToAll(updates, c.updateColumns, c.updateRows, axes, part)
	for _, op := range []*ir.Op{all, exchanged.Def()} {
		op.Attrs = op.Attrs.With("why", ir.String("each device scatters all updates of a micro-batch into its own columns"))
	}
	// more indices are in no order, and not unique
	attrs := scatter.Attrs.Without("indices_are_sorted").Without("unique_indices")
	out := b.Insert(ir.NewOp(ir.OpScatter, []*ir.Value{b.Constant(ir.Splat(t, 0)), all.Result(), exchanged}, attrs, []ir.Type{t}))
	out.AddRegion(ir.Cloner{}.Block(scatter.Regions[0]))
	reduce.ReplaceWith(out.Result())
	scatter.Erase()
}
