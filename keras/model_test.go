package keras_test

// This file tests models: graphs, names, layouts, inputs and the order of layers.

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/mesh"
)

// guideModel returns the model of Keras' guide to distribution: images of 28 x 28 x 1, Flatten,
// Dense d1 of 200 units without a bias, Dropout, and Dense d2 of 10 units.
func guideModel(t *testing.T) *keras.Model {
	t.Helper()
	layers.ClearSession()
	x := keras.Input([]int{28, 28, 1})
	y := x.Apply(layers.Flatten())
	y = y.Apply(layers.Dense(200, layers.Name("d1"), layers.UseBias(false), layers.Activation("relu"),
		layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(13)))))
	y = y.Apply(layers.Dropout(0.4, layers.Seed(15)))
	y = y.Apply(layers.Dense(10, layers.Name("d2"), layers.Activation("softmax"),
		layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(14)))))
	return model(t, x, y)
}

// guideLayouts returns the distribution of Keras' guide on the mesh dm, which has the axes data and
// model. Its layout map has rules for d1/kernel, for d1/bias, which does not exist, and for
// d2/output.
func guideLayouts(t *testing.T, dm *mesh.DeviceMesh, opts ...distribution.Option) distribution.Distribution {
	t.Helper()
	layouts := distribution.NewLayoutMap(dm)
	require.NoError(t, layouts.Set("d1/kernel", distribution.None, "model"))
	require.NoError(t, layouts.Set("d1/bias", "model"))
	require.NoError(t, layouts.Set("d2/output", "data", distribution.None))
	d, err := distribution.NewModelParallel(layouts, "data", opts...)
	require.NoError(t, err)
	return d
}

// images returns n images of 28 x 28 x 1, the same in each call, and zeros as their labels.
func images(n int) (x, y *tensors.Tensor) {
	flat := make([]float32, n*28*28)
	for i := range flat {
		flat[i] = float32(i%17) / 17
	}
	return tensors.FromFlatDataAndDimensions(flat, n, 28, 28, 1), tensors.FromFlatDataAndDimensions(make([]float32, n*10), n, 10)
}

// TestGuideOnDevices reads d1/kernel back from the devices' buffers: every shard must have its
// columns of the initial value, and keep its shape in training. The inputs of the train step must
// have the shardings of the guide, and those that a step updates must be donated.
func TestGuideOnDevices(t *testing.T) {
	dm := mesh.MustParse("data=2,model=4")
	require.NoError(t, distribution.Scope(guideLayouts(t, dm), func() error {
		m := guideModel(t)
		initial, err := m.Variable("d1/kernel").Value(t.Context())
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 8)), quiet))
		images, labels := images(32)
		_, err = m.Evaluate(t.Context(), images, labels, keras.Verbose(0))
		require.NoError(t, err)

		kernel := m.Variable("d1/kernel")
		shards := kernel.Array().Shards()
		require.Len(t, shards, 8)
		for pos, s := range shards {
			require.Equal(t, []int{784, 50}, s.Buffer.Type().Dims)
			raw := make([]byte, s.Buffer.Type().Bytes())
			require.NoError(t, s.Buffer.Read(t.Context(), raw))
			start := 50 * (pos % 4)
			for row := range 784 {
				for col := range 50 {
					got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(row*50+col):]))
					require.Equal(t, initial.([]float32)[row*200+start+col], got, "device %d, row %d, column %d", s.Device, row, start+col)
				}
			}
		}

		_, err = m.Fit(t.Context(), images, labels, keras.Verbose(0))
		require.NoError(t, err)
		for _, s := range kernel.Array().Shards() {
			require.Equal(t, []int{784, 50}, s.Buffer.Type().Dims, "training keeps the layout")
		}
		program := m.Programs()[len(m.Programs())-1]
		layouts := make(map[string]string)
		for _, in := range program.Inputs {
			layouts[in.Name] = in.Sharding.String()
			updated := strings.Contains(in.Name, "/") && in.Name != "rm_sprop/learning_rate"
			require.Equal(t, updated, in.Donated(), "%s: what a step updates, it updates in place", in.Name)
		}
		require.Equal(t, map[string]string{
			"x":                                   `[{"data"}, {}, {}, {}]`,
			"y":                                   `[{"data"}, {}]`,
			"d1/kernel":                           `[{}, {"model"}]`,
			"d2/kernel":                           `[{}, {}]`,
			"d2/bias":                             `[{}]`,
			"rm_sprop/iteration":                  `[]`,
			"rm_sprop/learning_rate":              `[]`,
			"rm_sprop/d1_kernel_velocity":         `[{}, {"model"}]`,
			"rm_sprop/d2_kernel_velocity":         `[{}, {}]`,
			"rm_sprop/d2_bias_velocity":           `[{}]`,
			"seed_generator/seed_generator_state": `[{}]`,
			"loss/total":                          `[]`,
			"loss/count":                          `[]`,
		}, layouts, "slots are sharded as their variables, the rest is replicated")
		return nil
	}))
}

