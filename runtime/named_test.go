package runtime_test

// This file tests programs with functions that only attributes name.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
	"github.com/gospmd/gospmd/sharding"
)

// TestNamedComparator runs JAX' approx_max_k, which names its comparator, on
// rows that are split. On the CPU it is exact. The Go engine says that it has no
// such call.
func TestNamedComparator(t *testing.T) {
	c := runtimetest.Open(t, 4)
	m, err := ir.ParseFile("../ir/testdata/jax/approximate.mlir")
	require.NoError(t, err)
	dm := mesh.MustParse("data=4")
	require.NoError(t, sharding.Remesh(m, dm))
	layouts := layout.NewLayoutMap(dm)
	require.NoError(t, layouts.Set("arg0", "data", ""))
	require.NoError(t, sharding.Pin(m, layouts))
	p, err := compile.Compile(m, compile.Options{})
	require.NoError(t, err)
	exe, err := c.Load(t.Context(), p)
	if err != nil {
		require.ErrorContains(t, err, `does not have the target "ApproxTopK"`)
		return
	}
	defer exe.Close()
	rows := make([]float32, 4*16)
	for i := range rows {
		rows[i] = float32(i * 37 % 64)
	}
	x, err := c.Put(p.Inputs[0].Type, p.Inputs[0].Sharding, rows)
	require.NoError(t, err)
	defer x.Release()
	out, err := exe.Run(x)
	require.NoError(t, err)
	got, err := runtime.Values[float32](context.Background(), out[0])
	require.NoError(t, err)
	require.Equal(t, []float32{60, 57, 50, 63, 59, 56, 62, 55, 52, 61, 58, 54}, got)
}
