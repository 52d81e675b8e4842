// Package guidetest compares guides with Keras, in their tests.
//
// It is for the tests in examples/guides only.
//
// Order of use: Compare.
//
//	function  what it does
//	Compare   a guide on several meshes against Keras' numbers
package guidetest

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/examples/internal/exampletest"
	"github.com/gospmd/gospmd/internal/longtest"
)

// Compare runs a guide from Keras' initial weights and compares losses and predictions with those
// of Keras, up to tolerance. It runs on the mesh 2x4; in the long form of tests (package longtest)
// also on one device and on 3x2.
// benchmarks/peers/guides_reference.py writes the reference in testdata.
func Compare(t *testing.T, g *guide.Guide, tolerance float64) {
	text, err := os.ReadFile("testdata/keras.json")
	require.NoError(t, err)
	var want guide.Result
	require.NoError(t, json.Unmarshal(text, &want))
	require.NotEmpty(t, want.Predictions)
	for _, mesh := range longtest.Pick([]string{"2x4"}, []string{"single", "2x4", "3x2"}) {
		t.Run(mesh, func(t *testing.T) {
			got := exampletest.JSON[guide.Result](t, g.Run, "-mesh", mesh, "-weights", "testdata/start.weights.h5")
			require.InDeltaSlice(t, want.Loss, got.Loss, tolerance, "losses")
			require.Len(t, got.Predictions, len(want.Predictions))
			for i, values := range want.Predictions {
				require.InDeltaSlice(t, values, got.Predictions[i], tolerance, "output %d", i)
			}
		})
	}
}
