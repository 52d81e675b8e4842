package ir_test

// This file compares the texts of testdata/text. Each file holds a module in mixed spelling
// (in.mlir), and its pretty and its generic form. Together the files have every op of the table.

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/ir"
)

const textPattern = "testdata/text/*.txtar"

// goldenForms are the golden sections with the options that they are printed with.
var goldenForms = []struct {
	section string
	opts    ir.PrintOptions
}{
	{"pretty.mlir", ir.PrintOptions{Locations: true}},
	{"generic.mlir", ir.PrintOptions{Generic: true}},
}

// textFiles returns the archives of testdata/text by their paths. The test fails if there are none,
// or if one has no text before its sections.
func textFiles(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(textPattern)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	archives := make(map[string]*txtar.Archive, len(files))
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		require.NotEmpty(t, a.Comment, "%s: say what the file shows", file)
		archives[file] = a
	}
	return archives
}

// section returns a file of an archive, or "" if it is absent.
func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func printModule(t testing.TB, m *ir.Module, opts ir.PrintOptions) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, ir.Print(&b, m, opts))
	return b.String()
}

func TestGoldenText(t *testing.T) {
	golden.Run(t, textPattern, 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		m, err := ir.Parse(section(a, "in.mlir"))
		require.NoError(t, err)
		got := make(map[string]string)
		for _, form := range goldenForms {
			text := printModule(t, m, form.opts)
			again, err := ir.Parse(text)
			require.NoError(t, err)
			require.Equal(t, text, printModule(t, again, form.opts), "%s, read again", form.section)
			got[form.section] = text
		}
		return got
	})
}

// TestEveryRowHasText checks that testdata/text has the op of every row of the op table, and that
// the pretty and the generic form of it are parsed to the same op.
func TestEveryRowHasText(t *testing.T) {
	found := make(map[ir.OpKind]bool)
	for file, a := range textFiles(t) {
		m, err := ir.Parse(section(a, "in.mlir"))
		require.NoError(t, err, file)
		pretty := ir.MustParse(m.String())
		generic := ir.MustParse(printModule(t, m, ir.PrintOptions{Generic: true}))
		require.Equal(t, pretty.String(), generic.String(), file)
		for _, f := range m.Funcs {
			f.Walk(func(op *ir.Op) { found[op.Kind] = true })
		}
	}
	ir.EachOpInfo(func(info *ir.OpInfo) {
		require.True(t, found[info.Kind], "%s has no text: add one to a file of testdata/text", info.Name)
	})
}
