package shardypasses

// This file tidies manual computations before propagation.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// cleanManualAxes sorts the axes of manual computations as the mesh has them,
// and says of those that split no dimension of an operand or result that they
// replicate it, so that propagation keeps off them. It is Shardy's pass
// manual-axes-cleanup.
func cleanManualAxes(m *ir.Module) error {
	var first error
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind != ir.OpManualComputation || first != nil {
				return
			}
			if err := cleanManualAxesOf(op); err != nil {
				first = fmt.Errorf("sharding: function %s: %w", f.Name, err)
			}
		})
	}
	return first
}

func cleanManualAxesOf(op *ir.Op) error {
	manual, _ := op.Attrs.Get("manual_axes").(ir.AxesAttr)
	in, _ := op.Attrs.Get("in_shardings").(ir.ShardingsAttr)
	out, _ := op.Attrs.Get("out_shardings").(ir.ShardingsAttr)
	if len(in)+len(out) == 0 {
		if len(manual) > 0 && op.Regions[0].Len() > 1 {
			return fmt.Errorf("%s: it has the manual axes %s but neither operands nor results to split by them: leave manual_axes empty",
				op.FullName(), layout.AxesText(manual))
		}
		return nil
	}
	dm := sdy.CommonMesh(append(slices.Clone(in), out...))
	if dm == nil {
		return nil // nothing lies on axes
	}
	axes := slices.Clone(manual)
	slices.SortFunc(axes, dm.CompareRefs)
	op.Attrs = op.Attrs.With("manual_axes", axes)
	op.Attrs = op.Attrs.With("in_shardings", replicateUnused(in, op.Operands, axes, dm))
	op.Attrs = op.Attrs.With("out_shardings", replicateUnused(out, op.Results, axes, dm))
	return nil
}

// replicateUnused adds those of the axes that a sharding does not name to its
// replicated ones.
func replicateUnused(list ir.ShardingsAttr, values []*ir.Value, axes ir.AxesAttr, dm *mesh.DeviceMesh) ir.ShardingsAttr {
	list = slices.Clone(list)
	for i, s := range list {
		if s == nil || values[i].Type.IsToken() {
			continue
		}
		unused := slices.DeleteFunc(slices.Clone(axes), func(a mesh.AxisRef) bool {
			return slices.ContainsFunc(axesIn(s), func(b mesh.AxisRef) bool { return a.Name == b.Name })
		})
		if len(unused) == 0 {
			continue
		}
		s = s.Clone()
		s.Mesh = dm
		s.Replicated = dm.SortedRefs(append(s.Replicated, unused...))
		list[i] = s
	}
	return list
}

// axesIn returns all axes that s names.
func axesIn(s *layout.Sharding) []mesh.AxisRef {
	var out []mesh.AxisRef
	for d := range s.Dims {
		out = append(out, s.Dims[d].Axes...)
	}
	return append(append(out, s.Replicated...), s.Unreduced...)
}
