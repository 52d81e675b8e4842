package trace_test

// This file lists the cases of ops_test.go for shaping, indexing, reducing,
// linear algebra and control flow.

import (
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

func shapeCases() []opCase {
	x := count[float32](1, 0, 2, 3)
	return []opCase{
		{op: "Constant", name: "matrix", build: func(f compute.Function, _ values) (values, error) {
			return one(f.Constant([]float32{1, 2, 3, 4, 5, 6}, 3, 2))
		}},
		{op: "Constant", name: "splat", build: func(f compute.Function, _ values) (values, error) {
			return one(f.Constant([]int32{5, 5, 5}, 3))
		}},
		{op: "Constant", name: "booleans", build: func(f compute.Function, _ values) (values, error) {
			return one(f.Constant([]bool{true, false}, 2))
		}},
		{op: "Constant", name: "special floats", build: func(f compute.Function, _ values) (values, error) {
			return one(f.Constant([]float64{math.Inf(1), math.NaN(), math.Copysign(0, -1), 1e-310}, 4))
		}},
		{op: "Constant", name: "empty", build: func(f compute.Function, _ values) (values, error) {
			return one(f.Constant([]float32{}, 0, 2))
		}, want: []tensor{mat([]int{0, 2}, []float32{}...)}},
		{op: "Constant", name: "complex", build: func(f compute.Function, _ values) (values, error) {
			return one(f.Constant([]complex64{1 + 2i, 3}, 2))
		}, want: []tensor{vec[complex64](1+2i, 3)}},
		{op: "Iota", name: "axis 1", build: func(f compute.Function, _ values) (values, error) {
			return one(f.Iota(shapes.Make(dtypes.Int32, 2, 3), 1))
		}},
		{op: "BroadcastInDim", name: "new and repeated axes", in: []tensor{count[float32](1, 0, 3, 1)},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.BroadcastInDim(in[0], shapes.Make(dtypes.Float32, 2, 3, 4), []int{1, 2}))
			}},
		{op: "BroadcastInDim", name: "scalar", in: []tensor{scalar[float32](3)},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.BroadcastInDim(in[0], shapes.Make(dtypes.Float32, 2, 3), nil))
			}},
		{op: "Reshape", name: "2x3 to 3x2x1", in: []tensor{x}, build: reduce(compute.Function.Reshape, 3, 2, 1)},
		{op: "Reshape", name: "to a scalar", in: []tensor{vec[float32](3)}, build: reduce(compute.Function.Reshape)},
		{op: "Transpose", name: "three axes", in: []tensor{count[float32](1, 0, 2, 3, 4)}, build: reduce(compute.Function.Transpose, 2, 0, 1)},
		{op: "Reverse", name: "one axis", in: []tensor{x}, build: reduce(compute.Function.Reverse, 1)},
		{op: "Reverse", name: "both axes", in: []tensor{x}, build: reduce(compute.Function.Reverse, 0, 1)},
		{op: "Concatenate", name: "three", in: []tensor{x, count[float32](2, 1, 2, 1), x},
			build: func(f compute.Function, in values) (values, error) { return one(f.Concatenate(1, in...)) }},
		{op: "Concatenate", name: "one", in: []tensor{x},
			build: func(f compute.Function, in values) (values, error) { return one(f.Concatenate(1, in...)) }},
		{op: "Slice", name: "with strides", in: []tensor{count[float32](1, 0, 4, 7)},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.Slice(in[0], []int{1, 2}, []int{4, 7}, []int{2, 3}))
			}},
		{op: "Slice", name: "without strides", in: []tensor{x},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.Slice(in[0], []int{1, 0}, []int{2, 2}, nil))
			}},
		{op: "Pad", name: "all kinds", in: []tensor{x, scalar[float32](-1)},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.Pad(in[0], in[1], compute.PadAxis{Start: 1, End: 2}, compute.PadAxis{Start: 0, End: 1, Interior: 2}))
			}},
		{op: "Pad", name: "cropping, fewer axes", in: []tensor{count[float32](1, 0, 4, 2), scalar[float32](-1)},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.Pad(in[0], in[1], compute.PadAxis{Start: -1, End: 1}))
			}, want: []tensor{mat([]int{4, 2}, []float32{6, 1, 4, 7, 2, 5, -1, -1}...)}},
		{op: "Bitcast", name: "same size", in: []tensor{someFloats},
			build: func(f compute.Function, in values) (values, error) { return one(f.Bitcast(in[0], dtypes.Uint32)) }},
		{op: "Bitcast", name: "smaller", in: []tensor{vec[uint32](0xdeadbeef)},
			build: func(f compute.Function, in values) (values, error) { return one(f.Bitcast(in[0], dtypes.Uint16)) }},
		{op: "Bitcast", name: "larger", in: []tensor{mat([]int{1, 2}, []uint16{0xbeef, 0xdead}...)},
			build: func(f compute.Function, in values) (values, error) { return one(f.Bitcast(in[0], dtypes.Uint32)) }},
	}
}

