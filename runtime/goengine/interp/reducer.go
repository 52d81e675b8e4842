package interp

// This file combines pairs of elements by the ops that ir.ReductionOf knows, for reductions,
// windows, scatters and collectives. It always goes in the order of the elements.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

// reducer combines elements of one type by a binary op.
type reducer interface {
	has(kind ir.OpKind) bool
	// reduce combines init and the elements of x along the dimensions where reduced is true, into
	// out.
	reduce(kind ir.OpKind, x, init, out *Tensor, reduced []bool)
	// reduceAt returns a function that combines element i of x into element o of out.
	reduceAt(kind ir.OpKind, out, x *Tensor) func(o, i int)
	// zip combines each element of x into the element of out at the same place.
	zip(kind ir.OpKind, out, x []byte)
}

var reducers = map[dtypes.DType]reducer{
	dtypes.Bool: reducerOf[bool]{fns: map[ir.OpKind]func(x, y bool) bool{
		ir.OpAdd: orBool, ir.OpOr: orBool, ir.OpMaximum: orBool,
		ir.OpMultiply: andBool, ir.OpAnd: andBool, ir.OpMinimum: andBool,
		ir.OpXor: func(x, y bool) bool { return x != y },
	}},
	dtypes.Int8:       reducerOf[int8]{fns: intReductions[int8]()},
	dtypes.Int16:      reducerOf[int16]{fns: intReductions[int16]()},
	dtypes.Int32:      reducerOf[int32]{fns: intReductions[int32]()},
	dtypes.Int64:      reducerOf[int64]{fns: intReductions[int64]()},
	dtypes.Uint8:      reducerOf[uint8]{fns: intReductions[uint8]()},
	dtypes.Uint16:     reducerOf[uint16]{fns: intReductions[uint16]()},
	dtypes.Uint32:     reducerOf[uint32]{fns: intReductions[uint32]()},
	dtypes.Uint64:     reducerOf[uint64]{fns: intReductions[uint64]()},
	dtypes.Float32:    reducerOf[float32]{fns: floatReductions[float32](), sum: sumFloats[float32], add: addTo[float32]},
	dtypes.Float64:    reducerOf[float64]{fns: floatReductions[float64](), sum: sumFloats[float64], add: addTo[float64]},
	dtypes.Complex64:  reducerOf[complex64]{fns: numberReductions[complex64]()},
	dtypes.Complex128: reducerOf[complex128]{fns: numberReductions[complex128]()},
}

func orBool(x, y bool) bool  { return x || y }
func andBool(x, y bool) bool { return x && y }

func numberReductions[T number]() map[ir.OpKind]func(x, y T) T {
	return map[ir.OpKind]func(x, y T) T{
		ir.OpAdd:      func(x, y T) T { return x + y },
		ir.OpMultiply: func(x, y T) T { return x * y },
	}
}

func floatReductions[T float]() map[ir.OpKind]func(x, y T) T {
	out := numberReductions[T]()
	out[ir.OpMaximum] = func(x, y T) T { return max(x, y) }
	out[ir.OpMinimum] = func(x, y T) T { return min(x, y) }
	return out
}

func intReductions[T integer]() map[ir.OpKind]func(x, y T) T {
	out := numberReductions[T]()
	out[ir.OpMaximum] = func(x, y T) T { return max(x, y) }
	out[ir.OpMinimum] = func(x, y T) T { return min(x, y) }
	out[ir.OpAnd] = func(x, y T) T { return x & y }
	out[ir.OpOr] = func(x, y T) T { return x | y }
	out[ir.OpXor] = func(x, y T) T { return x ^ y }
	return out
}

// reducerOf implements reducer for elements of type T.
type reducerOf[T any] struct {
	fns map[ir.OpKind]func(x, y T) T
	sum func(out, x []T, init T, w walk) // a more precise sum than by fns; may be nil
	add func(z, v []T)                   // adds v to z, faster than by fns; may be nil
}

func (f reducerOf[T]) has(kind ir.OpKind) bool { return f.fns[kind] != nil }

