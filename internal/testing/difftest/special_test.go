package difftest_test

// This file reduces numbers whose usual neutral elements are not neutral. (1,0) times an infinite
// complex number is NaN, and 0.0 plus -0.0 is 0.0.

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// TestComplexProduct multiplies complex numbers. They have no neutral element, so all factors and
// the initial value must be multiplied exactly once, in their order.
func TestComplexProduct(t *testing.T) {
	inf := math.Inf(1)
	// a program on a sharded x, which starts from (2,1) and returns the real parts of %1
	of := func(lines string) string {
		return `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %i = stablehlo.constant dense<(2.0, 1.0)> : tensor<complex<f32>>
` + lines + `
    %2 = stablehlo.real %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}`
	}
	body := `({
    ^bb0(%p: tensor<complex<f32>>, %q: tensor<complex<f32>>):
      %r = stablehlo.multiply %p, %q : tensor<complex<f32>>
      stablehlo.return %r : tensor<complex<f32>>
    })`
	infinite := complex(0, float32(inf))
	runCases(t, []thread{{
		name: "reduce", in: []any{[]complex64{infinite, 1, 1 + 1i, 1 - 1i}}, want: []float64{-inf, 3, -inf, 3},
		text: of(`    %z = stablehlo.reshape %x : (tensor<4xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %0 = stablehlo.reduce(%z init: %i) applies stablehlo.multiply across dimensions = [0] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    %t = stablehlo.imag %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<4xcomplex<f32>>`),
	}, {
		name: "reduce_window", in: []any{[]complex64{1, 1, 1, infinite}}, want: []float64{2, 2, -inf, -inf},
		text: of(`    %1 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, padding = dense<[[0, 1]]> : tensor<1x2xi64>}> ` + body + ` : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>`),
	}})
}

// inverse returns the text of a program that returns 1/%1, which shows the sign of zeros. lines
// compute %1 from %x, a tensor of four numbers on two devices, and from the scalar %i.
func inverse(lines string) string {
	return `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<f32>) -> tensor<4xf32> {
` + lines + `
    %one = stablehlo.constant dense<1.0> : tensor<4xf32>
    %2 = stablehlo.divide %one, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}`
}

// scattered returns the text of a program that scatters 64 numbers of type dtype, sharded over two
// devices, into four, all into the second one. kind is the op that combines them, such as "add".
// part is the text of the ops that compute the result of the program, %1 of type tensor<4xf32>,
// from that of the scatter, %0. There are more updates than results, so the devices exchange
// results.
func scattered(kind, dtype, part string) string {
	return strings.NewReplacer("KIND", kind, "TYPE", dtype, "PART", part).Replace(`module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xTYPE>, %u: tensor<64xTYPE> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %i = stablehlo.constant dense<1> : tensor<64xi32>
    %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%p: tensor<TYPE>, %q: tensor<TYPE>):
      %r = stablehlo.KIND %p, %q : tensor<TYPE>
      stablehlo.return %r : tensor<TYPE>
    }) : (tensor<4xTYPE>, tensor<64xi32>, tensor<64xTYPE>) -> tensor<4xTYPE>
    PART
    return %1 : tensor<4xf32>
  }
}`)
}

// TestScatterCountsOperandAsItIs checks that a scatter with sharded updates keeps the bits of
// elements that it does not update. Only one device starts from the operand; the others start from
// the neutral element, such as 0 for a sum.
func TestScatterCountsOperandAsItIs(t *testing.T) {
	inf, zero := math.Inf(1), float32(math.Copysign(0, -1))
	units := make([]complex64, 64)
	for i := range units {
		units[i] = 1
	}
	runCases(t, []thread{{
		name: "product of complex numbers", text: scattered("multiply", "complex<f32>", "%1 = stablehlo.real %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>"),
		in: []any{[]complex64{complex(5, float32(inf)), 1, 2, 3}, units}, want: []float64{5, 1, 2, 3},
	}})
	onGo(t, []thread{{
		name: "sum", text: scattered("add", "f32", "%one = stablehlo.constant dense<1.0> : tensor<4xf32>\n    %1 = stablehlo.divide %one, %0 : tensor<4xf32>"),
		in: []any{numbers(zero, zero, 0, 0.5), ones(64)}, want: []float64{-inf, 1. / 64, inf, 2},
	}})
}

// onGo runs programs on the Go engine alone, and requires the right results. XLA's collectives on
// CPUs start from 0.0, and lose the sign of zeros.
func onGo(t *testing.T, cases []thread) {
	h := open(t, runtime.EngineGo)
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) { h.thread(t, tc) })
	}
}

