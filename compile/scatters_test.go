package compile_test

// This file tests scatters over all devices, for a compiler that sums in their place.

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// For TPUs and a limit of memory a large scatter over all devices becomes two, which send as many
// bytes: over the first axes or parts of one, and over the others. Scatters over some of the
// devices, programs without a limit and those for GPUs stay as they are.
func TestTwoScatters(t *testing.T) {
	const limit = 16e9
	x, xy := mesh.FullAxes("x"), mesh.FullAxes("x", "y")
	for _, tc := range []struct {
		name, mesh string
		rows       []mesh.AxisRef // the axes of the batch and of the result's rows
		columns    int            // of the result
		platform   string
		limit      int
		want       [][]mesh.AxisRef // the axes of the scatters, in order
	}{
		{"one axis", `"x"=16`, x, 1024, hardware.TPU, limit, [][]mesh.AxisRef{{mesh.SubAxisRef("x", 1, 4)}, {mesh.SubAxisRef("x", 4, 4)}}},
		{"no square", `"x"=8`, x, 1024, hardware.TPU, limit, [][]mesh.AxisRef{{mesh.SubAxisRef("x", 1, 2)}, {mesh.SubAxisRef("x", 2, 4)}}},
		{"two axes", `"x"=2, "y"=8`, xy, 1024, hardware.TPU, limit, [][]mesh.AxisRef{{x[0], mesh.SubAxisRef("y", 1, 2)}, {mesh.SubAxisRef("y", 2, 4)}}},
		{"between axes", `"x"=2, "y"=4`, xy, 1024, hardware.TPU, limit, [][]mesh.AxisRef{x, {xy[1]}}},
		{"a prime", `"x"=7`, x, 1024, hardware.TPU, limit, [][]mesh.AxisRef{x}},
		{"a part", `"x"=4, "y"=4`, x, 1024, hardware.TPU, limit, [][]mesh.AxisRef{x}},
		{"no limit", `"x"=16`, x, 1024, hardware.TPU, 0, [][]mesh.AxisRef{x}},
		{"GPUs", `"x"=16`, x, 1024, hardware.CUDA, limit, [][]mesh.AxisRef{x}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var rows []string
			for _, a := range tc.rows {
				rows = append(rows, strconv.Quote(a.Name))
			}
			text := strings.NewReplacer("MESH", tc.mesh, "ROWS", strings.Join(rows, ", "), "COLUMNS", strconv.Itoa(tc.columns)).Replace(`sdy.mesh @mesh = <[MESH]>
func.func @main(%x: tensor<3584x1792xf32> {sdy.sharding = #sdy.sharding<@mesh, [{ROWS}, {}]>}, %y: tensor<3584xCOLUMNSxf32> {sdy.sharding = #sdy.sharding<@mesh, [{ROWS}, {}]>}) ->
    (tensor<1792xCOLUMNSxf32> {sdy.sharding = #sdy.sharding<@mesh, [{ROWS}, {}]>}) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<3584x1792xf32>, tensor<3584xCOLUMNSxf32>) -> tensor<1792xCOLUMNSxf32>
  return %0 : tensor<1792xCOLUMNSxf32>
}`)
			p, err := compileStep(t, text, compile.Options{Platform: tc.platform, MemoryLimit: tc.limit})
			require.NoError(t, err)
			var got [][]mesh.AxisRef
			sent := 0
			for op := range p.Module.Main().Body.Ops() {
				if op.Kind == ir.OpSPMDReduceScatter {
					got, sent = append(got, op.SPMDReduceScatter().Axes()), sent+cost.SentBytes(p.Mesh, op)
				}
			}
			require.Equal(t, tc.want, got)
			if n := p.Mesh.RefsSize(tc.rows); n == p.Mesh.Size() {
				require.Equal(t, 1792*tc.columns*4/n*(n-1), sent)
			}
		})
	}
}

// A scatter stays where a second collective takes longer to start than to send.
func TestSmallScatter(t *testing.T) {
	on, err := hardware.ParseTarget("v5e:4x4")
	require.NoError(t, err)
	for rows, want := range map[int]int{128: 1, 4096: 2} {
		m, err := ir.Parse(strings.ReplaceAll(`sdy.mesh @mesh = <["x"=16]>
func.func @main(%x: tensor<131072xROWSxf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<ROWSxROWSxf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<131072xROWSxf32>, tensor<131072xROWSxf32>) -> tensor<ROWSxROWSxf32>
  return %0 : tensor<ROWSxROWSxf32>
}`, "ROWS", strconv.Itoa(rows)))
		require.NoError(t, err)
		machine, err := cost.MachineFor(on, m.Meshes[0].Mesh)
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{Platform: hardware.TPU, Machine: machine, MemoryLimit: 16e9})
		require.NoError(t, err)
		require.Equal(t, want, scatters(p), "%d rows", rows)
	}
}

