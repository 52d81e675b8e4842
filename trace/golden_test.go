package trace_test

// This file compares recordings with the golden files in testdata. A file has prose, then the
// module with its locations.

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/ir"
)

// TestGolden: The recording of each scenario, twice, gives the module in the golden file with the
// scenario's name.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.Len(t, files, len(scenarios), "a golden file for each scenario")
	golden.Run(t, "testdata/*.txtar", 0, func(t *testing.T, _ *txtar.Archive) map[string]string {
		name := filepath.Base(t.Name())
		i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == name })
		require.GreaterOrEqual(t, i, 0, "no scenario %s", name)
		text := recordedText(t, scenarios[i])
		require.Equal(t, text, recordedText(t, scenarios[i]), "the second recording differs")
		return map[string]string{"module.mlir": text}
	})
}

// recordedText records a scenario, verifies the module and returns its text with locations.
func recordedText(t *testing.T, s scenario) string {
	t.Helper()
	m, err := s.record()
	require.NoError(t, err)
	require.NoError(t, ir.Verify(m), "%s", m)
	return locatedText(t, m)
}

// locatedText returns the text of a module with its locations.
func locatedText(t *testing.T, m *ir.Module) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, ir.Print(&b, m, ir.PrintOptions{Locations: true}))
	return b.String()
}

// TestBackwardPaths: each op of a training step except the return must have a location. The layer
// paths come in the order of the layers, then those of the backward pass, such as grad(d2), in the
// reverse order, then that of the update.
func TestBackwardPaths(t *testing.T) {
	m, err := recordMLP(2)
	require.NoError(t, err)
	var order []string
	for op := range m.Main().Body.Ops() {
		if p := op.Loc.Path; p != "" && (len(order) == 0 || order[len(order)-1] != p) {
			order = append(order, p)
		}
		require.Equal(t, op.Kind == ir.OpFuncReturn, op.Loc.IsZero(), "location of %s", op)
	}
	require.Equal(t, []string{"d1", "d2", "loss", "grad(loss)", "grad(d2)", "grad(d1)", "sgd"}, order)
}

func BenchmarkRecordMLP(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := recordMLP(2); err != nil {
			b.Fatal(err)
		}
	}
}
