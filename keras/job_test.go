package keras_test

// This file trains by several processes of a job. Their clients are all in the test's process. It
// tests differences between them, and data that is divided among them.

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// variant has the settings of a process of the test's job, so that one process can differ from the
// others.
type variant struct {
	mesh   string
	rule   []string // of d1/kernel
	units  int
	rate   float64 // of the learning
	byHand bool
	steps  int // number of steps in an execution; 0: as many as a training chooses
}

// jobModel returns a model of 6 inputs and 3 outputs, compiled on client c with mse and SGD, with
// the mesh, layout, sizes and rate of v; rate 0 is SGD's default. The initial weights are always
// the same. It clears the names of earlier models.
func jobModel(c *runtime.Client, v variant) (m *keras.Model, err error) {
	layers.ClearSession()
	dm, err := mesh.Parse(v.mesh)
	if err != nil {
		return nil, err
	}
	layouts := distribution.NewLayoutMap(dm)
	if err := layouts.Set("d1/kernel", v.rule...); err != nil {
		return nil, err
	}
	d, err := distribution.NewModelParallel(layouts, "data", distribution.AutoShardDataset(!v.byHand))
	if err != nil {
		return nil, err
	}
	err = distribution.Scope(d, func() (err error) {
		x := keras.Input([]int{6})
		y := x.Apply(layers.Dense(v.units, layers.Name("d1"), layers.Activation("relu"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1))))).
			Apply(layers.Dense(3, layers.Name("d2"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(2)))))
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		o := optimizers.SGD()
		if v.rate > 0 {
			o = optimizers.SGD(optimizers.LearningRate(v.rate))
		}
		opts := []keras.CompileOption{keras.Optimizer(o), keras.Loss("mse"), keras.Client(c), keras.Logger(slog.New(slog.DiscardHandler))}
		if v.steps > 0 {
			opts = append(opts, keras.StepsPerExecution(v.steps))
		}
		return m.Compile(opts...)
	})
	return m, err
}

// usual is the variant of the processes that do not differ: the mesh data=2,model=2, and d1 with 8
// units, sharded over the axis model.
var usual = variant{mesh: "data=2,model=2", rule: []string{distribution.None, "model"}, units: 8}

// samplesXY returns n samples of random numbers, always the same ones: x is [n, 6], y is [n, 3].
func samplesXY(t *testing.T, n int) (x, y *tensors.Tensor) {
	t.Helper()
	x, err := random.Normal([]int{n, 6}, random.Seed(3))
	require.NoError(t, err)
	y, err = random.Normal([]int{n, 3}, random.Seed(4))
	require.NoError(t, err)
	return x, y
}

// together calls do for each client at once, with the client's index as the rank, and returns the
// errors by rank. The context ends after five minutes.
func together(clients []*runtime.Client, do func(ctx context.Context, rank int) error) []error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	errs := make([]error, len(clients))
	var wait sync.WaitGroup
	for rank := range clients {
		wait.Go(func() { errs[rank] = do(ctx, rank) })
	}
	wait.Wait()
	return errs
}

