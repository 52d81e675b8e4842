package compile

// This file implements shard_scattered. It computes the shard of a scatter's result from the
// updates.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// shardScattered replaces a local shard of the result of a scatter into equal elements, such as
// zeros. A device then scatters into its own rows. Indices of other rows are out of range, and
// StableHLO drops their updates:
//
//	%1 = scatter %zeros, %i, %updates          %0 = subtract %i, (first row of the shard)
//	%2 = local shard of %1                =>   %2 = scatter (zeros of fewer rows), %0, %updates
//
// Such scatters make the gradients of tables of embeddings, where every device has all updates. If
// no index addresses the dimension of the shard, the device slices the updates instead. The scatter
// must have no other uses, and is not moved into a loop that takes the shard.
func shardScattered(c *compilation) error {
	c.main().Walk(func(op *ir.Op) {
		s, ok := localShardOf(c.mesh, op)
		if !ok {
			return
		}
		scatter := s.full.Def()
		if scatter == nil || scatter.Kind != ir.OpScatter || scatter.Block() != op.Block() || len(scatter.Results) > 1 || !s.full.HasOneUse() {
			return
		}
		if out := scatteredShard(scatter, s.dim, op); out != nil {
			op.ReplaceWith(out)
			scatter.Erase()
		}
	})
	return nil
}

// scatteredShard returns what op computes, a local shard along dimension dim of the result of
// scatter, from the updates, by new ops before op. It returns nil if it cannot.
func scatteredShard(scatter *ir.Op, dim int, op *ir.Op) *ir.Value {
	operand, indices, updates := scatter.Operands[0].Def(), scatter.Operands[1], scatter.Operands[2]
	if operand == nil || operand.Kind != ir.OpConstant || !operand.Literal().IsSplat() {
		return nil
	}
	b := (&ir.Builder{Loc: scatter.Loc}).Before(op)
	first, ix, index := op.DynamicSlice().StartIndices()[dim], scatter.Indexing(), indices.Type.DType
	switch {
	case slices.Contains(ix.Mapped, dim):
		// With fewer bits the difference could be in range again.
		if len(ix.Mapped) > 1 || ix.Sizes[dim] > 1 || index.IsUnsigned() || index.Bits() < 32 {
			return nil
		}
		if first.Type.DType != index {
			first = b.Convert(first, ir.Tensor(index))
		}
		indices = b.Subtract(indices, b.BroadcastInDim(first, nil, indices.Type))
	case slices.Contains(ix.Batch, dim), ix.IsCut(dim):
		return nil
	default:
		starts, sizes := make([]*ir.Value, updates.Type.Rank()), slices.Clone(updates.Type.Dims)
		for i := range starts {
			starts[i] = b.Constant(ir.Splat(first.Type, 0))
		}
		ix.EachWindow(func(d, slice int) {
			if d == dim {
				starts[slice], sizes[slice] = first, op.Result().Type.Dims[dim]
			}
		})
		updates = b.DynamicSlice(updates, starts, sizes)
	}
	t := op.Result().Type
	zeros := b.Constant(&ir.Dense{Type: t, Splat: true, Data: operand.Literal().Data})
	out := b.Insert(ir.NewOp(ir.OpScatter, []*ir.Value{zeros, indices, updates}, scatter.Attrs, []ir.Type{t}))
	out.AddRegion(ir.Cloner{}.Block(scatter.Regions[0]))
	return out.Result()
}
