package ops

// This file defines operations that take Go functions of tensors, and that read and write parts
// of tensors at computed places.
//
// Functions get values, as Compute of a layer does. They run while the model is recorded, not for
// each step. A model with such an operation cannot be saved, only its weights: a file holds no
// code.

import (
	"math/bits"
	"slices"

	"github.com/gospmd/gospmd/keras/layers"
)

// Length sets the number of steps of Scan where there are no xs.
func Length(n int) Option { return Option{"Length", "length", n} }

// Unroll records the steps of Scan one after the other, without a loop.
func Unroll() Option { return Option{"Unroll", "unroll", 2} }

// Scan runs f for each index along the first dimension of xs. f gets the carry and x, its slice of
// xs, and returns the next carry and y. Scan returns the carry of the last step, and the ys of all
// steps. xs and y may be nil. Options: Length, Reverse, Unroll.
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

// ScanAll is Scan with lists. It returns what the last step carries on, then the ys.
func ScanAll(f func(carry, xs []*Tensor) (next, ys []*Tensor), init, xs []*Tensor, opts ...Option) []*Tensor {
	return layers.OperateAll("Scan", []any{f, init, xs}, with(opts, map[string]any{"length": nil, "reverse": false, "unroll": 1}))
}

// Map applies f to each element of the first dimension of xs, one after the other.
func Map(f func(xs ...*Tensor) *Tensor, xs ...*Tensor) *Tensor { return mapped("Map", f, xs) }

// VectorizedMap is Map: here both are one loop.
func VectorizedMap(f func(xs ...*Tensor) *Tensor, xs ...*Tensor) *Tensor {
	return mapped("VectorizedMap", f, xs)
}

func mapped(class string, f func(xs ...*Tensor) *Tensor, xs []*Tensor) *Tensor {
	return layers.Operate(class, []any{func(xs []*Tensor) []*Tensor { return []*Tensor{f(xs...)} }, xs}, nil)
}

// Vectorize returns the function that applies f to each element of tensors, which are broadcast to
// one shape.
func Vectorize(f func(xs ...*Tensor) *Tensor) func(xs ...*Tensor) *Tensor {
	return func(xs ...*Tensor) *Tensor {
		like := xs[0]
		for _, x := range xs[1:] {
			like = Add(Multiply(like, 0), Multiply(x, 0))
		}
		flat := make([]*Tensor, len(xs))
		for i, x := range xs {
			flat[i] = Ravel(Cast(Add(x, Multiply(like, 0)), DTypeOf(x)))
		}
		return Reshape(VectorizedMap(f, flat...), like.Shape()...)
	}
}

// Cond returns what one of two functions computes: ifTrue where the scalar condition is true. Both
// are computed, and the gradient is that of the one that is taken; so keep the other one free of
// NaN where it is not taken.
func Cond(condition *Tensor, ifTrue, ifFalse func() *Tensor) *Tensor {
	return Where(condition, ifTrue(), ifFalse())
}

// Switch returns what the branch with a number computes of xs, the nearest one for a number out
// of range. As with Cond, all branches are computed.
func Switch(index *Tensor, branches []func(xs ...*Tensor) *Tensor, xs ...*Tensor) *Tensor {
	last := len(branches) - 1
	out := branches[last](xs...)
	for i := last - 1; i >= 0; i-- {
		out = Where(LessEqual(index, i), branches[i](xs...), out)
	}
	return out
}

// ForiLoop runs body for the numbers from lower to upper-1 on a value.
func ForiLoop(lower, upper int, body func(i, x *Tensor) *Tensor, init *Tensor) *Tensor {
	f := func(xs []*Tensor) []*Tensor { return []*Tensor{body(xs[0], xs[1])} }
	return layers.Operate("ForiLoop", []any{f, lower, upper, []*Tensor{init}}, nil)
}

// MaximumIterations limits the steps of WhileLoop.
func MaximumIterations(n int) Option { return Option{"MaximumIterations", "maximum_iterations", n} }

