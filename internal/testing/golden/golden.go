// Package golden compares the output of tests with txtar files. A file has prose on top, then one
// or more sections that a test reads, and then the sections that it must make. go test -update
// writes the latter.
//
// It is not for files with one section: they need no txtar.
//
// Order of use: Run.
//
//	name     role
//	Run      a subtest for each file
//	Update   whether -update was given
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files")

// Update reports whether the files are to be written instead of compared.
func Update() bool { return *update }

// Run runs a subtest for each file that matches pattern. The function made reads the first
// sections; inputs is their number. Each other section must equal what made returns for its name;
// with -update it becomes that, and the file is written. No files, or a file without prose or
// without sections to be made, fail the test.
func Run(t *testing.T, pattern string, inputs int, made func(t *testing.T, a *txtar.Archive) map[string]string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files, "no golden files %s", pattern)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.NotEmpty(t, a.Comment, "say what the file shows")
			require.Greater(t, len(a.Files), inputs, "add an empty section for what is to be made, and run with -update")
			got := made(t, a)
			for i := inputs; i < len(a.Files); i++ {
				section := &a.Files[i]
				text, ok := got[section.Name]
				require.True(t, ok, "section %q is not made", section.Name)
				if *update {
					section.Data = []byte(text)
				}
				require.Equal(t, string(section.Data), text, "section %s; -update rewrites it", section.Name)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o666))
			}
		})
	}
}
