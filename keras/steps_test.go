package keras_test

// This file checks the order of a training's calls to the devices, on an engine
// that never computes before it is waited for, and batches that a training cannot
// use.

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// lazyEngine is an engine for tests of one device. It computes nothing, so that results are zeros.
// It records in events each "run", "wait" and "read", and transfers of batches with their first
// byte, such as "put batch 1".
type lazyEngine struct {
	batch  ir.Type // of the input x
	events []string
}

func (e *lazyEngine) note(format string, args ...any) {
	e.events = append(e.events, fmt.Sprintf(format, args...))
}

func (e *lazyEngine) Platform() string          { return "lazy" }
func (e *lazyEngine) Devices() []runtime.Device { return []runtime.Device{{Kind: "lazy"}} }
func (e *lazyEngine) Close() error              { return nil }

func (e *lazyEngine) Put(_ int, t ir.Type, data []byte) (runtime.Buffer, error) {
	if t.Equal(e.batch) {
		e.note("put batch %d", data[0])
	}
	return lazyBuffer{e, t}, nil
}

func (e *lazyEngine) Load(_ context.Context, p *program.Program) (runtime.Loaded, error) {
	return lazyProgram{e, p}, nil
}

type lazyProgram struct {
	*lazyEngine
	program *program.Program
}

func (p lazyProgram) Memory() (runtime.MemoryStats, error) { return runtime.MemoryStats{}, nil }

func (p lazyProgram) Run([][]runtime.Buffer) ([][]runtime.Buffer, error) {
	p.note("run")
	row := make([]runtime.Buffer, len(p.program.Outputs))
	for i, out := range p.program.Outputs {
		row[i] = lazyBuffer{p.lazyEngine, out.Local}
	}
	return [][]runtime.Buffer{row}, nil
}

type lazyBuffer struct {
	*lazyEngine
	typ ir.Type
}

func (b lazyBuffer) Type() ir.Type                      { return b.typ }
func (b lazyBuffer) Release()                           {}
func (b lazyBuffer) Wait(context.Context) error         { b.note("wait"); return nil }
func (b lazyBuffer) Read(context.Context, []byte) error { b.note("read"); return nil }

// TestNothingIsFetched trains without a reader of logs. Every batch must be transferred and every
// step queued without waiting for the one before, so that transfers overlap with steps, and only
// the logs at the end of an epoch may be read. The runtime bounds the number of queued steps
// (runtime.Options.QueueDepth).
func TestNothingIsFetched(t *testing.T) {
	e := &lazyEngine{}
	x := keras.Input([]int{3})
	m := model(t, x, x.Apply(layers.Dense(1)))
	require.NoError(t, m.Compile(keras.Optimizer("adam"), keras.Loss("mse"), keras.Metrics("mae"), keras.Client(runtime.NewClient(e))))
	in := tensors.FromFlatDataAndDimensions([]uint8{1, 0, 0, 2, 0, 0, 3, 0, 0}, 3, 3)
	out := tensors.FromFlatDataAndDimensions(make([]float32, 3), 3, 1)
	ds := data.FromTensorSlices(in, out).Batch(1).Map(func(b data.Batch) (data.Batch, error) {
		e.note("make")
		return b, nil
	})
	e.batch = ir.Tensor(in.DType(), 1, 3)
	_, err := m.Fit(t.Context(), ds, nil, keras.Epochs(2), keras.Verbose(0))
	require.NoError(t, err)
	epoch := []string{"make", "put batch 1", "run", "make", "put batch 2", "run", "make", "put batch 3", "run", "read", "read"}
	require.Equal(t, append(epoch, epoch...), e.events)
}

