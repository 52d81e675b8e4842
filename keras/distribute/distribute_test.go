package distribute_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribute"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

func TestMain(m *testing.M) {
	runtimetest.OnCPU() // its devices have names
	os.Exit(m.Run())
}

// initialize gives the process n virtual CPU devices, until the test ends.
func initialize(t *testing.T, n int) {
	t.Helper()
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: n}))
	t.Cleanup(func() { require.NoError(t, distribution.Close()) })
}

// model returns a small model of 6 inputs and 3 outputs with dropout, not compiled, after a
// ClearSession. Its layers d1 and d2 have the same weights, and its dropout the same masks, in each
// call.
func model(t *testing.T) *keras.Model {
	t.Helper()
	layers.ClearSession()
	x := keras.Input([]int{6})
	y := x.Apply(layers.Dense(5, layers.Name("d1"), layers.Activation("relu"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1)))))
	y = y.Apply(layers.Dropout(0.3, layers.Seed(2)))
	y = y.Apply(layers.Dense(3, layers.Name("d2"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(3)))))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	return m
}

// compile compiles m with the loss "mse" and returns the text that its logger got: warnings and
// notices.
func compile(t *testing.T, m *keras.Model, opts ...keras.CompileOption) string {
	t.Helper()
	var notices bytes.Buffer
	require.NoError(t, m.Compile(append(opts, keras.Loss("mse"), keras.Logger(plainlog.New(&notices)))...))
	return notices.String()
}

// data returns 16 samples of 6 inputs and 3 labels, random numbers that are the same in each call.
func data(t *testing.T) (x, y *tensors.Tensor) {
	t.Helper()
	x, err := random.Normal([]int{16, 6}, random.Seed(7))
	require.NoError(t, err)
	y, err = random.Normal([]int{16, 3}, random.Seed(8))
	require.NoError(t, err)
	return x, y
}

// train fits the model for two epochs on data, and evaluates it there, in batches of 8 that are not
// shuffled. It returns three losses: of both epochs and of the evaluation.
func train(t *testing.T, m *keras.Model) []float64 {
	t.Helper()
	x, y := data(t)
	h, err := m.Fit(t.Context(), x, y, keras.BatchSize(8), keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0))
	require.NoError(t, err)
	logs, err := m.Evaluate(t.Context(), x, y, keras.BatchSize(8), keras.Verbose(0))
	require.NoError(t, err)
	loss, _ := logs.Get("loss")
	return append(h.Logs["loss"], loss)
}

// requireOn requires that each variable of the model and of its optimizer has n shards, one on each
// of n devices.
func requireOn(t *testing.T, m *keras.Model, n int) {
	t.Helper()
	for _, v := range append(m.Variables(), m.Optimizer().Variables()...) {
		require.NotNil(t, v.Array(), v.Path())
		require.Len(t, v.Array().Shards(), n, v.Path())
	}
}

// TestAfterScope makes and compiles a model in the scope of each strategy, and trains it after the
// scope. It must run on the strategy's devices, with the losses of one device.
func TestAfterScope(t *testing.T) {
	initialize(t, 4)
	single := model(t)
	compile(t, single)
	want := train(t, single)
	requireOn(t, single, 1)
	for _, tc := range []struct {
		name             string
		strategy         func() (*distribute.Strategy, error)
		replicas, device int
	}{
		{"all devices", func() (*distribute.Strategy, error) { return distribute.MirroredStrategy() }, 4, 4},
		{"some devices", func() (*distribute.Strategy, error) {
			return distribute.MirroredStrategy("/cpu:2", "CPU:0", "/job:localhost/replica:0/task:0/device:CPU:3")
		}, 3, 3},
		{"one worker", func() (*distribute.Strategy, error) { return distribute.MultiWorkerMirroredStrategy(t.Context()) }, 4, 4},
		{"model parallel", func() (*distribute.Strategy, error) {
			dm, err := distribution.NewDeviceMesh([]int{2, 2}, []string{"data", "model"}, nil)
			require.NoError(t, err)
			layouts := distribution.NewLayoutMap(dm)
			require.NoError(t, layouts.Set("d1/kernel", distribution.None, "model"))
			d, err := distribution.NewModelParallel(layouts, "data")
			require.NoError(t, err)
			return distribute.NewStrategy(d)
		}, 2, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := tc.strategy()
			require.NoError(t, err)
			require.Equal(t, tc.replicas, s.NumReplicasInSync())
			var m *keras.Model
			require.NoError(t, s.Scope(func() error {
				m = model(t)
				require.Empty(t, compile(t, m))
				return nil
			}))
			require.Nil(t, distribution.Current())
			require.InDeltaSlice(t, want, train(t, m), 1e-5)
			requireOn(t, m, tc.device)
			require.Equal(t, s.Distribution(), m.Distribution())
			require.Empty(t, compile(t, m), "it stays bound when it is compiled outside")
			require.Equal(t, s.Distribution(), m.Distribution())
		})
	}
}

