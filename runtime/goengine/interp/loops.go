package interp

// This file makes loops over elements out of functions of one element, and
// lists them for every element type. The loops themselves stand in
// loops_*.go by class of type.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// loop computes every element of out from the elements of in at the same
// place.
type loop func(in []*Tensor, out *Tensor)

// loops holds the element-wise ops of one element type, that of the first
// operand.
type loops map[ir.OpKind]loop

var elementwise = map[dtypes.DType]loops{
	dtypes.Bool:       boolLoops(),
	dtypes.Int8:       intLoops[int8](),
	dtypes.Int16:      intLoops[int16](),
	dtypes.Int32:      intLoops[int32](),
	dtypes.Int64:      intLoops[int64](),
	dtypes.Uint8:      intLoops[uint8](),
	dtypes.Uint16:     intLoops[uint16](),
	dtypes.Uint32:     intLoops[uint32](),
	dtypes.Uint64:     intLoops[uint64](),
	dtypes.Float32:    floatLoops[float32, complex64](),
	dtypes.Float64:    floatLoops[float64, complex128](),
	dtypes.Complex64:  complexLoops[complex64, float32](),
	dtypes.Complex128: complexLoops[complex128, float64](),
}

// map1 applies f to every element.
func map1[X, Z any](f func(x X) Z) loop {
	return func(in []*Tensor, out *Tensor) {
		x, z := view[X](in[0]), view[Z](out)
		for i, v := range x {
			z[i] = f(v)
		}
	}
}

// map2 applies f to every pair of elements.
func map2[X, Z any](f func(x, y X) Z) loop {
	return func(in []*Tensor, out *Tensor) {
		x, y, z := view[X](in[0]), view[X](in[1]), view[Z](out)
		for i, v := range x {
			z[i] = f(v, y[i])
		}
	}
}

// over1 and over2 take loops that are written out, for the ops that most of
// the time goes to.
func over1[T any](f func(x, z []T)) loop {
	return func(in []*Tensor, out *Tensor) { f(view[T](in[0]), view[T](out)) }
}

func over2[T any](f func(x, y, z []T)) loop {
	return func(in []*Tensor, out *Tensor) {
		x := view[T](in[0])
		f(x, view[T](in[1])[:len(x)], view[T](out)[:len(x)])
	}
}

// runElementwise is the kernel of the ops in the tables of loops.
func runElementwise(c *call) error {
	d := c.in[0].Type.DType
	f := elementwise[d][c.op.Kind]
	if f == nil {
		return c.unsupported(d)
	}
	f(c.in, c.new(0))
	return nil
}

// arithmetic returns the loops that numbers of all kinds share.
func arithmetic[T number]() loops {
	return loops{
		ir.OpAdd: over2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] + y[i]
			}
		}),
		ir.OpSubtract: over2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] - y[i]
			}
		}),
		ir.OpMultiply: over2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] * y[i]
			}
		}),
		ir.OpNegate: over1(func(x, z []T) {
			for i := range x {
				z[i] = -x[i]
			}
		}),
		ir.OpSquare: over1(func(x, z []T) {
			for i := range x {
				z[i] = x[i] * x[i]
			}
		}),
	}
}
