package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The command prints a line for each mode, and removes what it has saved. It refuses invalid sizes.
func TestSaves(t *testing.T) {
	dir := t.TempDir()
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-layers", "2", "-width", "64", "-batch", "8", "-every", "20", "-rounds", "1", "-dir", dir}, &out))
	for _, want := range []string{"each 20 steps", "without ", "behind the training ", "synchronous "} {
		require.Contains(t, out.String(), want)
	}
	require.ErrorContains(t, run(t.Context(), []string{"-every", "0"}, &out), "0 steps and 5 rounds: want at least 1 of each")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
