package cost_test

// This file tests what counts as the memory of a run. Package buffers tests the rules.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
)

func TestMemory(t *testing.T) {
	const kilo = 4 * 256 // bytes of a tensor<256xf32>
	for _, tc := range []struct {
		name, main string
		donated    []int // for each result the parameter whose memory it takes over, or -1
		want       cost.Usage
	}{
		{"element-wise chains are fused", `func.func @main(%a: tensor<256xf32>) -> tensor<256xf32> {
  %0 = stablehlo.abs %a : tensor<256xf32>
  %1 = stablehlo.negate %0 : tensor<256xf32>
  return %1 : tensor<256xf32>
}`, []int{-1}, cost.Usage{Inputs: kilo, Outputs: kilo}},
		{"an output takes its donor's memory", `func.func @main(%a: tensor<256xf32>) -> tensor<256xf32> {
  %0 = stablehlo.abs %a : tensor<256xf32>
  return %0 : tensor<256xf32>
}`, []int{0}, cost.Usage{Inputs: kilo}},
		{"a collective keeps operand and result", `func.func @main(%a: tensor<256xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.abs %a : tensor<256xf32>
  %1 = spmd.all_reduce %0 axes={"x"} reduction=add : tensor<256xf32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}`, []int{-1}, cost.Usage{Inputs: kilo, Outputs: 4, Temporary: 2 * kilo}},
		{"literals", `func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}`, []int{-1}, cost.Usage{Outputs: 8, Constants: 8}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, f := parse(t, tc.main)
			got := cost.Memory(f, func(i int) int { return tc.donated[i] })
			total := 0
			for _, h := range got.Live {
				total += h.Bytes
			}
			require.LessOrEqual(t, total, got.Temporary, "what is live is counted")
			require.Less(t, got.Temporary-total, 64*(len(got.Live)+1), "the rest is alignment")
			highest := 0
			for _, m := range got.Curve {
				highest = max(highest, m.Bytes)
			}
			require.Equal(t, got.Peak(), highest, "the curve's highest point is the peak")
			room := 0
			for _, l := range got.Lifetimes {
				require.LessOrEqual(t, l.First, l.Last)
				if l.Peak {
					room += l.Room
				}
			}
			require.Equal(t, got.Temporary, room, "what is in use at the peak")
			got.Live, got.Curve, got.Lifetimes = nil, nil, nil
			require.Equal(t, tc.want, got)
		})
	}
}
