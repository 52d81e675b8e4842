package saving_test

// This file saves and loads weights of models that are Go types.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/keras/variable"
)

// residual and net are the Go versions of Residual and Net in saving_reference.py:
// their fields have the names of the attributes there.
type residual struct {
	layers.Base
	Up, Down *layers.DenseLayer
	Norm     *layers.LayerNormalizationLayer
	scale    *variable.Variable
}

func newResidual() *residual {
	return &residual{Up: layers.Dense(8, layers.Activation("relu")), Down: layers.Dense(4), Norm: layers.LayerNormalization()}
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

type net struct {
	layers.Base
	first     *layers.DenseLayer
	blocks    []*residual
	inner     layers.Layer
	lastLayer *layers.DenseLayer
	hidden    map[string]layers.Layer // a map has no path in files
}

// Parts lists the layers of net, whose fields are not exported, under the names that the attributes
// have in Keras.
func (n *net) Parts() []layers.Part {
	blocks := layers.Part{Field: "blocks", List: true}
	for _, b := range n.blocks {
		blocks.Layers = append(blocks.Layers, b)
	}
	return []layers.Part{
		{Field: "first", Layers: []layers.Layer{n.first}}, blocks,
		{Field: "inner", Layers: []layers.Layer{n.inner}}, {Field: "lastLayer", Layers: []layers.Layer{n.lastLayer}},
	}
}

func (n *net) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	x := c.Apply(n.first, in[0])
	for _, b := range n.blocks {
		x = c.Apply(b, x)
	}
	if l, ok := n.hidden["dense"]; ok {
		x = c.Apply(l, x)
	}
	return []*graph.Node{c.Apply(n.lastLayer, c.Apply(n.inner, x))}
}

func newNet(t *testing.T, hidden map[string]layers.Layer) *keras.Model {
	t.Helper()
	inner, err := keras.NewSequential(layers.Dense(5, layers.Activation("tanh")), layers.Dense(4))
	require.NoError(t, err)
	m, err := keras.NewSubclassed(&net{
		first: layers.Dense(4), blocks: []*residual{newResidual(), newResidual()}, inner: inner.AsLayer(),
		lastLayer: layers.Dense(3, layers.Activation("softmax")), hidden: hidden,
	})
	require.NoError(t, err)
	require.NoError(t, m.Build([]int{6}))
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 6)), keras.Optimizer("adam"), keras.Loss("sparse_categorical_crossentropy")))
	return m
}

// TestSubclassed loads the weights of a subclassed model and its optimizer, on one device and on an
// uneven mesh. Predictions must be Keras', and the file that is saved must equal Keras' file.
// SaveModel must return an error for the model.
func TestSubclassed(t *testing.T) {
	text, err := os.ReadFile("testdata/net.json")
	require.NoError(t, err)
	var want answer
	require.NoError(t, json.Unmarshal(text, &want))
	for _, meshText := range []string{"", "data=3,model=2"} {
		t.Run(meshText, func(t *testing.T) {
			on(t, meshText)
			m := newNet(t, nil)
			require.NoError(t, saving.LoadWeights(t.Context(), m, "testdata/net.weights.h5"))
			requireRows(t, want.Predictions, predict(t, m), 1e-6, "predictions")
			again := filepath.Join(t.TempDir(), "net.weights.h5")
			require.NoError(t, saving.SaveWeights(t.Context(), m, again))
			require.Equal(t, datasets(t, "testdata/net.weights.h5"), datasets(t, again))
			require.ErrorContains(t, saving.SaveModel(t.Context(), m, filepath.Join(t.TempDir(), "net.keras")),
				"a model of a Go type cannot be written into a .keras archive, which holds no code: save its weights with SaveWeights")
		})
	}
}

// Saving the weights of a model with a layer that is in no field of its struct is an error.
func TestNoField(t *testing.T) {
	on(t, "")
	m := newNet(t, map[string]layers.Layer{"dense": layers.Dense(4, layers.Name("hidden"))})
	require.ErrorContains(t, saving.SaveWeights(t.Context(), m, filepath.Join(t.TempDir(), "net.weights.h5")),
		"layer hidden is in no field of layer net, so that it has no path in Keras' files")
}

// datasets returns the bytes of the elements of all datasets in the HDF5 file with this name, by
// their paths in it.
func datasets(t *testing.T, name string) map[string][]byte {
	t.Helper()
	f, err := hdf5.Open(name)
	require.NoError(t, err)
	defer f.Close()
	out := make(map[string][]byte)
	var walk func(g *hdf5.Group, path string)
	walk = func(g *hdf5.Group, path string) {
		for _, name := range g.Names() {
			at := path + "/" + name
			if g.IsGroup(name) {
				inner, err := g.Group(name)
				require.NoError(t, err)
				walk(inner, at)
				continue
			}
			d, err := g.Dataset(name)
			require.NoError(t, err)
			n := d.Type().Size
			start := make([]int, len(d.Shape()))
			for _, size := range d.Shape() {
				n *= size
			}
			out[at] = make([]byte, n)
			require.NoError(t, d.Slab(start, d.Shape(), out[at]))
		}
	}
	walk(f.Root(), "")
	require.NotEmpty(t, out)
	return out
}

// TestCallWithTraining checks that the argument training of a call is written to the file and read.
func TestCallWithTraining(t *testing.T) {
	on(t, "")
	layers.ClearSession()
	inner := keras.Input([]int{4})
	base, err := keras.NewModel(keras.Tensors(inner), keras.Tensors(inner.Apply(layers.BatchNormalization())), keras.Name("base"))
	require.NoError(t, err)
	x := keras.Input([]int{4})
	y := x.Apply(layers.WithTraining(base.AsLayer(), false)).Apply(layers.WithTraining(layers.Dropout(0.5, layers.Name("drop")), true)).Apply(layers.Dense(2, layers.Name("out")))
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	file := filepath.Join(t.TempDir(), "m.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, file))
	loaded, err := saving.LoadModel(t.Context(), file, saving.WithoutCompile())
	require.NoError(t, err)
	for name, want := range map[string]any{"base": false, "drop": true, "out": nil} {
		require.Equal(t, want, loaded.NodesOf(keras.Must(loaded.Layer(name)))[0].Arguments()["training"], name)
	}
}
