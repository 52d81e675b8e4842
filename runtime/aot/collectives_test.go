package aot_test

// This file tests the reader of optimized modules. The modules are those of the transformer of
// benchmarks/memory for 2x4 devices, reduced to the collectives and the computations that call
// them.

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/aot"
)

func collectives(t *testing.T, name string) []aot.Collective {
	t.Helper()
	module, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	found, err := aot.CollectivesOf(module)
	require.NoError(t, err)
	return found
}

// numbers counts the collectives of each kind: all, and the asynchronous ones.
func numbers(all []aot.Collective) map[string][2]int {
	n := map[string][2]int{}
	for _, c := range all {
		of := n[c.Kind]
		of[0]++
		if c.Async {
			of[1]++
		}
		n[c.Kind] = of
	}
	return n
}

// libtpu splits an asynchronous all-gather into up to eleven parts, one for each fusion that runs
// at the same time. Here 17 of the 44 all-gathers are split, into 80 parts.
func TestParts(t *testing.T) {
	found := collectives(t, "transformer_v5e.hlo.pb")
	require.Equal(t, map[string][2]int{"all-gather": {44, 17}, "all-reduce": {7, 0}, "all-to-all": {26, 0}, "reduce-scatter": {25, 0}}, numbers(found))
	require.Equal(t, aot.Collective{Kind: "all-gather", Bytes: 2 * 16384, DType: "bf16", Async: true, Groups: 2, GroupSize: 4}, found[0])
}

// XLA's plugin for CUDA wraps asynchronous collectives into computations of their own. They must be
// found there, as asynchronous ones.
func TestWrapped(t *testing.T) {
	found := collectives(t, "transformer_h100.hlo.pb")
	n := numbers(found)
	require.Equal(t, [2]int{5, 2}, n["all-reduce"])
	require.Equal(t, 18, n["all-to-all"][1])
	require.Contains(t, found, aot.Collective{Kind: "reduce-scatter", Bytes: 4 * 128 * 64, DType: "f32", Async: true, Groups: 4, GroupSize: 2})
}

// Channel ids distinguish the collectives that XLA's partitioner makes; op names say which op each
// was made for.
func TestChannels(t *testing.T) {
	found := collectives(t, "transformer_v5e_xla.hlo.pb")
	require.Equal(t, map[string][2]int{"all-reduce": {22, 0}}, numbers(found))
	bytes := 0
	for _, c := range found {
		require.Positive(t, c.Channel)
		bytes += c.Bytes
	}
	require.Equal(t, "dot.2", found[21].OpName)
	require.Equal(t, 3_284_996, bytes)
}

func TestDamagedModule(t *testing.T) {
	_, err := aot.CollectivesOf([]byte{0x1a, 0x7f, 0x01})
	require.ErrorContains(t, err, "the optimized module cannot be parsed")
}
