package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
)

func init() { runtimetest.CompileQuickly() }

// Keras writes a few of the files, and all results must be equal. A file whose predictions were
// changed must differ, one that is no archive must not load, and too small a share of equal files
// is an error.
func TestFiles(t *testing.T) {
	python, dir := peer.Python(t, "keras", "jax"), t.TempDir()
	names := []string{"layer_1_Dense_2", "layer_3_Conv2D_1", "layer_3_Flatten_1", "operator_multiply", "structure_nested", "schedule_CosineDecayRestarts"}
	out, err := exec.Command(python, append([]string{"../peers/keras_files.py", dir}, names...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var table bytes.Buffer
	require.NoError(t, run(context.Background(), []string{"-least", "1", dir}, &table), "%s", table.String())
	require.Equal(t, equal(len(names)), table.String())

	other := filepath.Join(dir, "structure_nested.json")
	text, err := os.ReadFile(other)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte(`"predictions": [[`), []byte(`"predictions": [[1,`), 1)
	require.NoError(t, os.WriteFile(other, text, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "operator_multiply.keras"), []byte("no archive"), 0o644))
	table.Reset()
	require.ErrorContains(t, run(context.Background(), []string{"-least", ".9", dir}, &table), "4 of 6, 66.7 % are equal, want 90 %")
	require.Contains(t, table.String(), "structure_nested: predictions: output 0: 24 numbers, Keras has 25\n")
	require.Contains(t, table.String(), "loaded: 5 of 6, 83.3 %\n")
}

// equal returns the table that compare prints for n files that are equal to Keras in each stage.
func equal(n int) (table string) {
	for _, name := range stageNames {
		table += fmt.Sprintf("%s: %d of %d, 100.0 %%\n", name, n, n)
	}
	return table
}

// Random models, one with an object of the user's and 2 others, or 3 in the long form, are equal to
// Keras in each stage. Keras reads those that were written here, and gives the same answers.
//
// File 40 is behind them, because rounding decides its training: two classes of a CategoricalHinge
// are equal, and the gradient goes to the larger one.
func TestRandomFiles(t *testing.T) {
	python, dir, ours := peer.Python(t, "keras", "jax"), t.TempDir(), t.TempDir()
	first := longtest.Pick(37, 36)
	out, err := exec.Command(python, "../peers/random_files.py", dir, fmt.Sprint(first), "40").CombinedOutput()
	require.NoError(t, err, "%s", out)
	var table bytes.Buffer
	require.NoError(t, run(context.Background(), []string{"-least", "1", "-write", ours, dir}, &table), "%s", table.String())
	files, err := filepath.Glob(filepath.Join(dir, "*.keras"))
	require.NoError(t, err)
	require.Equal(t, equal(len(files)), table.String())
	out, err = exec.Command(python, "../peers/keras_answers.py", ours, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), fmt.Sprintf("Keras reads %[1]d of %[1]d files as it should", len(files)-1))
}

func TestErrors(t *testing.T) {
	require.ErrorContains(t, run(context.Background(), nil, nil), "got 0 arguments, want the directory")
	require.ErrorContains(t, run(context.Background(), []string{t.TempDir()}, nil), "write them with python benchmarks/peers/keras_files.py")
}
