package main

// This file trains by three processes. One process has other seeds, weights or data than the
// others, as it happens in programs that were written for one process.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/coordination"
)

// habitEnv is an environment variable that names a habit. If it is set, the test binary trains with
// that habit.
const habitEnv = "GOSPMD_TEST_HABIT"

func init() { runtimetest.CompileQuickly() }

func TestMain(m *testing.M) {
	jobtest.Main(m, func() {
		if dir := os.Getenv(keeperEnv); dir != "" {
			os.Exit(keep(dir))
		}
		if name := os.Getenv(habitEnv); name != "" {
			example.Main("habit", func(ctx context.Context, _ []string, out io.Writer) error { return habits[name].train(ctx, out) })
			return
		}
		main()
	})
}

// habit describes what a program does differently in process 1. The functions get 1 in process 1,
// and 0 in all others; they may be nil.
type habit struct {
	flags     string // XLA_FLAGS of process 1
	seed      func(rank int) uint32
	dropout   func(rank int) int // the seed of the dropout
	weights   func(rank int) float32
	later     bool               // the weights are set between two trainings
	x, y      func(rank int) int // the seeds of the data
	batches   bool               // the data are a dataset that does not say how it is sharded
	broadcast bool
	want      string // part of the error of all processes; empty: they train
}

var habits = map[string]habit{
	"seeds":     {seed: plus, want: `process D has the random seed 6 (SetRandomSeed), process D has the random seed 5 (SetRandomSeed)`},
	"dropout":   {dropout: plusInt, want: "process D has other values than process D of seed_generator/seed_generator_state: set the same random seed in all processes"},
	"weights":   {weights: times, want: "process D has other values than process D of d1/kernel, d1/bias, d2/kernel and 1 more: set the same random seed"},
	"later":     {weights: times, later: true, want: "process D has other values than process D of d1/kernel, d1/bias, d2/kernel"},
	"inputs":    {x: plusInt, want: "process D has other values than process D of x: all must give the same global batches"},
	"labels":    {y: plusInt, want: "process D has other values than process D of y: all must give the same global batches"},
	"shuffle":   {x: plusInt, y: plusInt, batches: true, want: "process D has other values than process D of x, y: all must give the same global batches"},
	"broadcast": {seed: plus, dropout: plusInt, weights: times, later: true, broadcast: true},
	"flags":     {flags: "--xla_cpu_enable_fast_math=true", want: "--xla_cpu_enable_fast_math=true"},
}

func plus(rank int) uint32   { return 5 + uint32(rank) }
func plusInt(rank int) int   { return 5 + rank }
func times(rank int) float32 { return 0.1 + float32(rank)/10 }

// train trains as the example does, but with the habit: what this user does differently in some
// process, such as other flags, seeds or data.
func (h habit) train(ctx context.Context, out io.Writer) error {
	rank := 0
	if os.Getenv(coordination.VariableProcessID) == "1" {
		rank = 1
	}
	if rank == 1 && h.flags != "" {
		os.Setenv("XLA_FLAGS", os.Getenv("XLA_FLAGS")+" "+h.flags)
	}
	if err := example.Initialize(ctx, devices); err != nil {
		return err
	}
	random.SetRandomSeed(5)
	if h.seed != nil {
		random.SetRandomSeed(h.seed(rank))
	}
	d, err := distribution.NewDataParallel()
	if err != nil {
		return err
	}
	return distribution.Scope(d, func() error {
		model, err := h.model(rank)
		if err != nil {
			return err
		}
		x, y, err := h.data(rank)
		if err != nil {
			return err
		}
		if h.later {
			if err := h.setWeights(ctx, model, 0); err != nil {
				return err
			}
			if _, err := model.Fit(ctx, x, y, keras.Verbose(0), keras.Shuffle(false)); err != nil {
				return fmt.Errorf("the first training: %w", err)
			}
		}
		if err := h.setWeights(ctx, model, rank); err != nil {
			return err
		}
		var history *keras.History
		if h.batches {
			history, err = model.Fit(ctx, opaqueDataset(x, y), nil, keras.Verbose(0))
		} else {
			history, err = model.Fit(ctx, x, y, keras.Verbose(0), keras.Shuffle(false), keras.Epochs(2), keras.Callbacks(&callbacks.Lambda{
				TrainBatchEnd: func(ctx context.Context, _ int, logs *keras.BatchLogs) error {
					if _, err := logs.Get(ctx); err != nil {
						return err
					}
					_, err := fmt.Fprintln(out, "step")
					return err
				}}))
		}
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(result{Process: rank, Loss: history.Logs["loss"]})
	})
}

