package compile

// This file implements annotate, which gives the module the form that XLA
// expects.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// meshName is the symbol of a program's mesh.
const meshName = "mesh"

// annotate writes final, closed layouts on parameters, results and ops, and
// the number of partitions on the module:
//
//	sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
//	@main(%x [{?}]) -> ([{"x"}])
//	=>
//	module attributes {mhlo.num_partitions = 2}
//	sdy.mesh @mesh = <["x"=2]>
//	@main(%x [{}]) -> ([{"x"}])
//
// The mesh loses its device order: XLA takes device_ids for a permutation of
// its partitions, but an engine assigns the partitions to devices by
// Program.Mesh, and so partition i is position i of the mesh. A one-device
// program loses everything that speaks of meshes.
//
// Attributes of parameters and results that only a framework reads go.
func annotate(u *unit) error {
	f := u.main()
	a := annotator{final: map[*layout.Sharding]*layout.Sharding{}}
	u.m.Meshes = nil
	u.m.Attrs = slices.DeleteFunc(slices.Clone(u.m.Attrs), func(na ir.NamedAttr) bool {
		return !strings.HasPrefix(na.Name, "stablehlo.") || isPartitionCount(na.Name)
	})
	if !u.oneDevice() {
		a.mesh = inOrder(u.mesh)
		u.m.Meshes = []ir.NamedMesh{{Name: meshName, Mesh: a.mesh}}
		u.m.Attrs = append(u.m.Attrs,
			ir.NamedAttr{Name: "mhlo.num_partitions", Value: ir.Int32(u.mesh.Size())},
			ir.NamedAttr{Name: "mhlo.num_replicas", Value: ir.Int32(1)})
	}
	for i, p := range f.Params() {
		p.Sharding = a.port(u.inputs[i].TensorInfo)
		f.ArgAttrs[i] = kept(f.ArgAttrs[i])
	}
	for i := range f.Results {
		r := &f.Results[i]
		r.Sharding = a.port(u.outputs[i].TensorInfo)
		r.Attrs = kept(r.Attrs)
	}
	f.Walk(a.op)
	return nil
}

func isPartitionCount(name string) bool {
	return strings.HasSuffix(name, ".num_partitions") || strings.HasSuffix(name, ".num_replicas")
}

// kept returns the attributes of a parameter or result that an engine reads.
func kept(attrs ir.Attrs) ir.Attrs {
	var out ir.Attrs
	for _, na := range attrs {
		if na.Name == aliasAttr {
			out = append(out, na)
		}
	}
	return out
}

// inOrder returns m with the devices 0, 1, ….
func inOrder(m *mesh.DeviceMesh) *mesh.DeviceMesh {
	out, err := mesh.New(m.Shape(), m.AxisNames(), nil)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return out
}

// annotator brings layouts into their final form.
type annotator struct {
	mesh  *mesh.DeviceMesh // nil on one device
	final map[*layout.Sharding]*layout.Sharding
}

// sharding returns s, closed and on the program's mesh; nil on one device.
func (a annotator) sharding(s *layout.Sharding) *layout.Sharding {
	if a.mesh == nil || s == nil {
		return nil
	}
	if _, ok := a.final[s]; !ok {
		c := closed(s)
		c.Mesh = a.mesh
		a.final[s] = c
	}
	return a.final[s]
}

func (a annotator) port(p program.TensorInfo) *layout.Sharding { return a.sharding(p.Sharding) }

// op brings op's layouts into their final form. Scalar computations, such as
// the body of a reduce, have none; Shardy's own ops have theirs as an
// attribute already; and XLA gives a while more results than it has here, one
// for each value that its body uses from outside, so that it and its like must
// find their layouts from what is in and around them.
func (a annotator) op(op *ir.Op) {
	parent := op.Block().Parent()
	bare := parent != nil && parent.Info().Is(ir.ScalarBody) ||
		len(op.Regions) > 0 && !op.Info().Is(ir.ScalarBody) ||
		op.Has("sharding")
	for _, r := range op.Results {
		if r.Sharding = a.sharding(r.Sharding); bare {
			r.Sharding = nil
		}
	}
	for _, na := range op.Attrs {
		switch s := na.Value.(type) {
		case ir.ShardingAttr:
			op.Attrs = op.Attrs.With(na.Name, ir.ShardingAttr{Sharding: a.sharding(s.Sharding)})
		case ir.ShardingsAttr:
			out := make(ir.ShardingsAttr, len(s))
			for i := range s {
				out[i] = a.sharding(s[i])
			}
			op.Attrs = op.Attrs.With(na.Name, out)
		}
	}
	for _, r := range op.Regions {
		for _, v := range r.Args {
			v.Sharding = nil
		}
	}
}
