package keras_test

// This file tests the short forms for programs.

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

func TestMust(t *testing.T) {
	bad := errors.New("bad")
	require.Equal(t, 3, keras.Must(3, nil))
	require.PanicsWithError(t, "bad", func() { keras.Must(0, bad) })
}

// TestFunctional: Functional takes one tensor, or several by Tensors. The model must have these
// inputs and outputs. An output that needs another input, and a layer or a tensor that is nil, are
// errors.
func TestFunctional(t *testing.T) {
	x, z := keras.Input([]int{3}), keras.Input([]int{3})
	a := x.Call(layers.Dense(4), layers.Dropout(0.5), layers.Dense(2, layers.Name("a")))
	b := a.Add(z.Call(layers.Dense(2, layers.Name("b"))))
	require.Equal(t, x, x.Call())
	for _, tc := range []struct {
		model           *keras.Model
		inputs, outputs int
	}{
		{keras.Must(keras.Functional(x, a)), 1, 1},
		{keras.Must(keras.Functional(x, keras.Tensors(a, a), keras.Name("m"))), 1, 2},
		{keras.Must(keras.Functional(keras.Tensors(x, z), b)), 2, 1},
	} {
		require.Len(t, tc.model.Inputs(), tc.inputs)
		require.Len(t, tc.model.Outputs(), tc.outputs)
	}
	_, err := keras.Functional(x, b)
	require.ErrorContains(t, err, "which is not among the inputs")

	_, err = keras.Functional(x, x.Call(layers.Dense(2), nil))
	require.ErrorContains(t, err, "the layer is nil")
	var none *layers.Tensor
	_, err = keras.Functional(none, none)
	require.Error(t, err)
}

func TestLayerByName(t *testing.T) {
	m := keras.Must(keras.NewSequential(layers.Dense(4, layers.Name("hidden")), layers.Dense(2, layers.Name("classes"))))
	l, err := m.Layer("hidden")
	require.NoError(t, err)
	require.Equal(t, m.Layers()[0], l)
	_, err = m.Layer("hiden")
	require.EqualError(t, err, `keras: model `+m.Name()+`: it has no layer "hiden"; did you mean "hidden"?`)
	_, err = m.Layer("embedding")
	require.EqualError(t, err, `keras: model `+m.Name()+`: it has no layer "embedding"; it has "hidden", "classes"`)
}
