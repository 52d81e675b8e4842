package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/peer"
)

// Keras writes a few of the files, and all results must be equal. A file that was changed must
// differ.
func TestFiles(t *testing.T) {
	python, dir := peer.Python(t, "keras", "jax"), t.TempDir()
	names := []string{"layer_1_Dense_2", "operator_multiply", "structure_nested", "schedule_CosineDecayRestarts"}
	out, err := exec.Command(python, append([]string{"../peers/keras_files.py", dir}, names...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var table bytes.Buffer
	require.NoError(t, run(context.Background(), []string{"-least", "1", dir}, &table), "%s", table.String())
	require.Equal(t, "loaded: 4 of 4, 100.0 %\nequal predictions and training: 4 of 4, 100.0 %\n", table.String())

	other := filepath.Join(dir, "structure_nested.json")
	require.NoError(t, os.WriteFile(other, []byte(`{"predictions": [1]}`), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "operator_multiply.keras"), []byte("no archive"), 0o644))
	table.Reset()
	require.ErrorContains(t, run(context.Background(), []string{"-least", ".9", dir}, &table), "2 of 4, 50.0 % are equal, want 90 %")
	require.Contains(t, table.String(), "structure_nested: predictions: 24 numbers, Keras has 1\n")
	require.Contains(t, table.String(), "loaded: 3 of 4, 75.0 %\n")
}

func TestErrors(t *testing.T) {
	require.ErrorContains(t, run(context.Background(), nil, nil), "got 0 arguments, want the directory")
	require.ErrorContains(t, run(context.Background(), []string{t.TempDir()}, nil), "write them with python benchmarks/peers/keras_files.py")
}
