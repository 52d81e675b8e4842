package callbacks_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/peer"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
)

// logged trains y = w·x with w = 1 for two epochs of two batches, whose losses
// are 1, 0.64 and 0.4096, 0.262144, and returns the folder of the logs.
func logged(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	_, err := line(t).Fit(t.Context(), [][]float32{{1}, {1}}, [][]float32{{0}, {0}}, keras.BatchSize(1), keras.Epochs(2), keras.Verbose(0),
		keras.ValidationData([][]float32{{1}}, [][]float32{{0}}), keras.Callbacks(&callbacks.TensorBoard{Dir: dir, Every: 1}))
	require.NoError(t, err)
	return dir
}

// TestTensorBoardReads lets TensorBoard itself read the files, checksums and
// all.
func TestTensorBoardReads(t *testing.T) {
	python := peer.Python(t, "tensorboard")
	cmd := exec.Command(python, "../../benchmarks/peers/tensorboard_read.py", logged(t))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	var got map[string]map[string][][2]float64
	require.NoError(t, json.Unmarshal(out, &got))
	want := map[string]map[string][][2]float64{
		"train": {
			"epoch_loss":          {{0, 0.82}, {1, 0.335872}},
			"epoch_learning_rate": {{0, 0.1}, {1, 0.1}},
			"batch_loss":          {{1, 1}, {2, 0.82}, {3, 0.4096}, {4, 0.335872}},
		},
		"validation": {"epoch_loss": {{0, 0.4096}, {1, 0.16777216}}},
	}
	require.Len(t, got, len(want))
	for run, tags := range want {
		require.Len(t, got[run], len(tags), run)
		for tag, points := range tags {
			require.Len(t, got[run][tag], len(points), "%s %s", run, tag)
			for i, p := range points {
				require.InDeltaSlice(t, p[:], got[run][tag][i][:], 1e-6, "%s %s", run, tag)
			}
		}
	}
}

// TestTensorBoardFiles looks at the files without TensorBoard: one in each
// folder, named as TensorFlow's, and another one for a second training.
func TestTensorBoardFiles(t *testing.T) {
	dir := t.TempDir()
	for run := 1; run <= 2; run++ {
		_, err := fit(t, line(t), 1, &callbacks.TensorBoard{Dir: dir, WriteStepsPerSecond: true})
		require.NoError(t, err)
		files := names(t, filepath.Join(dir, "train"))
		require.Len(t, files, run)
		require.True(t, strings.HasPrefix(files[0], "events.out.tfevents."))
	}
	require.NoDirExists(t, filepath.Join(dir, "validation"))
	_, err := fit(t, line(t), 1, &callbacks.TensorBoard{Every: -1})
	require.ErrorContains(t, err, "TensorBoard: got Every -1")
	_, err = fit(t, line(t), 1, &callbacks.TensorBoard{Dir: "/proc/none"})
	require.ErrorContains(t, err, "TensorBoard: the folder /proc/none/train cannot be made")
}
