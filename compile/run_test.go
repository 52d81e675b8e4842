package compile_test

// This file runs compiled programs, for the tests that compare their results.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// runOn loads p on c, runs it once on the inputs, flat slices of the global tensors, and returns
// its outputs as such slices.
func runOn(t testing.TB, c *runtime.Client, p *program.Program, inputs []any) []any {
	var out []any
	for _, a := range runArrays(t, c, p, inputs) {
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
	exe, err := c.Load(context.Background(), p)
	require.NoError(t, err, "%s", target.CPU.Text(p))
	defer func() { require.NoError(t, exe.Close()) }()
	args := make([]*runtime.Array, len(inputs))
	for i, in := range inputs {
		args[i], err = c.Put(p.Inputs[i].Type, p.Inputs[i].Sharding, in)
		require.NoError(t, err)
		defer args[i].Release()
	}
	out, err := exe.Run(args...)
	require.NoError(t, err)
	return out
}
