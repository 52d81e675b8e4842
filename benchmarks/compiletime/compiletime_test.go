package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The command prints a line for each program, size and mesh. It refuses invalid sizes.
func TestCompileTime(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-ops", "100,200", "-devices", "8,65536"}, &out))
	require.Equal(t, 9, strings.Count(out.String(), "\n"), out.String())
	require.Contains(t, out.String(), "65536")
	require.ErrorContains(t, run(t.Context(), []string{"-ops", "few"}, &out), `got the size "few"`)
}
