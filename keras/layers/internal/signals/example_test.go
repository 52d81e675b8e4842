package signals_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/layers/internal/signals"
)

func Example() {
	fmt.Printf("%.2f\n", signals.Window("hann", 5, false))
	fmt.Printf("%.2f\n", signals.Window("hann", 4, true))
	fmt.Println(signals.CheckWindow("han"))
	// Output:
	// [0.00 0.50 1.00 0.50 0.00]
	// [0.00 0.50 1.00 0.50]
	// got the window "han" (did you mean "hann"?), want one of bartlett, blackman, blackmanharris, boxcar, cosine, flattop, hamming, hann, nuttall, or its numbers
}

// TestWindows requires that Window returns the numbers of scipy.signal.get_window(name, 5,
// fftbins=periodic).
func TestWindows(t *testing.T) {
	for _, tc := range []struct {
		name     string
		periodic bool
		want     []float64
	}{
		{"bartlett", false, []float64{0.0, 0.5, 1.0, 0.5, 0.0}},
		{"bartlett", true, []float64{0.0, 0.4, 0.8, 0.8, 0.4}},
		{"blackman", false, []float64{0.0, 0.34, 1.0, 0.34, 0.0}},
		{"blackman", true, []float64{0.0, 0.20077014326253, 0.84922985673747, 0.84922985673747, 0.20077014326253}},
		{"blackmanharris", false, []float64{6e-05, 0.21747, 1.0, 0.21747, 6e-05}},
		{"blackmanharris", true, []float64{6e-05, 0.10301148934566, 0.79383351065434, 0.79383351065434, 0.10301148934566}},
		{"boxcar", false, []float64{1.0, 1.0, 1.0, 1.0, 1.0}},
		{"boxcar", true, []float64{1.0, 1.0, 1.0, 1.0, 1.0}},
		{"cosine", false, []float64{0.30901699437495, 0.80901699437495, 1.0, 0.80901699437495, 0.30901699437495}},
		{"cosine", true, []float64{0.25881904510252, 0.70710678118655, 0.96592582628907, 0.96592582628907, 0.70710678118655}},
		{"flattop", false, []float64{-0.000421051, -0.05473684, 1.000000003, -0.05473684, -0.000421051}},
		{"flattop", true, []float64{-0.000421051, -0.06771425207621, 0.60687215257621, 0.60687215257621, -0.06771425207621}},
		{"hamming", false, []float64{0.08, 0.54, 1.0, 0.54, 0.08}},
		{"hamming", true, []float64{0.08, 0.39785218258752, 0.91214781741248, 0.91214781741248, 0.39785218258752}},
		{"hann", false, []float64{0.0, 0.5, 1.0, 0.5, 0.0}},
		{"hann", true, []float64{0.0, 0.34549150281253, 0.90450849718747, 0.90450849718747, 0.34549150281253}},
		{"nuttall", false, []float64{0.0003628, 0.2269824, 1.0, 0.2269824, 0.0003628}},
		{"nuttall", true, []float64{0.0003628, 0.11051525304987, 0.79825809695013, 0.79825809695013, 0.11051525304987}},
	} {
		require.InDeltaSlice(t, tc.want, signals.Window(tc.name, len(tc.want), tc.periodic), 1e-12, tc.name)
	}
	require.Equal(t, []float64{1}, signals.Window("blackman", 1, true))
}
