package trace

// This file records reductions and windowed reductions.

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// reducer is a way to combine elements: the op, and the value it starts with.
type reducer struct {
	kind ir.OpKind
	want family
	init func(e *emitter, d dtypes.DType) *ir.Value
}

var (
	reduceSum     = reducer{ir.OpAdd, number, (*emitter).zero}
	reduceProduct = reducer{ir.OpMultiply, number, (*emitter).one}
	reduceMax     = reducer{ir.OpMaximum, anything, (*emitter).lowest}
	reduceMin     = reducer{ir.OpMinimum, anything, (*emitter).highest}

	reduceBitwiseAnd = reducer{ir.OpAnd, anyInt, (*emitter).allBits}
	reduceBitwiseOr  = reducer{ir.OpOr, anyInt, (*emitter).zero}
	reduceBitwiseXor = reducer{ir.OpXor, anyInt, (*emitter).zero}
	reduceLogicalAnd = reducer{ir.OpAnd, boolean, (*emitter).one}
	reduceLogicalOr  = reducer{ir.OpOr, boolean, (*emitter).zero}
	reduceLogicalXor = reducer{ir.OpXor, boolean, (*emitter).zero}
)

func (e *emitter) zero(d dtypes.DType) *ir.Value   { return e.scalar(d, 0) }
func (e *emitter) one(d dtypes.DType) *ir.Value    { return e.scalar(d, 1) }
func (e *emitter) lowest(d dtypes.DType) *ir.Value { return e.scalarOf(d, d.LowestValue()) }

// highest is +Inf or the largest integer; compute knows none for booleans.
func (e *emitter) highest(d dtypes.DType) *ir.Value {
	if d == dtypes.Bool {
		return e.one(d)
	}
	return e.scalarOf(d, d.HighestValue())
}

// allBits is the integer whose bits are all set.
func (e *emitter) allBits(d dtypes.DType) *ir.Value {
	if d.IsUnsigned() {
		return e.highest(d)
	}
	return e.scalar(d, -1)
}

// reduceBody returns the region of a reduction of one operand.
func (e *emitter) reduceBody(by reducer, d dtypes.DType) *ir.Block {
	return e.region(scalars(d, 2), func(args []*ir.Value) []*ir.Value {
		return []*ir.Value{e.op(by.kind, nil, args...)}
	})
}

// reduceDims returns the dimensions attribute; no axes stand for all.
func (e *emitter) reduceDims(axes []int, rank int) ir.Ints {
	dims := ints(axes)
	for i, a := range axes {
		dims[i] = e.axis(a, rank)
	}
	for i := 0; len(axes) == 0 && i < rank; i++ {
		dims = append(dims, i)
	}
	return dims
}

func (f *function) reduce(name string, by reducer, x compute.Value, axes []int) (compute.Value, error) {
	e := f.begin(name)
	v := e.value(x)
	e.demand(by.want, v)
	if e.err != nil || v.Type.Rank() == 0 && len(axes) == 0 {
		return e.result(v)
	}
	d := v.Type.DType
	dims := e.reduceDims(axes, v.Type.Rank())
	init := by.init(e, d)
	return e.result(first(e.ops(ir.OpReduce, ir.Attrs{{Name: "dimensions", Value: dims}}, []*ir.Block{e.reduceBody(by, d)}, v, init)))
}

func (f *function) ReduceSum(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceSum", reduceSum, x, axes)
}

func (f *function) ReduceProduct(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceProduct", reduceProduct, x, axes)
}

func (f *function) ReduceMax(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceMax", reduceMax, x, axes)
}

func (f *function) ReduceMin(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceMin", reduceMin, x, axes)
}

func (f *function) ReduceBitwiseAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceBitwiseAnd", reduceBitwiseAnd, x, axes)
}

func (f *function) ReduceBitwiseOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceBitwiseOr", reduceBitwiseOr, x, axes)
}

func (f *function) ReduceBitwiseXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceBitwiseXor", reduceBitwiseXor, x, axes)
}

func (f *function) ReduceLogicalAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceLogicalAnd", reduceLogicalAnd, x, axes)
}

func (f *function) ReduceLogicalOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceLogicalOr", reduceLogicalOr, x, axes)
}

func (f *function) ReduceLogicalXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce("ReduceLogicalXor", reduceLogicalXor, x, axes)
}

// ArgMinMax reduces pairs of element and index. NaN wins over all, and at ties
// the lowest index does: as in NumPy, JAX and GoMLX.
func (f *function) ArgMinMax(x compute.Value, axis int, outputDType dtypes.DType, isMin bool) (compute.Value, error) {
	e := f.begin("ArgMinMax")
	v := e.value(x)
	if !outputDType.IsInt() {
		e.failf("got output type %s, want an integer type", outputDType)
	}
	if e.err != nil {
		return nil, e.err
	}
	if v.Type.Rank() == 0 || v.Type.DType.IsComplex() {
		e.failf("got %s, want real numbers with at least one axis", v.Type)
		return nil, e.err
	}
	d := v.Type.DType
	axis = e.axis(axis, v.Type.Rank())
	better, start := ir.Enum("GT"), e.lowest
	if isMin {
		better, start = "LT", e.highest
	}
	body := e.region([]ir.Type{ir.Tensor(d), ir.Tensor(outputDType), ir.Tensor(d), ir.Tensor(outputDType)},
		func(args []*ir.Value) []*ir.Value { return e.pickBetter(better, args[0], args[1], args[2], args[3]) })
	indices := e.iota(v.Type.WithDType(outputDType), axis)
	results := e.ops(ir.OpReduce, ir.Attrs{{Name: "dimensions", Value: ir.Ints{axis}}}, []*ir.Block{body},
		v, indices, start(d), e.zero(outputDType))
	if e.err != nil {
		return nil, e.err
	}
	return results[1], nil
}

