package randprog

// This file makes pairs of loops, as the gradient of a scan has them.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// makeStacks makes two loops. The first saves two values of each iteration in stacks. The second
// adds up what it reads from them, from the first place to the last or backward, and changes it by
// ops on the whole stacks or on what it has read. It returns nil if the value that it has found has
// more than 500 elements.
func makeStacks(g *generator) *ir.Op {
	x := g.exactAny(numbers, 0, 2)
	if x.Type.Size() > 500 {
		return nil
	}
	l := &loopMaker{generator: g, outside: g.exactTensor(x.Type)}
	stack := x.Type.WithDims(slices.Insert(slices.Clone(x.Type.Dims), 0, iterations))
	zero := func(t ir.Type) *ir.Value { return g.constant(ir.Splat(t, 0)) }
	count := ir.Tensor(dtypes.Int32)
	most := 8 * (g.largest(x) + g.largest(l.outside)) // of a value after an iteration

	first := l.loop(most*iterations, func(a []*ir.Value) []*ir.Value {
		v := g.mix(a[1], l.outside)
		w := g.mix(g.try(ir.OpNegate, nil, most, v).Result(), l.outside)
		return []*ir.Value{g.mix(v, a[1]), l.keepAt(a[2], a[0], v), l.keepAt(a[3], a[0], w)}
	}, zero(count), x, zero(stack), zero(stack))
	read := []*ir.Value{first.Results[2], first.Results[3]}
	for i, s := range read {
		for range g.rng.IntN(3) {
			switch g.rng.IntN(3) {
			case 0:
				s = g.try(ir.OpNegate, nil, g.largest(s), s).Result()
			case 1:
				s = g.mix(s, g.constant(ir.Splat(stack, float64(g.rng.IntN(3)))))
			case 2:
				s = g.mix(read[1], s)
			}
		}
		read[i] = s
	}
	backward := g.rng.IntN(2) == 0
	return l.loop(most*iterations*iterations*8, func(a []*ir.Value) []*ir.Value {
		at := a[0]
		if backward {
			at = g.try(ir.OpSubtract, nil, iterations, g.constant(ir.Splat(count, iterations-1)), at).Result()
		}
		return []*ir.Value{g.mix(g.mix(a[1], l.sliceAt(read[0], at)), l.sliceAt(read[1], at))}
	}, zero(count), x)
}

// loop makes a loop of iterations iterations, whose numbers are at most bound. It carries inits;
// the first of them is the counter. next returns the others of the next iteration.
func (g *loopMaker) loop(bound float64, next func(a []*ir.Value) []*ir.Value, inits ...*ir.Value) *ir.Op {
	var args []ir.Type
	for _, v := range inits {
		args = append(args, v.Type)
	}
	cond := g.region(args, func(a []*ir.Value) []*ir.Value { return []*ir.Value{g.isBelow(a[0], iterations)} })
	body := g.region(args, func(a []*ir.Value) []*ir.Value {
		one := g.constant(ir.Splat(a[0].Type, 1))
		return append([]*ir.Value{g.try(ir.OpAdd, nil, iterations, a[0], one).Result()}, next(a)...)
	})
	return g.tryRegions(ir.OpWhile, nil, bound, []*ir.Block{cond, body}, inits...)
}

// isBelow returns whether counter is below n.
func (g *loopMaker) isBelow(counter *ir.Value, n float64) *ir.Value {
	lt := ir.Attrs{{Name: "comparison_direction", Value: ir.Enum("LT")}}
	return g.try(ir.OpCompare, lt, 1, counter, g.constant(ir.Splat(counter.Type, n))).Result()
}