func indexCases() []opCase {
	table := count[float32](1, 0, 5, 3)
	rows := mat([]int{4, 1}, []int32{4, 0, 0, 2}...)
	scatter := func(op func(f compute.Function, operand, indices, updates compute.Value, axis int, window, inserted, toOperand []int, sorted, unique bool) (compute.Value, error)) func(compute.Function, values) (values, error) {
		return func(f compute.Function, in values) (values, error) {
			return one(op(f, in[0], in[1], in[2], 1, []int{1}, []int{0}, []int{0}, false, false))
		}
	}
	updates := count[float32](0.5, -1, 4, 3)
	at := func(i, j int32) []tensor {
		return []tensor{count[int32](1, 0, 4, 5), scalar(i), scalar(j)}
	}
	slice := func(f compute.Function, in values) (values, error) {
		return one(f.DynamicSlice(in[0], in[1:], []int{2, 3}))
	}
	update := func(f compute.Function, in values) (values, error) {
		patch, err := f.Constant([]int32{-1, -2, -3, -4, -5, -6}, 2, 3)
		if err != nil {
			return nil, err
		}
		return one(f.DynamicUpdateSlice(in[0], patch, in[1:]))
	}
	// window returns the 2x3 window at (i, j) of the 4x5 matrix 0, 1, 2, …, and the matrix with the
	// window replaced by the patch.
	window := func(i, j int) (slice, patched tensor) {
		all := count[int32](1, 0, 4, 5).flat.([]int32)
		var s []int32
		p := slices.Clone(all)
		for r := range 2 {
			for c := range 3 {
				s = append(s, all[(i+r)*5+j+c])
				p[(i+r)*5+j+c] = int32(-1 - r*3 - c)
			}
		}
		return mat([]int{2, 3}, s...), mat([]int{4, 5}, p...)
	}
	in12, patch12 := window(1, 2)
	in22, patch22 := window(2, 2)
	return []opCase{
		{op: "Gather", name: "rows", in: []tensor{table, rows},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.Gather(in[0], in[1], 1, []int{1}, []int{0}, []int{0}, []int{1, 3}, false))
			}},
		{op: "Gather", name: "windows, out of bounds", in: []tensor{table, mat([]int{2, 2}, []int32{1, 1, 9, -5}...)},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.Gather(in[0], in[1], 1, []int{1, 2}, nil, []int{0, 1}, []int{2, 2}, false))
			}, want: []tensor{mat([]int{2, 2, 2}, []float32{14, 10, 2, 13, 9, 5, 12, 8}...)}},
		{op: "ScatterSum", name: "rows", in: []tensor{table, rows, updates}, build: scatter(compute.Function.ScatterSum)},
		{op: "ScatterMax", name: "rows", in: []tensor{table, rows, updates}, build: scatter(compute.Function.ScatterMax)},
		{op: "ScatterMin", name: "rows", in: []tensor{table, rows, updates}, build: scatter(compute.Function.ScatterMin)},
		{op: "DynamicSlice", name: "inside", in: at(1, 2), build: slice, want: []tensor{in12}},
		{op: "DynamicSlice", name: "clamped", in: at(3, 9), build: slice, want: []tensor{in22}},
		{op: "DynamicSlice", name: "indices in one vector", in: []tensor{count[int32](1, 0, 4, 5), vec[int32](1, 2)}, build: slice, want: []tensor{in12}},
		{op: "DynamicUpdateSlice", name: "inside", in: at(1, 2), build: update, want: []tensor{patch12}},
		{op: "DynamicUpdateSlice", name: "clamped", in: at(3, 9), build: update, want: []tensor{patch22}},
	}
}