// TestDifferences runs something else in process 1 than in process 0: before the first
// step all get an error that says what.
func TestDifferences(t *testing.T) {
	x, y := samplesXY(t, 32)
	fit := func(opts ...keras.RunOption) func(context.Context, *keras.Model) error {
		return func(ctx context.Context, m *keras.Model) error {
			_, err := m.Fit(ctx, x, y, append([]keras.RunOption{keras.Shuffle(false), keras.Verbose(0)}, opts...)...)
			return err
		}
	}
	other := func(change func(*variant)) variant { v := usual; change(&v); return v }
	pipeline := func(n int) func(context.Context, *keras.Model) error {
		return func(ctx context.Context, m *keras.Model) error {
			_, err := m.Fit(ctx, data.FromTensorSlices(x, y).Batch(n).Prefetch(1), nil, keras.Verbose(0))
			return err
		}
	}
	for _, tc := range []struct {
		name, want string
		model      variant
		run        func(context.Context, *keras.Model) error // of process 1
		runOthers  func(context.Context, *keras.Model) error
	}{
		{name: "batch size", want: "process 1 has batch size 8, process 0 has batch size 16", run: fit(keras.BatchSize(8)), runOthers: fit(keras.BatchSize(16))},
		{name: "batch size of a dataset", want: "process 1 has batch size 8, process 0 has batch size 16", run: pipeline(8), runOthers: pipeline(16)},
		{name: "layout map", want: "process 1 has the layout map {d1/kernel: (model, none)}, process 0 has the layout map {d1/kernel: (none, model)}", model: other(func(v *variant) { v.rule = []string{"model", distribution.None} })},
		{name: "mesh", want: "process 1 has the distribution ModelParallel on data=4,model=1, process 0 has the distribution ModelParallel on data=2,model=2", model: other(func(v *variant) { v.mesh = "data=4,model=1" })},
		{name: "model", want: "process 1 has the variable d1/kernel tensor<6x9xf32>", model: other(func(v *variant) { v.units = 9 })},
		{name: "optimizer", want: `process 1 has the optimizer SGD {`, model: other(func(v *variant) { v.rate = 0.5 })},
		{name: "epochs", want: "process 1 has epochs 0 to 3, process 0 has epochs 0 to 1", run: fit(keras.Epochs(3))},
		{name: "shuffle", want: "process 1 has shuffle seed 5, process 0 has shuffle seed 0", run: fit(keras.Shuffle(true), keras.ShuffleSeed(5))},
		{name: "samples", want: "process 1 has batches in the dataset: 1, process 0 has batches in the dataset: 2", run: func(ctx context.Context, m *keras.Model) error {
			_, err := m.Fit(ctx, data.FromTensorSlices(x, y).Batch(16).Take(1), nil, keras.Verbose(0))
			return err
		}, runOthers: fit(keras.BatchSize(16))},
		{name: "another call", want: "process 1 has the call of Evaluate, process 0 has the call of Fit", run: func(ctx context.Context, m *keras.Model) error {
			_, err := m.Evaluate(ctx, x, y, keras.Verbose(0))
			return err
		}},
		{name: "an error", want: "labels 0 has 32 samples, input 0 has 31", run: func(ctx context.Context, m *keras.Model) error {
			x, _ := samplesXY(t, 31)
			_, err := m.Fit(ctx, x, y, keras.Verbose(0))
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			clients := jobtest.Open(t, 2, 2)
			models := make([]*keras.Model, len(clients))
			for rank, c := range clients {
				v := usual
				if rank == 1 && tc.model.mesh != "" {
					v = tc.model
				}
				var err error
				models[rank], err = jobModel(c, v)
				require.NoError(t, err)
			}
			errs := together(clients, func(ctx context.Context, rank int) error {
				run := tc.run
				if rank == 0 && tc.runOthers != nil || run == nil {
					run = tc.runOthers
				}
				if rank == 0 && tc.runOthers == nil || run == nil {
					run = fit()
				}
				return run(ctx, models[rank])
			})
			for rank, err := range errs {
				require.ErrorContains(t, err, tc.want, "process %d", rank)
			}
		})
	}
}

