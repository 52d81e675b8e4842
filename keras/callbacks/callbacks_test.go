package callbacks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// line returns the model y = w·x with w = 1, compiled on one device with mse and SGD of learning
// rate 0.1. fit trains it with x = 1 and y = 0, one sample a batch: each step multiplies w by 0.8.
func line(t *testing.T) *keras.Model {
	t.Helper()
	x := keras.Input([]int{1})
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(1, layers.UseBias(false), layers.KernelInitializer("ones")))})
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Optimizer(optimizers.SGD(optimizers.LearningRate(0.1))), keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
	return m
}

func fit(t *testing.T, m *keras.Model, epochs int, list ...keras.Callback) (*keras.History, error) {
	t.Helper()
	return m.Fit(t.Context(), [][]float32{{1}, {1}}, [][]float32{{0}, {0}}, keras.BatchSize(1), keras.Epochs(epochs), keras.Verbose(0), keras.Callbacks(list...))
}

// runEpochs calls the training events of callback c as Fit does: one epoch for each value, whose
// logs have that value under name. It returns the number of epochs until the callback stops the
// training, or all.
func runEpochs(t *testing.T, c keras.Callback, m *keras.Model, name string, values ...float64) int {
	t.Helper()
	require.NoError(t, c.OnTrainBegin(t.Context(), m))
	for i, v := range values {
		require.NoError(t, c.OnEpochBegin(t.Context(), i))
		require.NoError(t, c.OnEpochEnd(t.Context(), i, keras.Logs{{Name: name, Value: v}}))
		if c.StopTraining() {
			return i + 1
		}
	}
	return len(values)
}

func ptr[T any](v T) *T { return &v }

func TestEarlyStopping(t *testing.T) {
	for _, tc := range []struct {
		name     string
		callback *callbacks.EarlyStopping
		monitor  string
		values   []float64
		want     int // epochs
		best     int
	}{
		{"no patience", &callbacks.EarlyStopping{}, "val_loss", []float64{3, 2, 2.5, 1}, 3, 1},
		{"patience", &callbacks.EarlyStopping{Patience: 2}, "val_loss", []float64{3, 2, 2.5, 1, 1.5, 1.2, 0}, 6, 3},
		{"never", &callbacks.EarlyStopping{Monitor: "loss"}, "loss", []float64{3, 2, 1}, 3, 2},
		{"accuracy goes up", &callbacks.EarlyStopping{Monitor: "accuracy"}, "accuracy", []float64{0.1, 0.2, 0.2, 0.3}, 3, 1},
		{"a mode against the name", &callbacks.EarlyStopping{Monitor: "accuracy", Mode: callbacks.Min}, "accuracy", []float64{0.1, 0.2}, 2, 0},
		{"too little", &callbacks.EarlyStopping{MinDelta: 0.5}, "val_loss", []float64{3, 2.6, 2}, 2, 0},
		{"baseline not reached", &callbacks.EarlyStopping{Patience: 2, Baseline: ptr(1.0)}, "val_loss", []float64{3, 2, 1.5}, 2, 1},
		{"a late start", &callbacks.EarlyStopping{StartFromEpoch: 3}, "val_loss", []float64{1, 2, 3, 4, 5}, 5, 3},
		{"not after the first epoch", &callbacks.EarlyStopping{}, "val_loss", []float64{math.NaN(), 1, 2}, 3, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, runEpochs(t, tc.callback, nil, tc.monitor, tc.values...))
			require.Equal(t, tc.best, tc.callback.BestEpoch())
		})
	}
}

func TestRestoreBestWeights(t *testing.T) {
	m := line(t)
	worse := &callbacks.LearningRateScheduler{Schedule: func(epoch int, rate float64) float64 {
		if epoch == 2 {
			return 2 // overshoots
		}
		return rate
	}}
	var afterTwo []float32
	history, err := fit(t, m, 5, worse,
		&callbacks.Lambda{EpochEnd: func(ctx context.Context, epoch int, _ keras.Logs) error {
			if epoch == 1 {
				flat, err := m.Variables()[0].Value(ctx)
				afterTwo = flat.([]float32)
				return err
			}
			return nil
		}},
		&callbacks.EarlyStopping{Monitor: "loss", RestoreBestWeights: true})
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2}, history.Epochs)
	flat, err := m.Variables()[0].Value(t.Context())
	require.NoError(t, err)
	require.Equal(t, afterTwo, flat)
}

