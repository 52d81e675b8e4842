package compile_test

// This file checks each pass against the golden files in testdata.
//
// A file starts with prose. The section in.mlir is the input; each other one
// is what go test -update writes there: a section named after a pass holds the
// module as that pass leaves it, "program" the table of the Program, "text"
// what the engine gets, "error" the error of Compile.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/golden"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Equal(t, "in.mlir", a.Files[0].Name)
		return sections(t, string(a.Files[0].Data))
	})
}

// sections compiles the text and returns all that a golden file may hold.
func sections(t *testing.T, text string) map[string]string {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	before := m.String()
	dir := t.TempDir()
	p, err := compile.Compile(m, compile.Options{Partitioner: compile.XLA, Debug: pass.Debug{Dump: dir}})
	require.Equal(t, before, m.String(), "Compile changed its input")

	got := map[string]string{}
	if err != nil {
		got["error"] = err.Error() + "\n"
	} else {
		got["program"], got["text"] = p.String(), string(p.Text())
	}
	readDumps(t, dir, got)
	return got
}

// readDumps adds the dumps of a compilation by the names of their passes.
func readDumps(t *testing.T, dir string, to map[string]string) {
	dumps, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, d := range dumps {
		data, err := os.ReadFile(filepath.Join(dir, d.Name()))
		require.NoError(t, err)
		_, name, _ := strings.Cut(strings.TrimSuffix(d.Name(), ".mlir"), "_")
		to[name] = string(data)
	}
}
