package buffers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

// lifetimesOf returns the lifetimes of the buffers that ops of that kind in f make.
func lifetimesOf(f *ir.Func, kind ir.OpKind, model buffers.Model) []buffers.Lifetime {
	list := buffers.Assign(f, aliasNothing, model).Lifetimes
	return slices.DeleteFunc(list, func(l buffers.Lifetime) bool { return l.Op.Kind != kind })
}

// A TPU keeps one bit for each element of a convolution's result if the backward pass needs to know
// only which elements were positive. It packs the bits after the next collective, and frees the
// result. A GPU keeps the result.
func TestMasks(t *testing.T) {
	f := ir.MustParse(`module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<16x16x16x64xf32>, %k: tensor<3x3x64x128xf32>, %g: tensor<16x16x16x128xf32>) -> (tensor<16x8x8x128xf32>, tensor<16x16x16x128xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x64xf32>, tensor<3x3x64x128xf32>) -> tensor<16x16x16x128xf32>
  %z = stablehlo.constant dense<0.0> : tensor<16x16x16x128xf32>
  %1 = stablehlo.maximum %0, %z : tensor<16x16x16x128xf32>
  %2 = stablehlo.compare GT, %0, %z, FLOAT : (tensor<16x16x16x128xf32>, tensor<16x16x16x128xf32>) -> tensor<16x16x16x128xi1>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %3 = "stablehlo.reduce_window"(%1, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 1, 1, 1>, window_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<16x16x16x128xf32>, tensor<f32>) -> tensor<16x8x8x128xf32>
  %4 = spmd.all_reduce %3 axes={"x"} reduction=add : tensor<16x8x8x128xf32>
  %5 = spmd.all_reduce %g axes={"x"} reduction=add : tensor<16x16x16x128xf32>
  %6 = stablehlo.select %2, %5, %z : tensor<16x16x16x128xi1>, tensor<16x16x16x128xf32>
  return %4, %6 : tensor<16x8x8x128xf32>, tensor<16x16x16x128xf32>
}
}`).Main()
	const elements = 16 * 16 * 16 * 128
	masks := lifetimesOf(f, ir.OpCompare, buffers.TPU)
	require.Len(t, masks, 1)
	require.Equal(t, elements/8, masks[0].Bytes)
	results := lifetimesOf(f, ir.OpConvolution, buffers.TPU)
	require.NotEmpty(t, results)
	for _, l := range results {
		require.LessOrEqual(t, l.Last, masks[0].First)
	}
	steps := buffers.Assign(f, aliasNothing, buffers.TPU).Steps
	require.Equal(t, ir.OpSPMDAllReduce, steps[masks[0].First-1].Op.Kind, "the bits are packed after a collective")
	require.Empty(t, lifetimesOf(f, ir.OpCompare, buffers.GPU))
}

// A TPU computes what only convolutions read again in each of them, although the second one depends
// on the first.
func TestConvolvedAgain(t *testing.T) {
	const text = `func.func @main(%x: tensor<16x16x16x64xf32>, %y: tensor<16x16x16x64xf32>, %k: tensor<3x3x64x64xf32>) -> tensor<16x16x16x64xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<16x16x16x64xf32>
  %1 = stablehlo.OP(%0, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<16x16x16x64xf32>
  %2 = stablehlo.slice %1 [0:3, 0:3, 0:16, 0:64] : (tensor<16x16x16x64xf32>) -> tensor<3x3x16x64xf32>
  %3 = stablehlo.concatenate %2, %2, %2, %2, dim = 2 : (tensor<3x3x16x64xf32>, tensor<3x3x16x64xf32>, tensor<3x3x16x64xf32>, tensor<3x3x16x64xf32>) -> tensor<3x3x64x64xf32>
  %4 = stablehlo.OP(%0, %3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<16x16x16x64xf32>
  return %4 : tensor<16x16x16x64xf32>
}`
	f := ir.MustParse(strings.ReplaceAll(text, "OP", "convolution")).Main()
	require.Empty(t, lifetimesOf(f, ir.OpMultiply, buffers.TPU))
	require.Len(t, lifetimesOf(f, ir.OpMultiply, buffers.GPU), 1)
}

// A TPU updates weights and the optimizer's slots where the program does it, at its end, and all
// that depends on one gradient together. A GPU updates as soon as this frees memory.
func TestUpdatesAtEnd(t *testing.T) {
	f := ir.MustParse(`func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %m: tensor<64x64xf32>, %v: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = spmd.all_reduce %x axes={"x"} reduction=add : tensor<64x64xf32>
  %1 = spmd.all_reduce %w axes={"y"} reduction=add : tensor<64x64xf32>
  %2 = stablehlo.add %m, %0 : tensor<64x64xf32>
  %3 = stablehlo.subtract %m, %1 : tensor<64x64xf32>
  %4 = stablehlo.multiply %v, %0 : tensor<64x64xf32>
  %5 = stablehlo.divide %v, %1 : tensor<64x64xf32>
  return %2, %3, %4, %5 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}`).Main()
	order := func(model buffers.Model) (kinds []ir.OpKind) {
		for _, s := range buffers.Assign(f, aliasNothing, model).Steps {
			kinds = append(kinds, s.Op.Kind)
		}
		return kinds
	}
	require.Equal(t, []ir.OpKind{ir.OpSPMDAllReduce, ir.OpSPMDAllReduce, ir.OpAdd, ir.OpMultiply, ir.OpSubtract, ir.OpDivide}, order(buffers.TPU))
	require.NotEqual(t, order(buffers.TPU), order(buffers.GPU))
}

