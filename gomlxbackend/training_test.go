//go:build cgo

package gomlxbackend_test

// This file trains models with GoMLX's trainer, on meshes and on GoMLX's own backend for XLA. It
// also tests what a step transfers, checkpoints, and the compilation cache.

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/go-xla/compute/xla"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/attention"
	"github.com/gomlx/gomlx/ml/layers/norm"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// trained is a model that tests train: functions that draw random inputs and labels, the model, and
// its loss.
type trained struct {
	name   string
	inputs func(random *rand.Rand) any
	labels func(random *rand.Rand) any
	model  func(scope *model.Scope, spec any, inputs []*Node) []*Node
	loss   train.LossFn
	rules  string // rules of its layouts
}

const rows = 24

var models = []trained{
	{
		name: "perceptron",
		inputs: func(random *rand.Rand) any {
			return matrix(random, rows, 10)
		},
		labels: func(random *rand.Rand) any { return matrix(random, rows, 1) },
		model: func(scope *model.Scope, _ any, inputs []*Node) []*Node {
			x := activation.Relu(layers.Dense(scope.In("up"), inputs[0], true, 32))
			x = norm.BatchNorm(scope.In("norm"), x, -1).Done()
			x = layers.DropoutStatic(scope.In("dropout"), x, 0.25)
			return []*Node{layers.Dense(scope.In("down"), x, true, 1)}
		},
		loss:  loss.MeanSquaredError,
		rules: "# as Megatron-LM does\n/up/.*weights=-,model\nup/.*biases=model\n.*/down/.*weights=model,-\n",
	},
	{
		name: "convolutions",
		inputs: func(random *rand.Rand) any {
			images := make([][][][]float32, rows)
			for i := range images {
				images[i] = make([][][]float32, 12)
				for y := range images[i] {
					images[i][y] = matrix(random, 12, 3)
				}
			}
			return images
		},
		labels: func(random *rand.Rand) any { return classes(random, rows, 5) },
		model: func(scope *model.Scope, _ any, inputs []*Node) []*Node {
			x := activation.Relu(layers.Convolution(scope.In("conv0"), inputs[0]).Channels(8).KernelSize(3).PadSame().Done())
			x = MaxPool(x).Window(2).Done()
			x = activation.Relu(layers.Convolution(scope.In("conv1"), x).Channels(16).KernelSize(3).PadSame().Done())
			x = ReduceMean(x, 1, 2)
			return []*Node{layers.Dense(scope.In("classes"), x, true, 5)}
		},
		loss:  loss.SparseCategoricalCrossEntropyLogits,
		rules: ".*conv.*/weights=-,-,-,model\n",
	},
	{
		name:   "transformer",
		inputs: func(random *rand.Rand) any { return tokens(random, rows, 7, 13) },
		labels: func(random *rand.Rand) any { return classes(random, rows, 13) },
		model: func(scope *model.Scope, _ any, inputs []*Node) []*Node {
			x := layers.Embedding(scope.In("tokens"), inputs[0], dtypes.Float32, 13, 16)
			for i := range 2 {
				block := scope.In("block%d", i)
				y := norm.LayerNorm(block.In("norm0"), x, -1).Done()
				x = Add(x, attention.SelfAttention(block.In("attention"), y, 4, 4).Done())
				y = norm.LayerNorm(block.In("norm1"), x, -1).Done()
				y = activation.Gelu(layers.Dense(block.In("up"), y, true, 32))
				x = Add(x, layers.Dense(block.In("down"), y, true, 16))
			}
			return []*Node{layers.Dense(scope.In("logits"), ReduceMean(x, 1), true, 13)}
		},
		loss:  loss.SparseCategoricalCrossEntropyLogits,
		rules: ".*/up/.*weights=-,model\n.*/down/.*weights=model,-\n/tokens/.*=-,model\n",
	},
}

func matrix(random *rand.Rand, n, width int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, width)
		for j := range out[i] {
			out[i][j] = float32(random.NormFloat64())
		}
	}
	return out
}

func classes(random *rand.Rand, n, of int) [][]int32 { return tokens(random, n, 1, of) }

func tokens(random *rand.Rand, n, length, of int) [][]int32 {
	out := make([][]int32, n)
	for i := range out {
		out[i] = make([]int32, length)
		for j := range out[i] {
			out[i][j] = int32(random.IntN(of))
		}
	}
	return out
}

// batches yields batches of new random numbers without end, the same ones in each run.
type batches struct{ of trained }

func (b batches) Name() string { return b.of.name }

func (b batches) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for yield(train.Batch{Inputs: []*tensors.Tensor{tensors.MustFromAnyValue(b.of.inputs(random))},
			Labels: []*tensors.Tensor{tensors.MustFromAnyValue(b.of.labels(random))}}, nil) {
		}
	}
}

// losses trains the model of for some steps on b, from the same initial values each time, and
// returns the loss of each step. It calls each, if it is not nil, after each step.
func losses(t *testing.T, b compute.Backend, of trained, steps int, each func()) []float64 {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(42))
	return lossesOf(t, b, store, of, steps, each)
}

