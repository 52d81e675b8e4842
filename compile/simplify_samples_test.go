package compile_test

// This file has a program for each rewrite, and programs that no rewrite applies to.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
)

// rewriteSamples has at least one program for each rewrite: the text after "func.func public
// @main". numbers_test.go compares their results with and without simplify.
var rewriteSamples = []struct{ rule, text string }{
	{"gather by an iota along a batch dimension => gather with batching dims", `(%x: tensor<4x5x3xf32>, %i: tensor<4x2x1xi32>) -> tensor<4x2x3xf32> {
	  %0 = stablehlo.iota dim = 0 : tensor<4x2x1xi32>
	  %1 = stablehlo.concatenate %0, %i, dim = 2 : (tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x2xi32>
	  %2 = "stablehlo.gather"(%x, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<4x5x3xf32>, tensor<4x2x2xi32>) -> tensor<4x2x3xf32>
	  return %2 : tensor<4x2x3xf32>
	}`},
	{"gather by an iota along a batch dimension => gather with batching dims", `(%x: tensor<5x3x4xf32>, %i: tensor<2x4x1xi32>) -> tensor<2x4xf32> {
	  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
	  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<2x4x1xi32>
	  %2 = stablehlo.concatenate %i, %i, %1, dim = 2 : (tensor<2x4x1xi32>, tensor<2x4x1xi32>, tensor<2x4x1xi32>) -> tensor<2x4x3xi32>
	  %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1, 0, 2], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<5x3x4xf32>, tensor<2x4x3xi32>) -> tensor<2x4xf32>
	  return %3 : tensor<2x4xf32>
	}`},
	{"scatter by an iota along a batch dimension => scatter with batching dims", `(%x: tensor<4x5x3xf32>, %i: tensor<4x2x1xi32>, %u: tensor<4x2x3xf32>) -> tensor<4x5x3xf32> {
	  %0 = stablehlo.iota dim = 0 : tensor<4x2x1xi32>
	  %1 = stablehlo.concatenate %0, %i, dim = 2 : (tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x2xi32>
	  %2 = "stablehlo.scatter"(%x, %1, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.add %a, %b : tensor<f32> stablehlo.return %s : tensor<f32> }) : (tensor<4x5x3xf32>, tensor<4x2x2xi32>, tensor<4x2x3xf32>) -> tensor<4x5x3xf32>
	  return %2 : tensor<4x5x3xf32>
	}`},
	{"op on constants => constant", constants("add", "f32", "dense<[1.5, -0.0, 0x7F800000, 3.0e38]>", "dense<[0.1, 0.0, 1.0, 3.0e38]>")},
	{"op on constants => constant", constants("add", "i8", "dense<[127, -128, 0, 5]>", "dense<[1, -1, 0, -7]>")},
	{"op on constants => constant", constants("multiply", "i1", "dense<[true, true, false, false]>", "dense<[true, false, true, false]>")},
	{"op on constants => constant", constants("maximum", "i1", "dense<[true, true, false, false]>", "dense<[true, false, true, false]>")},
	{"op on constants => constant", constants("minimum", "i1", "dense<[true, true, false, false]>", "dense<[true, false, true, false]>")},
	{"op on constants => constant", constants("subtract", "ui8", "dense<[0, 255, 7, 1]>", "dense<[1, 255, 200, 0]>")},
	{"op on constants => constant", constants("subtract", "f64", "dense<[0.1, -0.0, 1.0e308, 0.3]>", "dense<[0.2, 0.0, -1.0e308, 0.1]>")},
	{"op on constants => constant", constants("multiply", "i32", "dense<[2147483647, -2147483648, 65536, 3]>", "dense<[2, -1, 65536, -5]>")},
	{"op on constants => constant", constants("multiply", "f32", "dense<[0.1, -0.0, 1.0e38, 1.0e-20]>", "dense<[0.1, 3.0, 1.0e38, 1.0e-10]>")},
	{"op on constants => constant", constants("multiply", "bf16", "dense<[1.5, -2.0, 0.0, 4.0]>", "dense<[2.0, 0.5, -1.0, 0.25]>")},
	{"op on constants => constant", constants("divide", "i32", "dense<[7, -7, 7, -7]>", "dense<[2, 2, -2, -2]>")},
	{"op on constants => constant", constants("divide", "ui32", "dense<[4294967295, 7, 0, 9]>", "dense<[2, 3, 5, 4294967295]>")},
	{"op on constants => constant", constants("divide", "f32", "dense<[1.0, -1.0, 2.0, 1.0e30]>", "dense<[3.0, 7.0, 0x7F800000, 0.0]>")},
	{"op on constants => constant", constants("maximum", "f32", "dense<[1.0, -1.0, 0.0, 0x7F800000]>", "dense<[3.0, -7.0, 0.0, 0.0]>")},
	{"op on constants => constant", constants("minimum", "ui16", "dense<[1, 65535, 0, 8]>", "dense<[3, 7, 0, 9]>")},
	{"op on constants => constant", constants("maximum", "i16", "dense<[1, -1, 0, 8]>", "dense<[3, -7, 0, 9]>")},
	{"op on constants => constant", constants("and", "ui32", "dense<[1, 65535, 0, 12]>", "dense<[3, 7, 0, 10]>")},
	{"op on constants => constant", constants("or", "i32", "dense<[1, -65535, 0, 12]>", "dense<[3, 7, 0, 10]>")},
	{"op on constants => constant", constants("xor", "i1", "dense<[true, true, false, false]>", "dense<[true, false, true, false]>")},
	{"op on constants => constant", `() -> tensor<4xi32> {
	  %0 = stablehlo.constant dense<[0, -1, 2147483647, -2147483648]> : tensor<4xi32>
	  %1 = stablehlo.not %0 : tensor<4xi32>
	  %2 = stablehlo.negate %1 : tensor<4xi32>
	  return %2 : tensor<4xi32>
	}`},
	{"op on constants => constant", `() -> (tensor<4xf32>, tensor<2xi1>) {
	  %0 = stablehlo.constant dense<[0.0, 2.0, 0x7F800000, 1.0e-20]> : tensor<4xf32>
	  %1 = stablehlo.sqrt %0 : tensor<4xf32>
	  %2 = stablehlo.negate %1 : tensor<4xf32>
	  %3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
	  %4 = stablehlo.not %3 : tensor<2xi1>
	  return %2, %4 : tensor<4xf32>, tensor<2xi1>
	}`},
	{"compare of constants => constant", `() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
	  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0]> : tensor<3xf32>
	  %1 = stablehlo.constant dense<[-0.0, 2.0, 1.0]> : tensor<3xf32>
	  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
	  %3 = stablehlo.constant dense<[1, 255, 7]> : tensor<3xui8>
	  %4 = stablehlo.constant dense<[2, 0, 7]> : tensor<3xui8>
	  %5 = stablehlo.compare GT, %3, %4, UNSIGNED : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
	  %6 = stablehlo.compare LE, %3, %4, UNSIGNED : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
	  return %2, %5, %6 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
	}`},
	{"convert of a constant => constant", convert("f32", "i32", "dense<[1.9, -1.9, 0.0, -0.5]>")},
	{"convert of a constant => constant", convert("i32", "i8", "dense<[127, 128, -129, 511]>")},
	{"convert of a constant => constant", convert("i32", "ui32", "dense<[-1, 1, 0, -2147483648]>")},
	{"convert of a constant => constant", convert("i32", "f32", "dense<[16777217, -16777219, 2147483647, 3]>")},
	{"convert of a constant => constant", convert("f64", "f32", "dense<[0.1, 1.0e300, -0.0, 2.0]>")},
	{"convert of a constant => constant", convert("f32", "i1", "dense<[0.1, -0.0, 0.0, 2.0]>")},
	{"convert of a constant => constant", convert("i1", "f16", "dense<[true, false, true, true]>")},
	{"convert of a constant => constant", convert("f32", "bf16", "dense<[1.5, -2.0, 0.0, 256.0]>")},

	{"x + 0 => x (integers); x + -0.0 => x", withConstant("add", "f32", "-0.0", false)},
	{"x + 0 => x (integers); x + -0.0 => x", withConstant("add", "f32", "-0.0", true)},
	{"x + 0 => x (integers); x + -0.0 => x", withConstant("add", "i32", "0", true)},
	{"x + 0 => x (integers); x + -0.0 => x", withConstant("add", "i1", "false", true)},
	{"x - 0 => x; x - 0.0 => x", withConstant("subtract", "f32", "0.0", false)},
	{"x - 0 => x; x - 0.0 => x", withConstant("subtract", "ui8", "0", false)},
	{"x * 1 => x", withConstant("multiply", "f32", "1.0", true)},
	{"x * 1 => x", withConstant("multiply", "i32", "1", false)},
	{"x * 1 => x", withConstant("multiply", "i1", "true", false)},
	{"x / 1 => x", withConstant("divide", "f32", "1.0", false)},
	{"x / 1 => x", withConstant("divide", "i32", "1", false)},
	{"x * 0 => 0 (integers)", withConstant("multiply", "i32", "0", true)},
	{"x and 0 => 0", withConstant("and", "i32", "0", false)},
	{"x and -1 => x", withConstant("and", "i32", "-1", false)},
	{"x and -1 => x", withConstant("and", "ui8", "255", false)},
	{"x and -1 => x", withConstant("and", "i1", "true", true)},
	{"x or 0 => x", withConstant("or", "ui8", "0", false)},
	{"x or -1 => -1", withConstant("or", "i1", "true", false)},
	{"x xor 0 => x", withConstant("xor", "i32", "0", true)},
	{"x << 0, x >> 0 => x", withConstant("shift_left", "i32", "0", false)},
	{"x << 0, x >> 0 => x", withConstant("shift_right_arithmetic", "i32", "0", false)},
	{"x << 0, x >> 0 => x", withConstant("shift_right_logical", "ui8", "0", false)},
	{"x op x => x", `(%x: tensor<16xf32>) -> tensor<16xf32> {
	  %0 = stablehlo.maximum %x, %x : tensor<16xf32>
	  %1 = stablehlo.minimum %0, %0 : tensor<16xf32>
	  return %1 : tensor<16xf32>
	}`},
	{"x op x => x", `(%x: tensor<16xi32>) -> tensor<16xi32> {
	  %0 = stablehlo.and %x, %x : tensor<16xi32>
	  %1 = stablehlo.or %0, %0 : tensor<16xi32>
	  return %1 : tensor<16xi32>
	}`},
	{"- - x => x", unaryTwice("negate", "f32")},
	{"- - x => x", unaryTwice("negate", "i32")},
	{"- - x => x", unaryTwice("negate", "ui8")},
	{"not not x => x", unaryTwice("not", "i1")},
	{"not not x => x", unaryTwice("not", "i32")},
	{"convert x to its own type => x", `(%x: tensor<16xf32>) -> tensor<16xf32> {
	  %0 = stablehlo.convert %x : tensor<16xf32>
	  return %0 : tensor<16xf32>
	}`},
	{"convert (convert x) => convert x, if the inner one keeps every value", convertVia("f32", "f64", "f32")},
	{"convert (convert x) => convert x, if the inner one keeps every value", convertVia("bf16", "f32", "f16")},
	{"convert (convert x) => convert x, if the inner one keeps every value", convertVia("i32", "i64", "i8")},
	{"convert (convert x) => convert x, if the inner one keeps every value", convertVia("ui8", "i32", "f32")},
	{"convert (convert x) => convert x, if the inner one keeps every value", convertVia("i1", "f32", "i1")},
	{"convert (convert x) => convert x, if the inner one keeps every value", convertVia("i1", "i32", "f32")},
	{"select p, x, x => x", `(%p: tensor<16xi1>, %x: tensor<16xf32>) -> tensor<16xf32> {
	  %0 = stablehlo.select %p, %x, %x : tensor<16xi1>, tensor<16xf32>
	  return %0 : tensor<16xf32>
	}`},
	{"select true, x, y => x; select false, x, y => y", `(%x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
	  %t = stablehlo.constant dense<true> : tensor<i1>
	  %f = stablehlo.constant dense<false> : tensor<16xi1>
	  %0 = stablehlo.select %t, %x, %y : tensor<i1>, tensor<16xf32>
	  %1 = stablehlo.select %f, %x, %y : tensor<16xi1>, tensor<16xf32>
	  return %0, %1 : tensor<16xf32>, tensor<16xf32>
	}`},

	{"reshape to the same shape => x", `(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
	  %0 = stablehlo.reshape %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
	  return %0 : tensor<4x4xf32>
	}`},
	{"reshape (reshape x) => reshape x", `(%x: tensor<4x4xf32>) -> tensor<2x8xf32> {
	  %0 = stablehlo.reshape %x : (tensor<4x4xf32>) -> tensor<16xf32>
	  %1 = stablehlo.reshape %0 : (tensor<16xf32>) -> tensor<2x8xf32>
	  return %1 : tensor<2x8xf32>
	}`},
	{"transpose that moves nothing => x", `(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
	  %0 = stablehlo.transpose %x, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>
	  return %0 : tensor<4x2xf32>
	}`},
	{"transpose (transpose x) => transpose x", `(%x: tensor<2x3x4xf32>) -> tensor<2x4x3xf32> {
	  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
	  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
	  return %1 : tensor<2x4x3xf32>
	}`},
	{"transpose (dot_general x, y) => dot_general y, x", `(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) -> tensor<3x2xf32> {
	  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0], precision = [HIGHEST, DEFAULT] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
	  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
	  return %1 : tensor<3x2xf32>
	}`},
	{"transpose (dot_general x, y) => dot_general y, x", `(%x: tensor<5x4x2x6xf32>, %y: tensor<4x5x3xf32>) -> tensor<5x3x2x6xf32> {
	  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<5x4x2x6xf32>, tensor<4x5x3xf32>) -> tensor<5x2x6x3xf32>
	  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<5x2x6x3xf32>) -> tensor<5x3x2x6xf32>
	  return %1 : tensor<5x3x2x6xf32>
	}`},
	{"broadcast to the same shape => x", `(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
	  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>
	  return %0 : tensor<4x2xf32>
	}`},
	{"broadcast (broadcast x) => broadcast x", `(%x: tensor<3xf32>) -> tensor<2x3x4xf32> {
	  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
	  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3x4xf32>
	  return %1 : tensor<2x3x4xf32>
	}`},
	{"broadcast (reshape x) => broadcast x, if the reshape only adds sizes 1", `(%x: tensor<3x2xf32>, %y: tensor<f32>) -> (tensor<3x4x2x5xf32>, tensor<2xf32>) {
	  %0 = stablehlo.reshape %x : (tensor<3x2xf32>) -> tensor<3x1x2x1xf32>
	  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<3x1x2x1xf32>) -> tensor<3x4x2x5xf32>
	  %2 = stablehlo.reshape %y : (tensor<f32>) -> tensor<1xf32>
	  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<2xf32>
	  return %1, %3 : tensor<3x4x2x5xf32>, tensor<2xf32>
	}`},
	{"slice of everything => x", `(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
	  %0 = stablehlo.slice %x [0:4, 0:2] : (tensor<4x2xf32>) -> tensor<4x2xf32>
	  return %0 : tensor<4x2xf32>
	}`},
	{"slice (slice x) => slice x", `(%x: tensor<20x7xf32>) -> tensor<3x2xf32> {
	  %0 = stablehlo.slice %x [3:20:2, 1:6] : (tensor<20x7xf32>) -> tensor<9x5xf32>
	  %1 = stablehlo.slice %0 [1:8:3, 2:5:2] : (tensor<9x5xf32>) -> tensor<3x2xf32>
	  return %1 : tensor<3x2xf32>
	}`},
	{"slice (slice x) => slice x", `(%x: tensor<20xf32>) -> tensor<0xf32> {
	  %0 = stablehlo.slice %x [3:20:2] : (tensor<20xf32>) -> tensor<9xf32>
	  %1 = stablehlo.slice %0 [9:9] : (tensor<9xf32>) -> tensor<0xf32>
	  return %1 : tensor<0xf32>
	}`},
	{"reverse (reverse x) => x; reverse of sizes 1 => x", `(%x: tensor<4x3x1xf32>) -> tensor<4x3x1xf32> {
	  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<4x3x1xf32>
	  %1 = stablehlo.reverse %0, dims = [1, 0] : tensor<4x3x1xf32>
	  %2 = stablehlo.reverse %1, dims = [2] : tensor<4x3x1xf32>
	  return %2 : tensor<4x3x1xf32>
	}`},
	{"pad by nothing => x", `(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {
	  %0 = stablehlo.pad %x, %y, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
	  return %0 : tensor<4xf32>
	}`},
	{"concatenate x => x", `(%x: tensor<4xf32>) -> tensor<4xf32> {
	  %0 = stablehlo.concatenate %x, dim = 0 : (tensor<4xf32>) -> tensor<4xf32>
	  return %0 : tensor<4xf32>
	}`},
	{"dynamic_slice of everything => x", `(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
	  %0 = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
	  return %0 : tensor<4xf32>
	}`},
	{"dynamic_update_slice of everything => update", `(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
	  %0 = stablehlo.dynamic_update_slice %x, %y, %i : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
	  return %0 : tensor<4xf32>
	}`},
	{"op on a constant with equal elements => constant", `() -> tensor<4x2xf32> {
	  %0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
	  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
	  %2 = stablehlo.reshape %1 : (tensor<2x8xf32>) -> tensor<4x4xf32>
	  %3 = stablehlo.slice %2 [0:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
	  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
	  %5 = stablehlo.reverse %4, dims = [1] : tensor<4x2xf32>
	  return %5 : tensor<4x2xf32>
	}`},
	{"reshape of a constant => constant", `() -> tensor<2x2xi32> {
	  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
	  %1 = stablehlo.reshape %0 : (tensor<4xi32>) -> tensor<2x2xi32>
	  return %1 : tensor<2x2xi32>
	}`},
}

