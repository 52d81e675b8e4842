package goengine_test

// This file compares segments with the interpreter, and measures both.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// segmentCases are functions of two tensors x and y: the body, with $ for the element type, and the
// dimensions of the result. Each has a matrix product that is expensive enough for the backend, and
// together they have every op that a segment may hold.
var segmentCases = []struct{ name, body, result string }{
	{"product", `%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<140x150x$>, tensor<150x60x$>) -> tensor<140x60x$>`, "140x60"},
	{"transposed", `%0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<150x140x$>, tensor<60x150x$>) -> tensor<140x60x$>`, "140x60"},
	{"batched", `%0 = stablehlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [0, 2] x [2, 1] : (tensor<7x8x19x36x$>, tensor<8x19x7x40x$>) -> tensor<8x36x40x$>`, "8x36x40"},
	{"layer", `%a = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<140x150x$>, tensor<150x60x$>) -> tensor<140x60x$>
    %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<140x60x$>) -> tensor<60x140x$>
    %c = stablehlo.reshape %b : (tensor<60x140x$>) -> tensor<8400x$>
    %d = stablehlo.reshape %a : (tensor<140x60x$>) -> tensor<8400x$>
    %e = stablehlo.add %c, %d : tensor<8400x$>
    %f = stablehlo.subtract %e, %c : tensor<8400x$>
    %g = stablehlo.multiply %f, %e : tensor<8400x$>
    %three = stablehlo.constant dense<3.0> : tensor<8400x$>
    %h = stablehlo.divide %g, %three : tensor<8400x$>
    %i = stablehlo.negate %h : tensor<8400x$>
    %0 = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<8400x$>) -> tensor<2x8400x$>`, "2x8400"},
	{"kept for later", `%a = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<140x150x$>, tensor<150x60x$>) -> tensor<140x60x$>
    %b = stablehlo.add %a, %a : tensor<140x60x$>
    %c = stablehlo.tanh %b : tensor<140x60x$>
    %0 = stablehlo.multiply %c, %a : tensor<140x60x$>`, "140x60"},
}

// segmentModule returns a module whose main computes body, text in which $ stands for the element
// type, from two arguments of the types of the first op in body. result has the dimensions of the
// result, %0.
func segmentModule(t testing.TB, body, result, dtype string) *ir.Module {
	t.Helper()
	text := fmt.Sprintf("func.func @main(%%x: tensor<XX>, %%y: tensor<YY>) -> tensor<%sx$> {\n    %s\n    return %%0 : tensor<%sx$>\n}", result, body, result)
	types := typesOf(body)
	text = replaceAll(text, "XX", types[0], "YY", types[1], "$", dtype)
	m, err := ir.Parse(text)
	require.NoError(t, err, text)
	return m
}

func TestSegments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, dtype := range []string{"f32", "f64"} {
		for _, tc := range segmentCases {
			t.Run(tc.name+" "+dtype, func(t *testing.T) {
				p, err := compile.Compile(t.Context(), segmentModule(t, tc.body, tc.result, dtype), compile.Options{})
				require.NoError(t, err)
				args := [][]*interp.Tensor{nil}
				for _, in := range p.Inputs {
					args[0] = append(args[0], randomTensor(in.Type, rng))
				}
				fast, slow := run(t, p, goengine.Options{}, args), run(t, p, goengine.Options{Interpret: true}, args)
				e, err := goengine.Load(p, goengine.Options{})
				require.NoError(t, err)
				require.Equal(t, 1, goengine.Segments(e))
				got, want := numbers(fast[0][0]), numbers(slow[0][0])
				tolerance := map[string]float64{"f32": 1e-4, "f64": 1e-12}[dtype]
				largest := 1.0
				for _, v := range want {
					largest = max(largest, math.Abs(v))
				}
				for i := range want {
					require.LessOrEqual(t, math.Abs(got[i]-want[i]), tolerance*largest, "element %d", i)
				}
			})
		}
	}
}

func run(t testing.TB, p *program.Program, o goengine.Options, args [][]*interp.Tensor) [][]*interp.Tensor {
	t.Helper()
	e, err := goengine.Load(p, o)
	require.NoError(t, err)
	out, err := e.Run(args)
	require.NoError(t, err)
	return out
}

func randomTensor(t ir.Type, rng *rand.Rand) *interp.Tensor {
	values := make([]float64, t.Size())
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	flat := any(values)
	if t.DType == dtypes.Float32 {
		narrow := make([]float32, len(values))
		for i, v := range values {
			narrow[i] = float32(v)
		}
		flat = narrow
	}
	d, err := ir.DenseFromFlat(t, flat)
	if err != nil {
		panic(err)
	}
	return interp.FromDense(d)
}