// TestMadeBeforeScope compiles a model, new or trained, in a scope that it was not made in. It must
// move to the scope's devices with its values, and with a notice if it has variables yet. A model
// without variables may also be made in the scope, and compiled outside.
func TestMadeBeforeScope(t *testing.T) {
	initialize(t, 4)
	reference := model(t)
	compile(t, reference)
	first := train(t, reference)
	compile(t, reference)
	second := train(t, reference)
	s, err := distribute.MirroredStrategy()
	require.NoError(t, err)
	const notice = "was made for one device: its 5 variables are resharded for DataParallel on batch=4"
	inScope := func(m *keras.Model, opts ...keras.CompileOption) (notices string) {
		require.NoError(t, s.Scope(func() error { notices = compile(t, m, opts...); return nil }))
		return notices
	}

	t.Run("new", func(t *testing.T) {
		m := model(t)
		require.Contains(t, inScope(m), notice)
		require.InDeltaSlice(t, first, train(t, m), 1e-5)
		requireOn(t, m, 4)
	})
	t.Run("trained", func(t *testing.T) {
		m := model(t)
		compile(t, m)
		train(t, m)
		requireOn(t, m, 1)
		require.Contains(t, inScope(m), notice)
		require.InDeltaSlice(t, second, train(t, m), 1e-5)
		requireOn(t, m, 4)
	})
	t.Run("with its optimizer", func(t *testing.T) {
		m, same := model(t), model(t)
		compile(t, m)
		train(t, m)
		compile(t, same)
		train(t, same)
		compile(t, same, keras.Optimizer(same.Optimizer()))
		inScope(m, keras.Optimizer(m.Optimizer()))
		require.InDeltaSlice(t, train(t, same), train(t, m), 1e-5, "slots keep their values")
		requireOn(t, m, 4)
	})
	t.Run("sequential", func(t *testing.T) {
		layers.ClearSession()
		m, err := keras.NewSequential(layers.Dense(3))
		require.NoError(t, err)
		require.Empty(t, inScope(m), "it has no variables yet")
		train(t, m)
		requireOn(t, m, 4)
	})
	t.Run("sequential made in the scope", func(t *testing.T) {
		layers.ClearSession()
		var m *keras.Model
		require.NoError(t, s.Scope(func() (err error) { m, err = keras.NewSequential(layers.Dense(3)); return err }))
		require.Empty(t, compile(t, m))
		train(t, m)
		requireOn(t, m, 4)
	})
}

func TestOtherStrategy(t *testing.T) {
	initialize(t, 4)
	s, err := distribute.MirroredStrategy()
	require.NoError(t, err)
	again, err := distribute.MirroredStrategy()
	require.NoError(t, err)
	other, err := distribute.MirroredStrategy("cpu:0", "cpu:1")
	require.NoError(t, err)
	var m *keras.Model
	require.NoError(t, s.Scope(func() error { m = model(t); compile(t, m); return nil }))
	want := "it belongs to DataParallel on batch=4, and is compiled in the scope of DataParallel on batch=2: make the model in the scope it is compiled in"
	require.ErrorContains(t, other.Scope(func() error { return m.Compile(keras.Loss("mse")) }), want)
	require.NoError(t, again.Scope(func() error { return m.Compile(keras.Loss("mse")) }), "an equal strategy changes nothing")
	_, err = distribute.MultiGPUModel(m, 2)
	require.ErrorContains(t, err, "it belongs to DataParallel on batch=4")
}

