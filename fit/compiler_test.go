package fit_test

// This file tests the figures of the target's compiler, if it is installed.

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/aot"
)

// TestMain lets the test binary run as the compiler's process.
func TestMain(m *testing.M) {
	aot.Serve()
	os.Exit(m.Run())
}

// With the compiler's plugin the table has the compiler's figures for the best mesh, and for a
// program that is too large the compiler's error and the memory that it needs. Without it the table
// says that it is not installed, and still has our estimates.
func TestCompiler(t *testing.T) {
	longtest.SkipShort(t, "the compiler takes seconds")
	table := search(t, "v5e:2x4", step, "2x4", func(o *fit.Options) { o.Compiler = true })
	r := table.Best()
	require.NotNil(t, r)
	if table.NoCompiler != "" {
		require.Nil(t, r.Compiler)
		require.Contains(t, table.String(), "our own estimate")
		require.Contains(t, table.String(), table.NoCompiler)
		needs.Skip(t, "the plugin for tpu", "gospmd doctor -install tpu", table.NoCompiler)
	}
	require.True(t, r.Compiler.Fits)
	require.Positive(t, r.Compiler.Required)
	require.Positive(t, r.Compiler.Collectives)
	require.Contains(t, table.String(), "  its compiler")
	t.Logf("predicted %g s, of which %g s on the device; the compiler expects %g s", r.Prediction.Seconds, r.Prediction.Compute+r.Prediction.Memory, r.Compiler.Seconds)

	// The arguments take 32 GiB, and the results as much.
	to, err := hardware.ParseTarget("v5e:1x1")
	require.NoError(t, err)
	m, err := ir.Parse(fmt.Sprintf("func.func @main(%%x: %[1]s) -> %[1]s {\n%%0 = stablehlo.negate %%x : %[1]s\nreturn %%0 : %[1]s\n}", "tensor<65536x131072xf32>"))
	require.NoError(t, err)
	table, err = fit.Search(t.Context(), fit.OnMesh(m, nil), fit.Options{Target: to, Meshes: []*mesh.DeviceMesh{mesh.MustParse("x=1")}, Compiler: true})
	require.NoError(t, err)
	require.Nil(t, table.Best())
	require.NotEmpty(t, table.Rows[0].Compiler.OutOfMemory)
	require.GreaterOrEqual(t, table.Rows[0].Compiler.Required, 2<<35)
}
