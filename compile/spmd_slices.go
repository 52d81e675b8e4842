package compile

// This file recognises how a per-device module cuts out a device's own shard.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// ownShard is what a dynamic_slice keeps that has the part of dim that belongs
// to the device when axes split it:
//
//	%i = spmd.axis_index axes
//	%start = multiply %i, part
//	%shard = dynamic_slice %whole, 0, …, %start, …, 0 to part of dim
type ownShard struct {
	whole *ir.Value
	dim   int
	axes  []mesh.AxisRef
}

// ownShardOf returns what op, an op on m, cuts out; ok is false where it is
// anything else.
func ownShardOf(m *mesh.DeviceMesh, op *ir.Op) (s ownShard, ok bool) {
	if op == nil || op.Kind != ir.OpDynamicSlice {
		return s, false
	}
	whole, part := op.Operands[0], op.Result().Type
	s.whole, s.dim = whole, -1
	for d, start := range op.Operands[1:] {
		if whole.Type.Dims[d] == part.Dims[d] {
			continue // starts are clamped: it is 0, whatever it says
		}
		if s.dim >= 0 {
			return s, false
		}
		s.dim = d
		if s.axes, ok = ownStart(start, part.Dims[d]); !ok {
			return s, false
		}
	}
	return s, s.dim >= 0 && whole.Type.Dims[s.dim] == m.RefsSize(s.axes)*part.Dims[s.dim]
}

// ownStart returns the axes of whose axis_index start is the multiple.
func ownStart(start *ir.Value, part int) ([]mesh.AxisRef, bool) {
	d := start.Def()
	if d != nil && d.Kind == ir.OpMultiply {
		for i, v := range d.Operands {
			if n, ok := intConstant(v); ok && n == part {
				d = d.Operands[1-i].Def()
				part = 1
				break
			}
		}
	}
	if d == nil || d.Kind != ir.OpSPMDAxisIndex || part != 1 {
		return nil, false
	}
	return d.Axes("axes"), true
}

// intConstant returns the value of a constant i32 scalar.
func intConstant(v *ir.Value) (int, bool) {
	d := v.Def()
	if d == nil || d.Kind != ir.OpConstant || v.Type.Rank() != 0 || !v.Type.DType.IsInt() {
		return 0, false
	}
	return int(d.Literal().Int64s()[0]), true
}

// sameAxes reports whether both lists name the same axes, in any order.
func sameAxes(a, b []mesh.AxisRef) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x mesh.AxisRef) bool { return !slices.Contains(b, x) })
}
