package main

// This file tests the training of the whole network on a mesh.

import (
	"log/slog"
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime"
)

// gradients returns the negative gradients of all weights for nine images, whose pixels are
// multiplied by nudge: SGD's momentum after the first step. Beside them is its rate, 1.
func gradients(t *testing.T, mesh string, nudge float64) (out [][]float32) {
	t.Helper()
	c := config{mesh: mesh, weights: "none"}
	d, err := c.distribution(t.Context())
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		random.SetRandomSeed(1)
		_, m, err := c.model(t.Context(), 3)
		require.NoError(t, err)
		sgd := optimizers.SGD(optimizers.LearningRate(1), optimizers.Momentum(0.9))
		require.NoError(t, m.Compile(keras.Optimizer(sgd), keras.Loss("sparse_categorical_crossentropy"), keras.Logger(slog.New(slog.DiscardHandler))))
		noise, err := random.Normal([]int{9, 32, 32, 3}, random.Seed(7))
		require.NoError(t, err)
		pixels := tensors.MustCopyFlatData[float32](noise)
		for i := range pixels {
			pixels[i] *= float32(50 * nudge)
		}
		x := tensors.FromFlatDataAndDimensions(pixels, 9, 32, 32, 3)
		y := tensors.FromFlatDataAndDimensions([]int32{0, 1, 2, 0, 1, 2, 0, 1, 2}, 9)
		_, err = m.TrainOnBatch(t.Context(), x, y)
		require.NoError(t, err)
		for _, s := range sgd.Variables() {
			flat, err := s.Value(t.Context())
			require.NoError(t, err)
			if momentum, ok := flat.([]float32); ok {
				out = append(out, momentum)
			}
		}
		return nil
	}))
	return out
}

// distance returns the norm of b-a relative to the norm of a.
func distance(a, b [][]float32) float64 {
	var apart, norm float64
	for i := range a {
		for k, v := range a[i] {
			apart += math.Pow(float64(v-b[i][k]), 2)
			norm += float64(v) * float64(v)
		}
	}
	return math.Sqrt(apart / norm)
}

// TestUnfreeze compares the gradients of all layers on a mesh of 2x4 devices with those on one
// device. Many normalizations over nine images amplify rounding: on one device, a relative change
// of the pixels by a millionth changes the gradients by some hundredths. On the mesh they may
// differ by less than three times as much. A wrong gradient would differ by its whole size. The
// losses of a training would differ too much to compare.
func TestUnfreeze(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	longtest.Only(t, "package keras/layers compares the gradients of each layer on meshes")
	one := gradients(t, "single", 1)
	nudged := distance(one, gradients(t, "single", 1+1e-6))
	require.Less(t, nudged, 0.1)
	onMesh := distance(one, gradients(t, "2x4", 1))
	t.Logf("nudged by a millionth: %.3g, on 2x4: %.3g", nudged, onMesh)
	require.Less(t, onMesh, 3*nudged)
}
