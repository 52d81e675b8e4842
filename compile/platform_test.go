package compile_test

// This file checks the modules for compilers of accelerators, and which passes run only for CPUs.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/target"
)

// For CPUs two sums, two gathers and two scatters are combined. StableHLO's reduce_scatters have
// one operand; the calls among devices that share memory have several. For accelerators each sum
// and each scatter has its own collective, and two small gathers have one. There are no channels. A
// program for XLA's partitioner has the same text for all.
func TestTextForAccelerators(t *testing.T) {
	m, err := ir.Parse(`sdy.mesh @mesh = <["x"=4]>
	func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
	    %c: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %d: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
	    -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
	        tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
	        tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
	  %z = stablehlo.constant dense<0.0> : tensor<f32>
	  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
	  %1 = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
	  %2 = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
	  %3 = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x12xf32>, tensor<f32>) -> tensor<12xf32>
	  return %0, %1, %a, %b, %2, %3 : tensor<6xf32>, tensor<2xf32>, tensor<8x6xf32>, tensor<8x2xf32>, tensor<4xf32>, tensor<12xf32>
	}`)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	count := func(text []byte, what string) int { return strings.Count(string(text), what) }
	require.Equal(t, target.CPU.Text(p), target.Of(hardware.CPU).Text(p))
	require.Equal(t, 1, count(target.CPU.Text(p), `"stablehlo.all_reduce"`))
	require.Equal(t, 1, count(target.CPU.Text(p), `"stablehlo.all_gather"`))
	require.Equal(t, 2, count(target.CPU.Text(p), `"stablehlo.reduce_scatter"`))
	shared := target.Share(p)
	require.False(t, shared.Waits)
	require.Equal(t, 3, count(shared.Text, target.SharedCall))
	require.Zero(t, count(target.CPU.Text(p), "channel_handle"))
	for _, platform := range []string{"tpu", "cuda"} {
		text := target.Of(platform).Text(p)
		require.Equal(t, 2, count(text, `"stablehlo.all_reduce"`))
		require.Equal(t, 1, count(text, `"stablehlo.all_gather"`), "small ones go together")
		require.Equal(t, 2, count(text, `"stablehlo.reduce_scatter"`))
		require.Zero(t, count(text, "channel_handle"))
		again, err := ir.Parse(string(text))
		require.NoError(t, err)
		require.NoError(t, ir.Verify(again))
	}
	annotated, err := compile.Compile(t.Context(), m, compile.Options{Partitioner: compile.XLA})
	require.NoError(t, err)
	require.Equal(t, target.CPU.Text(annotated), target.TPU.Text(annotated))
}

// Passes that help only XLA on CPUs, such as pooling, run for CPUs and if the platform is not
// known. Options.Platform counts before the machine's platform.
func TestPassesOfPlatforms(t *testing.T) {
	const pooled = `sdy.mesh @mesh = <["x"=4]>
	func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
	  %z = stablehlo.constant dense<0.0> : tensor<f32>
	  %0 = "stablehlo.select_and_scatter"(%x, %g, %z) ({
	    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
	      %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
	      stablehlo.return %1 : tensor<i1>
	  }, {
	    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
	      %1 = stablehlo.add %a, %b : tensor<f32>
	      stablehlo.return %1 : tensor<f32>
	  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<8x6xf32>, tensor<8x3xf32>, tensor<f32>) -> tensor<8x6xf32>
	  return %0 : tensor<8x6xf32>
	}`
	onTPU := *cost.Default()
	onTPU.Platform = "tpu"
	for _, tc := range []struct {
		options compile.Options
		stays   bool
	}{
		{compile.Options{}, false},
		{compile.Options{Platform: hardware.CPU}, false},
		{compile.Options{Machine: cost.Host()}, false},
		{compile.Options{Platform: "tpu"}, true},
		{compile.Options{Machine: &onTPU}, true},
		{compile.Options{Machine: cost.Host(), Platform: "cuda"}, true},
		{compile.Options{Machine: &onTPU, Platform: hardware.CPU}, false},
	} {
		m, err := ir.Parse(pooled)
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, tc.options)
		require.NoError(t, err)
		require.Equal(t, tc.stays, strings.Contains(string(target.CPU.Text(p)), "select_and_scatter"), "%+v", tc.options)
	}
}