// TestSumsOfNegativeZero sums negative zeros. A sum is -0.0 if all its terms are, also the initial
// value.
func TestSumsOfNegativeZero(t *testing.T) {
	inf, zero := math.Inf(1), float32(math.Copysign(0, -1))
	in := func(init float32) []any { return []any{numbers(zero, zero, zero, 1), numbers(init)} }
	sum := inverse(`    %z = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
    %0 = stablehlo.reduce(%z init: INIT) applies stablehlo.add across dimensions = [0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>`)
	literal := strings.Replace(sum, `    %z =`, "    %c = stablehlo.constant dense<-0.0> : tensor<f32>\n    %z =", 1)
	window := inverse(`    %1 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>`)
	onGo(t, []thread{
		{name: "reduce from -0.0", text: strings.Replace(literal, "INIT", "%c", 1), in: in(0), want: []float64{-inf, 1, -inf, 1}},
		{name: "reduce from an argument that is -0.0", text: strings.Replace(sum, "INIT", "%i", 1), in: in(zero), want: []float64{-inf, 1, -inf, 1}},
	})
	runCases(t, []thread{
		{name: "reduce from an argument that is 0.0", text: strings.Replace(sum, "INIT", "%i", 1), in: in(0), want: []float64{inf, 1, inf, 1}},
		{name: "reduce_window from -0.0", text: window, in: in(zero), want: []float64{-inf, -inf, -inf, 1}},
	})
}

// TestLookupOfNegativeZero looks an element up that is on one device. The other devices add the
// neutral element, whose parts must both be -0.0.
func TestLookupOfNegativeZero(t *testing.T) {
	inf, zero := math.Inf(1), float32(math.Copysign(0, -1))
	onGo(t, []thread{{
		name: "dynamic_slice", in: []any{[]complex64{complex(1, zero), complex(zero, 1), complex(zero, zero), complex(0, 0)}, []int32{1}}, want: []float64{1, -inf},
		text: `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<i32>) -> tensor<2xf32> {
    %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xcomplex<f32>>, tensor<i32>) -> tensor<2xcomplex<f32>>
    %1 = stablehlo.imag %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %one = stablehlo.constant dense<1.0> : tensor<2xf32>
    %2 = stablehlo.divide %one, %1 : tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}`,
	}})
}

// TestReductionsOfInfinitiesAndNaN requires that several devices compute what one device computes,
// for every width and every op.
func TestReductionsOfInfinitiesAndNaN(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	var in []float32 // four rows, one for each device
	for _, row := range [][]float32{
		{-inf, inf, 1, nan, 1, inf, 0, 1, nan, 1}, {-inf, inf, nan, 1, 2, 1, inf, 2, nan, 1},
		{-inf, inf, 2, 2, 3, -inf, 1, 3, nan, 1}, {-inf, inf, 3, 3, nan, 2, 1, 4, nan, -inf},
	} {
		in = append(in, row...)
	}
	text := `module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<4x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<10xTYPE> {
    %c = stablehlo.convert %a : (tensor<4x10xf32>) -> tensor<4x10xTYPE>
    %i = stablehlo.constant dense<INIT> : tensor<TYPE>
    %0 = stablehlo.reduce(%c init: %i) applies stablehlo.KIND across dimensions = [0] : (tensor<4x10xTYPE>, tensor<TYPE>) -> tensor<10xTYPE>
    return %0 : tensor<10xTYPE>
  }
}`
	onEngines(t, func(t *testing.T, h *harness) {
		for _, body := range [][2]string{{"add", "0.0"}, {"maximum", "-9.0"}, {"minimum", "9.0"}, {"multiply", "1.0"}} {
			for _, dtype := range []string{"f64", "f32", "f16", "bf16"} {
				t.Run(body[0]+" of "+dtype, func(t *testing.T) {
					m, err := ir.Parse(strings.NewReplacer("KIND", body[0], "TYPE", dtype, "INIT", body[1]).Replace(text))
					require.NoError(t, err)
					p := &randprog.Program{Module: m, Exact: []bool{true}}
					require.NoError(t, h.checkOn(p, []any{in}))
				})
			}
		}
	})
}

// TestPowersOfComplexZero requires the right powers of complex zeros. The Go engine panicked in
// math/cmplx.
func TestPowersOfComplexZero(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	runCases(t, []thread{{
		name: "which are numbers", in: []any{[]complex64{0, 0, 0, 0}, []complex64{complex(nan, inf), complex(inf, nan), complex(nan, 0), 2}}, want: []float64{0, 0, 0, 1},
		text: `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
    %0 = stablehlo.power %x, %y : tensor<4xcomplex<f32>>
    %1 = stablehlo.compare EQ, %0, %0 : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
    %2 = stablehlo.convert %1 : (tensor<4xi1>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}`,
	}})
}
