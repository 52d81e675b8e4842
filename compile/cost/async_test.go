package cost_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The devices of a TPU wait for sums, for gathers that no product can run beside, and for others and
// for permutes as far as no kernels do. GPUs run all collectives beside kernels. The kernels of each
// program take less time than its collectives.
func TestWaits(t *testing.T) {
	const (
		sum     = `%s = spmd.all_reduce %a axes={"y"} reduction=add : tensor<8x8xf32>` + "\n"
		gather  = `%g = spmd.all_gather %a dim=1 axes={"y"} : (tensor<8x8xf32>) -> tensor<8x32xf32>` + "\n"
		other   = `%h = spmd.all_gather %b dim=0 axes={"y"} : (tensor<8x8xf32>) -> tensor<32x8xf32>` + "\n"
		shift   = `%p = spmd.shift %a axes={"y"} offset=1 : tensor<8x8xf32>` + "\n"
		product = `%d = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>` + "\n"
		after   = `%d = stablehlo.dot_general %p, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>` + "\n"
		besides = `%n = stablehlo.negate %b : tensor<8x8xf32>` + "\n"
		negated = `%d = stablehlo.negate %b : tensor<8x8xf32>` + "\n"

		square, wide, high = "tensor<8x8xf32>", "tensor<8x32xf32>", "tensor<32x8xf32>"
	)
	for _, tc := range []struct {
		name, body, results, types string
		tpu, gpu                   bool // whether the kernels run beside a collective
	}{
		{"a sum beside a product", sum + product, "%s, %d", square + ", " + square, false, true},
		{"a gather beside a product", gather + product, "%g, %d", wide + ", " + square, true, true},
		{"a gather beside an element-wise op", gather + negated, "%g, %d", wide + ", " + square, false, true},
		{"a permute beside an element-wise op", shift + negated, "%p, %d", square + ", " + square, true, true},
		{"a product that needs the permute", shift + after, "%d", square, false, false},
		{"a gather beside a product and another kernel", gather + product + besides, "%g, %d, %n", wide + ", " + square + ", " + square, true, true},
		{"two gathers beside one product", gather + other + product, "%g, %h, %d", wide + ", " + high + ", " + square, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, f := parse(t, "func.func @main(%a: "+square+", %b: "+square+") -> ("+tc.types+") {\n"+tc.body+"return "+tc.results+" : "+tc.types+"\n}")
			for platform, beside := range map[string]bool{"tpu": tc.tpu, "cuda": tc.gpu} {
				machine := slowMachine(true)
				machine.Platform = platform
				machine.Link.Bandwidth = .1
				p := machine.Predict(m.Meshes[0].Mesh, f)
				waits := 0.0
				for _, l := range p.Links {
					waits += l.Seconds
				}
				for _, k := range machine.Kernels(m.Meshes[0].Mesh, f) {
					if beside && k.Flops > 0 {
						waits -= k.Seconds
					}
				}
				require.InEpsilon(t, waits, p.Exposed, 1e-9, platform)
			}
		})
	}
}
