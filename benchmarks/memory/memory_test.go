package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime"
)

// The inputs are predicted to the byte, and the peak within the limits of the command. The programs
// have a loop, a sort, a cache that is updated in place, a branch, and gradients of tables, divided
// by a constant; the long form has all programs.
func TestPrediction(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	list := storedPrograms()
	require.GreaterOrEqual(t, len(list), 19)
	if longtest.Enabled() {
		list = append(list, trainingPrograms(steps.Perceptrons)...)
	} else {
		list = files([]string{"testdata/scan.mlir", "testdata/sort.mlir", "testdata/kv_cache.mlir", "testdata/branches.mlir", "testdata/tables.mlir"})
	}
	results, err := compare(context.Background(), list, whole)
	require.NoError(t, err)
	require.Len(t, results, len(list))
	for _, r := range results {
		require.NoError(t, r.check())
		require.Positive(t, r.Inputs)
	}
	var out bytes.Buffer
	require.NoError(t, write(&out, true, results))
	var read []result
	require.NoError(t, json.Unmarshal(out.Bytes(), &read))
	require.Equal(t, results, read)
}

// The predicted peak of a program that is made to fit a limit is at most 5 % below XLA's. The
// programs compute values again; the long form has all programs, some of which are also cut into
// micro-batches, and one limit: the command has six.
func TestLimits(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	list, parts := files([]string{"testdata/mlp.mlir", "testdata/dropout.mlir"}), limitParts
	if longtest.Enabled() {
		parts = []float64{0.8}
		list = append(storedPrograms(), trainingPrograms(steps.Perceptrons)...)
	}
	results, err := compare(context.Background(), list, fitted(parts...))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(results), len(list)/2, "programs that fit a limit")
	for _, r := range results {
		require.NoError(t, r.check())
	}
}

// check must return an error for each kind of wrong prediction, and none for an exact one.
func TestCheck(t *testing.T) {
	exact := result{Program: "p", Inputs: 4, XLAInputs: 4, Peak: 100, XLAPeak: 100}
	require.NoError(t, exact.check())
	for _, change := range []func(*result){
		func(r *result) { r.Inputs = 8 }, func(r *result) { r.Peak = 106 }, func(r *result) { r.Peak = 94 },
		func(r *result) { r.Peak, r.Limit = 94, 120 },
	} {
		r := exact
		change(&r)
		require.Error(t, r.check())
	}
	exact.Peak, exact.Limit = 106, 120
	require.NoError(t, exact.check(), "with a limit, the predicted peak may be higher")
}
