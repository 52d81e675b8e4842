package layers

// This file defines the table of operations: Keras' class and module of each, and what it
// computes.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

// operation is a row.
type operation struct {
	module string
	call   func(o operands) *graph.Node
}

// Keras' modules of operations.
const (
	opsNumpy = "keras.src.ops.numpy"
	opsNN    = "keras.src.ops.nn"
	opsMath  = "keras.src.ops.math"
	opsCore  = "keras.src.ops.core"
)

var operations = map[string]operation{
	"Add":        {opsNumpy, binary(graph.Add)},
	"Divide":     {opsNumpy, binary(quotient)},
	"Maximum":    {opsNumpy, binary(greater)},
	"Minimum":    {opsNumpy, binary(smaller)},
	"Multiply":   {opsNumpy, binary(graph.Mul)},
	"Power":      {opsNumpy, binary(power)},
	"Subtract":   {opsNumpy, binary(graph.Sub)},
	"TrueDivide": {opsNumpy, binary(quotient)},

	"Equal":        {opsNumpy, binary(graph.Equal)},
	"Greater":      {opsNumpy, binary(graph.GreaterThan)},
	"GreaterEqual": {opsNumpy, binary(graph.GreaterOrEqual)},
	"Less":         {opsNumpy, binary(graph.LessThan)},
	"LessEqual":    {opsNumpy, binary(graph.LessOrEqual)},
	"LogicalAnd":   {opsNumpy, binary(graph.LogicalAnd)},
	"LogicalNot":   {opsNumpy, func(o operands) *graph.Node { return graph.LogicalNot(o.tensor(0)) }},
	"LogicalOr":    {opsNumpy, binary(graph.LogicalOr)},
	"NotEqual":     {opsNumpy, binary(graph.NotEqual)},

	"Absolute": {opsNumpy, func(o operands) *graph.Node { return graph.Abs(o.tensor(0)) }},
	"Cos":      {opsNumpy, unary(graph.Cos)},
	"Exp":      {opsNumpy, unary(graph.Exp)},
	"Log":      {opsNumpy, unary(graph.Log)},
	"Log1p":    {opsNumpy, unary(graph.Log1P)},
	"Negative": {opsNumpy, func(o operands) *graph.Node { return graph.Neg(o.tensor(0)) }},
	"Rsqrt":    {opsMath, unary(graph.Rsqrt)},
	"Sin":      {opsNumpy, unary(graph.Sin)},
	"Sqrt":     {opsNumpy, unary(graph.Sqrt)},
	"Square":   {opsNumpy, func(o operands) *graph.Node { return graph.Mul(o.tensor(0), o.tensor(0)) }},
	"Tanh":     {opsNumpy, unary(graph.Tanh)},

	"Relu":     {opsNN, activated("relu")},
	"Sigmoid":  {opsNN, activated("sigmoid")},
	"Silu":     {opsNN, activated("silu")},
	"Softplus": {opsNN, activated("softplus")},
	"Softmax":  {opsNN, softmaxOf},

	"All":  {opsNumpy, reduced(graph.ReduceLogicalAnd, truth)},
	"Any":  {opsNumpy, reduced(graph.ReduceLogicalOr, truth)},
	"Max":  {opsNumpy, func(o operands) *graph.Node { return o.extreme(1) }},
	"Mean": {opsNumpy, reduced(graph.ReduceMean, fractions)},
	"Min":  {opsNumpy, func(o operands) *graph.Node { return o.extreme(-1) }},
	"Sum":  {opsNumpy, reduced(graph.ReduceSum, numbers)},

	"Cast":        {opsCore, castTo},
	"Concatenate": {opsNumpy, concatenated},
	"Clip":        {opsNumpy, clipped},
	"ExpandDims":  {opsNumpy, expanded},
	"GetItem":     {opsNumpy, getItem},
	"Matmul":      {opsNumpy, matmul},
	"Reshape":     {opsNumpy, reshaped},
	"Squeeze":     {opsNumpy, squeezed},
	"Stack":       {opsNumpy, stacked},
	"Transpose":   {opsNumpy, transposed},
	"Where":       {opsNumpy, where},
}

func binary(f func(a, b *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		xs := o.tensorsOf(o.arg(0), o.arg(1))
		return f(xs[0], xs[1])
	}
}

func unary(f func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node { return f(fractions(o.tensor(0))) }
}

