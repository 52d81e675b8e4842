package main

import (
	"bytes"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

// train runs the program with args and returns its result, which it prints as JSON. The program
// must find the three classes.
func train(t *testing.T, args ...string) result {
	t.Helper()
	r := exampletest.JSON[result](t, run, args...)
	require.Equal(t, []string{"blue_triangle", "green_square", "red_circle"}, r.Classes)
	return r
}

// TestLearns trains eight epochs on a mesh of 4x2 devices. The loss must fall to less than half,
// and three quarters of the validation images must be classified correctly. It runs in the long
// form only.
func TestLearns(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	longtest.Only(t, "it needs 24 steps of a ResNet50; TestMeshes makes some")
	const last = 7 // number of epochs
	r := train(t, "-mesh", "4x2", "-size", "32", "-generate", "24", "-batch", "18", "-epochs", strconv.Itoa(last+1))
	require.Len(t, r.Loss, last+1)
	require.Less(t, r.Loss[last], r.Loss[0]/2, "%v", r.Loss)
	require.GreaterOrEqual(t, r.ValAccuracy[last], 0.75, "%v", r.ValAccuracy)
}

// TestMeshes trains an epoch on a mesh of 3x2 devices, and on one device. The losses must be equal
// within 1e-4, and the accuracies on the validation images must be the same.
func TestMeshes(t *testing.T) {
	args := []string{"-size", "32", "-generate", "8", "-batch", "18", "-epochs", "1", "-data"}
	dir := t.TempDir()
	one := train(t, append(args, dir, "-mesh", "single")...)
	mesh := train(t, append(args, dir, "-mesh", "3x2")...)
	require.InDeltaSlice(t, one.Loss, mesh.Loss, 1e-4)
	require.Equal(t, one.ValAccuracy, mesh.ValAccuracy)
}

// TestInterrupted interrupts the program while it trains, and requires that it removes the
// directory of the images that it has drawn.
func TestInterrupted(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	exampletest.Interrupted(t, run, "-size", "32", "-generate", "4", "-batch", "4", "-epochs", "100000")
	left, err := filepath.Glob(filepath.Join(temp, "shapes*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"mesh", []string{"-mesh", "4,2"}, `mesh "4,2": want the number of devices along data and model`},
		{"directory", []string{"-data", filepath.Join(t.TempDir(), "absent")}, "no such file or directory"},
		{"no images", []string{"-data", t.TempDir()}, "found no images in"},
		{"weights", []string{"-weights", "none.h5"}, `got the weights "none.h5"`},
		{"directory that cannot be written", []string{"-data", "/dev/null", "-generate", "1"}, "cannot draw images"},
		{"size", []string{"-size", "0"}, "Size: got 0x0, want positive numbers"},
		{"flag", []string{"-colour"}, "flag provided but not defined"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, run(t.Context(), tc.args, &bytes.Buffer{}), tc.want)
		})
	}
}
