package keras_test

// This file tests what goes on while a program is loaded: the first values of variables come to the
// devices, or, for the test step of a validation, the first epoch trains.

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// gateEngine is an engine for tests that records in loads which programs it loads. It loads a test
// step only when the test sends its result to gate.
type gateEngine struct {
	lazyEngine
	begun chan struct{} // gets a value when a test step begins to be loaded
	gate  chan error    // what loading one ends with

	mu    sync.Mutex
	loads []string
}

func (e *gateEngine) Load(ctx context.Context, p *program.Program) (runtime.Loaded, error) {
	e.mu.Lock()
	e.loads = append(e.loads, p.Name)
	e.mu.Unlock()
	if p.Name == "test_step" {
		e.begun <- struct{}{}
		select {
		case err := <-e.gate:
			if err != nil {
				return nil, err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return e.lazyEngine.Load(ctx, p)
}

func TestTestStepIsLoadedWhileTraining(t *testing.T) {
	x := tensors.FromFlatDataAndDimensions(make([]float32, 16), 8, 2)
	y := tensors.FromFlatDataAndDimensions(make([]float32, 8), 8, 1)
	broken := errors.New("out of order")
	for _, tc := range []struct {
		name      string
		options   []keras.RunOption
		ahead     bool  // the test step begins to be loaded while the first epoch trains
		ends      error // what loading it ends with
		interrupt bool
		want      string // in the error of Fit
		loads     int
	}{
		{name: "tensors", options: []keras.RunOption{keras.ValidationData(x, y)}, ahead: true, loads: 2},
		{name: "a split", options: []keras.RunOption{keras.ValidationSplit(.5)}, ahead: true, loads: 2},
		{name: "a dataset is read when it is needed", options: []keras.RunOption{keras.ValidationData(data.FromTensorSlices(x, y).Batch(4), nil)}, loads: 2},
		{name: "not in an epoch without validation", options: []keras.RunOption{keras.ValidationData(x, y), keras.ValidationFreq(2)}, loads: 1},
		{name: "fails", options: []keras.RunOption{keras.ValidationData(x, y)}, ahead: true, ends: broken, want: "validation: runtime: program \"test_step\": out of order", loads: 2},
		{name: "is interrupted", options: []keras.RunOption{keras.ValidationData(x, y)}, ahead: true, interrupt: true, want: "context canceled", loads: 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := &gateEngine{begun: make(chan struct{}, 9), gate: make(chan error, 9)}
			client := runtime.NewClient(e)
			in := keras.Input([]int{2})
			m := model(t, in, in.Apply(layers.Dense(1)))
			require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(client)))
			ctx, cancel := context.WithCancel(t.Context())
			batches := 0
			each := &callbacks.Lambda{TrainBatchEnd: func(_ context.Context, batch int, _ *keras.BatchLogs) error {
				if batches++; batches == 2 {
					if tc.ahead {
						<-e.begun
					}
					require.Empty(t, e.begun)
					if tc.interrupt {
						cancel()
					} else {
						e.gate <- tc.ends
					}
				}
				return nil
			}}
			history, err := m.Fit(ctx, x, y, append(tc.options, keras.BatchSize(2), keras.Verbose(0), keras.Callbacks(each))...)
			require.Len(t, e.loads, tc.loads)
			if tc.want != "" {
				require.ErrorContains(t, err, tc.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.loads == 2, slices.Contains(e.loads, "test_step"))
			require.Equal(t, tc.loads == 2, history.Logs["val_loss"] != nil)
			require.Len(t, m.Programs(), tc.loads)
		})
	}
}

// If a callback ends the context in the first step, Fit returns the context's error, and the test
// step of the validation is not loaded.
func TestNoTestStepAfterInterrupt(t *testing.T) {
	e := &gateEngine{begun: make(chan struct{}, 9), gate: make(chan error, 9)}
	in := keras.Input([]int{2})
	m := model(t, in, in.Apply(layers.Dense(1)))
	require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtime.NewClient(e))))
	x, y := make([][]float32, 8), make([]float32, 8)
	for i := range x {
		x[i] = make([]float32, 2)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stop := &callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
		cancel()
		return nil
	}}
	_, err := m.Fit(ctx, x, y, keras.BatchSize(2), keras.Verbose(0), keras.ValidationData(x, y), keras.Callbacks(stop))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []string{"train_step"}, e.loads)
}

