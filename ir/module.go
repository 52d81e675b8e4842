package ir

// This file defines Module and Func.

import (
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Module is a whole program: its meshes and functions, of which "main" is the
// entry.
type Module struct {
	Name   string
	Attrs  Attrs // module attributes, such as mhlo.num_partitions
	Meshes []NamedMesh
	Funcs  []*Func
}

// NamedMesh is a mesh with its symbol: sdy.mesh @mesh = <["x"=2]>.
type NamedMesh struct {
	Name  string // without @
	Mesh  *mesh.DeviceMesh
	Attrs Attrs // discardable ones, such as stablehlo.mesh
}

// Func returns the function of that name, or nil.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Main returns the entry function, or nil.
func (m *Module) Main() *Func { return m.Func("main") }

// MeshName returns the symbol of the given mesh: of the very same one or else
// of an equal one. The empty string means that the module does not list it.
func (m *Module) MeshName(dm *mesh.DeviceMesh) string {
	for _, nm := range m.Meshes {
		if nm.Mesh == dm {
			return nm.Name
		}
	}
	for _, nm := range m.Meshes {
		if nm.Mesh.Equal(dm) {
			return nm.Name
		}
	}
	return ""
}

// AddMesh lists dm under the given symbol, unless an equal mesh is listed, and
// returns the listed one.
func (m *Module) AddMesh(name string, dm *mesh.DeviceMesh) *mesh.DeviceMesh {
	for _, nm := range m.Meshes {
		if nm.Mesh.Equal(dm) {
			return nm.Mesh
		}
	}
	m.Meshes = append(m.Meshes, NamedMesh{Name: name, Mesh: dm})
	return dm
}

// Func is a function: a single block that ends in func.return.
//
// The block's arguments are the parameters: their Value.Name is the
// parameter's name, their Value.Sharding its pinned or inferred layout. What
// else MLIR attaches to parameters and results stands in ArgAttrs and
// Results, such as tf.aliasing_output, the mark of a donated parameter.
type Func struct {
	Name     string // without @
	Private  bool
	Public   bool // said to be public, as it is unless it is private
	Body     *Block
	ArgAttrs []Attrs // one for each parameter, sdy.sharding not among them
	Results  []FuncResult
	Attrs    Attrs
	Loc      Location
	Pos      Position // of the parsed text
}

// FuncResult describes one result of a Func.
type FuncResult struct {
	Type     Type
	Name     string           // printed as jax.result_info, as JAX does
	Sharding *layout.Sharding // nil: nothing pinned
	Attrs    Attrs            // sdy.sharding and jax.result_info not among them
}

// NewFunc returns a function without body ops, with parameters and results to
// be added by AddParam and Return.
func NewFunc(name string) *Func { return &Func{Name: name, Body: &Block{}} }

// AddParam appends a parameter.
func (f *Func) AddParam(name string, t Type, s *layout.Sharding) *Value {
	v := f.Body.AddArg(t)
	v.Name, v.Sharding = name, s
	f.ArgAttrs = append(f.ArgAttrs, nil)
	return v
}

// Return ends the function with a func.return of the values and sets its
// result types.
func (f *Func) Return(values ...*Value) {
	f.Results = make([]FuncResult, len(values))
	for i, v := range values {
		f.Results[i] = FuncResult{Type: v.Type}
	}
	f.Body.Append(NewOp(OpFuncReturn, values, nil, nil))
}

// Params returns the parameters.
func (f *Func) Params() []*Value { return f.Body.Args }

// Returned returns the operands of the final func.return.
func (f *Func) Returned() []*Value { return f.Body.Terminator().Operands }

// Walk calls visit for every op of the function, those in regions included.
func (f *Func) Walk(visit func(*Op)) { f.Body.Walk(visit) }
