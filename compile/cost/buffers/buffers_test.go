package buffers_test

// This file tests the rules that determine memory, one function for each. The bytes are those that
// XLA's buffer assignment has for the same function. benchmarks/memory compares whole programs.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

const kilo = 4 * 256 // bytes of a tensor<256xf32>

func aliasNothing(int) int { return -1 }

func TestAssign(t *testing.T) {
	for _, tc := range []struct {
		name, main string
		donated    func(int) int
		outputs    int
		temporary  int
	}{
		{"a chain is one kernel", `(%a: tensor<256xf32>) -> tensor<256xf32> {
  %0 = stablehlo.exponential %a : tensor<256xf32>
  %1 = stablehlo.tanh %0 : tensor<256xf32>
  return %1 : tensor<256xf32>
}`, aliasNothing, kilo, 0},
		{"what is expensive is computed once", `(%a: tensor<256xf32>, %w: tensor<256x256xf32>) -> tensor<256xf32> {
  %0 = stablehlo.exponential %a : tensor<256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<256xf32>
  return %2 : tensor<256xf32>
}`, aliasNothing, kilo, kilo},
		{"a long reduction reads its operand from memory", `(%a: tensor<256xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %a : tensor<256xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}`, aliasNothing, 4, kilo + 64},
		{"a short one computes it", `(%a: tensor<32xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %a : tensor<32xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}`, aliasNothing, 4, 0},
		{"a weight that a loop does not change has no second memory", loop("%s = stablehlo.dot_general %v, %w, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>"), aliasNothing, kilo, kilo + 64},
		{"what a loop computes of that weight alone is computed before the loop", loop(`%e = stablehlo.exponential %w : tensor<256x256xf32>
    %s = stablehlo.dot_general %v, %e, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>`), aliasNothing, kilo, 256*kilo + kilo + 64},
		{"a value that a loop needs after its successor is copied", loop(`%d = stablehlo.dot_general %v, %w, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %e = stablehlo.tanh %d : tensor<256xf32>
    %s = stablehlo.dot_general %e, %w, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>`), aliasNothing, kilo, kilo + 64},
		{"a sort works in the memory of its operand", `(%a: tensor<256xf32>) -> tensor<256xf32> {
  %0 = stablehlo.abs %a : tensor<256xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<256xf32>) -> tensor<256xf32>
  return %1 : tensor<256xf32>
}`, aliasNothing, kilo, 0},
		{"an update works in place in a donated input", `(%a: tensor<256xf32>, %u: tensor<1xf32>, %i: tensor<i32>) -> tensor<256xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<256xf32>, tensor<1xf32>, tensor<i32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}`, func(int) int { return 0 }, 0, 0},
		{"a donated input that is read after its output is made is copied", `(%a: tensor<256xf32>, %w: tensor<256x256xf32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
  %1 = stablehlo.negate %a : tensor<256xf32>
  return %1, %0 : tensor<256xf32>, tensor<256xf32>
}`, func(i int) int { return -i }, kilo + 16, kilo},
		{"dimensions in another order are transposed for a contraction", `(%a: tensor<16x8x4xf32>, %b: tensor<8x4x16xf32>) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2, 1] x [1, 0] : (tensor<16x8x4xf32>, tensor<8x4x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}`, aliasNothing, kilo, 2 * 2048},
		{"a product with a small vector computes the matrix", `(%a: tensor<16x8x4xf32>, %b: tensor<8x4xf32>) -> tensor<16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2, 1] x [1, 0] : (tensor<16x8x4xf32>, tensor<8x4xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}`, aliasNothing, 64, 0},
		{"of two branches the larger counts", `(%p: tensor<i1>, %a: tensor<256xf32>, %w: tensor<256x256xf32>) -> tensor<256xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.dot_general %a, %w, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %2 = stablehlo.dot_general %1, %w, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    stablehlo.return %2 : tensor<256xf32>
  }, {
    %3 = stablehlo.negate %a : tensor<256xf32>
    stablehlo.return %3 : tensor<256xf32>
  }) : (tensor<i1>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}`, aliasNothing, kilo, kilo},
		{"numbers of 16 bits are kept in the type that they are computed in", `(%a: tensor<256xbf16>, %w: tensor<256x256xbf16>) -> (tensor<256xbf16>, tensor<256xbf16>) {
  %0 = stablehlo.exponential %a : tensor<256xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [0] x [0] : (tensor<256xbf16>, tensor<256x256xbf16>) -> tensor<256xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<256xbf16>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [0] x [0] : (tensor<256xbf16>, tensor<256x256xbf16>) -> tensor<256xbf16>
  %4 = stablehlo.multiply %0, %3 : tensor<256xbf16>
  return %2, %4 : tensor<256xbf16>, tensor<256xbf16>
}`, aliasNothing, 2*512 + 16, 3 * kilo},
		{"what begins a new block of code is computed once for several users", `(%a: tensor<64x64xf32>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %a, %z, low = [0, 0], high = [64, 0], interior = [0, 0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<128x64xf32>
  %0 = stablehlo.multiply %p, %p : tensor<128x64xf32>
  %1 = stablehlo.add %0, %b : tensor<128x64xf32>
  %2 = stablehlo.subtract %p, %b : tensor<128x64xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<128x64xf32>
  %r = stablehlo.dot_general %1, %3, contracting_dims = [0] x [0] : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}`, aliasNothing, 16 * kilo, 64 * kilo},
		{"a scatter into zeros adds to the other operand of a sum", `(%a: tensor<64x64xf32>, %i: tensor<32x1xi32>, %u: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %s = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %q = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %q : tensor<f32>
  }) : (tensor<64x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %e = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = stablehlo.add %s, %e : tensor<64x64xf32>
  %r = stablehlo.dot_general %t, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}`, aliasNothing, 16 * kilo, 16 * kilo},
		{"two equal scatters into zeros add to two sums", `(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %i: tensor<32x1xi32>, %u: tensor<32x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %s = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %v = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %v : tensor<f32>
  }) : (tensor<64x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %t = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %v = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %v : tensor<f32>
  }) : (tensor<64x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %0 = stablehlo.add %a, %s : tensor<64x64xf32>
  %1 = stablehlo.add %b, %t : tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}`, aliasNothing, 32*kilo + 16, 0},
		{"an update of zeros adds to the other operand of a sum", `(%a: tensor<64x64xf32>, %i: tensor<i32>, %u: tensor<1x64xf32>) -> tensor<64x64xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.dynamic_update_slice %z, %u, %i, %zero : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<64x64xf32>
  %e = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = stablehlo.add %s, %e : tensor<64x64xf32>
  %r = stablehlo.dot_general %t, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}`, aliasNothing, 16 * kilo, 16 * kilo},
		{"16-bit weights that a loop reads are converted before it", `(%a: tensor<256xf32>, %w: tensor<3x256x256xbf16>) -> tensor<256xf32> {
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %i0, %v = %a) : tensor<i32>, tensor<256xf32>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %s = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 256, 256] : (tensor<3x256x256xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x256xbf16>
    %m = stablehlo.reshape %s : (tensor<1x256x256xbf16>) -> tensor<256x256xbf16>
    %f = stablehlo.convert %m : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %d = stablehlo.dot_general %v, %f, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    stablehlo.return %next, %d : tensor<i32>, tensor<256xf32>
  }
  return %r#1 : tensor<256xf32>
}`, aliasNothing, kilo, 3*256*kilo + kilo + 128},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := ir.MustParse("func.func @main" + tc.main).Main()
			a := buffers.Assign(f, donor(tc.donated, f), buffers.CPU)
			require.Equal(t, tc.outputs, a.Outputs, "outputs")
			require.Equal(t, tc.temporary, a.Temporary, "temporary")
			most := 0
			for _, s := range a.Steps {
				most = max(most, s.Temporary)
			}
			require.Equal(t, a.Temporary, most, "the highest step is the temporary memory")
		})
	}
}

