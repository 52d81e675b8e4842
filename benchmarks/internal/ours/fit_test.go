package ours

// This file measures the gain of running several steps in one execution.

import (
	"fmt"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
)

// BenchmarkStepsPerExecution trains by Fit, an epoch of 96 steps in an iteration, and reports wall
// and CPU milliseconds of a step. To compare rows of several runs:
//
//	go test ./benchmarks/internal/ours -run '^$' -bench StepsPerExecution -benchtime 5x -count 3
func BenchmarkStepsPerExecution(b *testing.B) {
	const count = 96
	require.NoError(b, distribution.Initialize(b.Context(), distribution.Options{Devices: 8}))
	for _, name := range []string{"quickstart", "mlp"} {
		model, err := steps.Find(name)
		require.NoError(b, err)
		x, y, err := model.Data(count)
		require.NoError(b, err)
		for _, shape := range [][]int{nil, {8, 1}, {4, 2}, {2, 4}, {1, 8}} {
			for _, n := range []int{1, 4, 16} {
				b.Run(fmt.Sprintf("%s/%v/%d", name, shape, n), func(b *testing.B) { benchmarkFit(b, model, shape, n, x, y, count) })
			}
		}
	}
}

// benchmarkFit measures Fit of a model on a mesh of that shape (nil: one device), with x and y,
// which have count batches, and n steps in an execution. It reports milliseconds for each step, and
// of CPU time.
func benchmarkFit(b *testing.B, model steps.Model, shape []int, n int, x, y *tensors.Tensor, count int) {
	var dist distribution.Distribution
	if shape != nil {
		var err error
		dist, err = model.ModelParallel(shape)
		require.NoError(b, err)
	}
	var m *keras.Model
	require.NoError(b, distribution.Scope(dist, func() (err error) {
		m, err = model.Build(compile.Options{}, keras.StepsPerExecution(n))
		return err
	}))
	fit := func() {
		_, err := m.Fit(b.Context(), x, y, keras.BatchSize(model.Batch), keras.Shuffle(false), keras.Verbose(0))
		require.NoError(b, err)
	}
	fit() // the first fit compiles
	clock := worker.StartClock()
	for b.Loop() {
		fit()
	}
	wall, cpu := clock.Part()
	b.ReportMetric(wall*1e3/float64(b.N*count), "ms/step")
	b.ReportMetric(cpu*1e3/float64(b.N*count), "cpu-ms/step")
	b.ReportMetric(0, "ns/op")
}