// pickBetter returns the better of two elements and its index.
func (e *emitter) pickBetter(better ir.Enum, x, xIndex, y, yIndex *ir.Value) []*ir.Value {
	wins, tie := e.compare(better, false, x, y), e.compare("EQ", false, x, y)
	if e.err == nil && x.Type.DType.IsFloat() {
		xNaN, yNaN := e.compare("NE", false, x, x), e.compare("NE", false, y, y)
		wins = e.op(ir.OpOr, nil, wins, e.op(ir.OpAnd, nil, xNaN, e.op(ir.OpNot, nil, yNaN)))
		tie = e.op(ir.OpOr, nil, tie, e.op(ir.OpAnd, nil, xNaN, yNaN))
	}
	wins = e.op(ir.OpOr, nil, wins, e.op(ir.OpAnd, nil, tie, e.compare("LT", false, xIndex, yIndex)))
	return []*ir.Value{e.op(ir.OpSelect, nil, wins, x, y), e.op(ir.OpSelect, nil, wins, xIndex, yIndex)}
}

// windowReducers are the reductions of ReduceWindow.
var windowReducers = map[compute.ReduceOpType]reducer{
	compute.ReduceOpSum:     reduceSum,
	compute.ReduceOpProduct: reduceProduct,
	compute.ReduceOpMax:     reduceMax,
	compute.ReduceOpMin:     reduceMin,
}

// ReduceWindow reduces each window. Strides are by default the window's size.
func (f *function) ReduceWindow(input compute.Value, reductionType compute.ReduceOpType,
	windowDimensions, strides, inputDilations, windowDilations []int, paddings [][2]int) (compute.Value, error) {
	e := f.begin("ReduceWindow")
	v := e.value(input)
	by, ok := windowReducers[reductionType]
	if !ok {
		e.failf("got reduction %s, want Sum, Product, Max or Min", reductionType)
	}
	e.demand(by.want, v)
	if e.err != nil || v.Type.Rank() == 0 {
		return e.result(v)
	}
	d, attrs := v.Type.DType, e.window(v, windowDimensions, strides, paddings)
	attrs = append(attrs,
		ir.NamedAttr{Name: "base_dilations", Value: ints(orFill(inputDilations, v.Type.Rank(), 1))},
		ir.NamedAttr{Name: "window_dilations", Value: ints(orFill(windowDilations, v.Type.Rank(), 1))})
	init := by.init(e, d)
	return e.result(first(e.ops(ir.OpReduceWindow, attrs, []*ir.Block{e.reduceBody(by, d)}, v, init)))
}

// window returns the attributes that windowed ops share.
func (e *emitter) window(v *ir.Value, size, strides []int, paddings [][2]int) ir.Attrs {
	rank := v.Type.Rank()
	size = orFill(size, rank, 1)
	if len(strides) == 0 {
		strides = size
	}
	if len(size) != rank || len(strides) != rank || len(paddings) != rank && len(paddings) != 0 {
		e.failf("got %d window sizes, %d strides and %d paddings for %s, want %d of each (or none)",
			len(size), len(strides), len(paddings), v.Type, rank)
	}
	return ir.Attrs{
		{Name: "window_dimensions", Value: ints(size)},
		{Name: "window_strides", Value: ints(strides)},
		{Name: "padding", Value: padding(paddings, rank)},
	}
}

// padding returns the padding attribute of a windowed op; none means zeros.
func padding(paddings [][2]int, rank int) *ir.Dense {
	rows := make([][]int, rank)
	for i := range paddings {
		rows[i] = paddings[i][:]
	}
	return ir.IntMatrix(rows, 2)
}

func (f *function) SelectAndScatterMax(operand, source compute.Value, windowDimensions, windowStrides []int, paddings [][2]int) (compute.Value, error) {
	return f.selectAndScatter("SelectAndScatterMax", "GE", operand, source, windowDimensions, windowStrides, paddings)
}

func (f *function) SelectAndScatterMin(operand, source compute.Value, windowDimensions, windowStrides []int, paddings [][2]int) (compute.Value, error) {
	return f.selectAndScatter("SelectAndScatterMin", "LE", operand, source, windowDimensions, windowStrides, paddings)
}

// selectAndScatter adds each source element where its window selected: the
// gradient of a max or min pooling.
func (f *function) selectAndScatter(name string, better ir.Enum, operand, source compute.Value,
	windowDimensions, windowStrides []int, paddings [][2]int) (compute.Value, error) {
	e := f.begin(name)
	v, s := e.value(operand), e.value(source)
	e.sameDType(v, s)
	e.demand(number, v)
	if e.err != nil {
		return nil, e.err
	}
	d := v.Type.DType
	choose := e.region(scalars(d, 2), func(args []*ir.Value) []*ir.Value {
		return []*ir.Value{e.compare(better, false, args[0], args[1])}
	})
	attrs := e.window(v, windowDimensions, windowStrides, paddings)
	init := e.zero(d)
	return e.result(first(e.ops(ir.OpSelectAndScatter, attrs, []*ir.Block{choose, e.reduceBody(reduceSum, d)}, v, s, init)))
}