// A TPU converts to a narrower type before a loop if the loop slices and then converts. A GPU
// converts the slices.
func TestConvertedBeforeLoops(t *testing.T) {
	f := ir.MustParse(`func.func @main(%x: tensor<4x512x256xf32>, %w: tensor<256x128xbf16>) -> tensor<512x128xbf16> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
  %t = stablehlo.tanh %w : tensor<256x128xbf16>
  %n, %out = stablehlo.while(%i = %zero, %s = %sum) : tensor<i32>, tensor<512x128xbf16> cond {
    %c = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %a = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 512, 256] : (tensor<4x512x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x256xf32>
    %b = stablehlo.convert %a : (tensor<1x512x256xf32>) -> tensor<1x512x256xbf16>
    %r = stablehlo.reshape %b : (tensor<1x512x256xbf16>) -> tensor<512x256xbf16>
    %p = stablehlo.dot_general %r, %t, contracting_dims = [1] x [0] : (tensor<512x256xbf16>, tensor<256x128xbf16>) -> tensor<512x128xbf16>
    %e = stablehlo.add %s, %p : tensor<512x128xbf16>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %e : tensor<i32>, tensor<512x128xbf16>
  }
  return %out : tensor<512x128xbf16>
}`).Main()
	converted := func(model buffers.Model) (largest int) {
		for _, l := range lifetimesOf(f, ir.OpConvert, model) {
			if l.Type.DType == dtypes.BFloat16 {
				largest = max(largest, l.Bytes)
			}
		}
		return largest
	}
	require.Equal(t, 4*512*256*2, converted(buffers.TPU))
	require.LessOrEqual(t, converted(buffers.GPU), 512*256*2)
}

// The tiles of a convolution's images are over images and features, but of fewer than eight images
// over columns and features.
func TestTilesOfImages(t *testing.T) {
	for images, want := range map[string]int{"1": 28 * 32 * 128 * 2, "2": 2 * 28 * 32 * 128 * 2, "8": 8 * 28 * 28 * 128 * 2} {
		f := ir.MustParse(strings.ReplaceAll(`func.func @main(%x: tensor<Nx28x28x64xbf16>, %k: tensor<1x1x64x128xbf16>) -> tensor<128xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<Nx28x28x64xbf16>, tensor<1x1x64x128xbf16>) -> tensor<Nx28x28x128xbf16>
  %1 = stablehlo.convolution(%0, %0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<Nx28x28x128xbf16>, tensor<Nx28x28x128xbf16>) -> tensor<1x1x128x128xbf16>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x128x128xbf16>, tensor<bf16>) -> tensor<128xbf16>
  return %2 : tensor<128xbf16>
}`, "N", images)).Main()
		list := lifetimesOf(f, ir.OpConvolution, buffers.TPU)
		require.NotEmpty(t, list)
		require.Equal(t, want, list[0].Bytes, images)
	}
}

// In convolutions of four images a TPU divides each image into eight parts along the columns. Images
// under windows of three columns are in memory twice, the second time with both edges of each part.
// A convolution in strides of two and that of its gradient share one copy of their argument. Two
// copies join the parts before a mean over images.
func TestDividedImages(t *testing.T) {
	f := ir.MustParse(`func.func @main(%x: tensor<4x56x56x128xf32>, %k: tensor<1x1x128x128xbf16>, %w: tensor<3x3x128x128xbf16>, %g: tensor<4x28x28x128xbf16>) -> (tensor<4x128xf32>, tensor<1x1x128x128xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.convert %x : (tensor<4x56x56x128xf32>) -> tensor<4x56x56x128xbf16>
  %0 = stablehlo.convolution(%b, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x56x56x128xbf16>, tensor<1x1x128x128xbf16>) -> tensor<4x28x28x128xbf16>
  %1 = stablehlo.tanh %0 : tensor<4x28x28x128xbf16>
  %2 = stablehlo.convolution(%1, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x28x28x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<4x28x28x128xbf16>
  %3 = stablehlo.convert %2 : (tensor<4x28x28x128xbf16>) -> tensor<4x28x28x128xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x28x28x128xf32>, tensor<f32>) -> tensor<4x128xf32>
  %5 = stablehlo.slice %b [0:4, 0:55, 0:55, 0:128] : (tensor<4x56x56x128xbf16>) -> tensor<4x55x55x128xbf16>
  %6 = stablehlo.convolution(%5, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x55x55x128xbf16>, tensor<4x28x28x128xbf16>) -> tensor<1x1x128x128xbf16>
  return %4, %6 : tensor<4x128xf32>, tensor<1x1x128x128xbf16>
}`).Main()
	var got []string
	for _, l := range buffers.Assign(f, aliasNothing, buffers.TPU).Lifetimes {
		if l.Type.Rank() == 4 && l.Type.Size() > 1<<16 && l.Op.Kind != ir.OpConvert {
			got = append(got, fmt.Sprintf("%s %s %d", l.Op.Kind, l.Type.Short(), l.Bytes))
		}
	}
	slices.Sort(got)
	const part = 28 * 4 * 128 // elements of a column of the parts
	require.Equal(t, []string{
		fmt.Sprintf("stablehlo.convolution 4x28x28x128xbf16 %d", 28*part*2), // the argument %g, on the chip
		fmt.Sprintf("stablehlo.convolution 4x28x28x128xbf16 %d", 32*part*2),
		fmt.Sprintf("stablehlo.convolution 4x28x48x128xbf16 %d", 48*part*2),
		fmt.Sprintf("stablehlo.convolution 4x56x64x128xbf16 %d", 2*64*part*2),
		fmt.Sprintf("stablehlo.reduce 4x28x28x128xf32 %d", 32*part*4),
		fmt.Sprintf("stablehlo.reduce 4x28x28x128xf32 %d", 32*part*4),
		fmt.Sprintf("stablehlo.tanh 4x28x28x128xbf16 %d", 32*part*2),
	}, got)
}
