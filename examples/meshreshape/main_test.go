package main

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras/distribution"
)

func init() { runtimetest.CompileQuickly() }

// TestMain gives every test eight virtual devices, as many as the largest mesh has.
func TestMain(m *testing.M) {
	os.Setenv(distribution.DevicesEnv, "8")
	os.Exit(m.Run())
}

// small are the flags of a model that trains quickly.
var small = []string{"-units", "32", "-batch", "12", "-steps", "4", "-epochs", "2", "-pairs", "1"}

// TestLossesAreEqual trains on every shape of six devices, and in the long form of eight. The
// losses must be those of one device.
func TestLossesAreEqual(t *testing.T) {
	train := func(args ...string) []outcome { return exampletest.JSON[[]outcome](t, run, append(args, small...)...) }
	want := train("-json", "-devices", "1", "-axes", "data,model")
	require.Len(t, want, 1)
	var found []string
	outcomes, meshes := train("-json", "-devices", "6", "-axes", "data,model"), []string{"6x1", "3x2", "2x3", "1x6"}
	if longtest.Enabled() {
		outcomes, meshes = append(train("-json"), outcomes...), append([]string{"8x1", "4x2", "2x4", "1x8", "2x2x2"}, meshes...)
	}
	for _, r := range outcomes {
		require.InDeltaSlice(t, want[0].Losses, r.Losses, 1e-5, r.Mesh)
		require.Positive(t, r.StepSeconds)
		require.NotEmpty(t, r.Report.Collectives)
		found = append(found, r.Mesh)
	}
	require.Equal(t, meshes, found)
}

func TestTableAndPlot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "meshes.png")
	out := exampletest.Output(t, run, append([]string{"-devices", "4", "-axes", "data,model", "-plot", file}, small...)...)
	for _, want := range []string{"mesh 4x1: 8 steps, loss ", "ms a step", "\nbest: ", "\nwhy: a device computes ", "\npredicted best: "} {
		require.Contains(t, out, want)
	}
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	img, err := png.Decode(f)
	require.NoError(t, err)
	require.Greater(t, img.Bounds().Dx(), 400)
}

// TestMachine requires that the program predicts the time of each shape on devices that are absent,
// and says which is best there.
func TestMachine(t *testing.T) {
	args := append([]string{"-devices", "2", "-axes", "data,model", "-machine", "h100:8"}, small...)
	out := exampletest.Output(t, run, args...)
	require.Contains(t, out, "bound by")
	require.Contains(t, out, "\npredicted best there: ")
	for _, r := range exampletest.JSON[[]outcome](t, run, append(args, "-json")...) {
		require.Positive(t, r.Prediction.Seconds, r.Mesh)
		require.NotEmpty(t, r.Prediction.Bound)
	}
}

func TestShapes(t *testing.T) {
	var texts []string
	for _, s := range shapes(12, []string{"a", "b", "c"}) {
		texts = append(texts, s.String())
	}
	require.Equal(t, []string{"3x2x2", "2x3x2", "2x2x3"}, texts)
	require.Empty(t, shapes(7, []string{"a", "b", "c"}))
}

func TestErrors(t *testing.T) {
	for want, args := range map[string][]string{
		`"data,": want the names of different axes`: {"-axes", "data,"},
		`-machine: `:                {"-machine", "v9:8"},
		`-epochs 1: want 2 or more`: {"-epochs", "1"},
		`-devices 5 is no product of 3 sizes above 1, which axes`: {"-devices", "5", "-axes", "a,b,c"},
	} {
		require.ErrorContains(t, run(t.Context(), args, os.Stdout), want)
	}
}

func TestInterrupted(t *testing.T) {
	exampletest.Interrupted(t, run, append(small, "-epochs", "100000")...)
}