func TestReduceLROnPlateau(t *testing.T) {
	for _, tc := range []struct {
		name     string
		callback *callbacks.ReduceLROnPlateau
		values   []float64
		want     float64
	}{
		{"patience", &callbacks.ReduceLROnPlateau{Patience: ptr(2)}, []float64{1, 1, 1}, 0.01},
		{"not yet", &callbacks.ReduceLROnPlateau{Patience: ptr(2)}, []float64{1, 1, 0.5, 0.5}, 0.1},
		{"factor", &callbacks.ReduceLROnPlateau{Patience: ptr(1), Factor: 0.5}, []float64{1, 1, 1}, 0.025},
		{"cooldown", &callbacks.ReduceLROnPlateau{Patience: ptr(1), Factor: 0.5, Cooldown: 2}, []float64{1, 1, 1, 1}, 0.025},
		{"lowest rate", &callbacks.ReduceLROnPlateau{Patience: ptr(1), MinLR: 0.05}, []float64{1, 1, 1, 1}, 0.05},
		{"too little", &callbacks.ReduceLROnPlateau{Patience: ptr(1)}, []float64{1, 0.99995}, 0.01},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := line(t)
			runEpochs(t, tc.callback, m, "val_loss", tc.values...)
			rate, err := m.Optimizer().LearningRate(t.Context())
			require.NoError(t, err)
			require.InDelta(t, tc.want, rate, 1e-9)
		})
	}
}

func TestLearningRateOnDevices(t *testing.T) {
	m := line(t)
	var seen []float64
	_, err := fit(t, m, 3, &callbacks.LearningRateScheduler{Schedule: func(epoch int, rate float64) float64 {
		seen = append(seen, rate)
		return rate / 2
	}})
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{0.1, 0.05, 0.025}, seen, 1e-8)
}

func TestCSVLogger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	logger := &callbacks.CSVLogger{Filename: path}
	logs := keras.Logs{{Name: "loss", Value: 0.5}, {Name: "accuracy", Value: 0.25}}
	write := func() {
		require.NoError(t, logger.OnTrainBegin(t.Context(), nil))
		for epoch := range 2 {
			require.NoError(t, logger.OnEpochEnd(t.Context(), epoch, logs[:2-epoch]))
		}
		require.NoError(t, logger.Close())
	}
	const lines = "0,0.25,0.5\n1,NA,0.5\n"
	for range 2 { // without Append the second run starts over
		write()
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "epoch,accuracy,loss\n"+lines, string(text))
	}
	logger.Append = true
	write()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "epoch,accuracy,loss\n"+lines+lines, string(text))
}

func TestTerminateOnNaN(t *testing.T) {
	m := line(t)
	var out bytes.Buffer
	batches := 0
	history, err := fit(t, m, 10,
		&callbacks.Lambda{TrainBatchEnd: func(ctx context.Context, batch int, _ *keras.BatchLogs) error {
			batches++
			if batches == 3 { // the first of the second epoch; the next one sees it
				return m.SetLearningRate(ctx, 1e38)
			}
			return nil
		}}, &callbacks.TerminateOnNaN{Output: &out})
	require.NoError(t, err)
	require.Equal(t, 5, batches, "it ends within the epoch")
	require.Equal(t, []int{0, 1, 2}, history.Epochs)
	require.Regexp(t, `^TerminateOnNaN: the loss is (NaN|[+]Inf) at epoch 3, batch 1, after \S+ at (epoch 2, batch 2|the end of epoch 2): the training ends\n$`, out.String())

	_, err = fit(t, m, 1, &callbacks.TerminateOnNaN{RaiseError: true})
	require.Error(t, err)
	require.Regexp(t, "TerminateOnNaN: the loss is (NaN|[+]Inf) at epoch 1, batch 1$", err.Error())
}

// logarithm is a layer of a user's own that returns the logarithm of its input: NaN of negative
// numbers.
type logarithm struct{ layers.Base }

func (*logarithm) Call(_ *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{graph.Log(in[0])}
}

