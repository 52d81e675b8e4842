package compile_test

// This file runs compiled programs, for the tests that compare their results.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// runOn loads p on c, runs it once on the inputs, flat slices of the global tensors, and returns
// its outputs as such slices.
func runOn(t testing.TB, c *runtime.Client, p *program.Program, inputs []any) []any {
	return flatten(t, runArrays(t, c, p, inputs))
}

// flatten returns arrays as flat slices, and releases them.
func flatten(t testing.TB, arrays []*runtime.Array) (out []any) {
	for _, a := range arrays {
		flat, err := a.Get(context.Background())
		require.NoError(t, err)
		out = append(out, flat)
		a.Release()
	}
	return out
}

// runArrays loads p on c, runs it once on the inputs, flat slices of the global tensors, and
// returns its outputs, which the caller releases.
func runArrays(t testing.TB, c *runtime.Client, p *program.Program, inputs []any) []*runtime.Array {
	exe := load(t, c, p)
	defer func() { require.NoError(t, exe.Close()) }()
	return runLoaded(t, c, exe, p, inputs)
}

// load loads p on c. The caller closes the executable.
func load(t testing.TB, c *runtime.Client, p *program.Program) *runtime.Executable {
	exe, err := c.Load(context.Background(), runtimetest.AnyTarget(p))
	require.NoError(t, err, "%s", target.CPU.Text(p))
	return exe
}

// runLoaded runs exe, p loaded on c, once on the inputs, flat slices of the global tensors, and
// returns its outputs, which the caller releases.
func runLoaded(t testing.TB, c *runtime.Client, exe *runtime.Executable, p *program.Program, inputs []any) []*runtime.Array {
	args := make([]*runtime.Array, len(inputs))
	for i, in := range inputs {
		var err error
		args[i], err = c.Put(p.Inputs[i].Type, p.Inputs[i].Sharding, in)
		require.NoError(t, err)
		defer args[i].Release()
	}
	out, err := exe.Run(args...)
	require.NoError(t, err)
	return out
}