// lossesOf returns the losses of steps training steps, as losses does, for a model whose variables
// are in store: a training may continue with them. each, unless it is nil, is called after each
// step.
func lossesOf(t *testing.T, b compute.Backend, store *model.Store, of trained, steps int, each func()) (out []float64) {
	trainer := train.NewTrainer(b, store, of.model, of.loss, optimizer.Adam().LearningRate(0.01).Done(), nil, []metric.Interface{})
	loop := train.NewLoop(trainer)
	loop.OnStep("losses", 0, func(_ *train.Loop, metrics []*tensors.Tensor) error {
		out = append(out, float64(tensors.ToScalar[float32](metrics[0])))
		if each != nil {
			each()
		}
		return nil
	})
	_, err := loop.RunSteps(batches{of}, steps)
	require.NoError(t, err)
	return out
}

// goXLA returns GoMLX's own backend for XLA on one CPU device, with the same plugin as ours, until
// the test ends. Without a plugin the test is skipped.
func goXLA(t *testing.T) compute.Backend {
	file, err := plugin.Find(t.Context(), plugin.Options{Platform: "cpu"})
	if err != nil {
		needs.Plugin(t, "cpu", err)
	}
	b, err := xla.New(file)
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}

// Models of GoMLX's layers have the same losses in 20 training steps on each mesh, with and without
// their rules, as on GoMLX's backend for XLA, which uses one device, within 1e-5 relative to the
// loss. The short form trains 10 steps on one mesh, with the rules.
func TestTraining(t *testing.T) {
	steps := longtest.Pick(10, 20)
	for _, of := range models {
		t.Run(of.name, func(t *testing.T) {
			want := losses(t, goXLA(t), of, steps, nil)
			for _, mesh := range longtest.Pick([]string{"2x4"}, []string{"single", "2x4", "3x2"}) {
				for _, layouts := range longtest.Pick([]string{of.rules}, []string{of.rules, ""}) {
					config := configWithRules(t, "mesh="+mesh, layouts)
					t.Run(fmt.Sprintf("%s, %d bytes of rules", mesh, len(layouts)), func(t *testing.T) {
						b := open(t, config)
						got := losses(t, b, of, steps, nil)
						require.Len(t, got, len(want))
						for i := range want {
							require.InDelta(t, want[i], got[i], 1e-5*math.Max(1, math.Abs(want[i])), "step %d", i)
						}
					})
				}
			}
		})
	}
}

// Variables stay on the devices. A step only puts its batch on the devices, and fetches the results
// that the loop reads.
func TestTransfers(t *testing.T) {
	const warm, steps = 2, 10
	b := open(t, configWithRules(t, "mesh=2x4", models[0].rules))
	var before gomlxbackend.Transfers
	n := 0
	losses(t, b, models[0], warm+steps, func() {
		if n++; n == warm {
			before = b.Transfers()
		}
	})
	after := b.Transfers()
	require.Equal(t, 2*steps, after.Put-before.Put, "inputs and labels")
	require.LessOrEqual(t, after.Fetched-before.Fetched, 2*steps, "losses")
	require.Zero(t, after.Moved-before.Moved)
}

// A training continues on one mesh from a GoMLX checkpoint that was written on another: its last
// loss is below the first one of before. The losses before are those of GoMLX's backend for XLA,
// within 1e-5.
func TestCheckpoint(t *testing.T) {
	dir, of := t.TempDir(), longtest.Pick(models[0], models[2])
	want := func(config string, steps int) []float64 {
		b := open(t, configWithRules(t, config, of.rules))
		defer b.Finalize()
		store := model.NewStore()
		store.SetParam(model.ParamInitialSeed, int64(42))
		saved, err := checkpoint.Build(store).Dir(dir).Keep(1).Done()
		require.NoError(t, err)
		out := lossesOf(t, b, store, of, steps, nil)
		require.NoError(t, saved.Save())
		return out
	}
	first := want("mesh=2x4", 5)
	resumed := want("mesh=3x2", 5)
	whole := losses(t, goXLA(t), of, 5, nil)
	require.InDeltaSlice(t, whole, first, 1e-5)
	require.Less(t, resumed[4], first[0], "it goes on from what was saved")
	require.NotEqual(t, first, resumed)
}

// A second start loads the training step of the first one from the compilation cache, and computes
// the same bits. Programs that compile quickly are not cached.
func TestCompilationCache(t *testing.T) {
	t.Setenv("GOSPMD_COMPILATION_CACHE", t.TempDir())
	of := models[0]
	start := func() (all []float64, cached int) {
		b := open(t, configWithRules(t, "mesh=2x2", of.rules))
		defer b.Finalize()
		all = losses(t, b, of, 2, nil)
		_, cached = b.Programs()
		return all, cached
	}
	want, cached := start()
	require.Zero(t, cached)
	got, cached := start()
	require.NotZero(t, cached)
	require.Equal(t, want, got)
}