// donor returns the function rule for f: it gives, for result i, the parameter whose memory the
// result takes over. An index behind the last parameter becomes the last one; -1 stays.
func donor(rule func(int) int, f *ir.Func) func(int) int {
	return func(i int) int { return min(rule(i), len(f.Params())-1) }
}

// loop returns the text of a function, after its name, with a loop of three iterations whose body
// computes %s from the carried %v and the weight %w, by the ops in body.
func loop(body string) string {
	return `(%a: tensor<256xf32>, %w0: tensor<256x256xf32>) -> tensor<256xf32> {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %start, %v = %a, %w = %w0) : tensor<i32>, tensor<256xf32>, tensor<256x256xf32>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    ` + body + `
    stablehlo.return %next, %s, %w : tensor<i32>, tensor<256xf32>, tensor<256x256xf32>
  }
  return %r#1 : tensor<256xf32>
}`
}

// A function with a loop has the same bytes of inputs and of outputs whether XLA runs instructions
// as soon as it can (CPU) or in program order (CPUInOrder).
func Example() {
	f := ir.MustParse("func.func @main" + loop("%s = stablehlo.tanh %v : tensor<256xf32>")).Main()
	for _, order := range []buffers.Model{buffers.CPU, buffers.CPUInOrder} {
		a := buffers.Assign(f, aliasNothing, order)
		fmt.Println(a.Inputs, a.Outputs)
	}
	// Output:
	// 263168 1024
	// 263168 1024
}
