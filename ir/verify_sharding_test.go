package ir_test

// This file tests Verify with Shardy's ops and with shardings in texts. Shardy's verifier also
// refuses each of the invalid ones; TestCorpus of cmd/gospmd compares the two verifiers on other
// programs.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestVerifyShardy(t *testing.T) {
	computation := func(in, out, manual, arg, body string) string {
		return `%0 = sdy.manual_computation(%arg0) in_shardings=[` + in + `] out_shardings=[` + out + `] manual_axes={` + manual + `} (%arg1: ` + arg + `) {
  ` + body + `
} : (tensor<8x8xf32>) -> tensor<8x8xf32>`
	}
	const split, plain = `<@m, [{"a"}, {}]>`, `<@m, [{}, {}]>`
	for _, tc := range []struct {
		name, sharding, body string // name of the case; sharding of the parameter; the op that makes %0
		want                 string // part of the error; empty: valid
	}{
		{name: "axis twice", sharding: `<@m, [{"a"}, {"a"}]>`, want: `axis "a" is used already by dim 0`},
		{name: "rank", sharding: `<@m, [{"a"}]>`, want: "it is for 1 dimensions, the tensor has 2"},
		{name: "priority of an empty closed dim", sharding: `<@m, [{}p0, {}]>`, want: "priority 0 means nothing"},
		{name: "sub-axis that is whole", sharding: `<@m, [{"a":(1)2}, {}]>`, want: "is the full axis"},
		{name: "sub-axes that are one", sharding: `<@m, [{"b":(1)2, "b":(2)2}, {}]>`, want: "must be written as one"},
		{name: "order of replicated axes", sharding: `<@m, [{}, {}], replicated={"b", "a"}>`, want: "must stand in the order of the mesh"},
		{name: "one device", sharding: "<@one, []>"},
		{name: "one device with dims", sharding: "<@one, [{}, {}]>", want: "a value on device 1 alone"},
		{name: "barrier", body: "%0 = sdy.propagation_barrier %arg0 allowed_direction=BOTH : tensor<8x8xf32>", want: "BOTH, which blocks nothing"},
		{name: "edge", body: "%1 = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>\n%0 = sdy.data_flow_edge %1 : tensor<8x8xf32>"},
		{name: "edge of a constraint", body: "%1 = sdy.sharding_constraint %arg0 " + plain + " : tensor<8x8xf32>\n%0 = sdy.data_flow_edge %1 : tensor<8x8xf32>", want: "made by sdy.sharding_constraint"},
		{name: "edge beside another use", body: "%1 = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>\n%2 = sdy.data_flow_edge %1 : tensor<8x8xf32>\n%0 = stablehlo.add %1, %2 : tensor<8x8xf32>", want: "has 2 uses"},
		{name: "edge between functions", body: "%1 = stablehlo.add %arg0, %arg0 : tensor<8x8xf32>\n%0 = sdy.func_data_flow_edge %1 : tensor<8x8xf32>", want: "want a parameter of the function or the result of a call"},
		{name: "manual axes", body: computation(split, split, `"a"`, "tensor<4x8xf32>", "sdy.return %arg1 : tensor<4x8xf32>")},
		{name: "manual axes behind free ones", body: computation(`<@m, [{"b", "a"}, {}]>`, split, `"a"`, "tensor<4x8xf32>", "sdy.return %arg1 : tensor<4x8xf32>"), want: `manual axis "a" stands behind "b"`},
		{name: "manual axis that the mesh lacks", body: computation(plain, plain, `"x"`, "tensor<8x8xf32>", "sdy.return %arg1 : tensor<8x8xf32>"), want: `manual_axes: unknown axis "x"`},
		{name: "two meshes", body: computation(split, `<@n, [{"a"}, {}]>`, `"a"`, "tensor<4x8xf32>", "sdy.return %arg1 : tensor<4x8xf32>"), want: "want one"},
		{name: "manual axis in the body", body: computation(split, split, `"a"`, "tensor<4x8xf32>", "%1 = sdy.sharding_constraint %arg1 "+split+" : tensor<4x8xf32>\nsdy.return %1 : tensor<4x8xf32>"), want: `axis "a" is a manual axis of the sdy.manual_computation around it`},
		{name: "no result", body: "stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[" + plain + "]>} : (tensor<8x8xf32>) -> ()\n%0 = stablehlo.add %arg0, %arg0 : tensor<8x8xf32>", want: "there is no result to lay out"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := `sdy.mesh @m = <["a"=2, "b"=4]>
sdy.mesh @n = <["a"=2]>
sdy.mesh @one = <[], device_ids=[1]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}]>}) -> tensor<8x8xf32> {
%0 = stablehlo.add %arg0, %arg0 : tensor<8x8xf32>
return %0 : tensor<8x8xf32>
}`
			if tc.sharding != "" {
				text = strings.Replace(text, "<@m, [{?}, {?}]>", tc.sharding, 1)
			}
			if tc.body != "" {
				text = strings.Replace(text, "%0 = stablehlo.add %arg0, %arg0 : tensor<8x8xf32>", tc.body, 1)
			}
			m, err := ir.Parse(text)
			require.NoError(t, err)
			if tc.want == "" {
				require.NoError(t, ir.Verify(m))
				return
			}
			require.ErrorContains(t, ir.Verify(m), tc.want)
		})
	}
}
