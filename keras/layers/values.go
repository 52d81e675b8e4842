package layers

// This file defines the other two kinds of Tensor: values that a layer computes in its Call, and
// arrays. The functions of package ops take all three kinds, so that users write layers as they
// write models.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/gotype"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
)

// Tensor converts x, a node in the Call of a layer, to a Tensor, for functions of package ops.
func (c *Context) Tensor(x *graph.Node) *Tensor {
	return &Tensor{spec: specOf(x), value: x, context: c}
}

// Weight returns the value of the variable v in this Call as a Tensor, in the type that the layer
// computes in.
func (c *Context) Weight(v *variable.Variable) *Tensor { return c.Tensor(c.Value(v)) }

// Array returns v, an array or a value that NewArray takes, as a Tensor of this Call. Layers can be
// applied to it. It panics if NewArray does not take v.
func (c *Context) Array(v any) *Tensor { return c.Tensor(c.Nodes(Ensure(v))[0]) }

// Gradient returns the gradient of y, or of the sum of its elements, with respect to x: a tensor of
// x's shape. Both are values of this Call, and y must be computed from x.
func (c *Context) Gradient(y, x *Tensor) *Tensor {
	sum := c.Nodes(y)[0]
	if !sum.IsScalar() {
		sum = graph.ReduceAllSum(sum)
	}
	return c.Tensor(c.Recorder.Gradient(sum, c.Nodes(x)...)[0])
}

// Node returns the node of a Tensor that is a value in a layer's Call. It returns nil for other
// Tensors.
func (t *Tensor) Node() *graph.Node { return t.value }

// NewArray returns an array: a Tensor whose elements are known. Operations on arrays alone are
// computed at once. Combined with other tensors an array is a constant. v is a *tensors.Tensor, a
// number or nested slices of numbers; for anything else the Tensor holds an error.
func NewArray(v any) *Tensor {
	x, err := data.Tensor(v)
	if err != nil {
		return &Tensor{err: fmt.Errorf("array: %w", err)}
	}
	return &Tensor{spec: Spec{Shape: append([]int{}, x.Shape().Dimensions...), DType: x.DType()}, array: x}
}

// Array returns the elements of t if it is an array, and nil otherwise.
func (t *Tensor) Array() *tensors.Tensor { return t.array }

// nodeIn returns the node of t, a value in a layer's Call. For an array it adds a constant to graph
// g. It panics if t is nil, holds an error, or is a tensor of a model.
func (t *Tensor) nodeIn(g *graph.Graph) *graph.Node {
	switch {
	case t == nil:
		panic(fmt.Errorf("got no tensor (nil), want one"))
	case t.value != nil:
		return t.value
	case t.array != nil:
		return graph.ConstTensor(g, t.array)
	case t.err != nil:
		panic(t.err)
	}
	panic(fmt.Errorf("got a tensor of the model, %s, within the Call of a layer: give it to the layer as an input", t.spec))
}

// Nodes returns the nodes of ts, which are values in this Call or arrays: arrays become constants.
// It panics for other tensors.
func (c *Context) Nodes(ts ...*Tensor) []*graph.Node {
	return nodesIn(c.Recorder.Graph(), ts)
}

// nodesOf returns the nodes of ts, values in a layer's Call. Arrays become constants; at least one
// of ts must not be an array. It panics for nil, for a tensor of a model, and for one that holds an
// error.
func nodesOf(ts []*Tensor) []*graph.Node {
	return nodesIn(nil, ts)
}

// nodesIn returns the nodes of ts, values in a layer's Call. Arrays become constants of the graph
// of the others or, if all are arrays, of g. It panics for nil, for a tensor of a model, and for
// one that holds an error.
func nodesIn(g *graph.Graph, ts []*Tensor) []*graph.Node {
	for _, t := range ts {
		if t != nil && t.value != nil {
			g = t.value.Graph()
		}
	}
	nodes := make([]*graph.Node, len(ts))
	for i, t := range ts {
		nodes[i] = t.nodeIn(g)
	}
	return nodes
}

// contextOf returns the context of the first tensor that is a value in a layer's Call, or nil if
// none is.
func contextOf(ts []*Tensor) *Context {
	for _, t := range ts {
		if t != nil && t.context != nil {
			return t.context
		}
	}
	return nil
}

// isArrays reports whether ts is not empty and all of ts are arrays.
func isArrays(ts []*Tensor) bool {
	for _, t := range ts {
		if t == nil || t.array == nil {
			return false
		}
	}
	return len(ts) > 0
}

// Generate returns an array of a shape and a type, such as float32. Its element i, in row-major
// order, is f(i); in a bool array, whether that is not 0. An unknown type, and negative or too
// large sizes, become the error of the tensor.
func Generate(dims []int, dtype string, f func(i int) float64) *Tensor {
	d, err := dtypes.DTypeString(dtype)
	if err != nil {
		return &Tensor{err: fmt.Errorf("array: got dtype %q: %w", dtype, err)}
	}
	size, ok := ir.Elements(dims...)
	if !ok || slices.ContainsFunc(dims, func(n int) bool { return n < 0 }) {
		return &Tensor{err: fmt.Errorf("array: got the shape %v, want sizes that are not negative, and at most 2^56 elements", dims)}
	}
	switch d {
	case dtypes.Float32:
		return generate(dims, int64(size), func(i int) float32 { return float32(f(i)) })
	case dtypes.Float64:
		return generate(dims, int64(size), f)
	case dtypes.Int32:
		return generate(dims, int64(size), func(i int) int32 { return int32(f(i)) })
	case dtypes.Int64:
		return generate(dims, int64(size), func(i int) int64 { return int64(f(i)) })
	case dtypes.Bool:
		return generate(dims, int64(size), func(i int) bool { return f(i) != 0 })
	}
	return Operate("Array", []any{Generate(dims, "float64", f)}, map[string]any{"dtype": dtype})
}

func generate[T gotype.Supported](dims []int, size int64, f func(i int) T) *Tensor {
	flat := make([]T, size)
	for i := range flat {
		flat[i] = f(i)
	}
	return NewArray(tensors.FromFlatDataAndDimensions(flat, dims...))
}

// Ensure returns v if it is a *Tensor, and otherwise NewArray(v): a number, slices of numbers or a
// *tensors.Tensor becomes an array, and other values a Tensor that holds an error.
func Ensure(v any) *Tensor {
	if t, ok := v.(*Tensor); ok {
		return t
	}
	return NewArray(v)
}

// Failed returns a tensor that holds err; tensors computed from it hold it too.
func Failed(err error) *Tensor { return &Tensor{err: err} }

// Numbers returns the elements of an array as nested slices, or as a number. It fails for other
// tensors, and with the error that t holds.
func (t *Tensor) Numbers() (any, error) {
	switch {
	case t.err != nil:
		return nil, t.err
	case t.array == nil:
		return nil, fmt.Errorf("the tensor %s has no numbers yet: the model computes them when it runs; Predict returns those of its outputs", t.spec)
	}
	return t.array.Value(), nil
}
