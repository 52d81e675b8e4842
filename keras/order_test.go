package keras_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// TestLayerOrder has the order of layers that Keras gives the same model.
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
