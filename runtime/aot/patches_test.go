package aot_test

// This file tests convolutions of patches of images, whose few channels libtpu pads.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
)

// patchStep is the training step of one layer, a convolution of patches of 16x16 in images of three
// channels.
const patchStep = `func.func @main(%k: tensor<16x16x3x384xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x224x224x3xf32> {gospmd.role = "data"}) -> (tensor<16x16x3x384xf32>) {
  %b = stablehlo.convert %x : (tensor<8x224x224x3xf32>) -> tensor<8x224x224x3xbf16>
  %w = stablehlo.convert %k : (tensor<16x16x3x384xf32>) -> tensor<16x16x3x384xbf16>
  %y = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [16, 16]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x224x224x3xbf16>, tensor<16x16x3x384xbf16>) -> tensor<8x14x14x384xbf16>
  %h = stablehlo.tanh %y : tensor<8x14x14x384xbf16>
  %g = stablehlo.convolution(%b, %h) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {rhs_dilate = [16, 16]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x224x224x3xbf16>, tensor<8x14x14x384xbf16>) -> tensor<16x16x3x384xbf16>
  %d = stablehlo.convert %g : (tensor<16x16x3x384xbf16>) -> tensor<16x16x3x384xf32>
  %n = stablehlo.subtract %k, %d : tensor<16x16x3x384xf32>
  return %n : tensor<16x16x3x384xf32>
}`

// In micro-batches of one image libtpu stores the images with their three channels padded. Pass
// conv_patches, which a limit of memory runs, keeps it from that. If libtpu no longer does so, the
// target TPU needs no limit PadsChannels.
func TestPatches(t *testing.T) {
	longtest.Only(t, "it compiles a step twice")
	temporary := func(off ...string) int {
		m, err := ir.Parse(patchStep)
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{Platform: hardware.TPU, MicroBatches: 8, MemoryLimit: 1 << 40, Debug: pass.Debug{Off: off}})
		require.NoError(t, err)
		e, err := compileFor(t, p, "v5e:1x1")
		require.NoError(t, err)
		return e.Memory.Temporary
	}
	padded, products := temporary("conv_patches"), temporary()
	t.Logf("temporary values take %d bytes in convolutions, and %d in products", padded, products)
	require.Greater(t, padded, 10*8*224*224*3*2) // ten times the images
	require.Less(t, products, padded/8)
}
