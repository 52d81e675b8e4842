package keras_test

// This file tests models that are Go types, and models as layers of models.

import (
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
)

// residual is a layer of a user's own, a residual block that consists of other layers and has a
// variable too.
type residual struct {
	layers.Base
	Up, Down *layers.DenseLayer
	Norm     *layers.LayerNormalizationLayer
	scale    *variable.Variable
}

func newResidual(n int) *residual {
	return &residual{Up: layers.Dense(2*n, layers.Activation("relu")), Down: layers.Dense(n), Norm: layers.LayerNormalization()}
}

func (b *residual) Build(builder *layers.Builder, in []layers.Spec) (err error) {
	b.scale, err = builder.AddWeight("scale", in[0].Shape[1:], dtypes.Float32, initializers.Ones())
	return err
}

func (b *residual) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	y := c.Apply(b.Down, c.Apply(b.Up, c.Apply(b.Norm, in[0])))
	scale := graph.BroadcastToShape(graph.ExpandLeftToRank(c.Value(b.scale), y.Rank()), y.Shape())
	return []*graph.Node{graph.Add(in[0], graph.Mul(y, scale))}
}

// net is a Go type with layers in its fields, for NewSubclassed.
type net struct {
	layers.Base
	First  *layers.DenseLayer
	Blocks []layers.Layer
	Drop   *layers.DropoutLayer
	Inner  layers.Layer
	Last   layers.Layer
	Absent layers.Layer
}

func newNet(t *testing.T) *net {
	t.Helper()
	n := &net{
		First: layers.Dense(4), Blocks: []layers.Layer{newResidual(4), newResidual(4)}, Drop: layers.Dropout(0.1, layers.Seed(5)),
		Last: layers.Dense(3, layers.Activation("softmax")),
	}
	inner, err := keras.NewSequential(layers.Dense(5, layers.Activation("tanh")), layers.Dense(4))
	require.NoError(t, err)
	n.Inner = inner.AsLayer()
	return n
}

func (n *net) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	x := c.Apply(n.First, in[0])
	for _, b := range n.Blocks {
		x = c.Apply(b, x)
	}
	x = c.Apply(n.Inner, c.Apply(n.Drop, x))
	return []*graph.Node{c.Apply(n.Last, x)}
}

// twin returns a functional model that computes what net computes, with new layers of the same
// kinds.
func twin(t *testing.T) *keras.Model {
	t.Helper()
	n := newNet(t)
	x := keras.Input([]int{6})
	y := x.Apply(n.First)
	for _, b := range n.Blocks {
		y = y.Apply(b)
	}
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y.Apply(n.Drop).Apply(n.Inner).Apply(n.Last)})
	require.NoError(t, err)
	return m
}

// paths returns the paths of the variables vs that are weights in Keras: it leaves out the states
// of random generators.
func paths(vs []*variable.Variable) (out []string) {
	for _, v := range vs {
		if v.DType() != dtypes.Uint32 {
			out = append(out, v.Path())
		}
	}
	return out
}

// kerasPaths are the paths of the weights of the same classes in Keras 3.15, in Keras' order.
var kerasPaths = []string{
	"net/dense/kernel", "net/dense/bias",
	"net/residual/scale", "net/residual/dense_1/kernel", "net/residual/dense_1/bias",
	"net/residual/dense_2/kernel", "net/residual/dense_2/bias",
	"net/residual/layer_normalization/gamma", "net/residual/layer_normalization/beta",
	"net/residual_1/scale", "net/residual_1/dense_3/kernel", "net/residual_1/dense_3/bias",
	"net/residual_1/dense_4/kernel", "net/residual_1/dense_4/bias",
	"net/residual_1/layer_normalization_1/gamma", "net/residual_1/layer_normalization_1/beta",
	"net/sequential/dense_5/kernel", "net/sequential/dense_5/bias", "net/sequential/dense_6/kernel", "net/sequential/dense_6/bias",
	"net/dense_7/kernel", "net/dense_7/bias",
}

func batch(n int) (x [][]float32, y []int32) {
	for i := range n {
		row := make([]float32, 6)
		for k := range row {
			row[k] = float32((i*7+k*3)%11) / 11
		}
		x, y = append(x, row), append(y, int32(i%3))
	}
	return x, y
}