// TestLocateNaN requires that the message names the layer that made the first NaN; later ones, such
// as that of the loss, are not named.
func TestLocateNaN(t *testing.T) {
	for _, meshText := range []string{"", "data=4"} {
		t.Run("on "+meshText, func(t *testing.T) {
			train := func() error {
				l := &logarithm{}
				l.SetName("logarithm")
				m := keras.Must(keras.NewSequential(layers.Dense(2, layers.KernelInitializer("ones"), layers.Name("d")), l, layers.Dense(1, layers.Name("out"))))
				client, err := runtime.Open(t.Context(), runtime.Options{Devices: 4, Engine: runtime.EngineGo})
				require.NoError(t, err)
				defer client.Close()
				require.NoError(t, m.Compile(keras.Optimizer("sgd"), keras.Loss("mse"), keras.Client(client)))
				var out bytes.Buffer
				x := [][]float32{{1}, {2}, {3}, {4}, {5}, {6}, {-7}, {8}}
				_, err = m.Fit(t.Context(), x, make([]float32, 8), keras.BatchSize(4), keras.Shuffle(false), keras.Verbose(0),
					keras.Callbacks(&callbacks.TerminateOnNaN{Locate: true, Output: &out}))
				require.NoError(t, err)
				require.Regexp(t, `the loss is NaN at epoch 1, batch 2, after .*; the first NaN is element \[\d 0\] of logarithm \(callbacks_test.go:\d+\): stablehlo.log on device \d: tensor<\dx2xf32> \[`, out.String())
				return nil
			}
			if meshText == "" {
				require.NoError(t, train())
				return
			}
			d, err := distribution.NewDataParallel(distribution.Mesh(mesh.MustParse(meshText)))
			require.NoError(t, err)
			require.NoError(t, distribution.Scope(d, train))
		})
	}
}