// TestLabels evaluates models on labels that fit the loss and labels that do not. Wrong labels must
// be an error that names the sample and, where the case says so, the batch. A loss of the user's
// own takes any labels.
func TestLabels(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	own := losses.New("own", func(_, yPred *graph.Node) *graph.Node { return graph.ReduceSum(yPred, -1) })
	for _, tc := range []struct {
		name    string
		loss    any
		units   int
		y       any
		wantErr string
	}{
		{name: "integers as floats", loss: "sparse_categorical_crossentropy", units: 3, y: []float32{0, 1, 2}},
		{name: "bytes", loss: "sparse_categorical_crossentropy", units: 3, y: []uint8{0, 1, 2}},
		{name: "a column", loss: "sparse_categorical_crossentropy", units: 3, y: [][]int32{{0}, {1}, {2}}},
		{name: "booleans", loss: "sparse_categorical_crossentropy", units: 3, y: []bool{true, false, true}},
		{name: "not an integer", loss: "sparse_categorical_crossentropy", units: 3, y: []float32{0, 1, 1.5},
			wantErr: "batch 1: labels 0: sample 0 of the batch has the label 1.5, want the number of a class, an integer"},
		{name: "NaN", loss: "sparse_categorical_crossentropy", units: 3, y: []float32{0, 1, nan}, wantErr: "batch 1: labels 0: sample 0 of the batch has the label NaN, want a finite number"},
		{name: "infinite", loss: "sparse_categorical_crossentropy", units: 3, y: []float64{0, math.Inf(-1), 0}, wantErr: "sample 1 of the batch has the label -Inf"},
		{name: "out of range", loss: "sparse_categorical_crossentropy", units: 3, y: []int64{0, 1, 3},
			wantErr: "sample 0 of the batch has the label 3, want a class from 0 to 2, for out has 3 outputs"},
		{name: "negative", loss: "sparse_categorical_crossentropy", units: 3, y: []int32{0, -1, 2}, wantErr: "batch 0: labels 0: sample 1 of the batch has the label -1, want a class from 0 to 2"},
		{name: "numbers", loss: "mse", units: 2, y: [][]float32{{1, 2}, {-3, 4.5}, {5, 6}}},
		{name: "NaN among numbers", loss: "mse", units: 2, y: [][]float32{{1, 2}, {3, 4}, {5, nan}}, wantErr: "batch 1: labels 0: sample 0 of the batch has the label NaN"},
		{name: "infinite among numbers", loss: "mae", units: 2, y: [][]float32{{1, 2}, {inf, 4}, {5, 6}}, wantErr: "batch 0: labels 0: sample 1 of the batch has the label +Inf"},
		{name: "a loss of one's own", loss: own, units: 2, y: [][]float32{{nan, 2}, {3, 4}, {5, 6}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := keras.Input([]int{2})
			m := model(t, x, x.Apply(layers.Dense(tc.units, layers.Name("out"))))
			require.NoError(t, m.Compile(keras.Loss(tc.loss), keras.Client(runtimetest.Open(t, 1))))
			_, err := m.Evaluate(t.Context(), [][]float32{{1, 2}, {3, 4}, {5, 6}}, tc.y, keras.BatchSize(2), keras.Verbose(0))
			if tc.wantErr == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.wantErr)
			}
		})
	}
}

// TestDatasetFaults trains on pipelines that cannot be trained on, such as empty ones. The error
// must say why.
func TestDatasetFaults(t *testing.T) {
	features := func(n int) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions(make([]float32, 2*n), n, 2)
	}
	samples := data.FromTensorSlices(features(4), make([]int32, 4))
	for _, tc := range []struct {
		name    string
		ds      *data.Pipeline
		opts    []keras.RunOption
		wantErr string
	}{
		{"batch size beside it", samples.Batch(2), []keras.RunOption{keras.BatchSize(2)}, "got batch size 2 beside a dataset: a dataset yields batches itself"},
		{"batch of 0", samples.Batch(0), nil, "Batch: got batch size 0, want a positive number"},
		{"empty", samples.Take(0).Batch(2), nil, "the dataset yielded no batch: want at least one"},
		{"endless", samples.Repeat().Batch(2), nil, "the dataset has no end: say after how many batches to stop, by StepsPerEpoch"},
		{"samples", samples, nil, "FromTensorSlices yields samples, want batches: add a Batch"},
		{"another shape", data.FromTensorSlices([][]float32{{1, 2, 3}}, []int32{0}).Batch(2), nil, "batch 0: input features wants data of shape (None, 2), got (1, 3)"},
		{"no labels", data.FromTensorSlices(features(2), nil).Batch(2), nil, "batch 0: got 2 samples and 0 label tensors"},
		{"bad label", data.FromTensorSlices(features(2), []int32{1, 7}).Batch(1), nil, "batch 1: labels 0: sample 0 of the batch has the label 7, want a class from 0 to 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := keras.Input([]int{2}, layers.Name("features"))
			m := model(t, x, x.Apply(layers.Dense(3)))
			require.NoError(t, m.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Client(runtimetest.Open(t, 1))))
			_, err := m.Fit(t.Context(), tc.ds, nil, append(tc.opts, keras.Verbose(0))...)
			require.ErrorContains(t, err, tc.wantErr)
		})
	}
}
