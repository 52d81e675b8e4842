package callbacks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
)

// TestValidationFreq watches a number that only every second epoch has: the
// others are passed over. The weight falls by a fifth in each step, so that the
// validation, whose label is the first weight, gets worse.
func TestValidationFreq(t *testing.T) {
	dir := t.TempDir()
	m := line(t)
	plateau, csv := &callbacks.ReduceLROnPlateau{Patience: ptr(1), Factor: 0.5}, filepath.Join(dir, "log.csv")
	_, err := m.Fit(t.Context(), [][]float32{{1}, {1}}, [][]float32{{0}, {0}}, keras.BatchSize(1), keras.Epochs(9), keras.Verbose(0),
		keras.ValidationData([][]float32{{1}}, [][]float32{{1}}), keras.ValidationFreq(2),
		keras.Callbacks(plateau, &callbacks.CSVLogger{Path: csv}, &callbacks.EarlyStopping{Patience: 2},
			&callbacks.ModelCheckpoint{Path: filepath.Join(dir, "w_{epoch}_{val_loss:.1f}.weights.h5"), WeightsOnly: true},
			&callbacks.ModelCheckpoint{Path: filepath.Join(dir, "best_{epoch}.weights.h5"), WeightsOnly: true, SaveBestOnly: true}))
	require.NoError(t, err)
	require.Equal(t, []string{"best_2.weights.h5", "log.csv", "w_2_0.3.weights.h5", "w_4_0.7.weights.h5", "w_6_0.8.weights.h5"}, names(t, dir))
	text, err := os.ReadFile(csv)
	require.NoError(t, err)
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, rows, 7, "stopped after three validations")
	require.Equal(t, "epoch,loss,val_loss", rows[0])
	for i, row := range rows[1:] {
		require.Equal(t, i%2 == 0, strings.HasSuffix(row, ",NA"), row)
	}
	rate, err := m.Optimizer().LearningRate(t.Context())
	require.NoError(t, err)
	require.InDelta(t, 0.025, rate, 1e-8, "halved after the second and the third validation")
}
