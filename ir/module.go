package ir

// This file defines Module and Func, copies modules, blocks and ops, and defines the roles of a
// program's arguments.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Module is a whole program: its meshes and its functions. The function "main" is the entry.
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
	Attrs Attrs // discardable attributes, such as stablehlo.mesh
}

// Func returns the function with the given name, or nil.
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

// MeshName returns the symbol of the mesh dm in the module. If the module does not list dm itself,
// it returns the symbol of an equal mesh, or the empty string if there is none.
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

// AddMesh adds dm to the module under the given symbol, unless the module lists an equal mesh. It
// returns the mesh that the module lists.
func (m *Module) AddMesh(name string, dm *mesh.DeviceMesh) *mesh.DeviceMesh {
	for _, nm := range m.Meshes {
		if nm.Mesh.Equal(dm) {
			return nm.Mesh
		}
	}
	m.Meshes = append(m.Meshes, NamedMesh{Name: name, Mesh: dm})
	return dm
}

// Func is a function: a single block that ends in func.return, or without ops if it is a
// declaration.
//
// The block's arguments are the parameters: their Value.Name is the parameter's name, their
// Value.Sharding its annotated or inferred sharding. ArgAttrs and Results hold the other attributes
// of parameters and results, such as tf.aliasing_output, which marks a donated parameter.
type Func struct {
	Name    string // without @
	Private bool
	Public  bool // the text says "public", the default of functions that are not private
	Body    *Block
	// ArgAttrs has the attributes of each parameter, except sdy.sharding, which is in Value.Sharding.
	ArgAttrs []Attrs
	Results  []FuncResult
	Attrs    Attrs
	Loc      Location
	Pos      Position // where the function is in the parsed text
}

// FuncResult describes one result of a Func.
type FuncResult struct {
	Type     Type
	Name     string           // printed as jax.result_info, as JAX does
	Sharding *layout.Sharding // nil: no annotation
	Attrs    Attrs            // the attributes of the result, except sdy.sharding and jax.result_info
}

// NewFunc returns a function without ops, parameters and results. Add these by AddParam and Return.
func NewFunc(name string) *Func { return &Func{Name: name, Body: &Block{}} }

// AddParam appends a parameter with the name, the type t and the sharding s, which may be nil, and
// returns it.
func (f *Func) AddParam(name string, t Type, s *layout.Sharding) *Value {
	v := f.Body.AddArg(t)
	v.Name, v.Sharding = name, s
	f.ArgAttrs = append(f.ArgAttrs, nil)
	return v
}

// Return ends the function with a func.return of the values, and makes their types the types of the
// results, without names and shardings.
func (f *Func) Return(values ...*Value) {
	f.Results = make([]FuncResult, len(values))
	for i, v := range values {
		f.Results[i] = FuncResult{Type: v.Type}
	}
	f.Body.Append(NewOp(OpFuncReturn, values, nil, nil))
}

// Params returns the parameters.
func (f *Func) Params() []*Value { return f.Body.Args }

// Returned returns the operands of the func.return that ends f, one for each result. f must not be
// a declaration, and the caller must not change the slice.
func (f *Func) Returned() []*Value { return f.Body.Terminator().Operands }

// Walk calls visit for every op of the function, those in regions included.
func (f *Func) Walk(visit func(*Op)) { f.Body.Walk(visit) }

// EachValue calls visit for all values of f in program order: the parameters, then for each op,
// those in regions included, its results and the arguments of its regions.
func (f *Func) EachValue(visit func(*Value)) {
	for _, v := range f.Params() {
		visit(v)
	}
	f.Walk(func(op *Op) {
		for _, v := range op.Results {
			visit(v)
		}
		for _, r := range op.Regions {
			for _, v := range r.Args {
				visit(v)
			}
		}
	})
}

// Cloner copies ops, and maps each value to its copy. A value without an entry is its own copy: the
// copied ops use it as it is.
type Cloner map[*Value]*Value

// Value returns the copy of v, or v itself if it was not copied.
func (c Cloner) Value(v *Value) *Value {
	if w, ok := c[v]; ok {
		return w
	}
	return v
}

// Values returns the copies of vs, in order; values that were not copied stand for themselves.
func (c Cloner) Values(vs []*Value) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = c.Value(v)
	}
	return out
}

// Op returns a copy of op and its regions that is in no block. An operand that c has a copy of is
// replaced by this copy; others stay. Op records in c the copies of the values that op and its
// regions define. It shares attributes and shardings with op: these are never changed in place.
func (c Cloner) Op(op *Op) *Op {
	out := &Op{Kind: op.Kind, Attrs: op.Attrs, Loc: op.Loc, Pos: op.Pos, Name: op.Name}
	out.Operands = out.operandRoom[:0]
	for _, v := range op.Operands {
		out.Operands = append(out.Operands, c.Value(v))
	}
	if len(op.Results) > 1 {
		out.Results = make([]*Value, 0, len(op.Results))
	}
	for _, r := range op.Results {
		c.link(r, out.AddResult(r.Type))
	}
	for _, r := range op.Regions {
		out.AddRegion(c.Block(r))
	}
	return out
}

// Block returns a copy of b, with its arguments and ops, and records the copies in c. Values from
// outside stay, unless c has copies of them.
func (c Cloner) Block(b *Block) *Block {
	out := &Block{Args: make([]*Value, 0, len(b.Args))}
	for _, a := range b.Args {
		c.link(a, out.AddArg(a.Type))
	}
	for op := range b.Ops() {
		out.Append(c.Op(op))
	}
	return out
}

func (c Cloner) link(from, to *Value) {
	to.Name, to.Sharding, to.Origins = from.Name, from.Sharding, from.Origins
	c[from] = to
}

// Clone returns a copy of m. It shares only attributes, shardings and meshes with m, which are
// never changed in place.
func (m *Module) Clone() *Module {
	out := &Module{Name: m.Name, Attrs: m.Attrs, Meshes: slices.Clone(m.Meshes)}
	for _, f := range m.Funcs {
		out.Funcs = append(out.Funcs, f.Clone())
	}
	return out
}

// Clone returns a copy of f, in the same way as Module.Clone.
func (f *Func) Clone() *Func {
	return &Func{
		Name: f.Name, Private: f.Private, Public: f.Public, Body: make(Cloner, len(f.Body.Args)+f.Body.Len()).Block(f.Body), ArgAttrs: slices.Clone(f.ArgAttrs),
		Results: slices.Clone(f.Results), Attrs: f.Attrs, Loc: f.Loc, Pos: f.Pos,
	}
}

// Role is what an argument of an entry function is for.
type Role string

// The roles.
const (
	RoleData      Role = "data"      // new in each run: a batch
	RoleParameter Role = "parameter" // a weight of the model
	RoleOptimizer Role = "optimizer" // state of the optimizer: slots, counters, learning rates
	RoleState     Role = "state"     // anything else that is kept from run to run: metrics, seeds
)

// Roles returns all roles.
func Roles() []Role { return []Role{RoleData, RoleParameter, RoleOptimizer, RoleState} }

// RoleAttr is the argument attribute that states a Role, a String. Package compile removes it
// before an engine sees the module.
const RoleAttr = "gospmd.role"

// StatedRole returns the role in the attributes of argument i of f; ok is false if there is none,
// or one that is not among Roles.
func (f *Func) StatedRole(i int) (r Role, ok bool) {
	s, _ := f.ArgAttrs[i].Get(RoleAttr).(String)
	return Role(s), slices.Contains(Roles(), Role(s))
}
