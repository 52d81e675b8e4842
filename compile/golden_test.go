package compile_test

// This file checks each pass against the golden files in testdata.
//
// A file starts with prose. The section in.mlir is the input; each other one
// is what go test -update writes there: a section named after a pass holds the
// module as that pass leaves it, "program" the table of the Program, "text"
// what the engine gets, "error" the error of Compile.

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files, "no golden files")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			archive := txtar.Parse(data)
			require.NotEmpty(t, archive.Comment, "say what the file shows")
			require.Equal(t, "in.mlir", archive.Files[0].Name)
			require.Greater(t, len(archive.Files), 1, "add an empty section named after a pass and run with -update")
			got := sections(t, string(archive.Files[0].Data))
			for i, section := range archive.Files[1:] {
				text, ok := got[section.Name]
				require.True(t, ok, "section %q: want one of in.mlir, a pass that ran, program, text, error", section.Name)
				if *update {
					archive.Files[i+1].Data = []byte(text)
					continue
				}
				require.Equal(t, string(section.Data), text, "section %s", section.Name)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			}
		})
	}
}

// sections compiles the text and returns all that a golden file may hold.
func sections(t *testing.T, text string) map[string]string {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	before := m.String()
	dir := t.TempDir()
	p, err := compile.Compile(m, compile.Options{Partitioner: compile.XLA, DumpDir: dir})
	require.Equal(t, before, m.String(), "Compile changed its input")

	got := map[string]string{}
	if err != nil {
		got["error"] = err.Error() + "\n"
	} else {
		got["program"], got["text"] = p.String(), string(p.Text())
	}
	dumps, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, d := range dumps {
		data, err := os.ReadFile(filepath.Join(dir, d.Name()))
		require.NoError(t, err)
		_, name, _ := strings.Cut(strings.TrimSuffix(d.Name(), ".mlir"), "_")
		got[name] = string(data)
	}
	return got
}