func TestMultiGPUModel(t *testing.T) {
	initialize(t, 4)
	single := model(t)
	compile(t, single)
	want := train(t, single)
	for _, tc := range []struct {
		name    string
		gpus    any
		devices int
		wantErr string
	}{
		{name: "a number", gpus: 3, devices: 3},
		{name: "ids", gpus: []int{3, 1}, devices: 2},
		{name: "one", gpus: 1, wantErr: "got gpus 1, want at least 2"},
		{name: "one id", gpus: []int{0}, wantErr: "got gpus [0], want at least 2"},
		{name: "too many", gpus: 5, wantErr: "got gpus 5, the process has 4 devices, cpu:0 to cpu:3"},
		{name: "negative id", gpus: []int{-1, 0}, wantErr: "got gpus [-1 0]"},
		{name: "twice", gpus: []int{1, 1}, wantErr: "device id 1 is listed twice"},
		{name: "text", gpus: "2", wantErr: "got gpus as string, want their number"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := distribute.MultiGPUModel(model(t), tc.gpus)
			if tc.wantErr != "" {
				require.ErrorContains(t, err, tc.wantErr)
				return
			}
			require.NoError(t, err)
			compile(t, m)
			require.InDeltaSlice(t, want, train(t, m), 1e-5)
			requireOn(t, m, tc.devices)
		})
	}
}

func TestStrategyErrors(t *testing.T) {
	initialize(t, 2)
	_, err := distribute.MirroredStrategy("cpu:0", "cpu:5")
	require.ErrorContains(t, err, `distribute: MirroredStrategy: distribution: there is no device "cpu:5": the process has 2`)
	_, err = distribute.MirroredStrategy("/gpu:0")
	require.ErrorContains(t, err, `there is no device "gpu:0": the process has 2 (cpu:0 to cpu:1): name one of these`)
	_, err = distribute.TPUStrategy()
	require.ErrorContains(t, err, `TPUStrategy: distribution: there are no devices of type "tpu": the process uses "cpu"`)
	_, err = distribute.NewStrategy(nil)
	require.ErrorContains(t, err, "got no distribution")
}

// TestMultiWorker sets TF_CONFIG to descriptions of clusters. MultiWorkerMirroredStrategy must find
// the number and the rank of the process, or say what is wrong.
func TestMultiWorker(t *testing.T) {
	const two = `{"cluster": {"worker": ["127.0.0.1:1", "b:1"]}, "task": {"type": "worker", "index": %d}}`
	for _, tc := range []struct {
		name, config, wantErr string
		processes, id         int
	}{
		{name: "no cluster", processes: 1},
		{name: "an empty one", config: "{}", processes: 1},
		{name: "one worker", config: `{"cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 0}}`, processes: 1},
		{name: "a chief and an evaluator", config: `{"cluster": {"chief": ["a:1"], "evaluator": ["b:1"]}, "task": {"type": "chief", "index": 0}}`, processes: 1},
		{name: "two workers", config: fmt.Sprintf(two, 1), processes: 2, id: 1, wantErr: "127.0.0.1:1"},
		{name: "a worker and its chief", config: `{"cluster": {"worker": ["127.0.0.1:2"], "chief": ["127.0.0.1:1"]}, "task": {"type": "worker", "index": 0}}`, processes: 2, id: 1, wantErr: "127.0.0.1:1"},
		{name: "no JSON", config: "localhost", wantErr: `TF_CONFIG`, processes: 1},
		{name: "nobody trains", config: `{"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 0}}`, wantErr: "a cluster with a chief or workers", processes: 1},
		{name: "no task", config: `{"cluster": {"worker": ["a:1"]}}`, wantErr: "a task whose type is one of the cluster's", processes: 1},
		{name: "another task", config: `{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 3}}`, wantErr: "a task whose index is 0 to 0", processes: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("TF_CONFIG", tc.config)
			t.Setenv(distribution.DevicesEnv, "2")
			t.Cleanup(func() { require.NoError(t, distribution.Close()) })
			if tc.processes > 1 { // the other processes are not there: joining fails, and says so
				require.ErrorContains(t, distribution.Initialize(t.Context(), distribution.Options{JoinTimeout: time.Millisecond}), tc.wantErr)
			}
			s, err := distribute.MultiWorkerMirroredStrategy(t.Context())
			require.Equal(t, tc.processes, distribution.NumProcesses())
			require.Equal(t, tc.id, distribution.ProcessID())
			if tc.wantErr != "" {
				require.ErrorContains(t, err, tc.wantErr)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "MultiWorkerMirroredStrategy on batch=2", s.String())
		})
	}
}

