package callbacks_test

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
)

// A training on texts that was cut off within an epoch goes on with the next batch: the
// lookups are ahead of the steps, the saved position is not.
func TestResumeTrainingOnTexts(t *testing.T) {
	texts := []string{"a", "b", "c", "a b", "b c", "c a", "a a", "b b", "c c", "a b c", "c b a", "b"}
	labels := []float32{0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1}
	run := func(cut int, list ...keras.Callback) ([]any, error) {
		words := layers.TextVectorization(layers.OutputSequenceLength(3), layers.Vocabulary([]string{"a", "b", "c"}))
		embedding := layers.Embedding(5, 2, layers.EmbeddingsInitializer(initializers.GlorotUniform(initializers.Seed(1))))
		m, err := keras.NewSequential(words, embedding, layers.Flatten(), layers.Dense(1, layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(2)))))
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), keras.Client(runtimetest.Open(t, 1))))
		steps := 0
		cutter := &callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
			if steps++; steps == cut {
				return errCut
			}
			return nil
		}}
		_, err = m.Fit(t.Context(), texts, labels, keras.BatchSize(2), keras.Epochs(3), keras.Verbose(0), keras.ShuffleSeed(3), keras.Callbacks(append(list, cutter)...))
		if err != nil {
			return nil, err
		}
		values, err := valuesOf(t.Context(), m)
		require.NoError(t, err)
		return values, nil
	}
	want, err := run(0)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "backup")
	_, err = run(9, &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 1, Logger: slog.New(slog.DiscardHandler)})
	require.ErrorIs(t, err, errCut)
	var said bytes.Buffer
	got, err := run(0, &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 1, Logger: plainlog.New(&said)})
	require.NoError(t, err)
	require.NotEmpty(t, said.String(), "it resumed")
	require.Equal(t, want, got)
}