// TestVerbose requires that LearningRateScheduler, ReduceLROnPlateau and EarlyStopping, with
// Verbose, print the lines that Keras' callbacks print in the same training.
func TestVerbose(t *testing.T) {
	var out bytes.Buffer
	never := func(epoch int, rate float64) float64 { return 0 }
	_, err := fit(t, line(t), 9,
		&callbacks.LearningRateScheduler{Schedule: never, Verbose: true, Output: &out},
		&callbacks.ReduceLROnPlateau{Monitor: "loss", Patience: ptr(1), Verbose: true, Output: &out},
		&callbacks.EarlyStopping{Monitor: "loss", Patience: 1, RestoreBestWeights: true, Verbose: true, Output: &out})
	require.NoError(t, err)
	require.Equal(t, "Epoch 1: LearningRateScheduler setting learning rate to 0.\nEpoch 2: LearningRateScheduler setting learning rate to 0.\n"+
		"Epoch 2: early stopping\nRestoring model weights from the end of the best epoch: 1.\n", out.String())

	out.Reset()
	_, err = fit(t, line(t), 2, &callbacks.ReduceLROnPlateau{Monitor: "loss", MinDelta: new(1e9), Patience: ptr(1), Verbose: true, Output: &out})
	require.NoError(t, err)
	require.Equal(t, "Epoch 2: ReduceLROnPlateau reducing learning rate to 0.01.\n", out.String())
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name     string
		callback keras.Callback
		want     string
	}{
		{"nothing to monitor", &callbacks.EarlyStopping{}, `EarlyStopping: there is no "val_loss" to monitor: the logs hold loss; names that begin with val_ need ValidationData`},
		{"mode", &callbacks.EarlyStopping{Mode: "up"}, `got mode "up", want "min", "max" or none`},
		{"factor", &callbacks.ReduceLROnPlateau{Factor: 1}, "got factor 1, want a number in [0, 1)"},
		{"no schedule", &callbacks.LearningRateScheduler{}, "got no Schedule"},
		{"a rate that cannot be", &callbacks.LearningRateScheduler{Schedule: func(int, float64) float64 { return -1 }}, "got learning rate -1"},
		{"no directory", &callbacks.CSVLogger{Filename: "/nowhere/log.csv"}, "CSVLogger: open /nowhere/log.csv"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := fit(t, line(t), 1, tc.callback)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func Example() {
	stop := &callbacks.EarlyStopping{Monitor: "loss", Patience: 1}
	ctx := context.Background()
	fmt.Println(stop.OnTrainBegin(ctx, nil))
	for epoch, loss := range []float64{0.9, 0.5, 0.6, 0.7} {
		if err := stop.OnEpochEnd(ctx, epoch, keras.Logs{{Name: "loss", Value: loss}}); err != nil {
			fmt.Println(err)
		}
		fmt.Println(epoch, stop.StopTraining(), stop.BestEpoch())
	}
	// Output:
	// <nil>
	// 0 false 0
	// 1 false 1
	// 2 true 1
	// 3 true 1
}

// TestValidationFreq monitors a number that only every second epoch has, by ReduceLROnPlateau,
// EarlyStopping, CSVLogger and ModelCheckpoint: the other epochs do not count. The weight falls by
// a fifth in each step, so that the validation, whose label is the initial weight, gets worse.
func TestValidationFreq(t *testing.T) {
	dir := t.TempDir()
	m := line(t)
	plateau, csv := &callbacks.ReduceLROnPlateau{Patience: ptr(1), Factor: 0.5}, filepath.Join(dir, "log.csv")
	_, err := m.Fit(t.Context(), [][]float32{{1}, {1}}, [][]float32{{0}, {0}}, keras.BatchSize(1), keras.Epochs(9), keras.Verbose(0),
		keras.ValidationData([][]float32{{1}}, [][]float32{{1}}), keras.ValidationFreq(2),
		keras.Callbacks(plateau, &callbacks.CSVLogger{Filename: csv}, &callbacks.EarlyStopping{Patience: 2},
			&callbacks.ModelCheckpoint{Filepath: filepath.Join(dir, "w_{epoch}_{val_loss:.1f}.weights.h5"), SaveWeightsOnly: true},
			&callbacks.ModelCheckpoint{Filepath: filepath.Join(dir, "best_{epoch}.weights.h5"), SaveWeightsOnly: true, SaveBestOnly: true}))
	require.NoError(t, err)
	require.Equal(t, []string{"best_2.weights.h5", "log.csv", "w_2_0.3.weights.h5", "w_4_0.7.weights.h5", "w_6_0.8.weights.h5"}, names(t, dir))
	text, err := os.ReadFile(csv)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 7, "stopped after three validations")
	require.Equal(t, "epoch,loss,val_loss", lines[0])
	for i, line := range lines[1:] {
		require.Equal(t, i%2 == 0, strings.HasSuffix(line, ",NA"), line)
	}
	rate, err := m.Optimizer().LearningRate(t.Context())
	require.NoError(t, err)
	require.InDelta(t, 0.025, rate, 1e-8, "halved after the second and the third validation")
}

// logged trains y = w·x with w = 1 for two epochs of two batches, whose losses are 1, 0.64 and
// 0.4096, 0.262144, with a validation. It returns the directory of TensorBoard's files, with the
// logs of each batch and histograms of each epoch.
func logged(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	m := line(t)
	require.NoError(t, m.Layers()[1].(*layers.DenseLayer).Kernel.Assign(nil, []float32{1}))
	_, err := m.Fit(t.Context(), [][]float32{{1}, {1}}, [][]float32{{0}, {0}}, keras.BatchSize(1), keras.Epochs(2), keras.Verbose(0),
		keras.ValidationData([][]float32{{1}}, [][]float32{{0}}), keras.Callbacks(&callbacks.TensorBoard{LogDir: dir, UpdateFreq: 1, HistogramFreq: 1}))
	require.NoError(t, err)
	return dir
}

// TestTensorBoardReads lets TensorBoard read the files, with their checksums. It must find the same
// numbers under the same tags.
func TestTensorBoardReads(t *testing.T) {
	python := peer.Python(t, "tensorboard")
	cmd := exec.Command(python, "../../benchmarks/peers/tensorboard_read.py", logged(t))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	var read struct {
		Scalars    map[string]map[string][][2]float64
		Histograms map[string]map[string][][2]any
		Graphs     map[string][][]string
	}
	require.NoError(t, json.Unmarshal(out, &read))
	got := read.Scalars
	want := map[string]map[string][][2]float64{
		"train": {
			"epoch_loss":          {{0, 0.82}, {1, 0.335872}},
			"epoch_learning_rate": {{0, 0.1}, {1, 0.1}},
			"batch_loss":          {{1, 1}, {2, 0.82}, {3, 0.4096}, {4, 0.335872}},
		},
		"validation": {"epoch_loss": {{0, 0.4096}, {1, 0.16777216}}},
	}
	require.Len(t, got, len(want))
	for run, tags := range want {
		require.Len(t, got[run], len(tags), run)
		for tag, points := range tags {
			require.Len(t, got[run][tag], len(points), "%s %s", run, tag)
			for i, p := range points {
				require.InDeltaSlice(t, p[:], got[run][tag][i][:], 1e-6, "%s %s", run, tag)
			}
		}
	}
	require.Len(t, read.Histograms, 1)
	require.Len(t, read.Histograms["train"], 1)
	for path, epochs := range read.Histograms["train"] {
		require.Regexp(t, "^dense(_[0-9]+)?/kernel/histogram$", path)
		require.Len(t, epochs, 2)
		last := epochs[0][1].([]any)[29].([]any) // of the weight after an epoch
		require.InDelta(t, 0.64, last[0], 1e-6)
		require.Equal(t, 1., last[2])
	}
	graph := read.Graphs["train"]
	require.Len(t, graph, 2)
	require.Equal(t, "InputLayer", graph[0][1])
	require.Equal(t, []string{"Dense", graph[0][0]}, graph[1][1:])
}

// The buckets of a histogram are those that TensorBoard makes of the same numbers, also for equal
// numbers and for none. The test is skipped without a Python that has TensorBoard.
func TestHistogram(t *testing.T) {
	python := peer.Python(t, "tensorboard")
	for _, numbers := range [][]float64{{3, 3, 3}, {-1, 0.25, 0.5, 7, 7, 2.125}, {}} {
		text, err := json.Marshal(numbers)
		require.NoError(t, err)
		cmd := exec.Command(python, "../../benchmarks/peers/tensorboard_read.py", "--histogram", string(text))
		cmd.Stderr = t.Output()
		out, err := cmd.Output()
		require.NoError(t, err)
		var want [][]float64
		require.NoError(t, json.Unmarshal(out, &want))
		got := callbacks.BucketsOf(numbers)
		require.Len(t, got, len(want))
		for i := range want {
			require.InDeltaSlice(t, want[i], got[i][:], 1e-9)
		}
	}
}

// TestGraphs draws models in models: their layers are below their names, connected to the layers
// around them.
func TestGraphs(t *testing.T) {
	x := keras.Input([]int{3}, layers.Name("x"))
	d := layers.Dense(3, layers.Name("d"))
	inner := keras.Must(keras.Functional(x, x.Call(d, d), keras.Name("inner")))
	y := keras.Input([]int{3}, layers.Name("y"))
	m := keras.Must(keras.Functional(y, inner.Apply(y).Call(layers.Dense(1, layers.Name("out")))))
	require.Equal(t, [][]string{{"y", "InputLayer"}, {"inner/d", "Dense", "y"}, {"inner/d_1", "Dense", "inner/d"}, {"out", "Dense", "inner/d_1"}}, callbacks.GraphOf(m))
}

// TestTensorBoardFiles checks the files without TensorBoard: there is one for each training, named
// as TensorFlow's; wrong fields and directories are errors; the learning rates of all optimizers
// are written.
func TestTensorBoardFiles(t *testing.T) {
	dir := t.TempDir()
	for run := 1; run <= 2; run++ {
		_, err := fit(t, line(t), 1, &callbacks.TensorBoard{LogDir: dir, WriteStepsPerSecond: true})
		require.NoError(t, err)
		files := names(t, filepath.Join(dir, "train"))
		require.Len(t, files, run)
		require.True(t, strings.HasPrefix(files[0], "events.out.tfevents."))
	}
	require.NoDirExists(t, filepath.Join(dir, "validation"))
	_, err := fit(t, line(t), 1, &callbacks.TensorBoard{UpdateFreq: -1})
	require.ErrorContains(t, err, "TensorBoard: got UpdateFreq -1")
	_, err = fit(t, line(t), 1, &callbacks.TensorBoard{LogDir: "/proc/none"})
	require.ErrorContains(t, err, "TensorBoard: the directory /proc/none/train cannot be made")

	m := line(t)
	several := optimizers.MultiOptimizer(optimizers.NewOptimizerMap("adam"))
	require.NoError(t, m.Compile(keras.Optimizer(several), keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
	dir = t.TempDir()
	_, err = fit(t, m, 1, &callbacks.TensorBoard{LogDir: dir})
	require.NoError(t, err)
	written, err := os.ReadFile(filepath.Join(dir, "train", names(t, filepath.Join(dir, "train"))[0]))
	require.NoError(t, err)
	require.Contains(t, string(written), "epoch_learning_rate/adam")
}
