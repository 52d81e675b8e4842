// Package golden compares what tests make with txtar files: prose on top, then
// one or more sections that a test reads, then the sections that it makes.
// go test -update writes the latter.
//
// It is not for files of one section, which need no format.
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

// Run runs a subtest for each file that matches pattern. The first inputs
// sections are for made to read; the others must be what it returns for their
// names. There must be files, and prose and sections in each.
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
