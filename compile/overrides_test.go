package compile_test

// This file tests that Overrides names the annotations that are not kept, and that all are kept if
// layouts are binding.

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
)

// The sum is annotated as replicated, but only shards of it are used.
const overridden = `sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %arg1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<512x512xf32>
  %2 = stablehlo.tanh %1 : tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}`

func TestOverrides(t *testing.T) {
	m, err := ir.Parse(overridden)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	require.NotEmpty(t, p.Overrides)
	require.Contains(t, p.Overrides[len(p.Overrides)-1].String(), `tensor<512x512xf32> is annotated [{}, {}]`)
	require.NotContains(t, p.Module.String(), "all_reduce")

	p, err = compile.Compile(t.Context(), m, compile.Options{KeepLayouts: true})
	require.NoError(t, err)
	require.Empty(t, p.Overrides)
	require.Contains(t, p.Module.String(), `spmd.all_reduce %0 axes={"x"}`)
}

// TestKeepLayouts compiles JAX's programs and random ones, 40 or, in the long form, 2000. If
// layouts are binding, no annotation may be overridden; otherwise some must be.
func TestKeepLayouts(t *testing.T) {
	free := 0
	check := func(name string, m *ir.Module) {
		p, err := compile.Compile(t.Context(), m, compile.Options{})
		if err != nil {
			return // programs that cannot be compiled have other tests
		}
		free += len(p.Overrides)
		p, err = compile.Compile(t.Context(), m, compile.Options{KeepLayouts: true})
		require.NoError(t, err, name)
		for _, o := range p.Overrides {
			t.Errorf("%s: %s", name, o)
		}
	}
	files, err := filepath.Glob("../cmd/gospmd/testdata/jax/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		m, err := ir.Parse(string(text))
		require.NoError(t, err)
		check(file, m)
	}
	check("overridden", ir.MustParse(overridden))
	for seed := range longtest.Pick[uint64](40, 2000) {
		check(fmt.Sprintf("seed %d", seed), randprog.New(seed, randprog.Options{Ops: 6}).Module)
	}
	require.Positive(t, free)
}
