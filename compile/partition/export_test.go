package partition

// This file gives the tests access to the building of reshard plans, and to the numbers of ops that
// an Evaluator has visited and evaluated.

import (
	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Reshard returns a per-device module that applies a plan, on m, to its parameter of type local.
// Partial results are combined by reduce.
func Reshard(m *mesh.DeviceMesh, local ir.Type, plan reshard.Steps, reduce ir.OpKind) *ir.Module {
	out := &ir.Module{Name: "reshard", Meshes: []ir.NamedMesh{{Name: MeshName, Mesh: m}}}
	f := ir.NewFunc("main")
	out.Funcs = append(out.Funcs, f)
	x := f.AddParam("x", local, nil)
	b := newBuilder(f.Body, ir.Location{})
	f.Return(b.reshard(x, plan, reduce))
	return out
}

// Work returns how many ops all dry runs have visited, and how many of these they have evaluated.
func (e *Evaluator) Work() (visited, evaluated int) { return e.visited, e.evaluated }
