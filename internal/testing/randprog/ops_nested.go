package randprog

// This file makes loops, branches and computations whose blocks hold random ops, and calls.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// some returns one random value or, half of the time, two random values of the same type.
func (g *generator) some() []*ir.Value {
	x := g.any(allTypes, 1, 3)
	if g.rng.IntN(2) == 0 {
		return []*ir.Value{x}
	}
	return []*ir.Value{x, g.tensor(x.Type)}
}

func typesOf(vs []*ir.Value) (out []ir.Type) {
	for _, v := range vs {
		out = append(out, v.Type)
	}
	return out
}

// withRegions builds an op of that kind with regions, and result types.
func (g *generator) withRegions(kind ir.OpKind, attrs ir.Attrs, types []ir.Type, operands []*ir.Value, regions ...*ir.Block) *ir.Op {
	op := ir.NewOp(kind, operands, attrs, types, regions...)
	g.b.Insert(op)
	return g.built(op, inexact)
}

// makeNestedWhile makes a loop with a random body, for programs that are propagated. It carries one
// or two values and a counter. It returns nil if blocks are nested too deeply.
func makeNestedWhile(g *generator) *ir.Op {
	if g.depth >= maxDepth {
		return nil
	}
	carried := g.some()
	types, count := typesOf(carried), ir.Tensor(dtypes.Int32)
	one := g.constant(ir.Splat(count, 1))
	cond, body := &ir.Block{}, &ir.Block{}
	all := append(slices.Clone(types), count)
	for _, t := range all {
		cond.AddArg(t)
		body.AddArg(t)
	}
	n := len(types)
	less := ir.NewBuilder(cond).OpWithTypes(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum("LT")}}, []ir.Type{ir.Tensor(dtypes.Bool)}, cond.Args[n], one)
	cond.Append(ir.NewOp(ir.OpReturn, less.Results, nil, nil))
	q := g.nested(body, false)
	next := q.b.OpWithTypes(ir.OpAdd, nil, []ir.Type{count}, body.Args[n], one).Result()
	q.fill(ir.OpReturn, []*ir.Value{next}, types...)
	return g.withRegions(ir.OpWhile, nil, all, append(carried, one), cond, body)
}

// makeNestedCase makes a case with two random branches and one or two results, for programs that
// are propagated. It returns nil if ops are nested too deep.
func makeNestedCase(g *generator) *ir.Op {
	if g.depth >= maxDepth {
		return nil
	}
	types := typesOf(g.some())
	index := g.tensor(ir.Tensor(dtypes.Int32))
	var regions []*ir.Block
	for range 2 {
		b := &ir.Block{}
		g.nested(b, false).fill(ir.OpReturn, nil, types...)
		regions = append(regions, b)
	}
	return g.withRegions(ir.OpCase, nil, types, []*ir.Value{index}, regions...)
}

// makeNamedComputation makes a sdy.named_computation with a random body, and one or two operands
// and results. It returns nil if ops are nested too deep, or the program has calls.
func makeNamedComputation(g *generator) *ir.Op {
	if g.depth >= maxDepth || g.loose.Calls {
		return nil
	}
	operands := g.some()
	types := typesOf(operands)
	b := &ir.Block{}
	for _, t := range types {
		b.AddArg(t)
	}
	g.nested(b, true).fill(ir.OpSdyReturn, nil, types...)
	attrs := ir.Attrs{{Name: "name", Value: ir.String("layer")}}
	for _, name := range []string{"in_shardings", "out_shardings"} {
		if g.rng.IntN(3) > 0 {
			continue
		}
		var list ir.ShardingsAttr
		for _, t := range types {
			list = append(list, g.looseLayout(g.mesh, t.Rank()))
		}
		attrs = append(attrs, ir.NamedAttr{Name: name, Value: list})
	}
	return g.withRegions(ir.OpNamedComputation, attrs, types, operands, b)
}

// makeManualComputation makes a sdy.manual_computation with a random body, and one or two operands
// and results. One manual axis splits a dimension, or none, of each of them. At times the body has
// another manual computation, along another axis.
func makeManualComputation(g *generator) *ir.Op {
	var free []mesh.Axis
	for _, a := range g.mesh.Axes() {
		if !slices.Contains(g.manual, a.Name) {
			free = append(free, a)
		}
	}
	if g.depth >= maxDepth || len(free) == 0 {
		return nil
	}
	a := pick(g, free)
	q := *g
	q.manual = append(slices.Clone(g.manual), a.Name)
	operands := g.some()
	b := &ir.Block{}
	var local []ir.Type
	var in, out ir.ShardingsAttr
	for _, o := range operands {
		t := o.Type
		d := g.rng.IntN(t.Rank()) // the dimension that the manual axis splits
		if t.Dims[d] > 0 && t.Dims[d]%a.Size == 0 && g.rng.IntN(4) > 0 {
			t = t.WithDims(slices.Clone(t.Dims))
			t.Dims[d] /= a.Size
		} else {
			d = -1
		}
		b.AddArg(t)
		local = append(local, t)
		in, out = append(in, q.outer(t.Rank(), d, a)), append(out, q.outer(t.Rank(), d, a))
	}
	q.nested(b, true).fill(ir.OpSdyReturn, nil, local...)
	return g.withRegions(ir.OpManualComputation, ir.Attrs{
		{Name: "in_shardings", Value: in}, {Name: "out_shardings", Value: out}, {Name: "manual_axes", Value: ir.AxesAttr(mesh.FullAxes(a.Name))},
	}, typesOf(operands), operands, b)
}

// outer returns a layout, of the given rank, of a value that enters or leaves a manual computation:
// axis a splits dimension d, or none if d is -1, and nothing else splits any, as it could not be
// padded.
func (g *generator) outer(rank, d int, a mesh.Axis) *layout.Sharding {
	s := layout.OpenSharding(g.mesh, rank)
	if g.rng.IntN(2) == 0 {
		s = g.looseLayout(g.mesh, rank)
		s.Replicated, s.Unreduced = nil, nil
	}
	for i := range s.Dims {
		dim := &s.Dims[i]
		dim.Axes = nil
		if i == d {
			dim.Axes = mesh.FullAxes(a.Name)
		}
		if !dim.Open {
			dim.Priority = 0 // inside, where the axis is not seen, it may have none
		}
	}
	return s
}

// makeCall makes a call of a random private function of the program, half of the time two calls. It
// returns nil if there is no such function.
func makeCall(g *generator) *ir.Op {
	if len(g.funcs) == 0 || g.isolated && !g.inFunc {
		return nil
	}
	f := pick(g, g.funcs)
	var op *ir.Op
	for range 1 + g.rng.IntN(2) {
		x := g.tensor(f.Params()[0].Type)
		op = g.typed(ir.OpCall, ir.Attrs{{Name: "callee", Value: ir.Symbol(f.Name)}}, inexact, []ir.Type{f.Results[0].Type}, x)
	}
	return op
}
