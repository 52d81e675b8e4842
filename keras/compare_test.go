package keras

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// Models whose lookups have different vocabularies have different facts, so that processes with
// such models get an error: they would train on different numbers.
func TestVocabulariesAreCompared(t *testing.T) {
	of := func(vocabulary ...string) facts {
		x := Input([]int{1}, layers.DType(layers.String), layers.Name("x"))
		lookup := layers.StringLookup(layers.Name("lookup"))
		require.NoError(t, lookup.Adapt(vocabulary))
		m, err := NewModel(Tensors(x), Tensors(x.Apply(lookup).Apply(layers.Embedding(3, 2, layers.Name("embed")))), Name("m"))
		require.NoError(t, err)
		require.NoError(t, m.Compile())
		ds, err := m.deviceData(data.FromTensorSlices(vocabulary, nil).Batch(7), nil)
		require.NoError(t, err)
		var f facts
		f.addModel(m)
		f.addData("", ds, feed{})
		return f
	}
	require.Contains(t, of("a", "b"), fact{"batch size", "7"})
	require.Equal(t, of("a", "b"), of("b", "a"))
	require.ErrorContains(t, of("a", "b").difference(1, of("a", "c")), "process 1 has options and vocabulary of the lookup lookup, ")
}