// TestSubclassed trains a model that is a Go type, on one device and on meshes, one of them uneven,
// and its functional twin on one device: the variables have the same names as in Keras, and all
// losses are equal within 2e-6. The short form has only the uneven mesh.
func TestSubclassed(t *testing.T) {
	x, y := batch(12)
	var want []float64
	for _, meshText := range longtest.Pick([]string{"", "data=3,model=2"}, []string{"", "data=2,model=4", "data=3,model=2"}) {
		t.Run(meshText, func(t *testing.T) {
			defer distribution.SetDistribution(nil)
			if meshText != "" {
				layouts := distribution.NewLayoutMap(mesh.MustParse(meshText))
				require.NoError(t, layouts.Set(".*/dense(_[1-46])?/kernel", "", "model"))
				require.NoError(t, layouts.Set(".*residual(_1)?/output", "data", "model"))
				d, err := distribution.NewModelParallel(layouts, "data", distribution.Strict())
				require.NoError(t, err)
				distribution.SetDistribution(d)
			}
			for _, kind := range []string{"subclassed", "functional"} {
				layers.ClearSession()
				random.SetRandomSeed(7)
				var m *keras.Model
				var err error
				if kind == "functional" {
					m = twin(t)
				} else {
					m, err = keras.NewSubclassed(newNet(t))
					require.NoError(t, err)
				}
				if kind == "functional" && meshText != "" {
					continue // its layers have other paths, which the strict map lacks
				}
				require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 8)), keras.Optimizer("adam"),
					keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy")))
				h, err := m.Fit(t.Context(), x, y, keras.BatchSize(6), keras.Epochs(3), keras.Shuffle(false), keras.Verbose(0))
				require.NoError(t, err)
				if want == nil {
					want = h.Logs["loss"]
					require.Equal(t, kerasPaths, paths(m.Variables()))
				}
				require.InDeltaSlice(t, want, h.Logs["loss"], 2e-6, kind)
				logs, err := m.Evaluate(t.Context(), x, y, keras.BatchSize(6), keras.Verbose(0))
				require.NoError(t, err)
				require.Len(t, logs, 2)
				out, err := m.Predict(t.Context(), x, keras.BatchSize(6), keras.Verbose(0))
				require.NoError(t, err)
				require.Equal(t, []int{12, 3}, out[0].Shape().Dimensions)
			}
		})
	}
}

// TestNested uses a functional model as a layer twice: it has one set of variables, and frozen it
// is not trained, nor does its normalization change.
func TestNested(t *testing.T) {
	layers.ClearSession()
	x, y := batch(8)
	in := keras.Input([]int{6})
	base, err := keras.NewModel([]*layers.Tensor{in}, []*layers.Tensor{in.Apply(layers.Dense(6, layers.Name("inside"))).Apply(layers.BatchNormalization())})
	require.NoError(t, err)
	outer := keras.Input([]int{6})
	m, err := keras.NewModel([]*layers.Tensor{outer}, []*layers.Tensor{base.Apply(base.Apply(outer)).Apply(layers.Dense(3, layers.Activation("softmax")))})
	require.NoError(t, err)
	require.Equal(t, []string{
		"inside/kernel", "inside/bias", "batch_normalization/gamma", "batch_normalization/beta",
		"batch_normalization/moving_mean", "batch_normalization/moving_variance", "dense/kernel", "dense/bias",
	}, paths(m.Variables()))
	require.Len(t, m.TrainableVariables(), 6)
	base.AsLayer().SetTrainable(false)
	require.Equal(t, []string{"dense/kernel", "dense/bias"}, paths(m.TrainableVariables()))
	value := func() any {
		v, err := m.Variable("batch_normalization/moving_mean").Value(t.Context())
		require.NoError(t, err)
		return slices.Clone(v.([]float32))
	}
	before := value()
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1)), keras.Loss("sparse_categorical_crossentropy")))
	_, err = m.Fit(t.Context(), x, y, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, before, value())
}

// broken is a layer of a user's own whose Call returns what the function call does. The tests give
// it functions with errors.
type broken struct {
	layers.Base
	call func(c *layers.Context, in *graph.Node) *graph.Node
}

func (b *broken) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{b.call(c, in[0])}
}

// hidden is a layer that holds another layer in a field that is not exported, which is an error.
type hidden struct {
	layers.Base
	inner layers.Layer
}

func (h *hidden) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Apply(h.inner, in[0])}
}

