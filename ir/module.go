package ir

// This file defines the containers: Module, Func, Block, Op and Value.

import (
	"fmt"
	"slices"

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

// Block is a list of ops with arguments: the body of a Func or of a region.
// Every region has exactly one block.
type Block struct {
	Args []*Value
	Ops  []*Op

	parent *Op // the op whose region this is; nil for the body of a Func
}

// AddArg appends a block argument.
func (b *Block) AddArg(t Type) *Value {
	v := &Value{Type: t, block: b, index: len(b.Args)}
	b.Args = append(b.Args, v)
	return v
}

// Append adds op at the end of the block.
func (b *Block) Append(op *Op) {
	op.block = b
	b.Ops = append(b.Ops, op)
}

// Parent returns the op whose region this block is, or nil for the body of a
// function.
func (b *Block) Parent() *Op { return b.parent }

// Terminator returns the last op, or nil in an empty block.
func (b *Block) Terminator() *Op {
	if len(b.Ops) == 0 {
		return nil
	}
	return b.Ops[len(b.Ops)-1]
}

// SetOps replaces the ops of the block, as a pass does after it has rebuilt
// the list.
func (b *Block) SetOps(ops []*Op) {
	b.Ops = ops
	for _, op := range ops {
		op.block = b
	}
}

// Op is one operation. Its kind points into the op table.
type Op struct {
	Kind     OpKind
	Operands []*Value
	Results  []*Value
	Attrs    Attrs
	Regions  []*Block
	Loc      Location
	Pos      Position // of the parsed text

	// Name is the full name of an op that is not in the table (Kind is
	// OpUnregistered); else empty.
	Name string

	block *Block
}

// NewOp returns an op outside of any block. Result types are as given; use a
// Builder to have them inferred.
func NewOp(kind OpKind, operands []*Value, attrs Attrs, resultTypes []Type, regions ...*Block) *Op {
	op := &Op{Kind: kind, Operands: slices.Clone(operands), Attrs: attrs}
	for _, t := range resultTypes {
		op.AddResult(t)
	}
	for _, r := range regions {
		op.AddRegion(r)
	}
	return op
}

// AddResult appends a result of type t.
func (op *Op) AddResult(t Type) *Value {
	v := &Value{Type: t, def: op, index: len(op.Results)}
	op.Results = append(op.Results, v)
	return v
}

// AddRegion appends a region, which from then on belongs to op.
func (op *Op) AddRegion(b *Block) {
	b.parent = op
	op.Regions = append(op.Regions, b)
}

// Block returns the block that op is in.
func (op *Op) Block() *Block { return op.block }

// Info returns op's row in the op table.
func (op *Op) Info() *OpInfo { return op.Kind.Info() }

// StatesSharding reports whether an attribute of op's own says how its results
// are laid out, as that of sharding_constraint and out_shardings of
// manual_computation; Value.Sharding then repeats it.
func (op *Op) StatesSharding() bool {
	return slices.ContainsFunc(op.Info().Attrs, func(a AttrSpec) bool {
		return a.Kind == KindSharding || a.Kind == KindShardings
	})
}

// FullName returns the MLIR name, such as stablehlo.add.
func (op *Op) FullName() string {
	if op.Kind == OpUnregistered {
		return op.Name
	}
	return op.Info().Name
}

// Result returns the only result.
func (op *Op) Result() *Value {
	if len(op.Results) != 1 {
		panic(fmt.Sprintf("BUG: Result called on %s with %d results", op.FullName(), len(op.Results)))
	}
	return op.Results[0]
}

// Walk calls visit for op and for every op in its regions, outer ones first.
func (op *Op) Walk(visit func(*Op)) {
	visit(op)
	for _, r := range op.Regions {
		r.Walk(visit)
	}
}

// Walk calls visit for every op of the block and of the regions in it.
func (b *Block) Walk(visit func(*Op)) {
	for _, op := range b.Ops {
		op.Walk(visit)
	}
}

// Walk calls visit for every op of the function, those in regions included.
func (f *Func) Walk(visit func(*Op)) { f.Body.Walk(visit) }

// Value is the result of an op or an argument of a block.
type Value struct {
	Type     Type
	Sharding *layout.Sharding // nil: not known
	Name     string           // of a function's parameter; else usually empty

	def   *Op
	block *Block
	index int
}

// Def returns the op that v is a result of, or nil for a block argument.
func (v *Value) Def() *Op { return v.def }

// IsArg reports whether v is a block argument.
func (v *Value) IsArg() bool { return v.def == nil }

// Block returns the block that v is an argument of or is defined in.
func (v *Value) Block() *Block {
	if v.def != nil {
		return v.def.block
	}
	return v.block
}

// Index returns v's position among the results of its op or the arguments of
// its block.
func (v *Value) Index() int { return v.index }

// Use is one operand slot that a value stands in.
type Use struct {
	Op      *Op
	Operand int
}

// Uses returns, for every value, where it is used, in program order. The map
// does not follow later changes of the function.
func (f *Func) Uses() map[*Value][]Use {
	uses := make(map[*Value][]Use)
	f.Walk(func(op *Op) {
		for i, v := range op.Operands {
			uses[v] = append(uses[v], Use{op, i})
		}
	})
	return uses
}

// Replace rewrites every operand that is a key of the map by its value,
// following chains, in one walk over the function.
func (f *Func) Replace(by map[*Value]*Value) {
	if len(by) == 0 {
		return
	}
	f.Walk(func(op *Op) {
		for i, v := range op.Operands {
			for w, ok := by[v]; ok; w, ok = by[v] {
				v = w
			}
			op.Operands[i] = v
		}
	})
}
