package saving_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// TestHostLayers loads layers by name from a file of Keras: their vocabularies and token weights
// must be there. A name that the file does not have is an error.
func TestHostLayers(t *testing.T) {
	want := tracetest.ReadJSON[struct {
		File struct {
			Words []int64
			IDs   []float32
		}
	}](t, "../testdata/reference/lookup.json")
	const file = "testdata/host/words.keras"
	l, err := saving.LoadHostLayer(file, "words")
	require.NoError(t, err)
	words := l.(*layers.TextVectorizationLayer)
	require.Equal(t, []string{"", "[UNK]", "the", "is", "here", "fox", "dog"}, words.Vocabulary())
	got, err := words.Vectorize([]string{"the dog flies"})
	require.NoError(t, err)
	require.Equal(t, want.File.Words, tensors.MustCopyFlatData[int64](got))

	l, err = saving.LoadHostLayer(file, "ids")
	require.NoError(t, err)
	got, err = l.(*layers.IntegerLookupLayer).Lookup([][]int64{{3, 9}})
	require.NoError(t, err)
	require.InDeltaSlice(t, want.File.IDs, tensors.MustCopyFlatData[float32](got), 2e-6)

	_, err = saving.LoadHostLayer(file, "other")
	require.ErrorContains(t, err, "the file has no layer of that name")
}