// closingEngine is a gateEngine that records in closed which programs are closed.
type closingEngine struct {
	gateEngine
	closed []string
}

type closingProgram struct {
	runtime.Loaded
	e    *closingEngine
	name string
}

func (p closingProgram) Close() error {
	p.e.closed = append(p.e.closed, p.name)
	return p.Loaded.Close()
}

func (e *closingEngine) Load(ctx context.Context, p *program.Program) (runtime.Loaded, error) {
	loaded, err := e.gateEngine.Load(ctx, p)
	return closingProgram{loaded, e, p.Name}, err
}

// meetingEngine is an engine for tests whose first Load and first Put wait for each other.
type meetingEngine struct {
	closingEngine
	loading, put chan struct{}
	putError     error // what all calls of Put return
}

func (e *meetingEngine) Load(ctx context.Context, p *program.Program) (runtime.Loaded, error) {
	close(e.loading)
	<-e.put
	return e.closingEngine.Load(ctx, p)
}

func (e *meetingEngine) Put(device int, t ir.Type, data []byte) (runtime.Buffer, error) {
	<-e.loading
	select {
	case <-e.put:
	default:
		close(e.put)
	}
	if e.putError != nil {
		return nil, e.putError
	}
	return e.closingEngine.Put(device, t, data)
}

// The first values of variables come to the devices while the program is loaded: otherwise Load and
// Put of this engine wait for each other forever. If Put fails, Fit returns its error, and the
// loaded program is closed.
func TestFirstValuesComeWhileLoading(t *testing.T) {
	full := errors.New("the device is full")
	for _, putError := range []error{nil, full} {
		e := &meetingEngine{loading: make(chan struct{}), put: make(chan struct{}), putError: putError}
		in := keras.Input([]int{2})
		m := model(t, in, in.Apply(layers.Dense(1)))
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtime.NewClient(e))))
		_, err := m.Fit(t.Context(), [][]float32{{0, 1}, {2, 3}}, []float32{0, 1}, keras.Verbose(0))
		require.ErrorIs(t, err, putError)
		require.Equal(t, putError != nil, slices.Contains(e.closed, "train_step"))
		require.Equal(t, putError == nil, len(m.Programs()) == 1)
	}
}

// A callback that compiles the model again ends the loading of the earlier test step, whose program
// is closed. A callback that adds a layer to the model, or takes one away, gets an error.
func TestCallbacksChangeModel(t *testing.T) {
	e := &closingEngine{gateEngine: gateEngine{begun: make(chan struct{}, 9), gate: make(chan error, 9)}}
	e.gate <- nil
	m, err := keras.NewSequential(layers.Dense(2), layers.Dense(1))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtime.NewClient(e))))
	x, y := make([][]float32, 8), make([]float32, 8)
	for i := range x {
		x[i] = make([]float32, 2)
	}
	change := &callbacks.Lambda{TrainBatchEnd: func(_ context.Context, batch int, _ *keras.BatchLogs) error {
		if batch == 0 {
			return nil
		}
		<-e.begun
		require.ErrorContains(t, m.Add(layers.Dense(1)), "a Fit is under way")
		_, err := m.Pop()
		require.ErrorContains(t, err, "a Fit is under way")
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtime.NewClient(e))))
		return errors.New("enough")
	}}
	_, err = m.Fit(t.Context(), x, y, keras.BatchSize(2), keras.Verbose(0), keras.ValidationData(x, y), keras.Callbacks(change))
	require.ErrorContains(t, err, "enough")
	require.Contains(t, e.closed, "test_step")
}