// fractions converts integers to float32.
func fractions(x *graph.Node) *graph.Node {
	if x.DType().IsFloat() {
		return x
	}
	return graph.ConvertDType(x, dtypes.Float32)
}

// numbers converts booleans to int32.
func numbers(x *graph.Node) *graph.Node {
	if x.DType() != dtypes.Bool {
		return x
	}
	return graph.ConvertDType(x, dtypes.Int32)
}

// truth converts numbers to booleans.
func truth(x *graph.Node) *graph.Node {
	if x.DType() == dtypes.Bool {
		return x
	}
	return graph.NotEqual(x, graph.ZerosLike(x))
}

func quotient(a, b *graph.Node) *graph.Node { return graph.Div(fractions(a), fractions(b)) }

// power multiplies where the exponent is a small integer that is known: the gradient of Pow
// is not a number at 0.
func power(a, b *graph.Node) *graph.Node { return graph.Pow(a, b) }

func activated(name string) func(o operands) *graph.Node {
	f, err := activations.Get(name)
	if err != nil {
		panic(fmt.Sprintf("BUG: layers: %v", err))
	}
	return func(o operands) *graph.Node { return f(fractions(o.tensor(0))) }
}

func softmaxOf(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axis := o.axis(x.Rank())
	e := graph.Exp(graph.Sub(x, graph.BroadcastToShape(graph.StopGradient(graph.ReduceAndKeep(x, graph.ReduceMax, axis)), x.Shape())))
	return graph.Div(e, graph.BroadcastToShape(graph.ReduceAndKeep(e, graph.ReduceSum, axis), x.Shape()))
}

// reduced reduces the axes of the attribute axis, and drops them unless keepdims is true.
func reduced(f func(x *graph.Node, axes ...int) *graph.Node, convert func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := convert(o.tensor(0))
		return o.kept(f(x, o.axes(x.Rank())...), x)
	}
}

// kept puts the reduced axes of x back into y, with size 1, if keepdims is true.
func (o operands) kept(y, x *graph.Node) *graph.Node {
	if o.l.attrs["keepdims"] != true {
		return y
	}
	dims := slices.Clone(x.Shape().Dimensions)
	for _, a := range o.axes(x.Rank()) {
		dims[a] = 1
	}
	return graph.Reshape(y, dims...)
}

// extreme returns the largest number times sign; those that tie share the gradient.
func (o operands) extreme(sign float64) *graph.Node {
	x := numbers(o.tensor(0))
	axes := o.axes(x.Rank())
	var y *graph.Node
	switch {
	case !x.DType().IsFloat() && sign > 0:
		y = graph.ReduceMax(x, axes...)
	case !x.DType().IsFloat():
		y = graph.ReduceMin(x, axes...)
	default:
		y = graph.Squeeze(graph.MulScalar(maxOfAll(graph.MulScalar(x, sign), nil, axes), sign), axes...)
	}
	return o.kept(y, x)
}

func castTo(o operands) *graph.Node {
	name, _ := o.l.attrs["dtype"].(string)
	dtype, err := dtypes.DTypeString(name)
	if err != nil {
		panic(fmt.Errorf("got dtype %q: %w", name, err))
	}
	return graph.ConvertDType(o.tensor(0), dtype)
}

// clipped returns numbers that are between two; where they are the bound itself, the gradient
// is shared as jnp.clip shares it.
func clipped(o operands) *graph.Node {
	x := o.tensor(0)
	low, high := o.l.attrs["x_min"], o.l.attrs["x_max"]
	bound := func(v any) *graph.Node { return graph.Scalar(x.Graph(), x.DType(), number(v)) }
	if low != nil {
		x = graph.Max(x, bound(low))
	}
	if high != nil {
		x = graph.Min(x, bound(high))
	}
	return x
}

func concatenated(o operands) *graph.Node {
	xs := o.list(0)
	return graph.Concatenate(xs, o.axis(xs[0].Rank()))
}

func stacked(o operands) *graph.Node {
	xs := o.list(0)
	axis := o.axis(xs[0].Rank() + 1)
	grown := make([]*graph.Node, len(xs))
	for i, x := range xs {
		grown[i] = graph.InsertAxes(x, axis)
	}
	return graph.Concatenate(grown, axis)
}

func expanded(o operands) *graph.Node {
	x := o.tensor(0)
	for _, a := range o.axes(x.Rank() + 1) {
		x = graph.InsertAxes(x, a)
	}
	return x
}

