package target_test

// This file checks the table of targets: their names, limits and versions, and the text of a
// program's module for each.

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/plugin"
	"github.com/gospmd/gospmd/target"
)

func TestOf(t *testing.T) {
	for name, want := range map[string]*target.Target{
		"": target.Any, "any": target.Any, "cpu": target.CPU, "gpu": target.GPU, hardware.CUDA: target.GPU, hardware.TPU: target.TPU, "goengine": target.GoEngine,
	} {
		require.Same(t, want, target.Of(name), name)
	}
	other := target.Of("metal")
	require.Equal(t, target.Separate, other.Collectives)
	require.True(t, other.Has(target.TakesForGroups) && other.Has(target.FoldsDivisions))
	require.False(t, slices.ContainsFunc(other.Limits, func(k target.Known) bool { return k.Seen || k.Limit.CostsOnly() }))
}

// Check accepts the names in the table, their platforms, and Other. For other names its error lists
// these. NameOf returns the name of each platform, and Other for one that is not in the table.
func TestCheck(t *testing.T) {
	for _, row := range target.Targets() {
		require.NoError(t, target.Check(row.Name))
		require.NoError(t, target.Check(row.Platform))
		require.Equal(t, row.Name, target.NameOf(row.Name))
		if row.Platform != "" {
			require.Equal(t, row.Platform, target.NameOf(row.Platform))
		}
	}
	require.NoError(t, target.Check(target.Other))
	require.EqualError(t, target.Check("tpuu"), `"tpuu" is not known (did you mean "tpu"?): want one of any, cpu, gpu, cuda, tpu, goengine, or "other" for another plugin of PJRT`)
	require.Equal(t, target.Other, target.NameOf("metal"))
	require.Equal(t, target.Other, target.NameOf(""))
}

// Text makes the text of a program's module once for each target: a second call returns the same
// bytes. In it, collectives are ops of StableHLO. Only the Go engine, which runs the module
// directly, has a text with the module's own collectives.
func TestTextIsMadeOnce(t *testing.T) {
	p, _ := collectiveProgram(t, ir.CollectiveOf(ir.OpSPMDAllReduce))
	for _, row := range target.Targets() {
		text := row.Text(p)
		require.Same(t, &text[0], &row.Text(p)[0], row.Name)
		require.Equal(t, row != target.GoEngine, strings.Contains(string(text), "stablehlo.all_reduce"), row.Name)
	}
}

// A limit that only costs time must be seen: it must have been found in a measurement (Seen).
// Otherwise the pass for it might cost as much time.
func TestLimitsThatCostAreSeen(t *testing.T) {
	for _, row := range target.Targets() {
		for _, k := range row.Limits {
			require.True(t, k.Seen || !k.Limit.CostsOnly(), "%s has limit %d", row.Name, k.Limit)
		}
	}
}

// TestVersions compares the versions in the table with those of the plugins that gospmd installs. A
// target without a plugin has no version. If a plugin has a new version, test again which limits it
// has.
func TestVersions(t *testing.T) {
	if len(plugin.Bundles()) == 0 {
		t.Skip("no plugins are installed by gospmd on this system")
	}
	for _, row := range target.Targets() {
		if row.Platform == "" {
			require.Empty(t, row.Version)
			continue
		}
		if b, err := plugin.BundleNamed(row.Platform); err == nil {
			require.Equal(t, b.Releases[0].Package+"-"+b.Releases[0].Version, row.Version, row.Name)
		}
	}
}
