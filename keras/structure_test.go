package keras_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// Other models are made of the outputs of a model's layers, and share their variables. A layer that
// was applied several times, or never, has no output of its own: an error.
func TestModelOfParts(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 1))
	layers.ClearSession()
	x := keras.Input([]int{3}, layers.Name("x"))
	first := layers.Dense(4, layers.Name("first"))
	shared := layers.Dense(4, layers.Name("shared"))
	y := x.Apply(first).Apply(shared).Apply(shared)
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	feature, err := m.Output("first")
	require.NoError(t, err)
	same, err := first.Output()
	require.NoError(t, err)
	require.Same(t, feature, same)
	in, err := first.Input()
	require.NoError(t, err)
	require.Same(t, x, in)

	part, err := keras.NewModel(m.Inputs(), []*layers.Tensor{feature})
	require.NoError(t, err)
	require.Same(t, m.Variable("first/kernel"), part.Variable("first/kernel"))
	require.NoError(t, part.Compile(client))
	out, err := part.Predict(t.Context(), [][]float32{{1, 2, 3}}, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, []int{1, 4}, out[0].Shape().Dimensions)

	_, err = m.Output("frist")
	require.ErrorContains(t, err, `got the layer "frist" (did you mean "first"?)`)
	_, err = m.Output("shared")
	require.ErrorContains(t, err, "layer shared is applied 2 times, with 1 outputs: want one output")
	_, err = shared.Output()
	require.ErrorContains(t, err, "layer shared has 2 outputs, one for each time it was applied")
	_, err = layers.Dense(1, layers.Name("new")).Output()
	require.ErrorContains(t, err, "layer new has no output: it was not applied to a tensor yet")
}

// Layers are added to and taken from a Sequential before and after it is built; those that stay
// keep their variables. A layer that does not fit, or nil, is an error that leaves the model as it
// was. Pop without layers, and Add to another kind of model, are errors.
func TestAddAndPop(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 1))
	layers.ClearSession()
	m, err := keras.NewSequential()
	require.NoError(t, err)
	require.ErrorContains(t, m.Build([]int{3}), "it has no layers: give it some with Add")
	require.NoError(t, m.Add(layers.Dense(4, layers.Name("a")), layers.Dense(5, layers.Name("b"))))
	require.NoError(t, m.Build([]int{3}))
	kernel := m.Variable("sequential/a/kernel")
	require.NotNil(t, kernel)
	require.NoError(t, m.Compile(keras.Loss("mse"), client))

	popped, err := m.Pop()
	require.NoError(t, err)
	require.Equal(t, "b", popped.Name())
	require.Equal(t, []int{-1, 4}, m.Outputs()[0].Shape())
	require.False(t, m.IsCompiled())
	require.NoError(t, m.Add(layers.Dense(2, layers.Name("c"))))
	require.Equal(t, []int{-1, 2}, m.Outputs()[0].Shape())
	require.Same(t, kernel, m.Variable("sequential/a/kernel"))
	require.NotNil(t, m.Variable("sequential/c/kernel"))

	before := m.Layers()
	// the output has no rows and columns
	require.ErrorContains(t, m.Add(layers.Conv2D(2, 3)), "conv2d")
	require.Equal(t, before, m.Layers())
	require.ErrorContains(t, m.Add(nil), "layer 2 is nil")
	require.NoError(t, m.Compile(keras.Loss("mse"), client))
	out, err := m.Predict(t.Context(), [][]float32{{1, 2, 3}}, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, out[0].Shape().Dimensions)

	for range 2 {
		_, err = m.Pop()
		require.NoError(t, err)
	}
	_, err = m.Pop()
	require.ErrorContains(t, err, "has no layer to take away")
	x := keras.Input([]int{2})
	functional, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(1))})
	require.NoError(t, err)
	require.ErrorContains(t, functional.Add(layers.Dense(1)), "is no Sequential")
}
