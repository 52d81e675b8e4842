package ops

// This file defines operations that take Go functions of tensors, and operations that read and
// write parts of tensors at computed positions.
//
// The Go functions get values, as the method Compute of a layer does. They are called once, while
// the model is traced, and not in each step. Only the weights of a model with such an operation can
// be saved, not the model: a file holds no code.

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gospmd/gospmd/keras/layers"
)

// Length sets the number of steps of Scan. It is needed only if xs is nil; otherwise the size of xs
// says it.
func Length(n int) Option { return Option{"Length", "length", n} }

// Unroll makes Scan trace each step in turn, without a loop in the program.
func Unroll() Option { return Option{"Unroll", "unroll", 2} }

// Scan runs f for each index along the first dimension of xs. f gets the carry, first init, and x,
// its slice of xs, and returns the next carry and y. Scan returns the carry of the last step, and
// the ys of all steps, stacked along a new first dimension. xs may be nil: x is then nil, and
// Length says how many steps there are. If f returns a nil y, ys is nil. Options: Length, Reverse,
// Unroll.
func Scan(f func(carry, x *Tensor) (next, y *Tensor), init, xs *Tensor, opts ...Option) (carry, ys *Tensor) {
	step := func(carry, xs []*Tensor) (next, ys []*Tensor) {
		var x *Tensor
		if len(xs) > 0 {
			x = xs[0]
		}
		n, y := f(carry[0], x)
		if y == nil {
			return []*Tensor{n}, nil
		}
		return []*Tensor{n}, []*Tensor{y}
	}
	var list []*Tensor
	if xs != nil {
		list = []*Tensor{xs}
	}
	out := ScanAll(step, []*Tensor{init}, list, opts...)
	if len(out) == 1 && out[0].Err() == nil {
		return out[0], nil
	}
	return two(out)
}

// ScanAll computes a scan, as Scan does, with lists of tensors. It returns one list: the carry of
// the last step, then the ys. Options are those of Scan.
func ScanAll(f func(carry, xs []*Tensor) (next, ys []*Tensor), init, xs []*Tensor, opts ...Option) []*Tensor {
	return layers.OperateAll("Scan", []any{f, init, xs}, with(opts, map[string]any{"length": nil, "reverse": false, "unroll": 1}))
}

// Map applies f to each slice of xs along the first dimension, one after the other, and stacks the
// results along a new first dimension.
func Map(f func(xs ...*Tensor) *Tensor, xs ...*Tensor) *Tensor { return mapped("Map", f, xs) }

// VectorizedMap returns what Map returns: here both are one loop.
func VectorizedMap(f func(xs ...*Tensor) *Tensor, xs ...*Tensor) *Tensor {
	return mapped("VectorizedMap", f, xs)
}

func mapped(class string, f func(xs ...*Tensor) *Tensor, xs []*Tensor) *Tensor {
	return layers.Operate(class, []any{func(xs []*Tensor) []*Tensor { return []*Tensor{f(xs...)} }, xs}, nil)
}

// Vectorize returns a function that broadcasts tensors, at least one, to one shape and calls f with
// the elements of each position, as scalars. f returns a scalar. The result has the shape of the
// broadcast tensors.
func Vectorize(f func(xs ...*Tensor) *Tensor) func(xs ...*Tensor) *Tensor {
	return func(xs ...*Tensor) *Tensor {
		like := LogicalNot(xs[0]) // only its shape counts
		for _, x := range xs[1:] {
			like = LogicalOr(like, x)
		}
		flat := make([]*Tensor, len(xs))
		for i, x := range xs {
			flat[i] = Ravel(Where(like, x, x))
		}
		return Reshape(VectorizedMap(f, flat...), like.Shape()...)
	}
}

// Cond returns the result of ifTrue where the scalar condition is true, else that of ifFalse. Both
// functions are computed, but the gradient comes only from the result that Cond returns. Neither
// function may produce NaN: the gradient would be NaN too, even if the other is taken.
func Cond(condition *Tensor, ifTrue, ifFalse func() *Tensor) *Tensor {
	return Where(condition, ifTrue(), ifFalse())
}

