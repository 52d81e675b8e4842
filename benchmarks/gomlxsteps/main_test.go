//go:build cgo

package main

// This file tests the command.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
)

func TestQuantile(t *testing.T) {
	values := []float64{4, 1, 3, 2, 5}
	for q, want := range map[float64]float64{0: 1, 0.25: 2, 0.5: 3, 0.9: 4.6, 1: 5} {
		require.InDelta(t, want, quantile(values, q), 1e-12)
	}
	require.Equal(t, "2.00 (1.50, 3.00)", ratios([]float64{2, 2, 8}, []float64{1, 2, 2}))
}

func TestTable(t *testing.T) {
	longtest.Only(t, "examples/gomlx/programs trains the programs")
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-C", "../..", "-small", "-rounds", "2", "-seconds", "0.01", "-programs", "adult", "-mesh", "2x2"}, &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], "2x2 / one device")
	require.Regexp(t, `^adult +\d+ .* ms .* ms `, lines[1])
}

func TestBadProgram(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), []string{"-programs", "adolt"}, nil), `there is no program "adolt"`)
}
