package layers_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/tracetest"
	"github.com/gospmd/gospmd/keras/layers"
)

func TestShapes(t *testing.T) {
	open := []int{-1, 3}
	for _, tc := range []struct {
		name  string
		input []int
		layer layers.Layer
		want  []int
	}{
		{"flatten", []int{2, 3}, layers.Flatten(), []int{-1, 6}},
		{"flatten of nothing to flatten", []int{3}, layers.Flatten(), []int{-1, 3}},
		{"dense", []int{3}, layers.Dense(5), []int{-1, 5}},
		{"dense on a sequence", []int{7, 3}, layers.Dense(5), []int{-1, 7, 5}},
		{"dense on an open sequence", open, layers.Dense(5), []int{-1, -1, 5}},
		{"dropout", []int{3}, layers.Dropout(0.5), []int{-1, 3}},
		{"activation", []int{3}, layers.NewActivation("relu"), []int{-1, 3}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			y := layers.Input(tc.input).Apply(tc.layer)
			require.NoError(t, y.Err())
			require.Equal(t, tc.want, y.Shape())
		})
	}
}

func TestErrors(t *testing.T) {
	x := layers.Input([]int{3})
	for _, tc := range []struct {
		name string
		got  *layers.Tensor
		want string
	}{
		{"no size", layers.Input([]int{0}), "dimension 0 of shape [0] cannot be used"},
		{"no input", layers.Apply(layers.Flatten()), "is applied to no tensor"},
		{"nil input", layers.Apply(layers.Flatten(), nil), "input 0 is nil"},
		{"two inputs", layers.Apply(layers.Flatten(layers.Name("f")), x, x), "layer f (flatten): got 2 inputs, want one"},
		{"the first error stays", layers.Input([]int{0}).Apply(layers.Dense(3)), "dimension 0 of shape [0]"},
		{"initializer", x.Apply(layers.Dense(3, layers.KernelInitializer("glorot"))), `Dense: KernelInitializer: `},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.got.Err(), tc.want) })
	}
}

func TestAutomaticNames(t *testing.T) {
	layers.ClearSession()
	x := layers.Input([]int{3})
	var names []string
	for _, l := range []layers.Layer{layers.Dense(1), layers.Dense(1), layers.Flatten(), layers.NewActivation("relu"), layers.Dense(1, layers.Name("own")), layers.Dense(1)} {
		names = append(names, x.Apply(l).Producer().Name())
	}
	require.Equal(t, []string{"dense", "dense_1", "flatten", "activation", "own", "dense_2"}, names)
}

// TestSharedLayer applies one layer twice: it has one set of variables.
func TestSharedLayer(t *testing.T) {
	d := layers.Dense(3)
	y := layers.Input([]int{3}).Apply(d).Apply(d)
	require.NoError(t, y.Err())
	require.Len(t, d.Variables(), 2)
}

// TestDenseCasts checks that integers are cast to the layer's type.
func TestDenseCasts(t *testing.T) {
	d := layers.Dense(2, layers.KernelInitializer("ones"), layers.UseBias(false))
	y := layers.Input([]int{3}, layers.DType(dtypes.Int32)).Apply(d)
	require.NoError(t, y.Err())
	require.Equal(t, dtypes.Float32, y.DType())
}

// TestTies checks the gradient of relu at 0, where GoMLX's maximum would give 1.
func TestTies(t *testing.T) {
	out := tracetest.Run(t, func(in []*graph.Node) []*graph.Node {
		y := layers.NewActivation("relu").Call(nil, in)[0]
		return graph.Gradient(graph.ReduceAllSum(y), in[0])
	}, tensors.FromValue([]float32{-1, 0, 1}))
	require.Equal(t, []float32{0, 0, 1}, out[0].Value())
}
