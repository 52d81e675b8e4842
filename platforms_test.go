package gospmd_test

// This file enforces that the names of platforms come from one table.

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
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && slices.Contains(names, s) {
					if found[name] = true; !want[name] {
						t.Errorf("%s has the literal %s: take the constant of package hardware", name, lit.Value)
					}
				}
			}
			return true
		})
		return nil
	}))
	require.Equal(t, want, found)
}
