package difftest_test

// This file runs ops on element types that XLA does not support for them, or crashed on.

import (
	"strings"
	"testing"
)

func TestTopKOfBooleans(t *testing.T) {
	runCases(t, []thread{{
		name: "true ones first, by place", in: []any{[]bool{false, true, false, true, true, false, false, false}}, want: []float64{1, 3, 0, 0, 1, 2},
		text: `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<2x4xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2x3xi32> {
    %0:2 = chlo.top_k(%a, k = 3) : tensor<2x4xi1> -> (tensor<2x3xi1>, tensor<2x3xi32>)
    %1 = stablehlo.convert %0#0 : (tensor<2x3xi1>) -> tensor<2x3xi32>
    %2 = stablehlo.constant dense<0> : tensor<2x3xi32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x3xi32>
    %4 = stablehlo.add %3, %0#1 : tensor<2x3xi32>
    return %4 : tensor<2x3xi32>
  }
}`,
	}})
}

// TestSignedRandomBits compares random bits of signed types. XLA on CPUs compared them as unsigned
// numbers.
func TestSignedRandomBits(t *testing.T) {
	for _, bits := range []string{"i8", "i16", "i32", "i64"} {
		runCases(t, []thread{{
			name: bits + ": the greatest first", in: []any{[]uint64{7, 11}}, want: []float64{1, 1, 1, 1, 1, 1, 1, 1},
			text: strings.ReplaceAll(`module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%s: tensor<2xui64>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x9xBITS>)
    %1:2 = chlo.top_k(%0#1, k = 9) : tensor<8x9xBITS> -> (tensor<8x9xBITS>, tensor<8x9xi32>)
    %2 = stablehlo.slice %1#0 [0:8, 0:8] : (tensor<8x9xBITS>) -> tensor<8x8xBITS>
    %3 = stablehlo.slice %1#0 [0:8, 1:9] : (tensor<8x9xBITS>) -> tensor<8x8xBITS>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xBITS>, tensor<8x8xBITS>) -> tensor<8x8xi1>
    %5 = stablehlo.convert %4 : (tensor<8x8xi1>) -> tensor<8x8xf32>
    %6 = stablehlo.constant dense<1.0> : tensor<f32>
    %7 = stablehlo.reduce(%5 init: %6) applies stablehlo.minimum across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    return %7 : tensor<8xf32>
  }
}`, "BITS", bits),
		}})
	}
}

// TestSignedLeadingZeros counts leading zeros of negative constants. XLA counted those of the
// number with 64 bits.
func TestSignedLeadingZeros(t *testing.T) {
	for _, bits := range []string{"i8", "i16", "i32", "i64"} {
		runCases(t, []thread{{
			name: bits, want: []float64{0, 0, 0, 0},
			text: strings.ReplaceAll(`module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main() -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.constant dense<[-1, -2, -77, -128]> : tensor<4xBITS>
    %1 = stablehlo.count_leading_zeros %0 : tensor<4xBITS>
    %2 = stablehlo.convert %1 : (tensor<4xBITS>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}`, "BITS", bits),
		}})
	}
}

// parts returns the text of a program that applies op to the complex tensors %x and %y of 4
// elements on two devices. It returns the real part of the result plus 100 times the imaginary
// part.
func parts(op string) string {
	return `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
    %0 = ` + op + ` : tensor<4xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %2 = stablehlo.imag %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %3 = stablehlo.constant dense<100.0> : tensor<4xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<4xf32>
    %5 = stablehlo.add %1, %4 : tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}`
}

// TestComplexRemainder requires the right numbers of ops that XLA on CPUs does not support for
// complex numbers. On remainder it ended the process; of the others it computed only the real
// parts.
func TestComplexRemainder(t *testing.T) {
	in := []any{[]complex64{5 + 3i, -7, 1 + 2i, 1}, []complex64{2, 2i, 1 - 2i, 3}}
	runCases(t, []thread{
		{name: "remainder", text: parts("stablehlo.remainder %x, %y"), in: in, want: []float64{101, -1, 201, 1}},
		{name: "maximum", text: parts("stablehlo.maximum %x, %y"), in: in, want: []float64{305, 200, 201, 3}},
		{name: "minimum", text: parts("stablehlo.minimum %x, %y"), in: in, want: []float64{2, -7, -199, 1}},
	})
}

// TestUpperProduct requires the right numbers of chlo.mulhi, which XLA does not have.
func TestUpperProduct(t *testing.T) {
	runCases(t, []thread{{
		name: "i32", in: []any{[]int32{1 << 30, -1 << 31, -5, 7}, []int32{8, -1 << 31, 3, 9}}, want: []float64{2, 1 << 30, -1, 0},
		text: `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<4xi32>) -> tensor<4xi32> {
    %0 = chlo.mulhi %x, %y : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}`,
	}})
}

// TestConstantsDividedByZero requires StableHLO's results for constants divided by zero. XLA
// divided them at compile time, and ended the process.
func TestConstantsDividedByZero(t *testing.T) {
	text := `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %z = stablehlo.constant dense<0> : tensor<4xi32>
    %c = stablehlo.constant dense<7> : tensor<4xi32>
    %0 = stablehlo.OP %c, %z : tensor<4xi32>
    %1 = stablehlo.add %0, %a : tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}`
	in := []any{[]int32{0, 1, 2, 3}}
	runCases(t, []thread{
		{name: "divide", text: strings.Replace(text, "OP", "divide", 1), in: in, want: []float64{-1, 0, 1, 2}},
		{name: "remainder", text: strings.Replace(text, "OP", "remainder", 1), in: in, want: []float64{7, 8, 9, 10}},
		{name: "zero that XLA finds", text: strings.NewReplacer("OP", "divide", "constant dense<0>", "subtract %a, %a").Replace(text), in: in, want: []float64{-1, 0, 1, 2}},
	})
}