// noRewriteSamples are programs that a rewrite might seem to apply to.
var noRewriteSamples = []struct{ name, text string }{
	{"adding 0.0 makes 0.0 of -0.0", withConstant("add", "f32", "0.0", false)},
	{"subtracting -0.0 makes 0.0 of -0.0", withConstant("subtract", "f32", "-0.0", false)},
	{"0 - x is not x", withConstant("subtract", "i32", "0", true)},
	{"1 / x is not x", withConstant("divide", "f32", "1.0", true)},
	{"0.0 times NaN is NaN", withConstant("multiply", "f32", "0.0", false)},
	{"complex times 1 is not exact", withConstant("multiply", "complex<f32>", "(1.0, 0.0)", false)},
	{"a transposed product that something else reads", `(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
	  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
	  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
	  return %1, %0 : tensor<3x2xf32>, tensor<2x3xf32>
	}`},
	{"a transpose among one operand's dimensions", `(%x: tensor<4x2x5xf32>, %y: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
	  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4x2x5xf32>, tensor<4x3xf32>) -> tensor<2x5x3xf32>
	  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x5x3xf32>) -> tensor<5x2x3xf32>
	  return %1 : tensor<5x2x3xf32>
	}`},
	{"a conversion that loses", convertVia("f32", "bf16", "f32")},
	{"a conversion that wraps", convertVia("i32", "i8", "i32")},
	{"a conversion that loses the sign", convertVia("i32", "ui64", "f32")},
	{"an integer that a float cannot hold", convertVia("i32", "f32", "i32")},
	{"division by zero is the device's", constants("divide", "i32", "dense<[7, -7, 7, -7]>", "dense<[2, 0, -2, -2]>")},
	{"so is the smallest number by -1", constants("divide", "i8", "dense<[7, -128, 7, -7]>", "dense<[2, -1, -2, -2]>")},
	{"so is the larger zero", constants("maximum", "f32", "dense<[1.0, 0.0, 7.0, -7.0]>", "dense<[2.0, -0.0, -2.0, -2.0]>")},
	{"so are NaN bits", constants("add", "f32", "dense<[1.0, 0xFF800000, 7.0, -7.0]>", "dense<[2.0, 0x7F800000, -2.0, -2.0]>")},
	{"so are subnormal numbers", constants("multiply", "f32", "dense<[1.0, 1.0e-20, 7.0, -7.0]>", "dense<[2.0, 1.0e-20, -2.0, -2.0]>")},
	{"so is how 16-bit floats round", constants("add", "bf16", "dense<[1.0, 1.0, 1.0, 1.0]>", "dense<[0.001, 0.001, 0.001, 0.001]>")},
	{"so is the sum of booleans", constants("add", "i1", "dense<[true, true, false, false]>", "dense<[true, false, true, false]>")},
	{"a float out of range", convert("f32", "i8", "dense<[1.0, 128.0, 0.0, 1.0]>")},
	{"a reshape that moves more than sizes 1", `(%x: tensor<2x3xf32>) -> tensor<3x2x4xf32> {
	  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2x1xf32>
	  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<3x2x1xf32>) -> tensor<3x2x4xf32>
	  return %1 : tensor<3x2x4xf32>
	}`},
	{"a pinned value", `(%x: tensor<16xf32>) -> tensor<16xf32> {
	  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{"a"}]>]>} : tensor<16xf32>
	  %1 = stablehlo.negate %0 : tensor<16xf32>
	  return %1 : tensor<16xf32>
	}`},
}

