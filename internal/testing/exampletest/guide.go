package exampletest

// This file compares guides of keras.io, the programs in examples/guides, with Keras.

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
)

// guideResult is what a guide prints with -json, and what the reference file of Keras has: the loss
// of each epoch, and the predictions of each output.
type guideResult struct {
	Loss        []float64   `json:"loss"`
	Predictions [][]float32 `json:"predictions"`
}

// Guide runs a guide on the mesh 2x4. In the long form it also runs the guide on one device and on
// 3x2. The guide starts from the initial weights of Keras. Losses and predictions must equal
// Keras' within the tolerance; of losses above 1 it is a part of the largest one.
// benchmarks/peers/guides_reference.py writes the testdata of guides.
// XLA compiles quickly, if nothing else has loaded it before.
func Guide(t *testing.T, run Program, tolerance float64) {
	runtimetest.CompileQuickly()
	text, err := os.ReadFile("testdata/keras.json")
	require.NoError(t, err)
	var want guideResult
	require.NoError(t, json.Unmarshal(text, &want))
	require.NotEmpty(t, want.Predictions)
	for _, mesh := range longtest.Pick([]string{"2x4"}, []string{"single", "2x4", "3x2"}) {
		t.Run(mesh, func(t *testing.T) {
			got := JSON[guideResult](t, run, "-mesh", mesh, "-weights", "testdata/start.weights.h5")
			require.InDeltaSlice(t, want.Loss, got.Loss, tolerance*max(1, slices.Max(want.Loss)), "losses")
			require.Len(t, got.Predictions, len(want.Predictions))
			for i, values := range want.Predictions {
				require.InDeltaSlice(t, values, got.Predictions[i], tolerance, "output %d", i)
			}
		})
	}
}

// ShortOnGoEngine lets a guide run on the engine in Go in the short form of its test: XLA takes
// longer to compile a large guide than that engine takes to run it.
func ShortOnGoEngine(t *testing.T) {
	if !longtest.Enabled() {
		t.Setenv("GOSPMD_ENGINE", "go")
	}
}
