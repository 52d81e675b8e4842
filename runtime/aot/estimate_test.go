package aot

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// estimate reads sums that libtpu has returned for programs, and Executable prints them as the
// seconds of a run, and the number of ops without an estimate.
func TestEstimate(t *testing.T) {
	for _, tc := range []struct {
		sum, seconds float64
		without      int
		text         string
	}{
		{0, 0, 0, "the compiler does not say"},
		{7.5e-6, 7.5e-6, 0, "7.5 µs"},
		{-23.999013900756836, 0.986099e-3, 24, "at least 986 µs; 24 ops without estimate"},
		{-1, 0, 1, "at least 0; 1 ops without estimate"},
	} {
		seconds, without := estimate(tc.sum)
		require.InDelta(t, tc.seconds, seconds, 1e-9)
		require.Equal(t, tc.without, without)
		require.Equal(t, tc.text, (&Executable{EstimatedSeconds: seconds, OpsWithoutEstimate: without}).estimateText())
	}
}