func reduceCases() []opCase {
	type f = compute.Function
	x := count[float32](0.5, -3, 3, 4, 5)
	ints := count[int32](3, -5, 3, 4)
	bools := mat([]int{2, 3}, true, false, true, true, true, true)
	var out []opCase
	for _, c := range []struct {
		op string
		m  func(f, compute.Value, ...int) (compute.Value, error)
		in tensor
	}{
		{"ReduceSum", f.ReduceSum, x}, {"ReduceSum", f.ReduceSum, ints},
		{"ReduceProduct", f.ReduceProduct, count[float32](0.05, 0.7, 2, 3)},
		{"ReduceMax", f.ReduceMax, x}, {"ReduceMax", f.ReduceMax, ints},
		{"ReduceMin", f.ReduceMin, x}, {"ReduceMin", f.ReduceMin, ints},
		{"ReduceBitwiseAnd", f.ReduceBitwiseAnd, ints},
		{"ReduceBitwiseAnd", f.ReduceBitwiseAnd, mat([]int{2, 2}, []uint8{7, 6, 255, 12}...)},
		{"ReduceBitwiseOr", f.ReduceBitwiseOr, ints},
		{"ReduceBitwiseXor", f.ReduceBitwiseXor, ints},
		{"ReduceLogicalAnd", f.ReduceLogicalAnd, bools},
		{"ReduceLogicalOr", f.ReduceLogicalOr, bools},
		{"ReduceLogicalXor", f.ReduceLogicalXor, bools},
	} {
		shape := c.in.shape().String()
		out = append(out,
			opCase{op: c.op, name: "axis 1 of " + shape, in: []tensor{c.in}, build: reduce(c.m, 1), tol: 1e-5},
			opCase{op: c.op, name: "all of " + shape, in: []tensor{c.in}, build: reduce(c.m), tol: 1e-5})
	}
	argMinMax := func(name string, in tensor, axis int, isMin bool, want tensor) opCase {
		return opCase{op: "ArgMinMax", name: name, in: []tensor{in}, want: []tensor{want},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.ArgMinMax(in[0], axis, dtypes.Int32, isMin))
			}}
	}
	out = append(out,
		argMinMax("max", mat([]int{2, 3}, []float32{2, 0, 7, -3, 4, 2}...), 1, false, vec[int32](2, 1)),
		argMinMax("min", mat([]int{2, 3}, []float32{2, 0, 7, -3, 4, 2}...), 1, true, vec[int32](1, 0)),
		argMinMax("axis 0", mat([]int{2, 3}, []float32{2, 0, 7, -3, 4, 2}...), 0, false, vec[int32](0, 1, 0)),
		argMinMax("ties", mat([]int{2, 4}, []int32{1, 5, 5, 5, 0, 0, 0, 0}...), 1, false, vec[int32](1, 0)),
		argMinMax("NaN wins", mat([]int{2, 4}, 1, nan, 5, nan, inf, 2, nan, 1), 1, false, vec[int32](1, 2)),
		argMinMax("NaN wins for min", mat([]int{2, 4}, 1, nan, 5, nan, -inf, 2, nan, 1), 1, true, vec[int32](1, 2)),
		argMinMax("all -Inf", vec(-inf, -inf), 0, false, scalar[int32](0)),
	)
	window := func(by compute.ReduceOpType, size, strides, dilation, windowDilation []int, pad [][2]int) func(compute.Function, values) (values, error) {
		return func(f compute.Function, in values) (values, error) {
			return one(f.ReduceWindow(in[0], by, size, strides, dilation, windowDilation, pad))
		}
	}
	image := count[float32](0.25, -2, 1, 6, 6, 2)
	pool := []int{1, 2, 3, 1}
	pads := [][2]int{{0, 0}, {1, 0}, {0, 2}, {0, 0}}
	out = append(out,
		opCase{op: "ReduceWindow", name: "max, default strides", in: []tensor{image}, build: window(compute.ReduceOpMax, pool, nil, nil, nil, nil)},
		opCase{op: "ReduceWindow", name: "min, strides", in: []tensor{image}, build: window(compute.ReduceOpMin, pool, []int{1, 1, 2, 1}, nil, nil, nil)},
		opCase{op: "ReduceWindow", name: "sum, padding", in: []tensor{image}, build: window(compute.ReduceOpSum, pool, []int{1, 1, 2, 1}, nil, nil, pads)},
		opCase{op: "ReduceWindow", name: "product, dilations", in: []tensor{count[float32](0.1, 0.5, 1, 5, 5, 1)},
			build: window(compute.ReduceOpProduct, pool, []int{1, 1, 1, 1}, []int{1, 2, 1, 1}, []int{1, 1, 2, 1}, nil)},
	)
	small := mat([]int{1, 4, 4, 1}, []float32{1, 9, 3, 4, 5, 6, 8, 7, 2, 2, 0, 1, 3, 1, 4, 5}...)
	source := mat([]int{1, 2, 2, 1}, []float32{10, 20, 30, 40}...)
	two := []int{1, 2, 2, 1}
	return append(out,
		opCase{op: "SelectAndScatterMax", name: "2x2", in: []tensor{small, source},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.SelectAndScatterMax(in[0], in[1], two, two, nil))
			}, want: []tensor{mat([]int{1, 4, 4, 1}, []float32{0, 10, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 30, 0, 0, 40}...)}},
		opCase{op: "SelectAndScatterMin", name: "2x2, ties to the first", in: []tensor{small, source},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.SelectAndScatterMin(in[0], in[1], two, nil, nil))
			}, want: []tensor{mat([]int{1, 4, 4, 1}, []float32{10, 0, 20, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 30, 0, 0}...)}},
	)
}

