package keras_test

// This file measures what Prefetch saves where a batch takes as long to make as
// its step takes to run.

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// slowEngine is an engine of one device that runs one program after the other,
// each for the same time. Results are zeros.
type slowEngine struct {
	lazyEngine
	step time.Duration
	free time.Time // time at which the device will have run what is queued
}

func (e *slowEngine) Put(_ int, t ir.Type, _ []byte) (runtime.Buffer, error) {
	return slowBuffer{lazyBuffer{&e.lazyEngine, t}, time.Time{}}, nil
}

func (e *slowEngine) Load(_ context.Context, p *program.Program) (runtime.Loaded, error) {
	return slowProgram{lazyProgram{&e.lazyEngine, p}, e}, nil
}

type slowProgram struct {
	lazyProgram
	engine *slowEngine
}

func (p slowProgram) Run([][]runtime.Buffer) ([][]runtime.Buffer, error) {
	e := p.engine
	if now := time.Now(); e.free.Before(now) {
		e.free = now
	}
	e.free = e.free.Add(e.step)
	row := make([]runtime.Buffer, len(p.program.Outputs))
	for i, out := range p.program.Outputs {
		row[i] = slowBuffer{lazyBuffer{&e.lazyEngine, out.Local}, e.free}
	}
	return [][]runtime.Buffer{row}, nil
}

type slowBuffer struct {
	lazyBuffer
	ready time.Time
}

func (b slowBuffer) Wait(context.Context) error { time.Sleep(time.Until(b.ready)); return nil }
func (b slowBuffer) Read(ctx context.Context, _ []byte) error {
	return b.Wait(ctx)
}

// feeding is a kind of input pipeline: whether batches take time to be made, are prefetched, and
// whether a callback reads the logs of each step.
type feeding struct {
	name     string
	making   bool // takes as long as a step
	prefetch bool
	logs     bool // a callback wants the logs of each step
}

// feedings are the pipelines to be compared. If no callback waits for a step, the
// next batch is made while the step runs also without Prefetch.
var feedings = []feeding{
	{name: "batches at hand", logs: true},
	{name: "made, logs at the end", making: true},
	{name: "made, logs at the end, prefetched", making: true, prefetch: true},
	{name: "made, logs of each step", making: true, logs: true},
	{name: "made, logs of each step, prefetched", making: true, prefetch: true, logs: true},
}

// train trains m, a model of that many features, on n batches of 64 samples, and returns the mean
// time of a step. With f.making, each batch takes the time making to be made. It compiles the step
// before.
func (f feeding) train(t testing.TB, m *keras.Model, features, n int, making time.Duration) time.Duration {
	t.Helper()
	x := tensors.FromFlatDataAndDimensions(make([]float32, 64*features), 64, features)
	y := tensors.FromFlatDataAndDimensions(make([]float32, 64), 64, 1)
	ds := data.FromTensorSlices(x, y).Repeat(n).Batch(64)
	if f.making {
		ds = ds.Map(func(b data.Batch) (data.Batch, error) { time.Sleep(making); return b, nil })
	}
	if f.prefetch {
		ds = ds.Prefetch(2)
	}
	opts := []keras.RunOption{keras.Verbose(0)}
	if f.logs {
		opts = append(opts, keras.Callbacks(&callbacks.Lambda{TrainBatchEnd: func(ctx context.Context, _ int, logs *keras.BatchLogs) error {
			_, err := logs.Get(ctx)
			return err
		}}))
	}
	_, err := m.Fit(t.Context(), ds.Take(1), nil, keras.Verbose(0)) // compiles
	require.NoError(t, err)
	start := time.Now()
	_, err = m.Fit(t.Context(), ds, nil, opts...)
	require.NoError(t, err)
	return time.Since(start) / time.Duration(n)
}

// TestPrefetch trains on a device that needs for a step as long as a batch takes to be made, with a
// callback that waits for each step. Without Prefetch both alternate: a step must take about twice
// that time. With Prefetch they overlap: it must take less than three quarters of that. The times
// are those of synctest: all but waiting takes none.
func TestPrefetch(t *testing.T) { synctest.Test(t, testPrefetch) }

func testPrefetch(t *testing.T) {
	const step = 20 * time.Millisecond
	took := make(map[feeding]float64) // in steps
	for _, f := range feedings {
		e := &slowEngine{step: step}
		x := keras.Input([]int{3})
		m := model(t, x, x.Apply(layers.Dense(1)))
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtime.NewClient(e))))
		took[f] = float64(f.train(t, m, 3, 15, step)) / float64(step)
		t.Logf("%s: a step takes %.2f times that of the device", f.name, took[f])
	}
	alternating := feeding{name: "made, logs of each step", making: true, logs: true}
	prefetched := feeding{name: "made, logs of each step, prefetched", making: true, prefetch: true, logs: true}
	require.Greater(t, took[alternating], 1.9)
	require.Less(t, took[prefetched], 0.75*took[alternating])
}

// BenchmarkPrefetch measures the training of TestPrefetch on a real engine: the milliseconds of a
// step, and how many times as long it takes as a step whose batch is at hand.
func BenchmarkPrefetch(b *testing.B) {
	const features = 1024
	c := runtimetest.Open(b, 1)
	x := keras.Input([]int{features})
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(2048, layers.Activation("relu"))).Apply(layers.Dense(1))})
	require.NoError(b, err)
	require.NoError(b, m.Compile(keras.Loss("mse"), keras.Client(c)))
	step := feedings[0].train(b, m, features, 50, 0)
	for _, f := range feedings {
		b.Run(f.name, func(b *testing.B) {
			took := f.train(b, m, features, max(b.N, 10), step)
			b.ReportMetric(float64(took)/float64(step), "steps")
			b.ReportMetric(float64(took.Microseconds())/1000, "ms/step")
		})
	}
}
