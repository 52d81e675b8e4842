package trace

// This file records reductions and windowed reductions, dot products,
// convolutions, Fourier transforms, batch normalization and random bits.

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gospmd/gospmd/ir"
)

// reducer says how a reduction combines elements: the op, the element types that it takes, and the
// initial value.
type reducer struct {
	kind ir.OpKind
	want family
	init func(e *emitter, d dtypes.DType) *ir.Value
}

var (
	reduceSum     = reducer{ir.OpAdd, number, (*emitter).zero}
	reduceProduct = reducer{ir.OpMultiply, number, (*emitter).one}
	reduceMax     = reducer{ir.OpMaximum, anything, (*emitter).lowestValue}
	reduceMin     = reducer{ir.OpMinimum, anything, (*emitter).highestValue}

	reduceBitwiseAnd = reducer{ir.OpAnd, anyInt, (*emitter).allBits}
	reduceBitwiseOr  = reducer{ir.OpOr, anyInt, (*emitter).zero}
	reduceBitwiseXor = reducer{ir.OpXor, anyInt, (*emitter).zero}
	reduceLogicalAnd = reducer{ir.OpAnd, boolean, (*emitter).one}
	reduceLogicalOr  = reducer{ir.OpOr, boolean, (*emitter).zero}
	reduceLogicalXor = reducer{ir.OpXor, boolean, (*emitter).zero}
)

func (e *emitter) zero(d dtypes.DType) *ir.Value        { return e.scalar(d, 0) }
func (e *emitter) one(d dtypes.DType) *ir.Value         { return e.scalar(d, 1) }
func (e *emitter) lowestValue(d dtypes.DType) *ir.Value { return e.scalarOf(d, d.LowestValue()) }

// highestValue emits the greatest scalar of type d, and returns it: +Inf or, for integers, the
// largest number; for booleans, true.
func (e *emitter) highestValue(d dtypes.DType) *ir.Value {
	if d == dtypes.Bool {
		return e.one(d)
	}
	return e.scalarOf(d, d.HighestValue())
}

// allBits emits a scalar of the integer type d whose bits are all set, and returns it.
func (e *emitter) allBits(d dtypes.DType) *ir.Value {
	if d.IsUnsigned() {
		return e.highestValue(d)
	}
	return e.scalar(d, -1)
}

// reduceBody returns the region of a reduction of one operand with elements of type d: it combines
// two scalars by the reducer's op. It belongs to no op yet.
func (e *emitter) reduceBody(by reducer, d dtypes.DType) *ir.Block {
	return e.region(scalars(d, 2), func(args []*ir.Value) []*ir.Value {
		return []*ir.Value{e.op(by.kind, nil, args...)}
	})
}

// reduceDims returns the axes as dimensions counted from the front; if axes is empty, all
// dimensions of that rank. An axis out of range fails e.
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
	return e.result(e.reduce(by, e.value(x), axes))
}

