package difftest

// This file makes control flow: regions that compute on what they are given
// and on what they see from outside.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// region runs body in a new block.
func (g *generator) region(args []ir.Type, body func(args []*ir.Value) []*ir.Value) *ir.Block {
	b := &ir.Block{}
	var values []*ir.Value
	for _, t := range args {
		v := b.AddArg(t)
		g.bound[v] = 8
		values = append(values, v)
	}
	outer := g.b
	g.b = ir.NewBuilder(b)
	g.inside++
	out := body(values)
	g.b.Typed(ir.OpReturn, nil, nil, out...)
	g.inside--
	g.b = outer
	return b
}

// mix returns some function of x and y, tensors of one type.
func (g *generator) mix(x, y *ir.Value) *ir.Value {
	kind := pick(g, []ir.OpKind{ir.OpAdd, ir.OpSubtract, ir.OpMaximum, ir.OpMinimum})
	return g.try(kind, nil, g.largest(x)+g.largest(y), x, y).Result()
}

func makeIf(g *generator) *ir.Op {
	x := g.any(numbers, 0, 3)
	y := g.tensor(x.Type)
	pred := g.exactTensor(ir.Tensor(dtypes.Bool))
	branch := func() *ir.Block {
		return g.region(nil, func([]*ir.Value) []*ir.Value { return []*ir.Value{g.mix(x, y), x} })
	}
	return g.tryRegions(ir.OpIf, nil, g.largest(x)+g.largest(y), []*ir.Block{branch(), branch()}, pred)
}

func makeCase(g *generator) *ir.Op {
	x := g.any(numbers, 0, 3)
	y := g.tensor(x.Type)
	var regions []*ir.Block
	for range 1 + g.rng.IntN(3) {
		regions = append(regions, g.region(nil, func([]*ir.Value) []*ir.Value { return []*ir.Value{g.mix(x, y)} }))
	}
	return g.tryRegions(ir.OpCase, nil, g.largest(x)+g.largest(y), regions, g.exactTensor(ir.Tensor(dtypes.Int32)))
}

// makeWhile counts from an input up to 4 and mixes at every turn.
func makeWhile(g *generator) *ir.Op {
	x := g.any(numbers, 0, 3)
	outside := g.tensor(x.Type)
	count := ir.Tensor(dtypes.Int32)
	args := []ir.Type{count, x.Type}
	cond := g.region(args, func(a []*ir.Value) []*ir.Value {
		return []*ir.Value{g.try(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum("LT")}}, 1, a[0], g.constant(ir.Splat(count, 4))).Result()}
	})
	body := g.region(args, func(a []*ir.Value) []*ir.Value {
		next := g.try(ir.OpAdd, nil, 8, a[0], g.constant(ir.Splat(count, 1))).Result()
		return []*ir.Value{next, g.mix(a[1], outside)}
	})
	// Random bits would make it count for hours.
	start := g.find(func(v *ir.Value) bool { return v.Type.Equal(count) && g.bound[v] <= 100 })
	if start == nil {
		start = g.param(count)
	}
	op := g.tryRegions(ir.OpWhile, nil, g.largest(x)+9*g.largest(outside), []*ir.Block{cond, body}, start, x)
	if op != nil && !g.exact(outside) {
		g.bound[op.Results[1]] = inexact
	}
	return op
}

func makeBarrier(g *generator) *ir.Op {
	x, y := g.any(allTypes, 0, 3), g.any(allTypes, 0, 3)
	return g.try(ir.OpOptimizationBarrier, nil, g.largest(x, y), x, y)
}
