package main

// This file tests the benchmark on a small model.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// Revised shardings cost less than those of propagation.
func TestVariants(t *testing.T) {
	runtimetest.Need(t, steps.Devices)
	require.NoError(t, distribution.Initialize(distribution.Options{Devices: steps.Devices}))
	small := steps.Transformer{Blocks: 1, Features: 64, Heads: 8, Sequence: 32, Words: 64, Batch: 16}
	costs := map[string]int{}
	for _, v := range variants(small)[2:] {
		require.NoError(t, v.open(context.Background()), v.name)
		r := v.report()
		costs[v.name] = cost.Default().SendCost(nil, r.Bytes, len(r.Collectives)) + r.Flops
	}
	require.Less(t, costs["2x4"], costs["2x4, as propagated"])
}

func TestFlags(t *testing.T) {
	require.ErrorContains(t, run(context.Background(), []string{"-steps", "0"}, nil), "want at least 1 of each")
}