// reduce emits a reduction of v over the axes, which it removes, and returns the result; if axes is
// empty, over all. It returns a scalar as it is. Element types that by does not take, and axes out
// of range, fail e.
func (e *emitter) reduce(by reducer, v *ir.Value, axes []int) *ir.Value {
	e.demand(by.want, v)
	if e.err != nil || v.Type.Rank() == 0 && len(axes) == 0 {
		return v
	}
	d := v.Type.DType
	dims := e.reduceDims(axes, v.Type.Rank())
	init := by.init(e, d)
	return first(e.ops(ir.OpReduce, ir.Attrs{{Name: "dimensions", Value: dims}}, []*ir.Block{e.reduceBody(by, d)}, v, init))
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

// ArgMinMax returns the index of the smallest or the greatest element along an axis, which may
// count from the back, as outputDType. It reduces pairs of an element and its index. NaN is
// preferred to all numbers, and of equal elements the one with the lowest index, as in NumPy, JAX
// and GoMLX. Errors are: an outputDType that is no integer type, a scalar, complex numbers, and an
// axis out of range.
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
	better, start := ir.Enum("GT"), e.lowestValue
	if isMin {
		better, start = "LT", e.highestValue
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

// pickBetter returns, element by element, the better of x and y, and its index. better is the
// direction, such as "GT". NaN is better than all numbers, and of equal elements the one with the
// lower index.
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

// windowReducers has, by kind of reduction, how ReduceWindow computes it.
var windowReducers = map[compute.ReduceOpType]reducer{
	compute.ReduceOpSum:     reduceSum,
	compute.ReduceOpProduct: reduceProduct,
	compute.ReduceOpMax:     reduceMax,
	compute.ReduceOpMin:     reduceMin,
}

// ReduceWindow returns the reduction of each window of the padded and dilated input. Lists have one
// element for each axis, or are empty: then the sizes of the window and the dilations are 1, the
// paddings are 0, and the strides are the sizes of the window. A scalar is returned as it is. A
// reduction other than Sum, Product, Max and Min, and lists of another length, are errors.
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

// window returns the attributes of a windowed op on v: the window's sizes, 1 if they are not given;
// the strides, equal to the sizes if they are not given; and the padding, 0 if it is not given.
// Lists of another length than v's rank fail e.
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

// padding returns the attribute padding of a windowed op on a tensor of that rank: a matrix with a
// low and a high amount for each dimension; without paddings they are zero.
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

// selectAndScatter records the gradient of max or min pooling: it adds each element of source at
// the position, in operand's shape, of the window's best element by better, such as "GE". name is
// the operation in errors. The defaults are those of window. Different element types, booleans, and
// a source that has not one element for each window are errors.
func (f *function) selectAndScatter(name string, better ir.Enum, operand, source compute.Value,
	windowDimensions, windowStrides []int, paddings [][2]int) (compute.Value, error) {
	e := f.begin(name)
	v, s := e.value(operand), e.value(source)
	e.requireSameDType(v, s)
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

// DotGeneral contracts axes of lhs and rhs. The result has the batch axes, then the remaining axes
// of lhs, then those of rhs. It is accumulated in the configured element type, then converted to
// the output element type; both are by default that of the operands. Operands of different element
// types, and axes that do not pair, are errors.
func (f *function) DotGeneral(lhs compute.Value, lhsContractingAxes, lhsBatchAxes []int,
	rhs compute.Value, rhsContractingAxes, rhsBatchAxes []int, config compute.DotGeneralConfig) (compute.Value, error) {
	e := f.begin("DotGeneral")
	x, y := e.value(lhs), e.value(rhs)
	e.requireSameDType(x, y)
	if e.err != nil {
		return nil, e.err
	}
	d := x.Type.DType
	accumulator, output := config.AccumulatorDType, config.OutputDType
	if output == dtypes.InvalidDType {
		output = d
	}
	if accumulator == dtypes.InvalidDType {
		accumulator = d
	}
	v := e.dot(x, lhsContractingAxes, lhsBatchAxes, y, rhsContractingAxes, rhsBatchAxes)
	if e.err == nil && accumulator != d {
		v.Type = v.Type.WithDType(accumulator) // in StableHLO the accumulator type is the result type
	}
	return e.result(e.convert(v, output))
}

// dot emits a general dot product of x and y, whose contracting and batch axes are given, and
// returns it: the batch axes, then the other axes of x, then those of y. The result has the element
// type of the operands.
func (e *emitter) dot(x *ir.Value, xContracting, xBatch []int, y *ir.Value, yContracting, yBatch []int) *ir.Value {
	return e.op(ir.OpDotGeneral, ir.Attrs{{Name: "dot_dimension_numbers", Value: &ir.DotDims{
		LHSBatch:       ints(xBatch),
		RHSBatch:       ints(yBatch),
		LHSContracting: ints(xContracting),
		RHSContracting: ints(yContracting),
	}}}, x, y)
}

// ConvGeneral returns the convolution of input and kernel without reversal of the window: a
// cross-correlation. Strides and dilations are 1, and paddings 0, if they are not given; a group
// count below 1 counts as 1. Different element types, lists of another length than the spatial
// axes, and what StableHLO does not allow are errors.
func (f *function) ConvGeneral(input, kernel compute.Value, axes compute.ConvolveAxesConfig,
	strides []int, paddings [][2]int, inputDilations, kernelDilations []int, channelGroupCount, batchGroupCount int) (compute.Value, error) {
	e := f.begin("ConvGeneral")
	x, k := e.value(input), e.value(kernel)
	e.requireSameDType(x, k)
	if e.err != nil {
		return nil, e.err
	}
	n := len(axes.InputSpatial)
	if len(paddings) != n && len(paddings) != 0 {
		e.failf("got %d paddings for %d spatial axes, want one for each (or none)", len(paddings), n)
		return nil, e.err
	}
	return e.result(e.op(ir.OpConvolution, ir.Attrs{
		{Name: "window_strides", Value: ints(orFill(strides, n, 1))},
		{Name: "padding", Value: padding(paddings, n)},
		{Name: "lhs_dilation", Value: ints(orFill(inputDilations, n, 1))},
		{Name: "rhs_dilation", Value: ints(orFill(kernelDilations, n, 1))},
		{Name: "dimension_numbers", Value: &ir.ConvDims{
			InputBatch: axes.InputBatch, InputFeature: axes.InputChannels, InputSpatial: ints(axes.InputSpatial),
			KernelInputFeature: axes.KernelInputChannels, KernelOutputFeature: axes.KernelOutputChannels, KernelSpatial: ints(axes.KernelSpatial),
			OutputBatch: axes.OutputBatch, OutputFeature: axes.OutputChannels, OutputSpatial: ints(axes.OutputSpatial),
		}},
		{Name: "feature_group_count", Value: ir.Int(max(1, channelGroupCount))},
		{Name: "batch_group_count", Value: ir.Int(max(1, batchGroupCount))},
	}, x, k))
}

var fftTypes = map[compute.FFTType]ir.Enum{
	compute.FFTForward:     "FFT",
	compute.FFTInverse:     "IFFT",
	compute.FFTForwardReal: "RFFT",
	compute.FFTInverseReal: "IRFFT",
}

// FFT returns the Fourier transform, of the given type, of the last axes of the operand, one for
// each element of fftLength. An unknown type, and an operand of another element type or size than
// the transform needs, are errors.
func (f *function) FFT(operand compute.Value, fftType compute.FFTType, fftLength []int) (compute.Value, error) {
	e := f.begin("FFT")
	v := e.value(operand)
	kind, ok := fftTypes[fftType]
	if !ok {
		e.failf("got FFT type %s, want one of Forward, Inverse, ForwardReal, InverseReal", fftType)
	}
	return e.result(e.op(ir.OpFFT, ir.Attrs{
		{Name: "fft_type", Value: kind},
		{Name: "fft_length", Value: ints(fftLength)},
	}, v))
}

// batchNorm records the batch normalization op of that kind on operands, and returns its results
// with the emitter, for further ops; nil if the emitter has failed. epsilon is what the op adds to
// the variance, and name the operation in errors. featureAxis may count from the back.
func (f *function) batchNorm(name string, kind ir.OpKind, epsilon float32, featureAxis int, operands ...compute.Value) (*emitter, []*ir.Value) {
	e := f.begin(name)
	values := e.values(operands)
	if e.err != nil {
		return e, nil
	}
	return e, e.ops(kind, ir.Attrs{
		{Name: "epsilon", Value: ir.Float(epsilon)},
		{Name: "feature_index", Value: ir.Int(e.axis(featureAxis, values[0].Type.Rank()))},
	}, nil, values...)
}

func (f *function) BatchNormForInference(operand, scale, offset, mean, variance compute.Value, epsilon float32, featureAxis int) (compute.Value, error) {
	e, results := f.batchNorm("BatchNormForInference", ir.OpBatchNormInference, epsilon, featureAxis, operand, scale, offset, mean, variance)
	return e.result(first(results))
}

func (f *function) BatchNormForTraining(operand, scale, offset compute.Value, epsilon float32, featureAxis int) (
	normalized, batchMean, batchVariance compute.Value, err error) {
	e, results := f.batchNorm("BatchNormForTraining", ir.OpBatchNormTraining, epsilon, featureAxis, operand, scale, offset)
	if e.err != nil {
		return nil, nil, nil, e.err
	}
	return results[0], results[1], results[2], nil
}

func (f *function) BatchNormGradient(operand, scale, mean, variance, gradOutput compute.Value, epsilon float32, featureAxis int) (
	gradOperand, gradScale, gradOffset compute.Value, err error) {
	e, results := f.batchNorm("BatchNormGradient", ir.OpBatchNormGrad, epsilon, featureAxis, operand, scale, mean, variance, gradOutput)
	if e.err != nil {
		return nil, nil, nil, e.err
	}
	return results[0], results[1], results[2], nil
}

// RNGBitGenerator returns the next state, and values of the given shape with random bits. The
// algorithm is Philox, the only one that package compute defines; a state is three uint64, which it
// does not check. A shape that cannot be recorded (typeOf) is an error.
func (f *function) RNGBitGenerator(state compute.Value, shape shapes.Shape) (newState, values compute.Value, err error) {
	e := f.begin("RNGBitGenerator")
	s, t := e.value(state), e.typeOf(shape)
	if e.err != nil {
		return nil, nil, e.err
	}
	op := e.b.OpWithTypes(ir.OpRngBitGenerator, ir.Attrs{{Name: "rng_algorithm", Value: ir.Enum("PHILOX")}}, []ir.Type{s.Type, t}, s)
	return op.Results[0], op.Results[1], nil
}
