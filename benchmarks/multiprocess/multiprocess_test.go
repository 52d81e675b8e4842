package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/peer"
)

// TestMain makes the test's binary one of the processes that the command starts.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "--processes") {
		main()
		return
	}
	os.Exit(m.Run())
}

// The command trains in processes of its own and prints a head and a line for each job. The first
// loss does not depend on how many processes and devices there are. A job that is not
// PROCESSESxDEVICES is an error.
func TestMultiprocess(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-jobs", "1x1,2x2,3x1", "-rounds", "1", "-steps", "5", "-warmup", "1", "-python", ""}, &out))
	require.Equal(t, 4, strings.Count(out.String(), "\n"), out.String())
	require.Equal(t, 3, strings.Count(out.String(), "2.30359-"), out.String())
	for _, tc := range []struct{ job, want string }{
		{"2", `got the job "2"`},
		{"0x2", `got the job "0x2"`},
	} {
		require.ErrorContains(t, run(t.Context(), []string{"-jobs", tc.job}, &out), tc.want)
	}
}

// If a process fails, the command ends with the message of that process.
func TestMultiprocessFails(t *testing.T) {
	t.Setenv("GOSPMD_ENGINE", "none")
	var out strings.Builder
	require.ErrorContains(t, run(t.Context(), []string{"-jobs", "2x1", "-python", ""}, &out), `GOSPMD_ENGINE is "none"`)
}

// The command finds that the JAX processes of a job have the same losses as ours.
func TestMultiprocessAgainstJAX(t *testing.T) {
	python := peer.Python(t, "jax")
	t.Chdir("../..")
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-jobs", "2x1", "-rounds", "1", "-steps", "5", "-warmup", "1", "-limit", "100", "-python", python}, &out))
}