// WhileLoop runs body on values as long as condition, a scalar, is true. It has no gradient, as in
// Keras on JAX. Options: MaximumIterations.
func WhileLoop(condition func(xs ...*Tensor) *Tensor, body func(xs ...*Tensor) []*Tensor, init []*Tensor, opts ...Option) []*Tensor {
	goesOn := func(xs []*Tensor) *Tensor { return condition(xs...) }
	next := func(xs []*Tensor) []*Tensor { return body(xs...) }
	return layers.OperateAll("WhileLoop", []any{goesOn, next, init}, with(opts, map[string]any{"maximum_iterations": nil}))
}

// AssociativeScan combines each element of an axis with all before it by f, which is associative,
// in log2(n) steps. Options: Axis (one, 0 by default), Reverse.
func AssociativeScan(f func(a, b *Tensor) *Tensor, x *Tensor, opts ...Option) *Tensor {
	attrs := with(opts, map[string]any{"axis": 0, "reverse": false})
	axis, ok := attrs["axis"].(int)
	if attrs[layers.BadOption] != nil || !ok {
		return layers.Operate("Flip", []any{x}, attrs) // the error
	}
	if axis < 0 {
		axis += len(x.Shape())
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

// CustomGradient returns f with a gradient of its own: f returns its result, and a function from
// the gradient of the result to those of the xs.
func CustomGradient(f func(xs ...*Tensor) (y *Tensor, gradient func(upstream *Tensor) []*Tensor)) func(xs ...*Tensor) *Tensor {
	of := func(xs []*Tensor) ([]*Tensor, func(vs []*Tensor) []*Tensor) {
		y, gradient := f(xs...)
		return []*Tensor{y}, func(vs []*Tensor) []*Tensor { return gradient(vs[0]) }
	}
	return func(xs ...*Tensor) *Tensor { return layers.Operate("CustomGradient", []any{of, xs}, nil) }
}

// JVP returns what f computes of xs, and how that changes in the direction of tangents.
func JVP(f func(xs ...*Tensor) *Tensor, xs, tangents []*Tensor) (y, tangent *Tensor) {
	of := func(xs []*Tensor) []*Tensor { return []*Tensor{f(xs...)} }
	return two(layers.OperateAll("JVP", []any{of, xs, tangents}, map[string]any{"has_aux": false}))
}

// Scatter adds values to zeros of a shape, at indices [..., dimensions].
func Scatter(indices, values *Tensor, shape ...int) *Tensor {
	return layers.Operate("Scatter", []any{indices, values}, map[string]any{"shape": shape})
}

// ScatterUpdate writes updates into x at indices [..., dimensions], or reduces what is there with
// them: reduction is "", "add", "max", "min" or "mul".
func ScatterUpdate(x, indices, updates *Tensor, reduction string) *Tensor {
	attrs := map[string]any{"reduction": nil}
	if reduction != "" {
		attrs["reduction"] = reduction
	}
	return layers.Operate("ScatterUpdate", []any{x, indices, updates}, attrs)
}

// Slice returns the part of x of a shape that begins at indices: a vector, or numbers and scalar
// tensors as []any. A size of -1 goes to the end.
func Slice(x *Tensor, start any, shape ...int) *Tensor {
	return layers.Operate("Slice", []any{x, listed(start)}, map[string]any{"shape": shape})
}

// SliceUpdate writes updates into x, from indices on, which are as those of Slice.
func SliceUpdate(x *Tensor, start any, updates *Tensor) *Tensor {
	return layers.Operate("SliceUpdate", []any{x, listed(start), updates}, nil)
}

// Shape returns the sizes of x; open ones are layers.None.
func Shape(x *Tensor) []int { return slices.Clone(x.Shape()) }

// Ndim returns the number of dimensions.
func Ndim(x *Tensor) int { return len(x.Shape()) }

// Size returns the number of elements, layers.None if a size is open.
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

// IsTensor reports whether v is a tensor.
func IsTensor(v any) bool { _, ok := v.(*Tensor); return ok }

// Array returns an array of numbers, nested slices or a tensor: whole numbers of Go as int32,
// others as float32. Options: DType.
func Array(v any, opts ...Option) *Tensor {
	return converted("Array", v, with(opts, map[string]any{"dtype": nil}))
}

// ConvertToTensor is Array. Options: DType.
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

// ConvertToNumpy returns the numbers of an array as nested slices.
func ConvertToNumpy(x *Tensor) (any, error) { return x.Numbers() }