// constants returns the text of a function that applies op to two constants of four elements of
// dtype; a and b are texts such as dense<1.0>.
func constants(op, dtype, a, b string) string {
	t := "tensor<4x" + dtype + ">"
	return `() -> ` + t + ` {
	  %0 = stablehlo.constant ` + a + ` : ` + t + `
	  %1 = stablehlo.constant ` + b + ` : ` + t + `
	  %2 = stablehlo.` + op + ` %0, %1 : ` + t + `
	  return %2 : ` + t + `
	}`
}

// convert returns the text of a function that converts the constant a, a text such as dense<1.0>,
// of four elements from one element type to another.
func convert(from, to, a string) string {
	f, t := "tensor<4x"+from+">", "tensor<4x"+to+">"
	return `() -> ` + t + ` {
	  %0 = stablehlo.constant ` + a + ` : ` + f + `
	  %1 = stablehlo.convert %0 : (` + f + `) -> ` + t + `
	  return %1 : ` + t + `
	}`
}

// convertVia returns the text of a function that converts its argument, of 16 elements, from the
// type from to via, and from there to the type to.
func convertVia(from, via, to string) string {
	f, v, t := "tensor<16x"+from+">", "tensor<16x"+via+">", "tensor<16x"+to+">"
	return `(%x: ` + f + `) -> ` + t + ` {
	  %0 = stablehlo.convert %x : (` + f + `) -> ` + v + `
	  %1 = stablehlo.convert %0 : (` + v + `) -> ` + t + `
	  return %1 : ` + t + `
	}`
}

