package keras_test

// This file checks the order of a training's calls to the devices, on an engine
// that never computes before it is waited for.

import (
	"context"
	"fmt"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// lazyEngine is an engine of one device whose results are zeros. It records its
// calls.
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

// TestNothingIsFetched trains without a reader of logs. Every batch is transferred
// and every step queued without waiting for the one before, so that transfers
// overlap with steps, and only the logs at the end are read. The runtime bounds
// the number of queued steps (runtime.Options.QueueDepth).
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
