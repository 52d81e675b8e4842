package sdy

// This file answers questions about ops and functions for propagation and passes.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Main returns the entry function: the function called main or, if there is only one function, that
// one. It returns nil if there is neither.
func Main(m *ir.Module) *ir.Func {
	if len(m.Funcs) == 1 {
		return m.Funcs[0]
	}
	return m.Main()
}

// Callee returns the function of m that the call op calls; nil if m has none of that name.
func Callee(m *ir.Module, op *ir.Op) *ir.Func {
	name, _ := op.Attrs.Get("callee").(ir.Symbol)
	return m.Func(string(name))
}

// HasEffect reports whether op must stay even if nothing uses its results: op, or an op in its
// regions, has side effects, or is a collective, a call, a sharding constraint or a data-flow edge.
// op itself may also be the end of a block.
func HasEffect(op *ir.Op) bool {
	effect := false
	op.Walk(func(inner *ir.Op) {
		info := inner.Info()
		isReturn := info.Is(ir.Terminator) && inner != op
		switch {
		case isReturn:
		case info.Is(ir.SideEffect) || info.Is(ir.Terminator) || info.Is(ir.Collective):
			effect = true
		case inner.Kind == ir.OpCustomCall:
			effect = effect || inner.Bool("has_side_effect")
		case inner.Kind == ir.OpCall ||
			inner.Kind == ir.OpShardingConstraint || inner.Kind == ir.OpDataFlowEdge || inner.Kind == ir.OpFuncDataFlowEdge:
			effect = true
		}
	})
	return effect
}

// CommonMesh returns the mesh of all shardings, that of the first where others have equal ones. It
// returns nil if there is no mesh to propagate on: nothing is sharded, the meshes differ, or a
// value is on a single device. The mesh without axes is compatible with any other mesh.
func CommonMesh(shardings []*layout.Sharding) *mesh.DeviceMesh {
	var m *mesh.DeviceMesh
	for _, s := range shardings {
		if s == nil {
			continue
		}
		if s.Mesh.IsMaximal() {
			return nil
		}
		if len(s.Mesh.Axes()) == 0 {
			continue
		}
		if m == nil {
			m = s.Mesh
		}
		if !m.Equal(s.Mesh) {
			return nil
		}
	}
	return m
}

// IsElementwise reports whether propagation handles op as element-wise: ops that ir lists as such,
// sharding constraints, reshards and propagation barriers, and a bitcast_convert that keeps the
// dimensions.
func IsElementwise(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpShardingConstraint, ir.OpReshard, ir.OpPropagationBarrier:
		return true
	case ir.OpBitcastConvert:
		return slices.Equal(op.Operands[0].Type.Dims, op.Result().Type.Dims)
	}
	return op.Info().Is(ir.Elementwise)
}

// Describe names an op for messages: its full name, and where it is in the model or the text, if
// that is known. For a data-flow edge it names the op of the value that the edge belongs to.
func Describe(op *ir.Op) string {
	if op.Kind == ir.OpDataFlowEdge {
		if owner := op.Operands[0]; owner.IsArg() {
			op = owner.Block().Parent()
		} else {
			op = owner.Def()
		}
	}
	if op.Loc.IsZero() && op.Pos.File != "" {
		return op.FullName() + " at " + op.Pos.String()
	}
	return op.Place()
}