func TestDeadLayoutRules(t *testing.T) {
	dm := mesh.MustParse("data=2,model=4")
	const want = `the rule "d1/bias" matches nothing; the nearest paths are "d2/bias", "d1/kernel"`
	require.NoError(t, distribution.Scope(guideLayouts(t, dm), func() error {
		m := guideModel(t)
		var warnings bytes.Buffer
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Logger(plainlog.New(&warnings))))
		require.Contains(t, warnings.String(), want)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Logger(plainlog.New(&warnings))))
		require.Equal(t, 1, strings.Count(warnings.String(), "keras: model "), "a model warns once")
		return nil
	}))
	require.NoError(t, distribution.Scope(guideLayouts(t, dm, distribution.Strict()), func() error {
		require.ErrorContains(t, guideModel(t).Compile(keras.Loss("mse")), want)
		return nil
	}))
}

// TestBatchThatDoesNotDivide trains on 30 samples on 8 devices. The last batch needs a second
// program, and the loss must be that of one device.
func TestBatchThatDoesNotDivide(t *testing.T) {
	losses := make(map[string]float64)
	for _, name := range []string{"", "data=8,model=1"} {
		onMesh(t, name, func(client keras.CompileOption) {
			m := guideModel(t)
			require.NoError(t, m.Compile(keras.Loss("mse"), client, quiet))
			x, y := images(30)
			history, err := m.Fit(t.Context(), x, y, keras.BatchSize(16), keras.Shuffle(false), keras.Verbose(0))
			require.NoError(t, err)
			losses[name] = history.Logs["loss"][0]
			require.Len(t, m.Programs(), 2, "one program for batches of 16, one for the last of 14")
			_, err = m.Fit(t.Context(), x, y, keras.BatchSize(16), keras.Shuffle(false), keras.Verbose(0))
			require.NoError(t, err)
			require.Len(t, m.Programs(), 2, "programs are cached by shape")
		})
	}
	require.InDelta(t, losses[""], losses["data=8,model=1"], 1e-6)
}

func TestInputTypes(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 1))
	var first []float32
	for _, in := range []any{
		[][]float32{{1, 2}, {3, 4}}, [][]float64{{1, 2}, {3, 4}}, [][]uint8{{1, 2}, {3, 4}}, [][]int64{{1, 2}, {3, 4}},
	} {
		x := keras.Input([]int{2})
		m := model(t, x, x.Apply(layers.Dense(3, layers.KernelInitializer("ones"), layers.Activation("tanh"))))
		require.NoError(t, m.Compile(client))
		out, err := m.Predict(t.Context(), in, keras.Verbose(0))
		require.NoError(t, err)
		got := tensors.MustCopyFlatData[float32](out[0])
		if first == nil {
			first = got
		}
		require.Equal(t, first, got, "%T is cast to the input's type", in)
	}
}

