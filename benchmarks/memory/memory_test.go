package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/runtime"
)

// The report knows the inputs to the byte, and the peak within a tenth: of the
// quickstart on all meshes, in the long form also of a perceptron.
func TestPrediction(t *testing.T) {
	if !runtime.HasPJRT {
		t.Skip("no XLA to compare with: built without cgo")
	}
	models := steps.All[:longtest.Pick(1, 2)]
	results, err := compare(context.Background(), models)
	require.NoError(t, err)
	require.Len(t, results, len(models)*len(steps.Meshes))
	for _, r := range results {
		require.NoError(t, r.check())
		require.Positive(t, r.Parameters)
		require.Positive(t, r.Optimizer)
	}
}