func linearCases() []opCase {
	dot := func(lc, lb, rc, rb []int, config compute.DotGeneralConfig) func(compute.Function, values) (values, error) {
		return func(f compute.Function, in values) (values, error) {
			return one(f.DotGeneral(in[0], lc, lb, in[1], rc, rb, config))
		}
	}
	conv := func(axes compute.ConvolveAxesConfig, strides []int, pad [][2]int, dilation, kernelDilation []int, groups, batchGroups int) func(compute.Function, values) (values, error) {
		return func(f compute.Function, in values) (values, error) {
			return one(f.ConvGeneral(in[0], in[1], axes, strides, pad, dilation, kernelDilation, groups, batchGroups))
		}
	}
	channelsLast := compute.ConvolveAxesConfig{
		InputBatch: 0, InputChannels: 3, InputSpatial: []int{1, 2},
		KernelInputChannels: 2, KernelOutputChannels: 3, KernelSpatial: []int{0, 1},
		OutputBatch: 0, OutputChannels: 3, OutputSpatial: []int{1, 2},
	}
	image, kernel := count[float32](0.1, -1, 2, 5, 6, 4), count[float32](0.2, -0.5, 3, 2, 4, 3)
	bytes := func(in ...int8) tensor { return mat([]int{2, len(in) / 2}, in...) }
	// The features of the batch normalization cases are along axis 1.
	x := mat([]int{4, 2}, []float32{1, 10, 2, 20, 3, 30, 6, 40}...)
	scale, offset := vec[float32](2, -1), vec[float32](0.5, 3)
	mean, variance := vec[float32](3, 25), vec[float32](3.5, 125)
	const epsilon = 0.001
	normalized := normalize(x, scale, offset, mean, variance, epsilon)
	gradOutput := mat([]int{4, 2}, []float32{1, 0, -2, 1, 0.5, 0, 3, -1}...)
	gx, gs, gb := normalizeGradient(x, scale, mean, variance, gradOutput, epsilon)
	fft := func(kind compute.FFTType, length int) func(compute.Function, values) (values, error) {
		return func(f compute.Function, in values) (values, error) { return one(f.FFT(in[0], kind, []int{length})) }
	}
	return []opCase{
		{op: "DotGeneral", name: "matmul", in: []tensor{count[float32](0.1, -1, 3, 5), count[float32](0.2, 0, 5, 4)},
			build: dot([]int{1}, nil, []int{0}, nil, compute.DotGeneralConfig{}), tol: 1e-5},
		{op: "DotGeneral", name: "batch axes in other places", in: []tensor{count[float32](0.1, -1, 3, 2, 5), count[float32](0.2, 0, 5, 4, 2)},
			build: dot([]int{2}, []int{1}, []int{0}, []int{2}, compute.DotGeneralConfig{}), tol: 1e-5},
		{op: "DotGeneral", name: "two contracted axes", in: []tensor{count[float32](0.1, -1, 3, 2, 5), count[float32](0.2, 0, 5, 3, 2)},
			build: dot([]int{2, 0}, nil, []int{0, 1}, nil, compute.DotGeneralConfig{}), tol: 1e-5},
		{op: "DotGeneral", name: "i8 accumulated in i32", in: []tensor{bytes(100, 100, 100, -100, 50, 7), mat([]int{3, 1}, []int8{100, 100, 100}...)},
			build: dot([]int{1}, nil, []int{0}, nil, compute.DotGeneralConfig{AccumulatorDType: dtypes.Int32, OutputDType: dtypes.Int32}),
			want:  []tensor{mat([]int{2, 1}, []int32{30000, -4300}...)}},
		{op: "DotGeneral", name: "output type only", in: []tensor{count[float32](1, -1, 2, 3), count[float32](1, 0, 3, 2)},
			build: dot([]int{1}, nil, []int{0}, nil, compute.DotGeneralConfig{OutputDType: dtypes.Float64}),
			want:  []tensor{mat([]int{2, 2}, []float64{22, 10, 4, 13}...)}},
		{op: "ConvGeneral", name: "plain", in: []tensor{image, kernel}, build: conv(channelsLast, nil, nil, nil, nil, 1, 1), tol: 1e-5},
		{op: "ConvGeneral", name: "strides and padding", in: []tensor{image, kernel},
			build: conv(channelsLast, []int{2, 1}, [][2]int{{1, 1}, {0, 1}}, nil, nil, 1, 1), tol: 1e-5},
		{op: "ConvGeneral", name: "dilations", in: []tensor{image, kernel},
			build: conv(channelsLast, []int{1, 1}, [][2]int{{1, 1}, {0, 1}}, []int{2, 1}, []int{1, 2}, 1, 1), tol: 1e-5},
		{op: "ConvGeneral", name: "groups", in: []tensor{image, count[float32](0.2, -0.5, 3, 2, 2, 6)},
			build: conv(channelsLast, nil, nil, nil, nil, 2, 0), tol: 1e-5},
		{op: "FFT", name: "forward", in: []tensor{vec[complex64](1, 2, 3, 4)}, build: fft(compute.FFTForward, 4),
			want: []tensor{vec[complex64](10, -2+2i, -2, -2-2i)}},
		{op: "FFT", name: "inverse", in: []tensor{vec[complex64](10, -2+2i, -2, -2-2i)}, build: fft(compute.FFTInverse, 4),
			want: []tensor{vec[complex64](1, 2, 3, 4)}},
		{op: "FFT", name: "forward of reals", in: []tensor{vec[float32](1, 2, 3, 4)}, build: fft(compute.FFTForwardReal, 4),
			want: []tensor{vec[complex64](10, -2+2i, -2)}},
		{op: "FFT", name: "inverse to reals", in: []tensor{vec[complex64](10, -2+2i, -2)}, build: fft(compute.FFTInverseReal, 4),
			want: []tensor{vec[float32](1, 2, 3, 4)}},
		{op: "BatchNormForInference", name: "axis 1", in: []tensor{x, scale, offset, mean, variance},
			build: func(f compute.Function, in values) (values, error) {
				return one(f.BatchNormForInference(in[0], in[1], in[2], in[3], in[4], epsilon, 1))
			}, want: []tensor{normalized}, tol: 1e-5},
		{op: "BatchNormForTraining", name: "axis 1", in: []tensor{x, scale, offset},
			build: func(f compute.Function, in values) (values, error) {
				a, b, c, err := f.BatchNormForTraining(in[0], in[1], in[2], epsilon, -1)
				return values{a, b, c}, err
			}, want: []tensor{normalized, mean, variance}, tol: 1e-5},
		{op: "BatchNormGradient", name: "axis 1", in: []tensor{x, scale, mean, variance, gradOutput},
			build: func(f compute.Function, in values) (values, error) {
				a, b, c, err := f.BatchNormGradient(in[0], in[1], in[2], in[3], in[4], epsilon, 1)
				return values{a, b, c}, err
			}, want: []tensor{gx, gs, gb}, tol: 1e-5},
		{op: "RNGBitGenerator", name: "Philox", in: []tensor{vec[uint64](7, 11, 13)},
			build: func(f compute.Function, in values) (values, error) {
				a, b, err := f.RNGBitGenerator(in[0], shapes.Make(dtypes.Uint32, 4))
				return values{a, b}, err
			}, want: []tensor{vec[uint64](7, 12, 13), vec(philox(7, 11, 13)...)}},
	}
}