func (f reducerOf[T]) reduceAt(kind ir.OpKind, out, x *Tensor) func(o, i int) {
	z, v, fn := view[T](out), view[T](x), f.fns[kind]
	return func(o, i int) { z[o] = fn(z[o], v[i]) }
}

func (f reducerOf[T]) zip(kind ir.OpKind, out, x []byte) {
	z, v, fn := viewBytes[T](out), viewBytes[T](x), f.fns[kind]
	if kind == ir.OpAdd && f.add != nil {
		f.add(z, v)
		return
	}
	for i := range z {
		z[i] = fn(z[i], v[i])
	}
}

func (f reducerOf[T]) reduce(kind ir.OpKind, x, init, out *Tensor, reduced []bool) {
	w := newWalk(x.Type.Dims, reduced)
	z, v, first, fn := view[T](out), view[T](x), view[T](init)[0], f.fns[kind]
	if kind == ir.OpAdd && f.sum != nil {
		f.sum(z, v, first, w)
		return
	}
	for i := range z {
		z[i] = first
	}
	w.rows(func(o, i int) {
		row := v[i : i+w.n]
		if w.step == 0 {
			acc := z[o]
			for _, v := range row {
				acc = fn(acc, v)
			}
			z[o] = acc
			return
		}
		for k, v := range row {
			z[o+k] = fn(z[o+k], v)
		}
	})
}

func addTo[T number](z, v []T) {
	v = v[:len(z)]
	for i := range z {
		z[i] += v[i]
	}
}

// sumFloats is reduce for sums of floats: it adds init and the rows of x that w visits into out, in
// double precision, and rounds once.
func sumFloats[T float](out, x []T, init T, w walk) {
	acc := make([]float64, len(out))
	for i := range acc {
		acc[i] = float64(init)
	}
	w.rows(func(o, i int) {
		row := x[i : i+w.n]
		if w.step == 0 {
			sum := acc[o]
			for _, v := range row {
				sum += float64(v)
			}
			acc[o] = sum
			return
		}
		z := acc[o : o+len(row)]
		for k, v := range row {
			z[k] += float64(v)
		}
	})
	for i, v := range acc {
		out[i] = T(v)
	}
}

// walk describes the rows of an operand of a reduction. A row is a run of elements along the last
// dimensions. Either all dimensions of a row are reduced, or none.
type walk struct {
	outer   []int // dimensions of the rows
	strides []int // strides of outer in the result; 0 for reduced dimensions
	n       int   // length of a row
	step    int   // distance in the result between adjacent elements of a row: 0 or 1
}

func newWalk(dims []int, reduced []bool) walk {
	own, unit := make([]int, len(dims)), 1
	for d := len(dims) - 1; d >= 0; d-- {
		if !reduced[d] {
			own[d] = unit
			unit *= dims[d]
		}
	}
	w := walk{n: 1, step: 1}
	last := len(dims)
	for last > 0 && reduced[last-1] == reduced[len(dims)-1] {
		last--
		w.n *= dims[last]
	}
	if len(dims) > 0 && reduced[len(dims)-1] {
		w.step = 0
	}
	w.outer, w.strides = dims[:last], own[:last]
	return w
}

// rows calls visit for each row of the operand, with o, the row's offset in the result, and i, that
// in the operand. Without elements it is not called.
func (w walk) rows(visit func(o, i int)) {
	i := 0
	if w.n == 0 {
		return
	}
	rowmajor.Each(w.outer, func(index []int) {
		visit(rowmajor.Offset(index, w.strides), i)
		i += w.n
	})
}

// combiner returns a constructor of functions that combine element i of x into element o of out, by
// the op of that kind; both have elements of type d. It returns nil if there is no such function.
func combiner(kind ir.OpKind, d dtypes.DType) func(out, x *Tensor) func(o, i int) {
	f := reducers[d]
	if f == nil || !f.has(kind) {
		return nil
	}
	return func(out, x *Tensor) func(o, i int) { return f.reduceAt(kind, out, x) }
}
