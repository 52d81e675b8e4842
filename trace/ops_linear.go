package trace

// This file records dot products, convolutions, Fourier transforms, batch
// normalization and random bits.

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
)

// DotGeneral contracts axes. The result's axes are the batch axes, then those
// left of lhs, then those left of rhs. It accumulates in the configured
// element type and converts to the output's, which is by default that of the
// operands.
func (f *function) DotGeneral(lhs compute.Value, lhsContractingAxes, lhsBatchAxes []int,
	rhs compute.Value, rhsContractingAxes, rhsBatchAxes []int, config compute.DotGeneralConfig) (compute.Value, error) {
	e := f.begin("DotGeneral")
	x, y := e.value(lhs), e.value(rhs)
	e.sameDType(x, y)
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
	attrs := ir.Attrs{{Name: "dot_dimension_numbers", Value: &ir.DotDims{
		LHSBatch:       ints(lhsBatchAxes),
		RHSBatch:       ints(rhsBatchAxes),
		LHSContracting: ints(lhsContractingAxes),
		RHSContracting: ints(rhsContractingAxes),
	}}}
	v := e.op(ir.OpDotGeneral, attrs, x, y)
	if e.err == nil && accumulator != d {
		v.Type = v.Type.WithDType(accumulator) // StableHLO lets the result type choose
	}
	return e.result(e.convert(v, output))
}

// ConvGeneral is a convolution without window reversal (a cross-correlation).
func (f *function) ConvGeneral(input, kernel compute.Value, axes compute.ConvolveAxesConfig,
	strides []int, paddings [][2]int, inputDilations, kernelDilations []int, channelGroupCount, batchGroupCount int) (compute.Value, error) {
	e := f.begin("ConvGeneral")
	x, k := e.value(input), e.value(kernel)
	e.sameDType(x, k)
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

// FFT transforms the last axes.
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

// batchNorm records one of the batch normalization ops.
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

// RNGBitGenerator draws bits by Philox, the only algorithm that compute
// defines, from a state of three uint64.
func (f *function) RNGBitGenerator(state compute.Value, shape shapes.Shape) (newState, values compute.Value, err error) {
	e := f.begin("RNGBitGenerator")
	s, t := e.value(state), e.typeOf(shape)
	if e.err != nil {
		return nil, nil, e.err
	}
	op := e.b.Typed(ir.OpRngBitGenerator, ir.Attrs{{Name: "rng_algorithm", Value: ir.Enum("PHILOX")}}, []ir.Type{s.Type, t}, s)
	return op.Results[0], op.Results[1], nil
}
