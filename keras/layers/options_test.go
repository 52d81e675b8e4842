package layers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/layers"
)

// The name that a function gives an option is that of a field of a class's options.
func TestEveryOptionIsTaken(t *testing.T) {
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
	require.Greater(t, len(names), 150)
	for name, file := range names {
		require.True(t, layers.AnyTakes(name), "%s: no class takes the option %s", file, name)
	}
}
