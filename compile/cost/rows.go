package cost

// This file counts the memory traffic of gathers and scatters on a TPU beyond that of their
// operands and results. They work on rows of tiles. So a tensor with narrow rows is copied to a
// layout in which a row is contiguous, with much padding, and back (buffers/rows.go).

import (
	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
)

// rowTraffic returns the bytes that m reads and writes to bring tensors into rows of tiles for op,
// and back, beyond the bytes of its operands and results. It is 0 for ops other than gathers and
// scatters of rows, and for machines that are no TPUs.
func (m *Machine) rowTraffic(op *ir.Op) int {
	if m.Platform != hardware.TPU {
		return 0
	}
	switch op.Kind {
	case ir.OpGather:
		if len(op.Gather().DimensionNumbers().OffsetDims) > 0 {
			return reorderedBytes(op.Operands[0].Type) + reorderedBytes(op.Results[0].Type)
		}
	case ir.OpScatter:
		if n := len(op.Results); len(op.Scatter().ScatterDimensionNumbers().UpdateWindowDims) > 0 {
			updates := op.Operands[len(op.Operands)-1].Type
			return n * (2*reorderedBytes(op.Results[0].Type) + reorderedBytes(updates) + 2*buffers.TPU.RowBytes(updates))
		}
	}
	return 0
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
