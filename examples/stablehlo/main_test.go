package main

// This file tests the example against JAX, which exported its program.

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/examples/internal/exampletest"
)

// TestLosses compares the losses with JAX' on every mesh. The batch of 40 and the 96 units are not
// divisible by all axes.
func TestLosses(t *testing.T) {
	data, err := os.ReadFile("losses.json")
	require.NoError(t, err)
	var want []float64
	require.NoError(t, json.Unmarshal(data, &want))
	for _, mesh := range []string{"1x1", "8x1", "4x2", "2x4", "1x7", "3x5"} {
		t.Run(mesh, func(t *testing.T) {
			lines := strings.Split(strings.TrimSpace(exampletest.Output(t, run, "-mesh", mesh)), "\n")
			require.Len(t, lines, len(want))
			for i, line := range lines {
				_, text, ok := strings.Cut(line, "loss: ")
				require.True(t, ok, line)
				var got float64
				require.NoError(t, json.Unmarshal([]byte(text), &got))
				require.InDelta(t, want[i], got, 1e-4, "step %d", i+1)
			}
		})
	}
}

func TestReport(t *testing.T) {
	require.Contains(t, exampletest.Output(t, run, "-report", "-steps", "1"), "collectives:")
}

func TestInterrupted(t *testing.T) {
	exampletest.Interrupted(t, run, "-steps", "100000")
}

func TestBadFlags(t *testing.T) {
	var out bytes.Buffer
	require.ErrorContains(t, run(t.Context(), []string{"-mesh", "8"}, &out), "got 1 sizes, want 2")
}
