package compile_test

// This file checks which passes run for each target.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/target"
)

// TestPassesOfTargets compares the passes of each target with the list in testdata/targets.
func TestPassesOfTargets(t *testing.T) {
	golden.Run(t, "testdata/targets/*.txtar", 0, func(t *testing.T, _ *txtar.Archive) map[string]string {
		got := map[string]string{}
		for _, row := range target.Targets() {
			got[row.Name] = strings.Join(compile.PassNamesFor(compile.SPMD, row.Name), "\n") + "\n"
			got[row.Name+", partitioned by XLA"] = strings.Join(compile.PassNamesFor(compile.XLA, row.Name), "\n") + "\n"
		}
		return got
	})
}

// TestPassesForLimits checks that each target has a pass for each of its limits, and that each pass
// is for a limit that a target has, or for none.
func TestPassesForLimits(t *testing.T) {
	limits := compile.PassLimits()
	for _, row := range target.Targets() {
		for _, known := range row.Limits {
			require.True(t, slices.ContainsFunc(compile.PassNamesFor(compile.SPMD, row.Name), func(name string) bool { return limits[name] == known.Limit }),
				fmt.Sprintf("%s has limit %d: no pass is for it", row.Name, known.Limit))
		}
	}
	for name, limit := range limits {
		require.True(t, slices.ContainsFunc(target.Targets(), func(row *target.Target) bool { return row.Has(limit) }), "pass %s is for limit %d, which no target has", name, limit)
	}
	require.Equal(t, compile.PassNamesFor(compile.SPMD, target.Any.Name), compile.PassNamesFor(compile.SPMD, ""))
}