func numbers(t *interp.Tensor) []float64 { return (&ir.Dense{Type: t.Type, Data: t.Data}).Float64s() }

// BenchmarkDot measures products of square matrices on GoMLX's backend and on the interpreter.
func BenchmarkDot(b *testing.B) {
	for _, size := range []int{32, 64, 128, 256, 512} {
		body := fmt.Sprintf("%%0 = stablehlo.dot_general %%x, %%y, contracting_dims = [1] x [0] : (tensor<%[1]dx%[1]dx$>, tensor<%[1]dx%[1]dx$>) -> tensor<%[1]dx%[1]dx$>", size)
		p, err := compile.Compile(b.Context(), segmentModule(b, body, fmt.Sprintf("%dx%d", size, size), "f32"), compile.Options{})
		require.NoError(b, err)
		rng := rand.New(rand.NewPCG(1, 2))
		args := [][]*interp.Tensor{{randomTensor(p.Inputs[0].Type, rng), randomTensor(p.Inputs[1].Type, rng)}}
		for _, o := range []goengine.Options{{}, {Interpret: true}} {
			e, err := goengine.Load(p, o)
			require.NoError(b, err)
			b.Run(fmt.Sprintf("%d/interpret %t", size, o.Interpret), func(b *testing.B) {
				for b.Loop() {
					if _, err := e.Run(args); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkConvolution measures a convolution on the interpreter, which computes it by matrix
// products, and on the backend, which computes it by loops. The interpreter is faster, so segments
// have no convolutions.
func BenchmarkConvolution(b *testing.B) {
	const text = `func.func @main(%x: tensor<8x28x28x16xf32>, %y: tensor<3x3x16x32xf32>) -> tensor<8x26x26x32xf32> {
    %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x28x28x16xf32>, tensor<3x3x16x32xf32>) -> tensor<8x26x26x32xf32>
    return %0 : tensor<8x26x26x32xf32>
  }`
	m, err := ir.Parse(text)
	require.NoError(b, err)
	p, err := compile.Compile(b.Context(), m, compile.Options{})
	require.NoError(b, err)
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := randomTensor(p.Inputs[0].Type, rng), randomTensor(p.Inputs[1].Type, rng)
	e, err := goengine.Load(p, goengine.Options{})
	require.NoError(b, err)
	b.Run("interpreter", func(b *testing.B) {
		for b.Loop() {
			_, err := e.Run([][]*interp.Tensor{{x, y}})
			require.NoError(b, err)
		}
	})

	backend := gobackend.GetBackend()
	builder := backend.Builder("convolution")
	f := builder.Main()
	var values []compute.Value
	var buffers []compute.Buffer
	for i, t := range []*interp.Tensor{x, y} {
		shape := shapes.Make(t.Type.DType, t.Type.Dims...)
		v, err := f.Parameter(fmt.Sprint("x", i), shape, nil)
		require.NoError(b, err)
		buffer, err := backend.BufferFromFlatData(0, interp.Flat(t), shape)
		require.NoError(b, err)
		values, buffers = append(values, v), append(buffers, buffer)
	}
	out, err := f.ConvGeneral(values[0], values[1], compute.ConvolveAxesConfig{
		InputBatch: 0, InputSpatial: []int{1, 2}, InputChannels: 3,
		KernelSpatial: []int{0, 1}, KernelInputChannels: 2, KernelOutputChannels: 3,
		OutputBatch: 0, OutputSpatial: []int{1, 2}, OutputChannels: 3,
	}, []int{1, 1}, [][2]int{{0, 0}, {0, 0}}, []int{1, 1}, []int{1, 1}, 1, 1)
	require.NoError(b, err)
	require.NoError(b, f.Return([]compute.Value{out}, nil))
	exe, err := builder.Compile()
	require.NoError(b, err)
	b.Run("backend", func(b *testing.B) {
		for b.Loop() {
			_, err := exe.Execute(buffers, []bool{false, false}, 0)
			require.NoError(b, err)
		}
	})
}

var operandTypes = regexp.MustCompile(`: \(tensor<([^>]*)>, tensor<([^>]*)>\)`)

// typesOf returns the texts of the types of the two operands of the first op in body.
func typesOf(body string) []string { return operandTypes.FindStringSubmatch(body)[1:] }

func replaceAll(text string, oldNew ...string) string {
	return strings.NewReplacer(oldNew...).Replace(replaceFirst(text, oldNew))
}

// replaceFirst returns text, with the first two pairs of oldNew replaced, an old name and its
// replacement each. The replacements contain other names, which stay.
func replaceFirst(text string, oldNew []string) string {
	return strings.NewReplacer(oldNew[:4]...).Replace(text)
}
