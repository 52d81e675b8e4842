package main

// This file tests that the example learns, with the same losses on every mesh.

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

func TestMeshes(t *testing.T) {
	want := exampletest.Output(t, run, "-mesh", "1x1")
	lines := strings.Split(strings.TrimSpace(want), "\n")
	require.Len(t, lines, 5, want)
	require.Less(t, lines[4][strings.Index(lines[4], "loss"):], "loss: 0.0100", "it learns")
	for _, mesh := range []string{"8x1", "2x4", "3x2", "1x7"} {
		require.Equal(t, want, exampletest.Output(t, run, "-mesh", mesh), mesh)
	}
}

func TestReport(t *testing.T) {
	require.Contains(t, exampletest.Output(t, run, "-report", "-steps", "1"), "grad(")
}

func TestInterrupted(t *testing.T) {
	exampletest.Interrupted(t, run, "-steps", "100000")
}

func TestBadFlags(t *testing.T) {
	var out bytes.Buffer
	require.ErrorContains(t, run(t.Context(), []string{"-mesh", "8"}, &out), "got 1 sizes, want 2")
}
