package random_test

// This file compares numbers that are drawn until one fits, and permutations, with JAX.

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace/tracetest"
)

func TestBetasAndPermutationsEqualJAX(t *testing.T) {
	// the Go engine compiles nothing
	client, err := runtime.Open(t.Context(), runtime.Options{Devices: 1, Engine: runtime.EngineGo})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	file := readReference(t)
	require.NotEmpty(t, file.Betas)
	require.NotEmpty(t, file.Permutations)
	out := tracetest.RunOn(t, client, func(in []*graph.Node) (out []*graph.Node) {
		for _, b := range file.Betas {
			out = append(out, random.Trace(in[0]).Beta(graph.Const(in[0].Graph(), b.Alpha), len(b.Numbers)))
		}
		for _, p := range file.Permutations {
			out = append(out, random.Trace(in[0]).Permutation(len(p.Order)))
		}
		return out
	}, tensors.FromValue([]uint32{file.Betas[0].Key[0], file.Betas[0].Key[1]}))
	for i, b := range file.Betas {
		require.InDeltaSlice(t, b.Numbers, out[i].Value(), 1e-6, "alpha %g", b.Alpha)
	}
	for i, p := range file.Permutations {
		require.Equal(t, p.Order, out[len(file.Betas)+i].Value())
	}
}
