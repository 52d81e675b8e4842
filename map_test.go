package gospmd_test

// This file tests that docs/map.md is up to date: a table of all packages, made from their
// comments.

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/stretchr/testify/require"
)

const mapFile = "docs/map.md"

// stages are the tables of the map, in the order in which a model becomes a running program. A
// package is in the first table with a matching pattern. A pattern that ends in "/..." includes the
// packages below it.
var stages = []struct{ title, patterns string }{
	{"A model is written", "keras keras/... gomlxbackend"},
	{"It is traced into a graph", "trace ir ir/... mesh layout"},
	{"Layouts are propagated", "sharding sharding/..."},
	{"It is partitioned", "compile program target hardware compile/... fit"},
	{"It runs", "runtime runtime/... checkpoint"},
	{"Commands, documentation, examples, benchmarks", "cmd/... docs examples/... benchmarks benchmarks/..."},
	{"What only tests use", "internal/testing internal/testing/..."},
	{"Inside", "internal/..."},
}

func TestMap(t *testing.T) {
	synopses := synopses(t)
	var b strings.Builder
	b.WriteString("# Map of the repository\n\nEach package and the first sentence of its comment. " +
		"The order of the tables is the order in\nwhich a model becomes a running program. " +
		"`go test . -run TestMap -update` writes this page.\n")
	for _, s := range stages {
		fmt.Fprintf(&b, "\n## %s\n\n| package | what it is |\n|---|---|\n", s.title)
		for pattern := range strings.FieldsSeq(s.patterns) {
			matched := 0
			for _, dir := range sortedKeys(synopses) {
				if matchesPackage(pattern, dir) {
					matched++
					fmt.Fprintf(&b, "| [`%s`](../%[1]s) | %s |\n", dir, synopses[dir])
					delete(synopses, dir)
				}
			}
			require.NotZero(t, matched, "no package matches %s: correct the table stages", pattern)
		}
	}
	require.Empty(t, sortedKeys(synopses), "the map lacks these packages: add them to the table stages")
	if golden.Update() {
		require.NoError(t, os.WriteFile(mapFile, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(mapFile)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "%s is stale: go test . -run TestMap -update", mapFile)
}

// matchesPackage reports whether a pattern of the table stages matches the package.
func matchesPackage(pattern, dir string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(dir, below+"/")
	}
	return dir == pattern
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// synopses returns the first sentence of each package's comment, by the package's directory.
// testdata is left out. A package without a comment fails the test.
func synopses(t *testing.T) map[string]string {
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(".", func(name string, entry os.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		if dir := path.Dir(filepath.ToSlash(name)); f.Doc != nil {
			out[dir] = new(doc.Package).Synopsis(f.Doc.Text())
		} else if _, ok := out[dir]; !ok {
			out[dir] = ""
		}
		return nil
	}))
	for dir, synopsis := range out {
		require.NotEmpty(t, synopsis, "package %s has no comment", dir)
	}
	return out
}