func (h habit) model(rank int) (*keras.Model, error) {
	seed := 4
	if h.dropout != nil {
		seed = h.dropout(rank)
	}
	x := keras.Input([]int{6})
	y := x.Apply(layers.Dense(8, layers.Name("d1"))).Apply(layers.Dropout(0.4, layers.Name("dropout"), layers.Seed(seed))).Apply(layers.Dense(3, layers.Name("d2")))
	model, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
	if err != nil {
		return nil, err
	}
	return model, model.Compile(keras.Loss("mse"), keras.BroadcastWeights(h.broadcast))
}

func (h habit) data(rank int) (x, y *tensors.Tensor, err error) {
	seeds := [2]int{1, 2}
	for i, seed := range []func(int) int{h.x, h.y} {
		if seed != nil {
			seeds[i] = seed(rank)
		}
	}
	if x, err = random.Normal([]int{64, 6}, random.Seed(seeds[0])); err != nil {
		return nil, nil, err
	}
	y, err = random.Normal([]int{64, 3}, random.Seed(seeds[1]))
	return x, y, err
}

func (h habit) setWeights(ctx context.Context, m *keras.Model, rank int) error {
	if h.weights == nil {
		return nil
	}
	var weights []any
	for _, dims := range [][]int{{6, 8}, {8}, {8, 3}, {3}} {
		size := dims[0] * append(dims, 1)[1]
		weights = append(weights, tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{h.weights(rank)}, size), dims...))
	}
	return m.SetWeights(ctx, weights...)
}

// opaqueDataset returns a dataset of the one batch x, y, which tells nothing of its shuffling.
func opaqueDataset(x, y *tensors.Tensor) data.Dataset {
	return data.FromBatches(func(yield func(data.Batch, error) bool) {
		yield(data.Batch{X: []*tensors.Tensor{x}, Y: []*tensors.Tensor{y}}, nil)
	})
}

// digits matches numbers of processes in messages: the process that differs from all others may
// name any of them.
var digits = regexp.MustCompile(`process [012]\b`)

// TestHabits trains with a habit in process 1 of three: before the step that it would change, all
// processes get an error that names it, or, if the program asks for that, the weights of process 0.
// The short form has two of the habits on PJRT, and on the Go engine all that can be there.
func TestHabits(t *testing.T) {
	runOnEachWay(t, func(t *testing.T, w way) {
		for name, h := range habits {
			if h.flags != "" && w.engine != runtime.EnginePJRT {
				continue // the Go engine reads no flags of XLA
			}
			if w.engine == runtime.EnginePJRT && name != "flags" && name != "weights" && !longtest.Enabled() {
				continue
			}
			t.Run(name, func(t *testing.T) {
				j := jobtest.Start(t, 3, 2, append(w.environ(), habitEnv+"="+name), sameArgs())
				if h.want == "" {
					results := jobtest.Results[result](j)
					for _, r := range results {
						require.Equal(t, results[0].Loss, r.Loss)
					}
					return
				}
				for rank, text := range j.Errors() {
					require.Contains(t, digits.ReplaceAllString(text, "process D"), h.want, "process %d", rank)
					require.NotContains(t, text, "the first training", "process %d", rank)
					require.NotContains(t, j.Processes[rank].Output(), "step", "process %d", rank)
				}
			})
		}
	})
}
