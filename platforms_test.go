package gospmd_test

// This file enforces that the names of platforms come from one table, and that only a few files ask
// which platform it is.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/hardware"
)

// TestPlatformNames requires that no file other than tests names a platform by a literal: package
// hardware has constants. Two files of Keras are exempt, where they name types of devices, because
// some have the names of platforms.
func TestPlatformNames(t *testing.T) {
	want := map[string]bool{"hardware/platforms.go": true, "keras/distribution/devices.go": true, "keras/distribute/strategy.go": true}
	names := []string{hardware.CPU, hardware.CUDA, hardware.TPU}
	found := map[string]bool{}
	inspectFiles(t, func(name string, n ast.Node) {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && slices.Contains(names, s) {
				if found[name] = true; !want[name] {
					t.Errorf("%s has the literal %s: take the constant of package hardware", name, lit.Value)
				}
			}
		}
	})
	require.Equal(t, want, found)
}

// inspectFiles calls visit with each node of each file other than tests, and the file's name.
func inspectFiles(t *testing.T, visit func(name string, n ast.Node)) {
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		name = filepath.ToSlash(name)
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			visit(name, n)
			return true
		})
		return nil
	}))
}

// comparers are the files, or the starts of the names of several, that may compare a platform with a
// constant of package hardware. All others take a field of a table: package target has what
// compilers do, and compile/cost what predictions assume about them.
var comparers = []struct{ files, why string }{
	{"runtime/", "it opens the devices of a platform, each in its own way"},
	{"keras/distribution/", "the devices of the CPU are virtual, as many as a mesh needs"},
	{"keras/execution.go", "on CPUs Fit may run several steps as one program"},
	{"keras/program.go", "the machine of virtual devices is the host, whose figures are known"},
	{"examples/internal/example/job.go", "as in keras/distribution"},
	{"cmd/gospmd/doctor", "it reports what a platform lacks on this machine"},
	{"benchmarks/", "they compare platforms"},
	{"internal/testing/", "tests skip on platforms with too few devices"},
}

// TestPlatformComparisons requires that only comparers compare anything with the name of a platform.
func TestPlatformComparisons(t *testing.T) {
	found := make([]bool, len(comparers))
	inspectFiles(t, func(name string, n ast.Node) {
		var compared []ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				compared = []ast.Expr{n.X, n.Y}
			}
		case *ast.CaseClause:
			compared = n.List
		}
		if !slices.ContainsFunc(compared, namesPlatform) {
			return
		}
		i := slices.IndexFunc(comparers, func(c struct{ files, why string }) bool { return strings.HasPrefix(name, c.files) })
		if i < 0 {
			t.Errorf("%s compares a platform with a constant of package hardware: add a field to the table of package target, or of compile/cost", name)
			return
		}
		found[i] = true
	})
	for i, c := range comparers {
		require.True(t, found[i], "no file %s compares platforms any more: remove its row", c.files)
	}
}

// namesPlatform reports whether x is a constant of package hardware with the name of a platform.
func namesPlatform(x ast.Expr) bool {
	selector, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := selector.X.(*ast.Ident)
	return ok && from.Name == "hardware" && slices.Contains([]string{"CPU", "CUDA", "TPU"}, selector.Sel.Name)
}
