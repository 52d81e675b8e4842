package trace_test

// This file compares recordings with the golden files in testdata: prose, then
// the module with its locations.

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/ir"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.Len(t, files, len(scenarios), "a golden file for each scenario")
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			file := filepath.Join("testdata", s.name+".txtar")
			data, err := os.ReadFile(file)
			require.NoError(t, err, "write the file with its prose and run with -update")
			archive := txtar.Parse(data)
			require.NotEmpty(t, archive.Comment, "say what the file shows")

			m, err := s.record()
			require.NoError(t, err)
			require.NoError(t, ir.Verify(m), "%s", m)
			text := located(t, m)
			if *update {
				archive.Files = []txtar.File{{Name: "module.mlir", Data: []byte(text)}}
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
				return
			}
			require.Equal(t, string(archive.Files[0].Data), text)

			again, err := s.record()
			require.NoError(t, err)
			require.Equal(t, text, located(t, again), "the second recording differs")
		})
	}
}

// located returns the text of a module with its locations.
func located(t *testing.T, m *ir.Module) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, ir.Print(&b, m, ir.PrintOptions{Locations: true}))
	return b.String()
}

// TestBackwardPaths checks the layer path of each op of a training step: those
// of the backward pass carry that of the layer whose gradient they compute.
func TestBackwardPaths(t *testing.T) {
	m, err := recordMLP(2)
	require.NoError(t, err)
	var order []string
	for _, op := range m.Main().Body.Ops {
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
