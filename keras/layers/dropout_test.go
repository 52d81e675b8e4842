package layers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// TestRateOne applies and trains models that drop everything. Those that scale what is left must
// predict, and must not train, as in Keras; Dropout does both.
func TestRateOne(t *testing.T) {
	for _, tc := range []struct {
		layer layers.Layer
		want  string // "" for no error
	}{
		{layers.Dropout(1), ""},
		{layers.GaussianDropout(1), "got the rate 1 in training, want one below 1"},
		{layers.AlphaDropout(1), "got the rate 1 in training, want one below 1"},
	} {
		m, err := keras.NewSequential(layers.Dense(1, layers.KernelInitializer("ones")), tc.layer)
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.OpenSample(t, 1, false)), noWarnings))
		x := [][]float32{{1}, {2}}
		got, err := m.Predict(t.Context(), x, keras.Verbose(0))
		require.NoError(t, err)
		require.Equal(t, x, got[0].Value())
		_, err = m.Fit(t.Context(), x, x, keras.Verbose(0))
		if tc.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, tc.want)
		}
	}
}