func TestSequential(t *testing.T) {
	layers.ClearSession()
	m, err := keras.NewSequential(layers.Dense(3, layers.Activation("relu")), layers.Dropout(0.5), layers.Dense(2))
	require.NoError(t, err)
	require.Empty(t, m.Variables())
	require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
	_, err = m.Fit(t.Context(), [][]float32{{1, 2, 3, 4}}, [][]float32{{0, 1}}, keras.Verbose(0))
	require.NoError(t, err)
	var paths []string
	for _, v := range m.Variables() {
		paths = append(paths, v.Path())
	}
	require.Equal(t, []string{
		"sequential/dense/kernel", "sequential/dense/bias", "seed_generator/seed_generator_state",
		"sequential/dense_1/kernel", "sequential/dense_1/bias",
	}, paths, "as in Keras")
	var summary strings.Builder
	require.NoError(t, m.Summary(&summary))
	require.Contains(t, summary.String(), "Total params: 48 (192 bytes)")
	require.Contains(t, summary.String(), "Optimizer params: 25 (100 bytes)", "iteration, learning rate, a slot for each trained number")
	require.NotContains(t, summary.String(), "Loss scale")
	require.ErrorContains(t, m.Build([]int{4}), "is built already")
}

// double is a layer of a user's own that returns twice its input.
type double struct{ layers.Base }

func (*double) Build(*layers.Builder, []layers.Spec) error { return nil }

func (*double) Call(_ *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{graph.Add(in[0], in[0])}
}

func TestOwnLayer(t *testing.T) {
	x := keras.Input([]int{-1, 2})
	y := x.Apply(&double{})
	require.Equal(t, []int{-1, -1, 2}, y.Shape(), "open dimensions stay open")
	m := model(t, x, y)
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	out, err := m.Predict(t.Context(), [][][]float32{{{1, 2}}}, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, [][][]float32{{{2, 4}}}, out[0].Value())
}

// batches is a dataset that yields the batches in list, and then the error err unless it is nil.
type batches struct {
	list []data.Batch
	err  error
}

func (b batches) Cardinality() int { return -1 }

func (b batches) Batches(context.Context) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for _, one := range b.list {
			if !yield(one, nil) {
				return
			}
		}
		if b.err != nil {
			yield(data.Batch{}, b.err)
		}
	}
}

