package trace

// This file implements compute.Function but for its operations, which stand in
// ops_*.go.

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/notimplemented"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
)

// function records the operations of one block: main, a named function, or a
// closure, which becomes the region of the op it is given to.
type function struct {
	compute.FusedOps // all not implemented: GoMLX decomposes them

	b        *builder
	name     string
	block    *ir.Block
	parent   *function // of a closure
	def      *ir.Func  // of main and named functions; nil for a closure
	returned bool
	// constants are the copies of other blocks' constants.
	constants map[*ir.Value]*ir.Value
}

var _ compute.Function = (*function)(nil)

func newFunction(b *builder, name string, block *ir.Block) *function {
	return &function{b: b, name: name, block: block, FusedOps: fusedOps}
}

// fusedOps refuses every fused operation in the way that makes GoMLX use the
// decomposed one.
var fusedOps = notimplemented.Function{ErrFn: func(compute.OpType) error { return compute.ErrNotImplemented }}

func (f *function) Name() string             { return f.name }
func (f *function) Builder() compute.Builder { return f.b }

func (f *function) Parent() compute.Function {
	if f.parent == nil {
		return nil
	}
	return f.parent
}

// Closure starts a block that may use all values of f.
func (f *function) Closure() (compute.Function, error) {
	c := newFunction(f.b, "", &ir.Block{})
	c.parent = f
	return c, nil
}

func (f *function) Shape(v compute.Value) (shapes.Shape, error) { return f.b.OpShape(v) }

// Parameter adds a parameter of main or of a named function, or an argument of
// a closure's block.
func (f *function) Parameter(name string, shape shapes.Shape, sharding *compute.ShardingSpec) (compute.Value, error) {
	e := f.begin("Parameter")
	t := e.typeOf(shape)
	if sharding != nil {
		e.failf("%q has a GoMLX sharding: pin a layout with Recorder.Param instead", name)
	}
	if f.returned {
		e.failf("%q comes after Return", name)
	}
	switch {
	case e.err != nil:
		return nil, e.err
	case f.def == nil:
		return f.block.AddArg(t), nil
	case f.def == f.b.r.main:
		f.b.r.params[name] = len(f.def.Params())
	}
	return f.def.AddParam(name, t, nil), nil
}

// Return ends the function. The results of main are kept for Record, which
// knows their names.
func (f *function) Return(outputs []compute.Value, shardings []*compute.ShardingSpec) error {
	e := f.begin("Return")
	values := e.values(outputs)
	for _, s := range shardings {
		if s != nil {
			e.failf("GoMLX shardings are not used here: pin layouts with Output.Sharding")
		}
	}
	if f.returned {
		e.failf("function %q returned before", f.name)
	}
	if e.err != nil {
		return e.err
	}
	f.returned = true
	switch {
	case f.def == nil:
		e.op(ir.OpReturn, nil, values...)
	case f.def == f.b.r.main:
		f.b.r.results = values
	default:
		f.def.Return(values...)
		e.checkClosed(f.def)
	}
	return e.err
}

// checkClosed refuses a named function that uses values of another: StableHLO
// functions see nothing but their parameters.
func (e *emitter) checkClosed(fn *ir.Func) {
	inside := make(map[*ir.Block]bool)
	inside[fn.Body] = true
	fn.Walk(func(op *ir.Op) {
		for _, b := range op.Regions {
			inside[b] = true
		}
		for i, v := range op.Operands {
			if !inside[v.Block()] {
				e.failf("function %q uses a value from outside, as operand %d of %s (%s): pass it as a parameter",
					fn.Name, i, op.FullName(), op.Loc)
			}
		}
	})
}
