package compile_test

// This file tests convolutions of patches of images, for a compiler that pads their channels.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
)

// Random convolutions of patches, and gradients of their kernels, with dimensions in any order, are
// products for a TPU with a limit of memory, and have the same results. Without a limit, for others,
// and with other windows they stay.
func TestConvolutionsOfPatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 28))
	for range longtest.Pick(30, 400) {
		gradient, other := rng.IntN(2) == 0, rng.IntN(4) == 0
		text := randomPatches(rng, gradient, other)
		plain, err := compileStep(t, text, compile.Options{})
		require.NoError(t, err, text)
		p, err := compileStep(t, text, compile.Options{Platform: hardware.TPU, MemoryLimit: 1 << 40})
		require.NoError(t, err, text)
		require.Equal(t, other, strings.Contains(p.Module.String(), "stablehlo.convolution"), text)
		require.Contains(t, plain.Module.String(), "stablehlo.convolution")
		client, inputs := openInterpreted(t, 1), numbersFor(plain)
		requireWithin(t, runOn(t, client, plain, inputs), runOn(t, client, p, inputs), otherOrder())
	}
	text := randomPatches(rng, false, false)
	for _, o := range []compile.Options{{Platform: hardware.TPU}, {Platform: hardware.CUDA, MemoryLimit: 1 << 40}} {
		p, err := compileStep(t, text, o)
		require.NoError(t, err)
		require.Contains(t, p.Module.String(), "stablehlo.convolution")
	}
}

// randomPatches returns the text of a convolution of patches, or of the gradient of its kernel. If
// other is true, it is another convolution: one with padding, or with many channels.
func randomPatches(rng *rand.Rand, gradient, other bool) string {
	const batch, channel = -1, -2
	spatial := 1 + rng.IntN(3)
	images, channels, features := 1+rng.IntN(3), 1+rng.IntN(8), 1+rng.IntN(5)
	sizes, numbers, strides, padding, dilation := make([]int, spatial), make([]int, spatial), make([]int, spatial), make([]int, spatial), make([]int, spatial)
	for i := range spatial {
		sizes[i], numbers[i] = 2+rng.IntN(2), 2+rng.IntN(2)
		strides[i], dilation[i] = sizes[i], 1
		if gradient {
			strides[i], dilation[i] = 1, sizes[i]
		}
	}
	window, result := sizes, numbers
	if gradient {
		window, result = numbers, sizes
	}
	result = slices.Clone(result)
	if other && rng.IntN(2) == 0 {
		channels = 9
	} else if other {
		padding[0] = 1 // on the left: one more window or none
		result[0] = (sizes[0]*numbers[0]+1-(window[0]-1)*dilation[0]-1)/strides[0] + 1
	}
	// an order of the dimensions of a tensor: spatial ones from 0 on, batch and channel
	shuffled := func() []int {
		order := []int{batch, channel}
		for i := range spatial {
			order = append(order, i)
		}
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		return order
	}
	tensor := func(order []int, first, second string, firstSize, secondSize int, sizes []int) (names string, t ir.Type) {
		var list []string
		var dims []int
		for _, d := range order {
			switch d {
			case batch:
				list, dims = append(list, first), append(dims, firstSize)
			case channel:
				list, dims = append(list, second), append(dims, secondSize)
			default:
				list, dims = append(list, strconv.Itoa(d)), append(dims, sizes[d])
			}
		}
		return "[" + strings.Join(list, ", ") + "]", ir.Tensor(dtypes.Float32, dims...)
	}
	all := make([]int, spatial)
	for i := range all {
		all[i] = sizes[i] * numbers[i]
	}
	kept, summed := images, channels // of the operand: in the result, and not
	if gradient {
		kept, summed = channels, images
	}
	xNames, x := tensor(shuffled(), "b", "f", kept, summed, all)
	kNames, k := tensor(shuffled(), "i", "o", summed, features, window)
	outNames, out := tensor(shuffled(), "b", "f", kept, features, result)
	list := func(n []int) string { return strings.Join(strings.Fields(fmt.Sprint(n)), ", ") }
	var pads []string
	for _, n := range padding {
		pads = append(pads, fmt.Sprintf("[%d, 0]", n))
	}
	return fmt.Sprintf(`func.func @main(%%x: %[1]s, %%k: %[2]s) -> %[3]s {
  %%0 = stablehlo.convolution(%%x, %%k) dim_numbers = %[4]sx%[5]s->%[6]s, window = {stride = %[7]s, pad = [%[8]s], rhs_dilate = %[9]s} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (%[1]s, %[2]s) -> %[3]s
  return %%0 : %[3]s
}`, x, k, out, xNames, kNames, outNames, list(strides), strings.Join(pads, ", "), list(dilation))
}
