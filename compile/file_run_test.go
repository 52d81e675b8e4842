//go:build cgo

package compile_test

// This file runs programs that were read from files.

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// A program that was read from a file computes the same bits as before, on both engines. A file
// that is no program is an error that names the file.
func TestOpenedProgramsRun(t *testing.T) {
	m, err := ir.Parse(`sdy.mesh @mesh = <["x"=2, "y"=2]>
	func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<4xf32>, tensor<8x4xf32>) {
	  %z = stablehlo.constant dense<0.0> : tensor<f32>
	  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
	  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
	  return %1, %0 : tensor<4xf32>, tensor<8x4xf32>
	}`)
	require.NoError(t, err)
	runtimetest.Need(t, 4)
	for _, engine := range []string{runtime.EngineGo, runtime.EnginePJRT} {
		client := runtimetest.OpenWith(t, runtime.Options{Devices: 4, Engine: engine})
		want, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "step.gospmd")
		require.NoError(t, want.Save(file))
		got, err := program.Open(file)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, 3))
		var inputs []any
		for _, p := range m.Main().Params() {
			inputs = append(inputs, specials(p.Type, rng))
		}
		requireSame(t, runOn(t, client, want, inputs), runOn(t, client, got, inputs), engine)
	}
	_, err = program.Open("testdata/clamp.txtar")
	require.ErrorContains(t, err, "testdata/clamp.txtar: it is no program, or a damaged one")
}
