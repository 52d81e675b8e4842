// Package optiontest tests the options of packages that declare them as fields of structs (package
// option).
//
// Order of use: RequireTaken, in a test of such a package.
//
//	file           what it holds
//	optiontest.go  RequireTaken
package optiontest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireTaken requires that each option of the package under test has a field in a struct of
// options. It finds the names of the options in the calls of the function set in the package's
// sources, at least least of them. takes must be true for each name: it says whether some struct
// has the option.
func RequireTaken(t *testing.T, least int, takes func(name string) bool) {
	t.Helper()
	names := make(map[string]string)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			name, isLiteral := call.Args[0].(*ast.BasicLit)
			if fun, ok := call.Fun.(*ast.Ident); ok && fun.Name == "set" && isLiteral {
				text, err := strconv.Unquote(name.Value)
				require.NoError(t, err)
				names[text] = file
			}
			return true
		})
	}
	require.GreaterOrEqual(t, len(names), least)
	for name, file := range names {
		require.True(t, takes(name), "%s: no class takes the option %s", file, name)
	}
}