// philox returns the four random 32-bit numbers of Philox 4x32 with 10 rounds, for a 64-bit key and
// a 128-bit counter with the halves low and high. See Salmon et al., "Parallel Random Numbers: As
// Easy as 1, 2, 3", 2011.
func philox(key, low, high uint64) []uint32 {
	k0, k1 := uint32(key), uint32(key>>32)
	c := [4]uint32{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)}
	for range 10 {
		p0, p1 := uint64(c[0])*0xD2511F53, uint64(c[2])*0xCD9E8D57
		c = [4]uint32{uint32(p1>>32) ^ c[1] ^ k0, uint32(p1), uint32(p0>>32) ^ c[3] ^ k1, uint32(p0)}
		k0, k1 = k0+0x9E3779B9, k1+0xBB67AE85
	}
	return c[:]
}

// normalize returns (x - mean)/√(variance + ε)·scale + offset, where x is f32 and the other tensors
// have one element for each index of axis 1.
func normalize(x, scale, offset, mean, variance tensor, epsilon float64) tensor {
	c := x.dims[1]
	out := make([]float32, len(x.flat.([]float32)))
	for i, v := range x.flat.([]float32) {
		f := i % c
		n := (float64(v) - at(mean, f)) / math.Sqrt(at(variance, f)+epsilon)
		out[i] = float32(n*at(scale, f) + at(offset, f))
	}
	return tensor{x.dims, out}
}