// scatters returns the number of reduce_scatters of p.
func scatters(p *program.Program) (n int) {
	for op := range p.Module.Main().Body.Ops() {
		if op.Kind == ir.OpSPMDReduceScatter {
			n++
		}
	}
	return n
}

// Two scatters leave each device the shard that one leaves it.
func TestTwoScattersCompute(t *testing.T) {
	const text = `sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%x: tensor<8192x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %y: tensor<8192x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) ->
    (tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8192x256xf32>, tensor<8192x512xf32>) -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}`
	c := runtimetest.OpenSample(t, 8, false)
	defer func() { require.NoError(t, c.Close()) }()
	x, y := make([]float32, 8192*256), make([]float32, 8192*512)
	for i := range x {
		x[i] = float32(i % 3)
	}
	for i := range y {
		y[i] = float32(i % 5)
	}
	var results [2][]any
	for i, limit := range []int{0, 16e9} {
		p, err := compileStep(t, text, compile.Options{Platform: hardware.TPU, MemoryLimit: limit})
		require.NoError(t, err)
		require.Equal(t, 1+i, scatters(p))
		results[i] = runOn(t, c, p, []any{x, y})
	}
	require.Equal(t, results[0], results[1])
}

// For TPUs a scatter of values with dimensions of size 1 is one of their other dimensions, and leaves
// each device the same shards. Values without such dimensions stay together.
func TestUnitDimensions(t *testing.T) {
	const text = `sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x1x1x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}, {}]>}, %b: tensor<64x3x3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}, {}]>}, %c: tensor<64x2x2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}, {}]>}) ->
    (tensor<1x1x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>}, tensor<3x3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>}, tensor<2x2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x1x1x8x6xf32>, tensor<f32>) -> tensor<1x1x8x6xf32>
  %1 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x3x3x8x6xf32>, tensor<f32>) -> tensor<3x3x8x6xf32>
  %2 = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4x4xf32>
  return %0, %1, %2 : tensor<1x1x8x6xf32>, tensor<3x3x8x6xf32>, tensor<2x2x4x4xf32>
}`
	c := runtimetest.OpenSample(t, 4, false)
	defer func() { require.NoError(t, c.Close()) }()
	var results [2][]any
	for i, platform := range []string{hardware.CUDA, hardware.TPU} {
		p, err := compileStep(t, text, compile.Options{Platform: platform})
		require.NoError(t, err)
		var shapes [][]int
		for op := range p.Module.Main().Body.Ops() {
			if op.Kind == ir.OpSPMDReduceScatter {
				for _, v := range op.Operands {
					shapes = append(shapes, v.Type.Dims)
				}
			}
		}
		require.Equal(t, [][][]int{{{1, 1, 8, 6}, {3, 3, 8, 6}, {2, 2, 4, 4}}, {{8, 6}, {3, 3, 8, 6}, {2, 2, 4, 4}}}[i], shapes)
		require.Equal(t, 1+i, scatters(p))
		var inputs []any
		for _, in := range p.Inputs {
			list := make([]float32, in.Type.Size())
			for k := range list {
				list[k] = float32(k % 7)
			}
			inputs = append(inputs, list)
		}
		results[i] = runOn(t, c, p, inputs)
	}
	require.Equal(t, results[0], results[1])
}

// Devices that keep some rows or columns of a random table scatter into these alone. The numbers are
// those of pass shard_scattered switched off, also for indices out of range.
func TestShardsOfScatters(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 11))
	shards, programs := 0, longtest.Pick(15, 300)
	for range programs {
		text := randomTable(rng, true)
		without, err := compileStep(t, text, compile.Options{KeepLayouts: true, Debug: pass.Debug{Off: []string{"shard_scattered"}}})
		require.NoError(t, err, text)
		p, err := compileStep(t, text, compile.Options{KeepLayouts: true})
		require.NoError(t, err, text)
		if p.Module.String() != without.Module.String() {
			shards++
		}
		inputs := numbersFor(p)
		indices := inputs[0].([]int32)
		for i := range indices {
			indices[i] = rng.Int32N(400) - 40
		}
		client := openInterpreted(t, p.Mesh.Size())
		requireWithin(t, runOn(t, client, without, inputs), runOn(t, client, p, inputs), otherOrder())
	}
	t.Logf("devices scatter into shards in %d of %d programs", shards, programs)
	require.Greater(t, 3*shards, programs)
}
