package randprog

// This file makes loops.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gospmd/gospmd/ir"
)

// iterations is the trip count of loops, and the length of their stacks.
const iterations = 4

// makeWhile makes a loop that counts from an input, or from a constant, up to 4. Every iteration
// combines the carried value with captured values, with products by a captured matrix, and with its
// slice of a stack. It writes its result to another stack. One value is carried unchanged. Another
// adds up sums over a dimension.
//
// A quarter of the loops are pairs of makeStacks.
func makeWhile(g *generator) *ir.Op {
	if g.rng.IntN(4) == 0 {
		return makeStacks(g)
	}
	x := g.any(numbers, 0, 3)
	l := &loopMaker{generator: g, matrix: g.matrixFor(x), outside: g.tensor(x.Type), summed: -1}
	inits := []*ir.Value{g.counter(), x, g.tensor(x.Type)}
	most := g.largest(l.outside) + g.largest(inits[2])
	if l.matrix != nil {
		most += 2 * float64(x.Type.Dims[1]) * g.largest(l.matrix)
	}
	if x.Type.Rank() < 3 && x.Type.Size() <= 500 && g.rng.IntN(2) == 0 {
		stack := x.Type.WithDims(slices.Insert(slices.Clone(x.Type.Dims), 0, iterations))
		l.scanned = g.tensor(stack)
		most += g.largest(l.scanned)
		inits = append(inits, g.tensor(stack))
	}
	if x.Type.Rank() > 0 && g.exact(x) && g.rng.IntN(2) == 0 {
		l.summed = g.rng.IntN(x.Type.Rank())
		inits = append(inits, g.constant(ir.Splat(x.Type.WithDims(slices.Delete(slices.Clone(x.Type.Dims), l.summed, l.summed+1)), 0)))
	}
	var args []ir.Type
	for _, v := range inits {
		args = append(args, v.Type)
	}
	cond := g.region(args, func(a []*ir.Value) []*ir.Value {
		return []*ir.Value{l.isBelow(a[0], iterations)}
	})
	bound := g.largest(x) + 9*most + g.largest(inits[len(inits)-1])
	op := g.tryRegions(ir.OpWhile, nil, bound, []*ir.Block{cond, g.region(args, l.next)}, inits...)
	if op != nil && most == inexact {
		for _, r := range op.Results[1:] {
			g.bound[r] = inexact
		}
	}
	if op != nil && l.summed >= 0 {
		total := op.Results[len(inits)-1]
		g.bound[total] = iterations * bound * float64(x.Type.Dims[l.summed])
	}
	return op
}

// counter returns the first value of a loop's counter, a scalar i32: a random small constant, or an
// existing value that is small, so that the loop ends.
func (g *generator) counter() *ir.Value {
	count := ir.Tensor(dtypes.Int32)
	if g.rng.IntN(2) == 0 {
		return g.constant(ir.Splat(count, float64(g.rng.IntN(iterations))))
	}
	// With random bits as the start, the loop could take hours.
	start := g.find(func(v *ir.Value) bool { return v.Type.Equal(count) && g.bound[v] <= 100 })
	if start == nil {
		start = g.param(count)
	}
	return start
}

// loopMaker makes the body of a loop.
type loopMaker struct {
	*generator
	outside         *ir.Value
	matrix, scanned *ir.Value // may be nil
	summed          int       // the dimension of the sums that the last carried value adds up; -1: none
}

// next appends the ops that compute the carried values of the next iteration from a, the values of
// this one: the counter plus one, a new value, one that is unchanged, the written stack if there is
// a stack to read, and the sums if there are some.
func (g *loopMaker) next(a []*ir.Value) []*ir.Value {
	more := g.mix(a[2], g.outside)
	if g.matrix != nil {
		more = g.mix(more, g.productOfSigns(a[1], g.matrix))
	}
	if g.scanned != nil {
		more = g.mix(more, g.sliceAt(g.scanned, a[0]))
	}
	next := g.try(ir.OpAdd, nil, 8, a[0], g.constant(ir.Splat(a[0].Type, 1))).Result()
	out := []*ir.Value{next, g.mix(a[1], more), a[2]}
	if g.scanned != nil {
		out = append(out, g.keepAt(a[3], a[0], out[1]))
	}
	if g.summed >= 0 {
		total := a[len(a)-1]
		out = append(out, g.try(ir.OpAdd, nil, inexact, total, g.changed(g.sum(a[1], g.summed))).Result())
	}
	return out
}