func TestBadInput(t *testing.T) {
	dense := func() *keras.Model {
		x := keras.Input([]int{4}, layers.Name("features"))
		m := model(t, x, x.Apply(layers.Dense(2)))
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
		return m
	}
	good, labels := tensors.FromValue([][]float32{{1, 2, 3, 4}, {5, 6, 7, 8}}), tensors.FromValue([][]float32{{0, 1}, {1, 0}})
	fit := func(x, y any, opts ...keras.RunOption) func() error {
		return func() error {
			_, err := dense().Fit(t.Context(), x, y, append(opts, keras.Verbose(0))...)
			return err
		}
	}
	apply := func(build func(x *layers.Tensor) *layers.Tensor) func() error {
		return func() error {
			x := keras.Input([]int{4})
			_, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{build(x)})
			return err
		}
	}
	for _, tc := range []struct {
		name string
		do   func() error
		want string
	}{
		{"wrong width", fit([][]float32{{1, 2, 3}}, [][]float32{{0, 1}}), "input features wants data of shape (None, 4), got (1, 3)"},
		{"wrong rank", fit([]float32{1, 2}, [][]float32{{0, 1}, {1, 0}}), "wants data of shape (None, 4), got (2,)"},
		{"labels of another shape", fit(good, [][]float32{{1, 2, 3}, {4, 5, 6}}), "loss mean_squared_error: labels have shape [2 3], predictions [2 2]: they must be the same: give the last layer 3 outputs, or give labels of 2 numbers"},
		{"one number as a label", fit(good, []float32{1, 2}), "loss mean_squared_error: labels have shape [2], predictions [2 2]: the last layer has 2 outputs for one number of the labels: give it one output, such as layers.Dense(1), or give 2 numbers"},
		{"fewer labels", fit(good, [][]float32{{1, 2}}), "labels 0 has 1 samples, input 0 has 2"},
		{"no labels", fit(good, nil), "got no labels"},
		{"no samples", fit(tensors.FromFlatDataAndDimensions([]float32{}, 0, 4), tensors.FromFlatDataAndDimensions([]float32{}, 0, 2)), "the data has no samples"},
		{"text", fit("x", labels), "input 0 is a scalar, want samples along the first dimension"},
		{"texts", fit([]string{"x", "y"}, labels), "begin the model with a lookup"},
		{"batch of 0", fit(good, labels, keras.BatchSize(0)), "BatchSize: got 0, want a positive number"},
		{"negative epochs", fit(good, labels, keras.Epochs(-1)), "Epochs: got -1"},
		{"verbose", fit(good, labels, keras.Verbose(3)), "Verbose: got 3, want 0, 1 or 2"},
		{"validation without labels", fit(good, labels, keras.ValidationData(good, nil)), "validation data: got no labels"},
		{"weights of other samples", fit(good, labels, keras.SampleWeight([]float32{1})), "sample weights have shape [1] for 2 samples: want one weight for each sample"},
		{"weights of another shape", fit(good, labels, keras.SampleWeight([][]float32{{1, 2}, {3, 4}})), "sample weights have shape [2 2], losses [2]"},
		{"weights beside a dataset", fit(batches{}, nil, keras.SampleWeight([]float32{1})), "got sample weights beside a dataset"},
		{"two kinds of weights", fit(good, labels, keras.SampleWeight([]float32{1, 2}), keras.ClassWeight(map[int]float64{0: 2})), "got both SampleWeight and ClassWeight"},
		{"weights of no validation", fit(good, labels, keras.ValidationSampleWeight([]float32{1})), "got ValidationSampleWeight without data to validate on: give ValidationData or ValidationSplit"},
		{"empty dataset", fit(batches{}, nil), "the dataset yielded no batch"},
		{"failing dataset", fit(batches{err: fmt.Errorf("disk on fire")}, nil), "batch 0: disk on fire"},
		{"labels beside a dataset", fit(batches{}, labels), "got labels beside a dataset"},
		{"batch size beside a dataset", fit(batches{}, nil, keras.BatchSize(2)), "got batch size 2 beside a dataset"},
		{"batch without labels", fit(batches{list: []data.Batch{{X: []*tensors.Tensor{good}}}}, nil), "want samples, and labels"},
		{"not compiled", func() error {
			x := keras.Input([]int{4})
			_, err := model(t, x, x.Apply(layers.Dense(2))).Fit(t.Context(), good, labels)
			return err
		}, "the model is not compiled: call Compile first"},
		{"no loss", func() error {
			x := keras.Input([]int{4})
			m := model(t, x, x.Apply(layers.Dense(2)))
			require.NoError(t, m.Compile())
			_, err := m.Fit(t.Context(), good, labels)
			return err
		}, "compiled without a loss"},
		{"option of another method", func() error {
			_, err := dense().Evaluate(t.Context(), good, labels, keras.Epochs(2))
			return err
		}, "Evaluate takes no option Epochs: it takes BatchSize, SampleWeight, Steps, Verbose, Output"},
		{"unknown loss", func() error { return dense().Compile(keras.Loss("msee")) }, `unknown loss "msee": want a losses.Loss, a function or a name of losses.Names; did you mean "mse"`},
		{"unknown optimizer", func() error { return dense().Compile(keras.Optimizer("adamm")) }, `unknown optimizer "adamm" (did you mean "adam"?)`},
		{"a metric of values", func() error { return dense().Compile(keras.Metrics(metrics.Mean())) }, "Metrics: metric Mean takes values, not labels and predictions"},
		{"unknown metric", func() error { return dense().Compile(keras.Metrics("acuracy")) }, `did you mean "accuracy"`},
		{"losses for outputs", func() error { return dense().Compile(keras.Loss("mse", "mse")) }, "got 2 losses for 1 outputs"},
		{"units", apply(func(x *layers.Tensor) *layers.Tensor { return x.Apply(layers.Dense(-1)) }), "Dense: Units: got -1, want a positive number"},
		{"rate", apply(func(x *layers.Tensor) *layers.Tensor { return x.Apply(layers.Dropout(1.5)) }), "Dropout: Rate: got 1.5, want a number in [0, 1]"},
		{"activation", apply(func(x *layers.Tensor) *layers.Tensor { return x.Apply(layers.Dense(1, layers.Activation("rellu"))) }), `unknown activation "rellu": want a function of a graph node or the name of one, such as "relu"; did you mean "relu"`},
		{"option of another layer", apply(func(x *layers.Tensor) *layers.Tensor { return x.Apply(layers.Dropout(0.1, layers.UseBias(true))) }), "Dropout takes no option UseBias: it takes Seed, NoiseShape, Name"},
		{"layer name", apply(func(x *layers.Tensor) *layers.Tensor { return x.Apply(layers.Dense(1, layers.Name("a/b"))) }), `Name: got "a/b", want a name without "/"`},
		{"two layers of one name", apply(func(x *layers.Tensor) *layers.Tensor {
			return x.Apply(layers.Dense(1, layers.Name("d"))).Apply(layers.Dense(1, layers.Name("d")))
		}), `two layers are named "d"`},
		{"input without a batch", func() error {
			x := keras.Input([]int{4})
			y := ops.Sum(x)
			_, err := keras.NewModel([]*layers.Tensor{y}, []*layers.Tensor{y})
			return err
		}, "input 0 is the output of layer sum"},
		{"input not listed", func() error {
			x, z := keras.Input([]int{4}), keras.Input([]int{4}, layers.Name("other"))
			_, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{z.Apply(layers.Dense(2))})
			return err
		}, "an output depends on other, which is not among the inputs"},
		{"open dimension in a kernel", func() error {
			x := keras.Input([]int{-1})
			return x.Apply(layers.Dense(2, layers.Name("d"))).Err()
		}, "layer d (dense): weight d/kernel cannot have the shape (None, 2)"},
		{"no layers", func() error { m, _ := keras.NewSequential(); return m.Build([]int{1}) }, "it has no layers"},
		{"weights", func() error { return dense().SetWeights(t.Context(), [][]float32{{1}}) }, "got 1 weights for 2 variables"},
		{"weights of another shape", func() error {
			return dense().SetWeights(t.Context(), [][]float32{{1}}, []float32{0, 0})
		}, "/kernel wants Float32 (4, 2), got Float32 (1, 1)"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.do(), tc.want) })
	}
}

// The layers of a model with shared layers and several inputs and outputs are in the order that
// Keras gives them.
func TestLayerOrder(t *testing.T) {
	dense := func(name string) layers.Layer { return layers.Dense(4, layers.Name(name)) }
	a := keras.Input([]int{4}, layers.Name("a"))
	b := keras.Input([]int{4}, layers.Name("b"))
	shared := dense("shared")
	long := a.Apply(dense("a1")).Apply(shared).Apply(dense("a2"))
	short := b.Apply(shared).Apply(dense("b1"))
	m, err := keras.NewModel([]*layers.Tensor{a, b}, []*layers.Tensor{short.Apply(dense("out1")), long, short})
	require.NoError(t, err)
	var names []string
	for _, l := range m.Layers() {
		names = append(names, l.Name())
	}
	require.Equal(t, []string{"b", "a", "shared", "a1", "b1", "out1", "a2"}, names)
}