func TestVisibleDevices(t *testing.T) {
	initialize(t, 4)
	all := []string{"cpu:0", "cpu:1", "cpu:2", "cpu:3"}
	require.NoError(t, distribute.SetVisibleDevices("/physical_device:CPU:1", "cpu:3"))
	got, err := distribute.ListPhysicalDevices()
	require.NoError(t, err)
	require.Equal(t, all, got)
	got, err = distribute.ListPhysicalDevices("GPU")
	require.NoError(t, err)
	require.Empty(t, got)
	got, err = distribute.ListPhysicalDevices("CPU")
	require.NoError(t, err)
	require.Equal(t, all, got)
	_, err = distribute.ListPhysicalDevices("CPU", "GPU")
	require.ErrorContains(t, err, "got 2 device types")
	got, err = distribution.ListDevices()
	require.NoError(t, err)
	require.Equal(t, []string{"cpu:0", "cpu:1"}, got, "those that are visible count from 0")

	s, err := distribute.MirroredStrategy()
	require.NoError(t, err)
	require.Equal(t, 2, s.NumReplicasInSync())
	_, err = distribute.MirroredStrategy("cpu:3")
	require.ErrorContains(t, err, "the process has 2 (cpu:0 to cpu:1)")
	var m *keras.Model
	require.NoError(t, s.Scope(func() error { m = model(t); compile(t, m); return nil }))
	train(t, m)
	requireOn(t, m, 2)
	c, err := distribution.Client(t.Context())
	require.NoError(t, err)
	require.Len(t, c.Devices(), 2)

	require.NoError(t, distribute.SetVisibleDevices("cpu:1", "cpu:3"), "what is so already")
	require.ErrorContains(t, distribute.SetVisibleDevices("cpu:0"), "comes too late")
	require.ErrorContains(t, distribute.SetVisibleDevices(), "got no devices, want some of cpu:0 to cpu:3")
	require.ErrorContains(t, distribute.SetVisibleDevices("cpu:4"), `there is no device "cpu:4": the process has 4`)
	require.ErrorContains(t, distribute.SetVisibleDevices("cpu:0", "CPU:0"), `got "cpu:0" twice`)
	require.NoError(t, distribution.Close())
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 3}))
	got, err = distribution.ListDevices()
	require.NoError(t, err)
	require.Len(t, got, 3, "all are visible again")
}

func Example() {
	if err := distribution.Initialize(context.Background(), distribution.Options{Devices: 8}); err != nil {
		log.Fatal(err)
	}
	defer distribution.Close()
	strategy, err := distribute.MirroredStrategy()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Number of devices:", strategy.NumReplicasInSync())
	err = strategy.Scope(func() error {
		x := keras.Input([]int{4})
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(2))})
		if err != nil {
			return err
		}
		fmt.Println(m.Variables()[0].Sharding())
		return m.Compile(keras.Loss("mse"), keras.Logger(slog.New(slog.DiscardHandler)))
	})
	fmt.Println(err)
	// Output:
	// Number of devices: 8
	// [{}, {}]
	// <nil>
}