func TestNestedErrors(t *testing.T) {
	named := func(name string) *residual {
		l := newResidual(6)
		l.SetName(name)
		return l
	}
	same := layers.Dense(3, layers.Name("same"))
	for _, tc := range []struct {
		name  string
		layer layers.Layer
		want  string
	}{
		{"layer that is nil", &broken{call: func(c *layers.Context, in *graph.Node) *graph.Node { return c.Apply(nil, in) }}, "applies a layer that is nil"},
		{"bad option inside", &broken{call: func(c *layers.Context, in *graph.Node) *graph.Node { return c.Apply(layers.Dense(0), in) }}, "Dense: Units: got 0"},
		{"inner layer that does not fit", &broken{call: func(c *layers.Context, in *graph.Node) *graph.Node {
			return c.Apply(layers.Conv2D(1, []int{2, 2}, layers.Name("images")), in)
		}}, "layer images (conv2d): "},
		{"two of a name", &broken{call: func(c *layers.Context, in *graph.Node) *graph.Node {
			return graph.Add(c.Apply(layers.Dense(3, layers.Name("same")), in), c.Apply(same, in))
		}}, `two variables have the path "own/same/kernel"`},
		{"field that is not exported", &hidden{inner: layers.Dense(2)}, "its field inner holds layers, but is not exported: export it, or give the type a method Parts (layers.Composite)"},
		{"name with a slash", named("a/b"), `SetName: got "a/b", want a name without "/"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			layers.ClearSession()
			if b, ok := tc.layer.(*broken); ok {
				b.SetName("own")
			}
			m, err := keras.NewSubclassed(tc.layer)
			if err == nil {
				err = m.Build([]int{6})
			}
			require.ErrorContains(t, err, tc.want)
		})
	}
	_, err := keras.NewSubclassed(nil)
	require.ErrorContains(t, err, "got no layer")
	in := keras.Input([]int{6})
	base, err := keras.NewModel([]*layers.Tensor{in}, []*layers.Tensor{in.Apply(layers.Dense(2, layers.Name("dense")))})
	require.NoError(t, err)
	other := base.Apply(in).Apply(layers.Dense(2, layers.Name("outside")))
	require.NoError(t, other.Err())
	again, err := keras.NewSequential(layers.Dense(2, layers.Name("dense")))
	require.NoError(t, err)
	require.NoError(t, again.SetName("s"))
	_, err = keras.NewModel([]*layers.Tensor{in}, []*layers.Tensor{again.Apply(other)})
	require.NoError(t, err, "the paths differ: dense/kernel and s/dense/kernel")
	_, err = keras.NewModel([]*layers.Tensor{in}, []*layers.Tensor{other.Apply(layers.Dense(2, layers.Name("dense")))})
	require.ErrorContains(t, err, `two variables have the path "dense/kernel": layers inside of layers or models have the same name`)
	require.ErrorContains(t, base.Apply(keras.Input([]int{5})).Err(), "want (None, 6)")
	require.ErrorContains(t, base.Apply(in, in).Err(), "got 2 inputs, want 1, as the model was made with")
}

// TestSubclassedInputs trains a subclassed model that has not been built. It must be built for the
// two inputs of the first batch, with their types.
func TestSubclassedInputs(t *testing.T) {
	layers.ClearSession()
	table := layers.Embedding(5, 4)
	l := &twoInputs{Table: table, Out: layers.Dense(2)}
	m, err := keras.NewSubclassed(l)
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1)), keras.Loss("mse")))
	rows := tensors.FromValue([][]int32{{1}, {4}})
	scale := tensors.FromValue([][]float32{{1, 2, 3, 4}, {1, 1, 1, 1}})
	_, err = m.Fit(t.Context(), []any{rows, scale}, [][]float32{{0, 1}, {1, 0}}, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, []string{"two_inputs/embedding/embeddings", "two_inputs/dense/kernel", "two_inputs/dense/bias"}, paths(m.Variables()))
	require.Equal(t, dtypes.Int32, m.Inputs()[0].DType())
}

type twoInputs struct {
	layers.Base
	Table, Out layers.Layer
}

func (m *twoInputs) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	x := graph.Squeeze(c.Apply(m.Table, in[0]), 1)
	return []*graph.Node{c.Apply(m.Out, graph.Mul(x, in[1]))}
}