// withConstant returns the text of a function that applies op to a parameter and the constant
// dense<c>, both of 16 elements of dtype; the constant is first if swap is true.
func withConstant(op, dtype, c string, swap bool) string {
	t := "tensor<16x" + dtype + ">"
	operands := "%x, %c"
	if swap {
		operands = "%c, %x"
	}
	return `(%x: ` + t + `) -> ` + t + ` {
	  %c = stablehlo.constant dense<` + c + `> : ` + t + `
	  %0 = stablehlo.` + op + ` ` + operands + ` : ` + t + `
	  return %0 : ` + t + `
	}`
}

// unaryTwice returns the text of a function that applies op twice to its parameter, of 16 elements
// of dtype.
func unaryTwice(op, dtype string) string {
	t := "tensor<16x" + dtype + ">"
	return `(%x: ` + t + `) -> ` + t + ` {
	  %0 = stablehlo.` + op + ` %x : ` + t + `
	  %1 = stablehlo.` + op + ` %0 : ` + t + `
	  return %1 : ` + t + `
	}`
}

// parseSample returns the module of a sample, whose text is that of a function main after its name.
func parseSample(t testing.TB, text string) *ir.Module {
	m, err := ir.Parse("func.func public @main" + text)
	require.NoError(t, err, text)
	return m
}

func TestRewriteSamples(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range rewriteSamples {
		t.Run(s.rule, func(t *testing.T) {
			require.Contains(t, compile.RewritesIn(parseSample(t, s.text)), s.rule, s.text)
		})
		seen[s.rule] = true
	}
	for _, rule := range compile.Rewrites() {
		require.True(t, seen[rule], "rewrite %q has no sample", rule)
	}
}

func TestNoRewrite(t *testing.T) {
	for _, s := range noRewriteSamples {
		t.Run(s.name, func(t *testing.T) {
			require.Empty(t, compile.RewritesIn(parseSample(t, s.text)), s.text)
		})
	}
}
