package interp_test

// This file compares small programs, a few for each family of ops, with values that follow from the
// StableHLO specification. Package goengine compares corner cases with XLA.

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// program is a test of the interpreter: the body of a function without arguments, which computes %r
// of type result, and the elements of %r that are wanted.
type program struct {
	name, result, body string
	want               []float64
}

var programs = map[string][]program{
	"element-wise": {
		{"integers wrap", "2xi8", `%a = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
			%b = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
			%r = stablehlo.add %a, %b : tensor<2xi8>`, []float64{-128, 127}},
		{"integers are divided towards zero", "2xi32", `%a = stablehlo.constant dense<[7, -7]> : tensor<2xi32>
			%b = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
			%r = stablehlo.divide %a, %b : tensor<2xi32>`, []float64{3, -3}},
		{"a remainder has the sign of the dividend", "2xi32", `%a = stablehlo.constant dense<[7, -7]> : tensor<2xi32>
			%b = stablehlo.constant dense<[-3, 3]> : tensor<2xi32>
			%r = stablehlo.remainder %a, %b : tensor<2xi32>`, []float64{1, -1}},
		{"a shift beyond the width leaves nothing", "2xui32", `%a = stablehlo.constant dense<[3, 3]> : tensor<2xui32>
			%b = stablehlo.constant dense<[1, 32]> : tensor<2xui32>
			%r = stablehlo.shift_left %a, %b : tensor<2xui32>`, []float64{6, 0}},
		{"halves round to even, or away from zero", "4xf32", `%a = stablehlo.constant dense<[2.5, -2.5]> : tensor<2xf32>
			%x = stablehlo.round_nearest_even %a : tensor<2xf32>
			%y = stablehlo.round_nearest_afz %a : tensor<2xf32>
			%r = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>`, []float64{2, -2, 3, -3}},
		{"bf16 is rounded after each op", "bf16", `%a = stablehlo.constant dense<256.0> : tensor<bf16>
			%b = stablehlo.constant dense<1.0> : tensor<bf16>
			%r = stablehlo.add %a, %b : tensor<bf16>`, []float64{256}},
		{"bits", "3xi32", `%a = stablehlo.constant dense<[0, 5, -1]> : tensor<3xi32>
			%r = stablehlo.popcnt %a : tensor<3xi32>`, []float64{0, 2, 32}},
	},
	"choice": {
		{"select", "2xf32", `%p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
			%a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
			%b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
			%r = stablehlo.select %p, %a, %b : tensor<2xi1>, tensor<2xf32>`, []float64{1, 4}},
		{"clamp", "3xi32", `%l = stablehlo.constant dense<0> : tensor<i32>
			%h = stablehlo.constant dense<5> : tensor<i32>
			%a = stablehlo.constant dense<[-2, 3, 9]> : tensor<3xi32>
			%r = stablehlo.clamp %l, %a, %h : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>`, []float64{0, 3, 5}},
		{"nothing equals NaN", "2xi1", `%a = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
			%r = stablehlo.compare EQ, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>`, []float64{0, 1}},
	},
	"conversion": {
		{"towards zero", "3xi32", `%a = stablehlo.constant dense<[1.9, -1.9, 0.5]> : tensor<3xf32>
			%r = stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xi32>`, []float64{1, -1, 0}},
		{"fewer bits", "ui8", `%a = stablehlo.constant dense<258> : tensor<i32>
			%r = stablehlo.convert %a : (tensor<i32>) -> tensor<ui8>`, []float64{2}},
		{"of bits", "i32", `%a = stablehlo.constant dense<1.0> : tensor<f32>
			%r = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<i32>`, []float64{0x3f800000}},
		{"the low half first", "2xui16", `%a = stablehlo.constant dense<65538> : tensor<ui32>
			%r = stablehlo.bitcast_convert %a : (tensor<ui32>) -> tensor<2xui16>`, []float64{2, 1}},
	},
	"data": {
		{"transpose", "3x2xi32", `%a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
			%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>`, []float64{1, 4, 2, 5, 3, 6}},
		{"broadcast", "2x2xi32", `%a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
			%r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xi32>) -> tensor<2x2xi32>`, []float64{1, 1, 2, 2}},
		{"slice by steps", "2xi32", `%a = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
			%r = stablehlo.slice %a [1:5:2] : (tensor<5xi32>) -> tensor<2xi32>`, []float64{2, 4}},
		{"pad between, and cut", "4xi32", `%a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
			%z = stablehlo.constant dense<0> : tensor<i32>
			%r = stablehlo.pad %a, %z, low = [-1], high = [0], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>`, []float64{0, 2, 0, 3}},
		{"reverse", "2x2xi32", `%a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
			%r = stablehlo.reverse %a, dims = [1] : tensor<2x2xi32>`, []float64{2, 1, 4, 3}},
		{"iota", "2x2xi32", `%r = stablehlo.iota dim = 1 : tensor<2x2xi32>`, []float64{0, 1, 0, 1}},
	},
	"index": {
		{"a start is clamped", "2xi32", `%a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
			%i = stablehlo.constant dense<9> : tensor<i32>
			%r = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>`, []float64{2, 3}},
		{"of an update too", "3xi32", `%a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
			%u = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
			%i = stablehlo.constant dense<-4> : tensor<i32>
			%r = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>`, []float64{7, 8, 3}},
		{"rows", "2x2xi32", `%a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
			%i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
			%r = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>`, []float64{5, 6, 1, 2}},
		{"updates out of range are dropped", "3xi32", `%a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
			%i = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi32>
			%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
			%r = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
			^bb0(%x: tensor<i32>, %y: tensor<i32>):
			  %s = stablehlo.add %x, %y : tensor<i32>
			  stablehlo.return %s : tensor<i32>
			}) : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>`, []float64{1, 2, 43}},
	},
	"contraction": {
		{"a batch of products", "2x1x1xi32", `%a = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
			%b = stablehlo.constant dense<[[[5], [6]], [[7], [8]]]> : tensor<2x2x1xi32>
			%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x1x2xi32>, tensor<2x2x1xi32>) -> tensor<2x1x1xi32>`, []float64{17, 53}},
		{"convolution with strides and padding", "1x2x1xf32", `%a = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
			%k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
			%r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>`, []float64{10, 32}},
		{"convolution of a reversed window", "1x2x1xf32", `%a = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
			%k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
			%r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>`, []float64{12, 23}},
		{"convolution of feature groups", "1x1x2xf32", `%a = stablehlo.constant dense<[[[2.0, 3.0]]]> : tensor<1x1x2xf32>
			%k = stablehlo.constant dense<[[[5.0, 7.0]]]> : tensor<1x1x2xf32>
			%r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>`, []float64{10, 21}},
		{"convolution of batch groups", "1x1x2xf32", `%a = stablehlo.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
			%k = stablehlo.constant dense<[[[5.0, 7.0]]]> : tensor<1x1x2xf32>
			%r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x1xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>`, []float64{10, 21}},
	},
	"reduction": {
		{"sum", "2xi32", `%a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
			%z = stablehlo.constant dense<100> : tensor<i32>
			%r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>`, []float64{103, 107}},
		{"windows", "2xi32", `%a = stablehlo.constant dense<[1, 5, 2, 4]> : tensor<4xi32>
			%z = stablehlo.constant dense<0> : tensor<i32>
			%r = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
			^bb0(%x: tensor<i32>, %y: tensor<i32>):
			  %s = stablehlo.maximum %x, %y : tensor<i32>
			  stablehlo.return %s : tensor<i32>
			}) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>`, []float64{5, 4}},
		{"the first of equals is selected", "4xi32", `%a = stablehlo.constant dense<[5, 5, 2, 4]> : tensor<4xi32>
			%s = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
			%z = stablehlo.constant dense<1> : tensor<i32>
			%r = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
			^bb0(%x: tensor<i32>, %y: tensor<i32>):
			  %p = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
			  stablehlo.return %p : tensor<i1>
			}, {
			^bb0(%x: tensor<i32>, %y: tensor<i32>):
			  %p = stablehlo.add %x, %y : tensor<i32>
			  stablehlo.return %p : tensor<i32>
			}) : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>`, []float64{11, 1, 1, 21}},
	},
	"order": {
		{"sort", "3xi32", `%a = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
			%r = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
			^bb0(%x: tensor<i32>, %y: tensor<i32>):
			  %p = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
			  stablehlo.return %p : tensor<i1>
			}) : (tensor<3xi32>) -> tensor<3xi32>`, []float64{3, 2, 1}},
	},
	"random bits": {
		// The known answers of Salmon et al. for zero keys and counters.
		{"Threefry-2x32", "2xui32", `%z = stablehlo.constant dense<0> : tensor<2xui64>
			%s, %r = stablehlo.rng_bit_generator %z, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)`, []float64{0x6b200159, 0x99ba4efe}},
		{"Philox-4x32", "4xui32", `%z = stablehlo.constant dense<0> : tensor<3xui64>
			%s, %r = stablehlo.rng_bit_generator %z, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)`, []float64{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{"the counter goes on", "3xui64", `%z = stablehlo.constant dense<[0, 18446744073709551615, 7]> : tensor<3xui64>
			%r, %b = stablehlo.rng_bit_generator %z, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)`, []float64{0, 1, 8}},
	},
	"linear algebra": {
		{"cholesky", "2x2xf64", `%a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf64>
			%r = stablehlo.cholesky %a, lower = true : tensor<2x2xf64>`, []float64{2, 0, 1, 2}},
		{"triangular solve", "2x1xf64", `%a = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf64>
			%b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf64>
			%r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>`, []float64{1, 2}},
		{"the transform of a cosine", "3xf64", `%a = stablehlo.constant dense<[1.0, 0.0, -1.0, 0.0]> : tensor<4xf64>
			%c = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
			%r = stablehlo.real %c : (tensor<3xcomplex<f64>>) -> tensor<3xf64>`, []float64{0, 2, 0}},
	},
	"batch normalization": {
		{"inference", "2x1xf64", `%a = stablehlo.constant dense<[[1.0], [5.0]]> : tensor<2x1xf64>
			%s = stablehlo.constant dense<2.0> : tensor<1xf64>
			%o = stablehlo.constant dense<1.0> : tensor<1xf64>
			%m = stablehlo.constant dense<3.0> : tensor<1xf64>
			%v = stablehlo.constant dense<4.0> : tensor<1xf64>
			%r = "stablehlo.batch_norm_inference"(%a, %s, %o, %m, %v) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<2x1xf64>`, []float64{-1, 3}},
	},
	"control": {
		{"while", "i32", `%z = stablehlo.constant dense<0> : tensor<i32>
			%r = stablehlo.while(%i = %z) : tensor<i32>
			cond {
			  %n = stablehlo.constant dense<5> : tensor<i32>
			  %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
			  stablehlo.return %p : tensor<i1>
			} do {
			  %two = stablehlo.constant dense<2> : tensor<i32>
			  %s = stablehlo.add %i, %two : tensor<i32>
			  stablehlo.return %s : tensor<i32>
			}`, []float64{6}},
		{"a case out of range is the last", "i32", `%n = stablehlo.constant dense<7> : tensor<i32>
			%r = "stablehlo.case"(%n) ({
			  %x = stablehlo.constant dense<1> : tensor<i32>
			  stablehlo.return %x : tensor<i32>
			}, {
			  %x = stablehlo.constant dense<2> : tensor<i32>
			  stablehlo.return %x : tensor<i32>
			}) : (tensor<i32>) -> tensor<i32>`, []float64{2}},
	},
}

func TestPrograms(t *testing.T) {
	for _, family := range slices.Sorted(maps.Keys(programs)) {
		for _, tc := range programs[family] {
			t.Run(family+"/"+tc.name, func(t *testing.T) {
				got, err := results(t, "func.func @main() -> tensor<"+tc.result+"> {\n"+tc.body+"\nreturn %r : tensor<"+tc.result+">\n}")
				require.NoError(t, err)
				require.InDeltaSlice(t, tc.want, got, 1e-12)
			})
		}
	}
}

// results runs the function main, without arguments, of the module with the given text, and returns
// the elements of its only result as float64. It returns an error of the compilation or of the run.
func results(t *testing.T, text string) ([]float64, error) {
	t.Helper()
	m, err := ir.Parse(text)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(m))
	code, err := interp.Compile(m)
	if err != nil {
		return nil, err
	}
	f := code.NewFrame(&interp.State{}, nil)
	if err := code.Exec(f); err != nil {
		return nil, err
	}
	out := code.Results(f)[0]
	return (&ir.Dense{Type: out.Type, Data: out.Data}).Float64s(), nil
}

func TestErrorsNameTheOp(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"a target that is not here", `%r = stablehlo.custom_call @elsewhere() : () -> tensor<f32>`, `the Go engine does not have the target "elsewhere"`},
		{"an op that is not known", `%r = "other.op"() : () -> tensor<f32>`, "the op is not known: the Go engine runs StableHLO"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := results(t, "func.func @main() -> tensor<f32> {\n"+tc.body+"\nreturn %r : tensor<f32>\n}")
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// TestEveryElementwiseOpRuns requires a kernel, for f32 or i32, for every element-wise op of one or
// two operands without required attributes.
func TestEveryElementwiseOpRuns(t *testing.T) {
	ir.EachOpInfo(func(info *ir.OpInfo) {
		required := slices.ContainsFunc(info.Attrs, func(a ir.AttrSpec) bool { return !a.Optional })
		if !info.Is(ir.Elementwise) || info.Infer == nil || required || info.Operands.Max > 2 {
			return // programs has them
		}
		runs := false
		for _, constant := range []string{"dense<1.0> : tensor<f32>", "dense<1> : tensor<i32>"} {
			_, typ, _ := strings.Cut(constant, " : ")
			m := ir.MustParse("func.func @main() -> " + typ + " {\n%a = stablehlo.constant " + constant + "\nreturn %a : " + typ + "\n}")
			a := m.Main().Body.First()
			operands := slices.Repeat([]*ir.Value{a.Result()}, info.Operands.Min)
			if _, err := ir.NewBuilder(m.Main().Body).After(a).Op(info.Kind, nil, operands...); err != nil {
				continue // not an op on that type
			}
			code, err := interp.Compile(m)
			runs = runs || err == nil && code.Exec(code.NewFrame(&interp.State{}, nil)) == nil
		}
		require.True(t, runs, "%s has no kernel: add one to elementwise.go or elementwise_float.go", info.Name)
	})
}