// sum returns the sum of x over a dimension.
func (g *loopMaker) sum(x *ir.Value, dim int) *ir.Value {
	zero := g.constant(ir.Splat(x.Type.WithDims(nil), 0))
	body := []*ir.Block{ir.ReductionBody(ir.OpAdd, x.Type.DType)}
	return g.tryRegions(ir.OpReduce, ir.Attrs{{Name: "dimensions", Value: ir.Ints{dim}}}, inexact, body, x, zero).Result()
}

// changed returns x, a sum, or what one op makes of it: some keep sums of parts apart, and some,
// such as a division of integers, do not.
func (g *loopMaker) changed(x *ir.Value) *ir.Value {
	two := func() *ir.Value { return g.constant(ir.Splat(x.Type, 2)) }
	switch g.rng.IntN(5) {
	case 0:
		return g.try(ir.OpNegate, nil, inexact, x).Result()
	case 1:
		if slices.Contains(floats, x.Type.DType) {
			break // the total must be a whole number
		}
		return g.try(ir.OpDivide, nil, inexact, x, two()).Result()
	case 2:
		return g.try(ir.OpMaximum, nil, inexact, x, two()).Result()
	case 3:
		if !slices.Contains(floats, x.Type.DType) {
			break
		}
		half := g.try(ir.OpDivide, nil, inexact, x, two()).Result()
		whole := g.typed(ir.OpConvert, nil, inexact, []ir.Type{x.Type.WithDType(dtypes.Int32)}, half).Result()
		return g.typed(ir.OpConvert, nil, inexact, []ir.Type{x.Type}, whole).Result()
	}
	return x
}

// at returns the start indices of the slice of stack that iteration i reads or writes: i in the
// first dimension, and zeros.
func (g *loopMaker) at(stack, i *ir.Value) []*ir.Value {
	out := slices.Repeat([]*ir.Value{g.constant(ir.Splat(i.Type, 0))}, stack.Type.Rank())
	out[0] = i
	return out
}

// sliceAt returns the slice of a stack at index i of its first dimension.
func (g *loopMaker) sliceAt(stack, i *ir.Value) *ir.Value {
	sizes := slices.Clone(stack.Type.Dims)
	sizes[0] = 1
	v := g.try(ir.OpDynamicSlice, ir.Attrs{{Name: "slice_sizes", Value: ir.Ints(sizes)}}, g.largest(stack), append([]*ir.Value{stack}, g.at(stack, i)...)...).Result()
	return g.typed(ir.OpReshape, nil, g.largest(stack), []ir.Type{v.Type.WithDims(sizes[1:])}, v).Result()
}

// keepAt returns a copy of the stack in which v is the slice at index i of the first dimension.
func (g *loopMaker) keepAt(stack, i, v *ir.Value) *ir.Value {
	one := g.typed(ir.OpReshape, nil, g.largest(v), []ir.Type{v.Type.WithDims(slices.Insert(slices.Clone(v.Type.Dims), 0, 1))}, v).Result()
	return g.try(ir.OpDynamicUpdateSlice, nil, g.largest(stack, v), append([]*ir.Value{stack, one}, g.at(stack, i)...)...).Result()
}

// matrixFor returns a square matrix such that x times the matrix has the type of x. It returns nil
// if x is no matrix of floats, and in a quarter of the other cases.
func (g *generator) matrixFor(x *ir.Value) *ir.Value {
	if t := x.Type; t.Rank() == 2 && slices.Contains(floats, t.DType) && g.rng.IntN(4) > 0 {
		return g.tensor(t.WithDims([]int{t.Dims[1], t.Dims[1]}))
	}
	return nil
}

// productOfSigns clamps x to [-1, 1], and multiplies it with a matrix, from one of the two sides.
func (g *generator) productOfSigns(x, matrix *ir.Value) *ir.Value {
	scalar := x.Type.WithDims(nil)
	sign := g.try(ir.OpClamp, nil, 1, g.constant(ir.Splat(scalar, -1)), x, g.constant(ir.Splat(scalar, 1))).Result()
	d := &ir.DotDims{LHSContracting: []int{1}, RHSContracting: []int{g.rng.IntN(2)}}
	return g.try(ir.OpDotGeneral, ir.Attrs{{Name: "dot_dimension_numbers", Value: d}}, 2*g.largest(matrix)*float64(x.Type.Dims[1]), sign, matrix).Result()
}