// normalizeGradient returns the gradients of x, scale and offset of normalize, given v, that of its
// result, if mean and variance are those of x. x and v are matrices, with a column for each
// feature.
func normalizeGradient(x, scale, mean, variance, v tensor, epsilon float64) (dx, dScale, dOffset tensor) {
	n, c := x.dims[0], x.dims[1]
	gx, gs, gb := make([]float32, n*c), make([]float32, c), make([]float32, c)
	for f := range c {
		inverse := 1 / math.Sqrt(at(variance, f)+epsilon)
		var sum, dot float64
		for i := range n {
			sum += at(v, i*c+f)
			dot += at(v, i*c+f) * (at(x, i*c+f) - at(mean, f)) * inverse
		}
		for i := range n {
			normal := (at(x, i*c+f) - at(mean, f)) * inverse
			gx[i*c+f] = float32(at(scale, f) * inverse * (at(v, i*c+f) - sum/float64(n) - normal*dot/float64(n)))
		}
		gs[f], gb[f] = float32(dot), float32(sum)
	}
	return tensor{x.dims, gx}, vec(gs...), vec(gb...)
}

func at(x tensor, i int) float64 { return float64(x.flat.([]float32)[i]) }

func controlCases() []opCase {
	f32, i32 := shapes.Make(dtypes.Float32), shapes.Make(dtypes.Int32)
	x := vec[float32](3, -1, 2, 2, 0)
	return []opCase{
		{op: "OptimizationBarrier", name: "two", in: []tensor{x, someInts},
			build: func(f compute.Function, in values) (values, error) { return f.OptimizationBarrier(in...) }},
		{op: "OptimizationBarrier", name: "one", in: []tensor{x},
			build: func(f compute.Function, in values) (values, error) { return f.OptimizationBarrier(in...) }},
		{op: "SchedulingBarrier", name: "two dependencies", in: []tensor{x, someInts, someFloats},
			build: func(f compute.Function, in values) (values, error) { return one(f.SchedulingBarrier(in[0], in[1:]...)) }},
		{op: "SchedulingBarrier", name: "no dependency", in: []tensor{x},
			build: func(f compute.Function, in values) (values, error) { return one(f.SchedulingBarrier(in[0])) }},
		{op: "Call", name: "twice", in: []tensor{x}, build: func(f compute.Function, in values) (values, error) {
			square, err := f.Builder().NewFunction("square")
			if err != nil {
				return nil, err
			}
			err = define(square, []shapes.Shape{x.shape()}, func(c compute.Function, args values) (values, error) {
				return one(c.Mul(args[0], args[0]))
			})
			if err != nil {
				return nil, err
			}
			once, err := f.Call(square, in[0])
			if err != nil {
				return nil, err
			}
			return f.Call(square, once[0])
		}},
		{op: "While", name: "captures a value", in: []tensor{scalar[int32](0), scalar[float32](1), scalar[float32](1.5)},
			build: func(f compute.Function, in values) (values, error) {
				state := []shapes.Shape{i32, f32}
				cond, err := closure(f, state, func(c compute.Function, args values) (values, error) {
					five, err := c.Constant([]int32{5})
					if err != nil {
						return nil, err
					}
					return one(c.LessThan(args[0], five))
				})
				if err != nil {
					return nil, err
				}
				body, err := closure(f, state, func(c compute.Function, args values) (values, error) {
					step, err := c.Constant([]int32{1})
					if err != nil {
						return nil, err
					}
					i, err := c.Add(args[0], step)
					if err != nil {
						return nil, err
					}
					v, err := c.Mul(args[1], in[2])
					return values{i, v}, err
				})
				if err != nil {
					return nil, err
				}
				first, err := f.While(cond, body, in[0], in[1])
				if err != nil {
					return nil, err
				}
				again, err := f.While(cond, body, in[0], first[1]) // with the same closures again
				return append(first, again...), err
			}, want: []tensor{scalar[int32](5), scalar[float32](7.59375), scalar[int32](5), scalar(float32(math.Pow(1.5, 10)))}},
		{op: "If", name: "a constant of the other branch", in: []tensor{scalar(false), x},
			build: func(f compute.Function, in values) (values, error) {
				var shared compute.Value
				yes, err := closure(f, nil, func(c compute.Function, _ values) (v values, err error) {
					if shared, err = c.Constant([]float32{10}); err != nil {
						return nil, err
					}
					return one(c.Add(in[1], shared))
				})
				if err != nil {
					return nil, err
				}
				no, err := closure(f, nil, func(c compute.Function, _ values) (values, error) { return one(c.Mul(in[1], shared)) })
				if err != nil {
					return nil, err
				}
				return f.If(in[0], yes, no)
			}, want: []tensor{vec[float32](30, -10, 20, 20, 0)}},
		{op: "Sort", name: "one input, descending", in: []tensor{x}, build: sortBy(0, compute.Function.GreaterThan, f32)},
		{op: "Sort", name: "two inputs by the second", in: []tensor{vec[int32](0, 1, 2, 3, 4), x},
			build: sortBy(1, compute.Function.LessThan, i32, f32)},
		{op: "Sort", name: "two inputs of one type", in: []tensor{vec[float32](0, 1, 2, 3, 4), x},
			build: sortBy(1, compute.Function.LessThan, f32, f32)},
	}
}

// sortBy returns the function build of a case of Sort. It sorts all inputs together, along axis 0
// and stably, in the order that less gives for elements of the input with the number by. elements
// are the scalar shapes of the inputs.
func sortBy(by int, less func(compute.Function, compute.Value, compute.Value) (compute.Value, error), elements ...shapes.Shape) func(compute.Function, values) (values, error) {
	return func(f compute.Function, in values) (values, error) {
		var pairs []shapes.Shape
		for _, e := range elements {
			pairs = append(pairs, e, e)
		}
		comparator, err := closure(f, pairs, func(c compute.Function, args values) (values, error) {
			return one(less(c, args[2*by], args[2*by+1]))
		})
		if err != nil {
			return nil, err
		}
		return f.Sort(comparator, 0, true, in...)
	}
}