// With AutoShardDataset(false) each process gives its part of each batch, and the whole batch where
// the axis data has size 1. The losses of Fit and Evaluate are within 1e-6 those of global batches,
// also with several steps in an execution, and equal in both processes. The short form has the
// meshes with an axis model.
func TestAutoShardDataset(t *testing.T) {
	const n, batch = 48, 12
	x, y := samplesXY(t, n)
	for _, meshText := range longtest.Pick([]string{"data=2,model=2", "data=1,model=4"}, []string{"data=4,model=1", "data=2,model=2", "data=1,model=4"}) {
		t.Run(meshText, func(t *testing.T) {
			losses := func(byHand bool, steps int) [2][]float64 {
				clients := jobtest.Open(t, 2, 2)
				models := make([]*keras.Model, len(clients))
				for rank, c := range clients {
					v := usual
					v.mesh, v.byHand, v.steps = meshText, byHand, steps
					var err error
					models[rank], err = jobModel(c, v)
					require.NoError(t, err)
				}
				var out [2][]float64
				for rank, err := range together(clients, func(ctx context.Context, rank int) error {
					ds := data.FromTensorSlices(x, y).Batch(batch)
					if byHand && meshText != "data=1,model=4" {
						ds = ds.Map(func(b data.Batch) (data.Batch, error) { return half(b, rank), nil })
					}
					h, err := models[rank].Fit(ctx, ds, nil, keras.Epochs(3), keras.Verbose(0))
					if err != nil {
						return err
					}
					logs, err := models[rank].Evaluate(ctx, ds, nil, keras.Verbose(0))
					loss, _ := logs.Get("loss")
					out[rank] = append(h.Logs["loss"], loss)
					return err
				}) {
					require.NoError(t, err, "process %d", rank)
				}
				require.Equal(t, out[0], out[1])
				return out
			}
			want := losses(false, 1)
			require.InDeltaSlice(t, want[0], losses(true, 1)[0], 1e-6)
			require.InDeltaSlice(t, want[0], losses(true, 3)[0], 1e-6)
		})
	}
}

// half returns the first (rank 0) or the second (rank 1) half of the samples of a batch, as copies.
// The batch must have float32 numbers, and one input and label.
func half(b data.Batch, rank int) data.Batch {
	part := func(t *tensors.Tensor) *tensors.Tensor {
		var out *tensors.Tensor
		_ = tensors.ConstFlatData(t, func(flat []float32) {
			n, dims := len(flat)/2, append([]int{}, t.Shape().Dimensions...)
			dims[0] /= 2
			out = tensors.FromFlatDataAndDimensions(append([]float32{}, flat[rank*n:(rank+1)*n]...), dims...)
		})
		return out
	}
	return data.Batch{X: []*tensors.Tensor{part(b.X[0])}, Y: []*tensors.Tensor{part(b.Y[0])}}
}

// TestPartsDiffer gives processes parts of batches that form no global batch, for example with
// different sizes. All processes must get an error that says what differs.
func TestPartsDiffer(t *testing.T) {
	for _, tc := range []struct {
		name  string
		sizes [2]int // of the batches of each process
		want  string
	}{
		{"sizes", [2]int{8, 4}, "process 1 has batch size 8, process 0 has batch size 16"},
		{"not divisible", [2]int{5, 5}, "this process got 5 samples for 2 shards: want equally many in each"},
		{"the last batch", [2]int{6, 6}, `load the program "train_step"`},
		{"fewer batches", [2]int{6, 6}, "the end of its data, after 3 batches of train_step"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			clients := jobtest.Open(t, 2, 2)
			v := usual
			v.mesh, v.byHand = "data=4,model=1", true
			models := make([]*keras.Model, 2)
			for rank, c := range clients {
				var err error
				models[rank], err = jobModel(c, v)
				require.NoError(t, err)
			}
			errs := together(clients, func(ctx context.Context, rank int) error {
				x, y := samplesXY(t, 24)
				if tc.name == "the last batch" && rank == 1 {
					x, y = samplesXY(t, 22)
				}
				ds := data.FromTensorSlices(x, y).Batch(tc.sizes[rank])
				if tc.name == "fewer batches" {
					// whose number is not known
					ds = data.FromBatches(ds.Take(4 - rank).Batches(ctx))
				}
				_, err := models[rank].Fit(ctx, ds, nil, keras.Verbose(0))
				return err
			})
			for rank, err := range errs {
				require.ErrorContains(t, err, tc.want, fmt.Sprintf("process %d", rank))
			}
		})
	}
}
