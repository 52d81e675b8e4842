package keras_test

// This file runs steps op by op.

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// With RunEagerly a training has the losses of compiled steps, on one device and on a mesh. The
// function is called once at a time, and sees the forward and backward pass of a layer, and the
// optimizer, on each device. RunEagerly together with Client is an error.
func TestRunEagerly(t *testing.T) {
	for _, meshName := range []string{"", "data=2,model=2"} {
		t.Run("on "+meshName, func(t *testing.T) {
			onEngine(t, false, meshName, func(client keras.CompileOption) {
				fit := func(opt keras.CompileOption) (*keras.Model, []float64) {
					layers.ClearSession()
					random.SetRandomSeed(3)
					m := keras.Must(keras.NewSequential(layers.Dense(4, layers.Name("first"), layers.Activation("relu")), layers.Dense(1, layers.Name("last"))))
					require.NoError(t, m.Compile(keras.Loss("mse"), opt, quiet))
					h, err := m.Fit(t.Context(), ramp(8, 3), ramp(8, 1), keras.BatchSize(4), keras.Epochs(2), keras.Verbose(0))
					require.NoError(t, err)
					return m, h.Logs["loss"]
				}
				_, want := fit(client)
				seen := make(map[string]map[int]bool)
				var text string
				var calls atomic.Int32 // one at a time
				m, got := fit(keras.RunEagerly(func(v keras.Value) {
					require.EqualValues(t, 1, calls.Add(1))
					if seen[v.Layer()] == nil {
						seen[v.Layer()] = make(map[int]bool)
					}
					seen[v.Layer()][v.Device] = true
					require.Len(t, v.Numbers(), v.Type.Size())
					if v.Layer() == "sequential/first" || v.Layer() == "first" {
						text = v.String()
					}
					calls.Add(-1)
				}))
				c, err := m.Client(t.Context())
				require.NoError(t, err)
				require.NoError(t, c.Close())
				require.InDeltaSlice(t, want, got, runtimetest.Tolerance(1e-6))
				devices := 1
				if meshName != "" {
					devices = 4
				}
				for _, layer := range []string{"first", "grad(first)", "last", "rm_sprop"} {
					require.Len(t, seen[layer], devices, "%s of %v", layer, seen)
				}
				require.True(t, strings.HasPrefix(text, "first (eager_test.go:"), text)
			})
		})
	}
	m := keras.Must(keras.NewSequential(layers.Dense(1)))
	require.ErrorContains(t, m.Compile(keras.RunEagerly(nil), goEngine(t)), "got both RunEagerly and Client")
}