// Switch returns the result of branches[index] for xs. There must be a branch; an index out of
// range is clipped to the nearest one. All branches are computed, as in Cond.
func Switch(index *Tensor, branches []func(xs ...*Tensor) *Tensor, xs ...*Tensor) *Tensor {
	last := len(branches) - 1
	out := branches[last](xs...)
	for i := last - 1; i >= 0; i-- {
		out = Where(LessEqual(index, i), branches[i](xs...), out)
	}
	return out
}

// ForiLoop computes x = body(i, x) for each i from lower to upper-1, starting from init. It returns
// the last x, or init if there is no i.
func ForiLoop(lower, upper int, body func(i, x *Tensor) *Tensor, init *Tensor) *Tensor {
	f := func(xs []*Tensor) []*Tensor { return []*Tensor{body(xs[0], xs[1])} }
	return layers.Operate("ForiLoop", []any{f, lower, upper, []*Tensor{init}}, nil)
}

// MaximumIterations limits the number of steps of WhileLoop; by default there is no limit.
func MaximumIterations(n int) Option { return Option{"MaximumIterations", "maximum_iterations", n} }

// WhileLoop applies body to the values, from init on, as long as condition, which returns a scalar,
// is true. It returns the last values. body must return as many tensors as it gets, of the same
// shapes. It has no gradient, as in Keras on JAX, and arrays alone are an error. Options:
// MaximumIterations.
func WhileLoop(condition func(xs ...*Tensor) *Tensor, body func(xs ...*Tensor) []*Tensor, init []*Tensor, opts ...Option) []*Tensor {
	goesOn := func(xs []*Tensor) *Tensor { return condition(xs...) }
	next := func(xs []*Tensor) []*Tensor { return body(xs...) }
	return layers.OperateAll("WhileLoop", []any{goesOn, next, init}, with(opts, map[string]any{"maximum_iterations": nil}))
}

// AssociativeScan returns, for each index of an axis of known size, the combination by f of all
// elements up to this index; with Reverse, from it on. f must be associative. It gets many elements
// at once, two parts of x of the same shape, and must combine them element by element along the
// axis: log2(n) calls suffice. An axis that x lacks, or of unknown size, is an error. Options: Axis
// (one, 0 by default), Reverse.
func AssociativeScan(f func(a, b *Tensor) *Tensor, x *Tensor, opts ...Option) *Tensor {
	attrs := with(opts, map[string]any{"axis": 0, "reverse": false})
	axis, ok := attrs["axis"].(int)
	if layers.Errors(x) != nil || attrs[layers.BadOption] != nil || !ok {
		return layers.Operate("Flip", []any{x}, attrs) // the error
	}
	if axis < 0 {
		axis += len(x.Shape())
	}
	if axis < 0 || axis >= len(x.Shape()) || x.Shape()[axis] == layers.None {
		return layers.Failed(fmt.Errorf("AssociativeScan: got axis %v of the shape %s, want a dimension of known size", attrs["axis"], layers.ShapeText(x.Shape())))
	}
	if attrs["reverse"] == true {
		return Flip(AssociativeScan(f, Flip(x, Axis(axis)), Axis(axis)), Axis(axis))
	}
	part := func(of *Tensor, item layers.Slice) *Tensor {
		items := make([]any, axis+1)
		for i := range items {
			items[i] = Full()
		}
		items[axis] = item
		return of.GetItem(append(items, Ellipsis)...)
	}
	for k := range bits.Len(uint(max(x.Shape()[axis], 1) - 1)) {
		by := 1 << k
		combined := f(part(x, To(-by)), part(x, From(by)))
		x = Concatenate([]*Tensor{part(x, To(by)), combined}, axis)
	}
	return x
}

// CustomGradient returns a function that computes f and has the gradient that f gives. f returns
// its result y, and a function from the gradient of y to the gradients of the xs.
func CustomGradient(f func(xs ...*Tensor) (y *Tensor, gradient func(upstream *Tensor) []*Tensor)) func(xs ...*Tensor) *Tensor {
	of := func(xs []*Tensor) ([]*Tensor, func(vs []*Tensor) []*Tensor) {
		y, gradient := f(xs...)
		return []*Tensor{y}, func(vs []*Tensor) []*Tensor { return gradient(vs[0]) }
	}
	return func(xs ...*Tensor) *Tensor { return layers.Operate("CustomGradient", []any{of, xs}, nil) }
}

