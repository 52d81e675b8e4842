package saving_test

// This file saves and loads models and weights, without Keras.

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/mesh"
)

// on sets the distribution of the models that the test makes: one device for "", else the mesh,
// with the columns of kernels sharded over its axis model and the batch over data. It also resets
// the numbers in the names of layers.
func on(t *testing.T, meshText string) {
	t.Helper()
	layers.ClearSession()
	distribution.SetDistribution(nil)
	if meshText != "" {
		onMesh(t, meshText, ".*kernel", "", "model")
	}
}

// onMesh sets, until the end of the test, a model-parallel distribution on the mesh, with the batch
// along its axis data. Its one rule shards the variables whose paths match paths by axes.
func onMesh(t *testing.T, meshText, paths string, axes ...string) {
	t.Helper()
	layouts := distribution.NewLayoutMap(mesh.MustParse(meshText))
	require.NoError(t, layouts.Set(paths, axes...))
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	distribution.SetDistribution(d)
	t.Cleanup(func() { distribution.SetDistribution(nil) })
}

// mlp returns a compiled model of two Dense layers with dropout, for images 4x4x1 and three
// classes, on six devices. opts are added to its compile options.
func mlp(t *testing.T, opts ...keras.CompileOption) *keras.Model {
	t.Helper()
	x := keras.Input([]int{4, 4, 1})
	y := x.Apply(layers.Flatten()).
		Apply(layers.Dense(8, layers.Activation("relu"), layers.Name("d1"))).
		Apply(layers.Dropout(0.4)).
		Apply(layers.NewActivation("tanh")).
		Apply(layers.Dense(3, layers.Activation("softmax")))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	opts = append([]keras.CompileOption{
		keras.Client(runtimetest.Open(t, 6)), keras.Optimizer("adam"),
		keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy"),
	}, opts...)
	require.NoError(t, m.Compile(opts...))
	return m
}

func images(n int) (x [][][][]float32, y []int32) {
	x, y = make([][][][]float32, n), make([]int32, n)
	for i := range x {
		y[i] = int32(i % 3)
		for r := range 4 {
			var row [][]float32
			for c := range 4 {
				row = append(row, []float32{float32((i*7+r*3+c)%11) / 11})
			}
			x[i] = append(x[i], row)
		}
	}
	return x, y
}

func TestWeightsRoundTrip(t *testing.T) {
	on(t, "")
	ctx := t.Context()
	m := mlp(t)
	x, y := images(12)
	_, err := m.Fit(ctx, x, y, keras.Verbose(0), keras.Shuffle(false))
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "m.weights.h5")
	require.NoError(t, saving.SaveWeights(ctx, m, name))

	on(t, "")
	again := mlp(t)
	require.NoError(t, saving.LoadWeights(ctx, again, name))
	want, err := m.Weights(ctx)
	require.NoError(t, err)
	got, err := again.Weights(ctx)
	require.NoError(t, err)
	for i := range want {
		if m.Variables()[i].Name() != "seed_generator_state" {
			require.True(t, want[i].Equal(got[i]), m.Variables()[i].Path())
		}
	}
	for i, v := range m.Optimizer().Variables() {
		a, err := v.Value(ctx)
		require.NoError(t, err)
		b, err := again.Optimizer().Variables()[i].Value(ctx)
		require.NoError(t, err)
		require.Equal(t, a, b, v.Path())
	}
	_, err = again.Fit(ctx, x, y, keras.Verbose(0), keras.Shuffle(false))
	require.NoError(t, err)
}

func TestWeightsErrors(t *testing.T) {
	on(t, "")
	ctx := t.Context()
	m := mlp(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "m.weights.h5")
	require.NoError(t, saving.SaveWeights(ctx, m, name))
	require.ErrorContains(t, saving.SaveWeights(ctx, m, "m.h5"), "want one that ends in .weights.h5")
	require.ErrorContains(t, saving.SaveWeights(ctx, m, filepath.Join(dir, "absent", "m.weights.h5")), "cannot write into the directory")
	seq, err := keras.NewSequential(layers.Dense(3))
	require.NoError(t, err)
	require.ErrorContains(t, saving.SaveWeights(ctx, seq, name), "the model is not built")
	require.NoError(t, seq.Build([]int{4}))
	require.ErrorContains(t, saving.LoadWeights(ctx, seq, name), "layer dense_1 (layers/dense/vars): variable sequential/dense_1/kernel: the file has the shape [16 8], want [4 3]")
	require.ErrorContains(t, saving.LoadWeights(ctx, seq, name), "the file holds weights of a layer layers/dense_1, the model has none there")
	text := filepath.Join(dir, "text.weights.h5")
	require.NoError(t, os.WriteFile(text, []byte("no weights"), 0o644))
	require.ErrorContains(t, saving.LoadWeights(ctx, m, text), "not an HDF5 file")
	require.ErrorIs(t, saving.LoadWeights(ctx, m, filepath.Join(dir, "absent.weights.h5")), os.ErrNotExist)
	intact, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(text, intact[:len(intact)-8], 0o644))
	require.ErrorContains(t, saving.LoadWeights(ctx, m, text), "the file is cut off")
}

// TestOpenSizes saves and loads a model whose input has dimensions of unknown size. They must stay
// unknown, and the predictions the same.
func TestOpenSizes(t *testing.T) {
	on(t, "")
	client := keras.Client(runtimetest.Open(t, 6))
	x := keras.Input([]int{layers.None, 6, 3})
	y := x.Apply(layers.Conv2D(4, 3)).Apply(layers.GlobalAveragePooling2D()).Apply(layers.Dense(2))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	require.NoError(t, m.Compile(client))
	name := filepath.Join(t.TempDir(), "open.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, name))
	require.Contains(t, configOf(t, name), `"batch_shape":[null,null,6,3]`)

	on(t, "")
	loaded, err := saving.LoadModel(t.Context(), name, client)
	require.NoError(t, err)
	require.Equal(t, []int{layers.None, layers.None, 6, 3}, loaded.Inputs()[0].Shape())
	for _, height := range []int{4, 9} {
		images := tensors.FromFlatDataAndDimensions(make([]float32, 2*height*6*3), 2, height, 6, 3)
		want, err := m.Predict(t.Context(), images, keras.Verbose(0))
		require.NoError(t, err)
		got, err := loaded.Predict(t.Context(), images, keras.Verbose(0))
		require.NoError(t, err)
		require.Equal(t, want[0].Value(), got[0].Value())
	}
}
