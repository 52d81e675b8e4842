package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
)

func init() { runtimetest.CompileQuickly() }

// tolerance is the largest allowed difference between the losses of two meshes.
const tolerance = 5e-6

// small are the flags of a model that trains quickly.
var small = []string{"-layers", "2", "-dim", "32", "-context", "16", "-batch", "8", "-steps", "12", "-every", "3", "-rate", "0.01"}

// train runs the program with a small model and args, and returns its result.
func train(t *testing.T, args ...string) result {
	t.Helper()
	return exampletest.JSON[result](t, run, slices.Concat(small, args)...)
}

// TestMeshes trains on every mesh, or in the short form on one. The losses and the text must be the
// same. The vocabulary of 55 characters is not divisible by any mesh axis.
func TestMeshes(t *testing.T) {
	want := train(t, "-mesh", "single", "-sample", "8", "-temperature", "0")
	require.Len(t, want.Losses, 4)
	require.Less(t, want.Losses[3], want.Losses[0]-0.5, "it learns: %v", want.Losses)
	require.Positive(t, want.TokensPerSecond)
	for _, mesh := range longtest.Pick([]string{"2x4"}, []string{"8x1", "2x4", "1x8"}) {
		t.Run(mesh, func(t *testing.T) {
			got := train(t, "-mesh", mesh, "-sample", "8", "-temperature", "0")
			require.InDeltaSlice(t, want.Losses, got.Losses, tolerance)
			require.Equal(t, want.Sample, got.Sample)
		})
	}
}

// TestText trains on a file of one word, repeated, and requires that the program writes this word.
func TestText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(name, bytes.Repeat([]byte("abc "), 20), 0o644))
	got := train(t, "-text", name, "-mesh", "2x2", "-heads", "4", "-steps", "30", "-sample", "6", "-prompt", "a", "-temperature", "0")
	require.Equal(t, "abc abc\n", got.Sample)
}

func TestReport(t *testing.T) {
	out := exampletest.Output(t, run, slices.Concat(small, []string{"-report"})...)
	require.Contains(t, out, "step 12: loss ")
	require.Contains(t, out, "report of program train_step, 8 devices, mesh data=2,model=4")
}

func TestInterrupted(t *testing.T) {
	exampletest.Interrupted(t, run, "-steps", "100000", "-layers", "1", "-dim", "16", "-heads", "2", "-context", "16")
}

func TestBadFlags(t *testing.T) {
	short := filepath.Join(t.TempDir(), "short")
	require.NoError(t, os.WriteFile(short, []byte("too short"), 0o644))
	for _, tc := range []struct {
		name, wantErr string
		args          []string
	}{
		{"no mesh", `mesh "2by4": want the number of devices`, []string{"-mesh", "2by4"}},
		{"no layers", "-layers 0: want a positive number", []string{"-layers", "0"}},
		{"heads", "-dim 128 is not a multiple of -heads 5", []string{"-heads", "5"}},
		{"steps", "-steps 30 is not a multiple of -every 20", []string{"-steps", "30"}},
		{"temperature", "-temperature -1: want a number not below 0", []string{"-temperature", "-1"}},
		{"no file", "no such file", []string{"-text", filepath.Join(t.TempDir(), "none")}},
		{"short file", "has 9 characters, want more than -context 64", []string{"-text", short}},
		{"prompt", `-prompt: the text has no 'Ж'`, []string{"-prompt", "Ж"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, run(t.Context(), tc.args, &bytes.Buffer{}), tc.wantErr)
		})
	}
}