// JVP returns f(xs) and its Jacobian-vector product: the derivative of f in the direction of the
// tangents, one for each of xs. It needs tensors of a model: arrays alone are an error.
func JVP(f func(xs ...*Tensor) *Tensor, xs, tangents []*Tensor) (y, tangent *Tensor) {
	of := func(xs []*Tensor) []*Tensor { return []*Tensor{f(xs...)} }
	return two(layers.OperateAll("JVP", []any{of, xs, tangents}, map[string]any{"has_aux": false}))
}

// Scatter returns a tensor of the shape: the sums of the values at the indices, and 0 elsewhere.
// The last dimension of indices holds the coordinates of one position.
func Scatter(indices, values *Tensor, shape ...int) *Tensor {
	return layers.Operate("Scatter", []any{indices, values}, map[string]any{"shape": shape})
}

// ScatterUpdate returns x with updates written at the indices; the last dimension of indices holds
// the coordinates of one position. reduction says how an update combines with the element of x: ""
// replaces it; "add", "max", "min" and "mul" combine both.
func ScatterUpdate(x, indices, updates *Tensor, reduction string) *Tensor {
	attrs := map[string]any{"reduction": nil}
	if reduction != "" {
		attrs["reduction"] = reduction
	}
	return layers.Operate("ScatterUpdate", []any{x, indices, updates}, attrs)
}

// Slice returns the part of x that has the shape and begins at start. start is a vector of indices,
// or a []any of numbers and scalar tensors. A size of -1 in the shape goes to the end, if start is
// a number there.
func Slice(x *Tensor, start any, shape ...int) *Tensor {
	return layers.Operate("Slice", []any{x, listed(start)}, map[string]any{"shape": shape})
}

// SliceUpdate returns x with updates written from the position start on, which is given as for
// Slice.
func SliceUpdate(x *Tensor, start any, updates *Tensor) *Tensor {
	return layers.Operate("SliceUpdate", []any{x, listed(start), updates}, nil)
}

// Shape returns the shape of x. A dimension of unknown size is layers.None.
func Shape(x *Tensor) []int { return slices.Clone(x.Shape()) }

// Ndim returns the number of dimensions of x.
func Ndim(x *Tensor) int { return len(x.Shape()) }

// Size returns the number of elements of x, or layers.None if the size of a dimension is unknown.
func Size(x *Tensor) int {
	n := 1
	for _, d := range x.Shape() {
		if d < 0 {
			return layers.None
		}
		n *= d
	}
	return n
}

// DTypeOf returns Keras' name of the type of x, such as float32: keras.ops.dtype.
func DTypeOf(x *Tensor) string { return layers.DTypeName(x.DType()) }

// IsTensor reports whether v is a *Tensor.
func IsTensor(v any) bool { _, ok := v.(*Tensor); return ok }

// Array returns an array of a number, of nested slices or of a *tensors.Tensor. Without DType, int
// and int64 become int32, and floating-point numbers float32. Booleans and other integers keep
// their type. DType sets another type. A v that cannot be converted makes a Tensor that holds the
// error. Options: DType.
func Array(v any, opts ...Option) *Tensor {
	return converted("Array", v, with(opts, map[string]any{"dtype": nil}))
}

// ConvertToTensor returns an array of a number, of nested slices or of a *tensors.Tensor, as Array
// does. Options: DType.
func ConvertToTensor(v any, opts ...Option) *Tensor {
	attrs := with(opts, map[string]any{"dtype": nil})
	attrs["sparse"], attrs["ragged"] = nil, nil
	return converted("ConvertToTensor", v, attrs)
}

func converted(class string, v any, attrs map[string]any) *Tensor {
	x := layers.Ensure(v)
	if DTypeOf(x) == "int64" && !IsTensor(v) && attrs["dtype"] == nil {
		attrs["dtype"] = "int32"
	}
	return layers.Operate(class, []any{x}, attrs)
}

// ConvertToNumpy returns the elements of an array as nested Go slices, or as a number. It fails for
// other tensors.
func ConvertToNumpy(x *Tensor) (any, error) { return x.Numbers() }
