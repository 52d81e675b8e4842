package compile

// This file implements pass two_scatters, which cuts a reduce_scatter over all devices into two.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// twoScatters replaces a reduce_scatter over all devices by one over groups of devices and one
// among the groups:
//
//	%1 = spmd.reduce_scatter %0 dim=0 axes={"x"}    =>    %s = spmd.reduce_scatter %0 dim=0 axes={"x":(1)4}
//	                                                      %1 = spmd.reduce_scatter %s dim=0 axes={"x":(4)4}
//
// libtpu sums over all chips in place of scattering over all of them, and takes slices: the whole
// sums of all gradients are then in memory together. Scatters within parts of the chips stay
// scatters. The two together send half as many bytes as the sum, but over the links of one dimension
// of the torus at a time. So they take no less time, and the pass does this only for a limit of
// memory, and not for scatters that take less time to send than to start.
func twoScatters(c *compilation) error {
	m, machine := c.mesh, c.machine()
	if c.options.MemoryLimit == 0 {
		return nil
	}
	c.main().Walk(func(op *ir.Op) {
		if op.Kind != ir.OpSPMDReduceScatter || m.RefsSize(op.SPMDReduceScatter().Axes()) != m.Size() {
			return
		}
		major, minor := halves(m, op.SPMDReduceScatter().Axes())
		if len(major) == 0 || len(minor) == 0 || cost.SentBytes(m, op) < machine.LaunchBytes(minor) {
			return
		}
		n, dim := m.RefsSize(major), op.SPMDReduceScatter().Dim()
		types := make([]ir.Type, len(op.Operands))
		for i, v := range op.Operands {
			dims := append([]int(nil), v.Type.Dims...)
			dims[dim] /= n
			types[i] = v.Type.WithDims(dims)
		}
		first := ir.NewOp(op.Kind, op.Operands, op.Attrs.With("axes", ir.AxesAttr(major)), types)
		second := ir.NewOp(op.Kind, first.Results, op.Attrs.With("axes", ir.AxesAttr(minor)), ir.TypesOf(op.Results))
		first.Loc, second.Loc = op.Loc, op.Loc
		first.InsertBefore(op)
		second.InsertBefore(op)
		op.ReplaceWith(second.Results...)
	})
	return nil
}

// halves cuts a list of axes, the major ones first, into two lists of about the same number of
// devices: the product of the sizes of the first is the largest that is at most that of the second.
// One axis may be cut into two parts. If there is no such place, major is empty.
func halves(m *mesh.DeviceMesh, axes []mesh.AxisRef) (major, minor []mesh.AxisRef) {
	n, before := m.RefsSize(axes), 1
	for i, a := range axes {
		size := m.RefsSize(axes[i : i+1])
		if before*size*before*size <= n {
			major, before = append(major, a), before*size
			continue
		}
		minor = axes[i:]
		for part := size - 1; part > 1; part-- {
			if size%part == 0 && before*part*before*part <= n {
				pre := max(1, a.Pre)
				return append(major, mesh.SubAxisRef(a.Name, pre, part)), append([]mesh.AxisRef{mesh.SubAxisRef(a.Name, pre*part, size/part)}, axes[i+1:]...)
			}
		}
		break
	}
	return major, minor
}
