package cost

// This file counts the memory traffic of gathers and scatters of rows on a TPU, as libtpu does.
// They work on rows of tiles. So a tensor with narrow rows is copied to a layout in which a row is
// contiguous, with much padding, and back (buffers/rows.go). The figures below are libtpu's own, of
// programs that are a gather or a scatter alone; they hold for all sizes.

import (
	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

// passes is how often an op on rows counts the rows that it reads, writes and rearranges.
const (
	gatherPasses  = 9  // of the result
	scatterPasses = 17 // of the updates
)

// isGatherOfRows reports whether op is a gather of rows. On a TPU it is a kernel of its own.
func isGatherOfRows(op *ir.Op) bool {
	return op.Kind == ir.OpGather && len(op.Gather().DimensionNumbers().OffsetDims) > 0
}

// isScatterOfRows reports whether op is a scatter of rows.
func isScatterOfRows(op *ir.Op) bool {
	return op.Kind == ir.OpScatter && len(op.Scatter().ScatterDimensionNumbers().UpdateWindowDims) > 0
}

// countRows sets the bytes of k, a kernel on a TPU, to those for its rows if it is a gather or a
// scatter of them. Of other kernels it counts the padding of rows that a gather has made.
func (k *kernel) countRows() {
	switch op := k.op; {
	case isGatherOfRows(op):
		table, indices, result := op.Operands[0].Type, op.Operands[1].Type, op.Results[0].Type
		k.bytes = reorderedBytes(table) + gatherPasses*buffers.TPU.RowBytes(result) + indexTraffic(indices)
	case isScatterOfRows(op):
		at := len(op.Results) // of the operands, the index of the indices
		k.bytes = indexTraffic(op.Operands[at].Type)
		for i, result := range op.Results {
			updates := op.Operands[at+1+i].Type
			k.bytes += reorderedBytes(result.Type) + buffers.TPU.RowBytes(updates) - updates.MemoryBytes()
			if isSplat(op.Operands[i]) {
				k.bytes += buffers.TPU.RowBytes(result.Type) // it is filled, no more is counted
			} else {
				k.bytes += reorderedBytes(result.Type) + scatterPasses*buffers.TPU.RowBytes(updates)
			}
		}
	default:
		for _, r := range k.reads {
			if def := r.value.Def(); def != nil && isGatherOfRows(def) {
				k.bytes += buffers.TPU.RowBytes(r.value.Type) - r.value.Type.MemoryBytes()
			}
		}
	}
}

// isSplat reports whether v has equal elements, which are known.
func isSplat(v *ir.Value) bool {
	def := origin(v).Def()
	return def != nil && def.Kind == ir.OpConstant && def.Literal().IsSplat()
}

// reorderedBytes returns the bytes that are read and written to bring t into rows, or back. It
// returns 0 if t is in rows already.
func reorderedBytes(t ir.Type) int {
	rows, least := buffers.TPU.RowBytes(t), buffers.TPU.Bytes(t)
	if rows <= least {
		return 0
	}
	return rows + least
}

// indexTraffic returns the bytes that are read and written to bring indices of type t, whose last
// dimension is that of the index vector, into a vector, and to read that.
func indexTraffic(t ir.Type) int {
	if t.Rank() == 0 {
		return 0
	}
	rows := buffers.TPU.RowBytes(t.WithDims(t.Dims[:t.Rank()-1]))
	return 2*(t.MemoryBytes()+rows) + rows
}
