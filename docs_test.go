package gospmd_test

// This file requires that every package has a comment with a table that names each of its files,
// and that the files that documents name exist. The comment is in doc.go, or in the main file of a
// program.

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fileName matches the files at the start of a table's lines, including patterns such as rule_*.go.
var fileName = regexp.MustCompile(`(?m)^\t([\w*]+\.go)\b`)

func TestDocsNameEveryFile(t *testing.T) {
	packages := map[string][]string{} // the files, by directory
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".")) {
			return filepath.SkipDir
		}
		if base := entry.Name(); strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") {
			dir := filepath.ToSlash(filepath.Dir(name))
			packages[dir] = append(packages[dir], base)
		}
		return nil
	}))
	require.Greater(t, len(packages), 10, "the test must run at the root of the module")
	for dir, files := range packages {
		t.Run(dir, func(t *testing.T) {
			if len(files) == 1 {
				return // a package of one file needs no table
			}
			var doc strings.Builder
			for _, file := range files {
				f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file), nil, parser.PackageClauseOnly|parser.ParseComments)
				require.NoError(t, err)
				doc.WriteString(f.Doc.Text())
			}
			var named []string
			for _, m := range fileName.FindAllStringSubmatch(doc.String(), -1) {
				named = append(named, m[1])
			}
			for _, file := range files {
				require.True(t, file == "doc.go" || matchesAny(named, file), "the package comment does not name %s: add a line for it to the table", file)
			}
			for _, pattern := range named {
				require.True(t, matchesAnyFile(pattern, files), "the package comment names %s, which is not there", pattern)
			}
		})
	}
}

// matchesAny reports whether one of the patterns matches the file.
func matchesAny(patterns []string, file string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, file); ok {
			return true
		}
	}
	return false
}

// matchesAnyFile reports whether the pattern matches one of the files.
func matchesAnyFile(pattern string, files []string) bool {
	for _, file := range files {
		if ok, _ := path.Match(pattern, file); ok {
			return true
		}
	}
	return false
}

// filePath matches the paths of files of the repository that a document has in code style.
var filePath = regexp.MustCompile("`([a-z_]+/[a-z_/]*\\.(?:go|py|md))`")

func TestDocumentsNameFilesThatExist(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	for _, document := range append(pages, "README.md", "SECURITY.md", "RATIONALE.md", "CONTRIBUTING.md", "compile/README.md", "benchmarks/peers/README.md") {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, m := range filePath.FindAllStringSubmatch(string(text), -1) {
			require.FileExists(t, filepath.FromSlash(m[1]), "%s names it", document)
		}
	}
}
