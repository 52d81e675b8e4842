package shardypasses

// This file normalizes meshes and axes before propagation.

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// liftMeshes lists every mesh once in the module. A mesh that is written out in a sharding gets a
// name, and equal meshes are merged. It is Shardy's pass lift-inlined-meshes. Like that pass it
// adds attributes to the meshes, for readers that know only StableHLO.
//
//	mesh<["x"=2]> in a sharding  =>  @mesh, and sdy.mesh @mesh = <["x"=2]>
func liftMeshes(m *ir.Module) {
	names := newNamer(m)
	var meshes []ir.NamedMesh
	lift := func(dm *mesh.DeviceMesh) *mesh.DeviceMesh {
		for _, nm := range meshes {
			if nm.Mesh == dm || nm.Mesh.Equal(dm) {
				return nm.Mesh
			}
		}
		return nil
	}
	for _, nm := range m.Meshes {
		if lift(nm.Mesh) == nil {
			meshes = append(meshes, nm)
		} else {
			delete(names.taken, nm.Name)
		}
	}
	sdy.TransformShardings(m, func(s *layout.Sharding) *layout.Sharding {
		dm := lift(s.Mesh)
		if dm == nil {
			dm = s.Mesh
			meshes = append(meshes, ir.NamedMesh{Name: names.name(meshName(dm)), Mesh: dm})
		}
		if dm == s.Mesh {
			return s
		}
		s = s.Clone()
		s.Mesh = dm
		return s
	})
	for i := range meshes {
		if meshes[i].Attrs.Get("stablehlo.mesh") == nil {
			meshes[i].Attrs = meshes[i].Attrs.With("stablehlo.mesh", meshDict(meshes[i].Mesh))
		}
	}
	m.Meshes = meshes
}

// meshName returns the name that Shardy gives to a mesh that has none: maximal_mesh_ID, with the
// number of the device, empty_mesh if it has no axes, or mesh.
func meshName(dm *mesh.DeviceMesh) string {
	switch {
	case dm.IsMaximal():
		return "maximal_mesh_" + strconv.Itoa(dm.Devices()[0])
	case len(dm.Axes()) == 0:
		return "empty_mesh"
	}
	return "mesh"
}

// meshDict returns the mesh as an attribute in StableHLO's form. It has the numbers of the devices
// only if these are not 0, 1, 2, …, or if the mesh is maximal.
func meshDict(dm *mesh.DeviceMesh) ir.Attr {
	axes := ir.Array{}
	for _, a := range dm.Axes() {
		axes = append(axes, ir.Dict{{Name: "name", Value: ir.String(a.Name)}, {Name: "size", Value: ir.Int(a.Size)}})
	}
	d := ir.Dict{{Name: "axes", Value: axes}}
	inOrder := slices.IsSorted(dm.Devices()) && dm.Devices()[0] == 0 && dm.Devices()[dm.Size()-1] == dm.Size()-1
	if !inOrder || dm.IsMaximal() {
		d = append(d, ir.NamedAttr{Name: "device_ids", Value: intsLiteral(dm.Devices())})
	}
	return d
}

// intsLiteral returns the numbers as dense<…> : tensor<…xi64>.
func intsLiteral(list []int) *ir.Dense {
	flat := make([]int64, len(list))
	for i, n := range list {
		flat[i] = int64(n)
	}
	d, err := ir.DenseFromFlat(ir.Tensor(dtypes.Int64, len(flat)), flat)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return d
}

// dropSizeOneAxes removes axes of size 1 from all shardings, because they shard nothing: Shardy's
// pass remove-size-one-axes. The meshes keep them.
//
//	mesh <["x"=4, "y"=1]>: [{"x", "y"}, {"y"}]  =>  [{"x"}, {}]
func dropSizeOneAxes(m *ir.Module) {
	sdy.TransformShardings(m, transform.WithoutUnitAxes)
}

// cleanManualAxes sorts the axes of manual computations in the order of the mesh. If an axis shards
// no dimension of an operand or result, it becomes a replicated axis there, so that propagation
// does not use it. A computation with manual axes but neither operands nor results is an error. It
// is Shardy's pass manual-axes-cleanup.
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
		return nil // nothing is sharded
	}
	axes := slices.Clone(manual)
	slices.SortFunc(axes, dm.CompareRefs)
	op.Attrs = op.Attrs.With("manual_axes", axes)
	op.Attrs = op.Attrs.With("in_shardings", replicateUnused(in, op.Operands, axes, dm))
	op.Attrs = op.Attrs.With("out_shardings", replicateUnused(out, op.Results, axes, dm))
	return nil
}

// replicateUnused returns a copy of list, the shardings of values, in which each sharding has more
// replicated axes: those of the given axes that it does not contain. These shardings get the mesh
// dm. nil, and the shardings of tokens, stay.
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

// axesIn returns all axes that s contains.
func axesIn(s *layout.Sharding) []mesh.AxisRef {
	var out []mesh.AxisRef
	for d := range s.Dims {
		out = append(out, s.Dims[d].Axes...)
	}
	return append(append(out, s.Replicated...), s.Unreduced...)
}