func squeezed(o operands) *graph.Node {
	x := o.tensor(0)
	if o.l.attrs["axis"] == nil {
		return graph.Squeeze(x)
	}
	return graph.Squeeze(x, o.axes(x.Rank())...)
}

func reshaped(o operands) *graph.Node { return graph.Reshape(o.tensor(0), o.ints("newshape")...) }

func transposed(o operands) *graph.Node {
	x, order := o.tensor(0), o.ints("axes")
	if order == nil {
		for i := range x.Rank() {
			order = append(order, x.Rank()-1-i)
		}
	}
	return graph.TransposeAllAxes(x, order...)
}

func where(o operands) *graph.Node {
	xs := o.tensorsOf(o.arg(1), o.arg(2))
	condition := truth(o.tensor(0))
	dims := broadcastDims(condition.Shape().Dimensions, xs[0].Shape().Dimensions)
	full := func(x *graph.Node) *graph.Node {
		return graph.BroadcastToDims(graph.ExpandLeftToRank(x, len(dims)), dims...)
	}
	return graph.Where(full(condition), full(xs[0]), full(xs[1]))
}

// matmul multiplies matrices; dimensions before the last two are a batch.
func matmul(o operands) *graph.Node {
	a, b := o.tensor(0), o.tensor(1)
	dtype := promoted(a.DType(), b.DType())
	a, b = graph.ConvertDType(a, dtype), graph.ConvertDType(b, dtype)
	if a.Rank() < 2 || b.Rank() < 2 {
		panic(fmt.Errorf("got %d and %d dimensions, want matrices", a.Rank(), b.Rank()))
	}
	if b.Rank() == 2 {
		return graph.DotGeneral(a, []int{a.Rank() - 1}, nil, b, []int{0}, nil)
	}
	dims := broadcastDims(a.Shape().Dimensions[:a.Rank()-2], b.Shape().Dimensions[:b.Rank()-2])
	full := func(x *graph.Node) *graph.Node {
		last := x.Shape().Dimensions[x.Rank()-2:]
		return graph.BroadcastToDims(graph.ExpandLeftToRank(x, len(dims)+2), slices.Concat(dims, last)...)
	}
	batch := make([]int, len(dims))
	for i := range batch {
		batch[i] = i
	}
	return graph.DotGeneral(full(a), []int{len(dims) + 1}, batch, full(b), []int{len(dims)}, batch)
}

// getItem indexes as Python does.
func getItem(o operands) *graph.Node {
	x := o.tensor(0)
	items, ok := o.arg(1).([]any)
	if !ok {
		items = []any{o.arg(1)}
	}
	used := 0
	for _, item := range items {
		if _, ok := item.(Ellipsis); !ok && item != nil {
			used++
		}
	}
	if used > x.Rank() {
		panic(fmt.Errorf("got %d indices for %d dimensions", used, x.Rank()))
	}
	specs := slices.Repeat([]graph.SliceAxisSpec{graph.AxisRange()}, x.Rank())
	var dropped, grown []int
	axis, out := 0, 0 // of x, of the result
	for _, item := range items {
		switch item := item.(type) {
		case nil:
			grown = append(grown, out)
			out++
		case Ellipsis:
			axis, out = axis+x.Rank()-used, out+x.Rank()-used
		case Slice:
			specs[axis] = item.of(x.Shape().Dimensions[axis])
			axis, out = axis+1, out+1
		default:
			specs[axis] = graph.AxisElem(int(number(item)))
			dropped = append(dropped, axis)
			axis++
		}
	}
	y := graph.Slice(x, specs...)
	if len(dropped) > 0 {
		y = graph.Squeeze(y, dropped...)
	}
	for _, a := range grown {
		y = graph.InsertAxes(y, a)
	}
	return y
}

// of returns the range of a dimension of a size, as Python has it.
func (s Slice) of(size int) graph.SliceAxisSpec {
	step := 1
	if s.Step != nil {
		step = *s.Step
	}
	if step < 1 {
		panic(fmt.Errorf("got a step of %d, want a positive one", step))
	}
	at := func(n *int, otherwise int) int {
		if n == nil {
			return otherwise
		}
		if *n < 0 {
			return max(0, *n+size)
		}
		return min(*n, size)
	}
	return graph.AxisRange(at(s.Start, 0), at(s.Stop, size)).Stride(step)
}
