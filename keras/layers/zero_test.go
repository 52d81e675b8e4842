package layers_test

// This file applies zero values of layers.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/layers"
)

// undeclared are zero values of the layers that have no class in files of Keras, or that another
// test cannot make from one.
var undeclared = []layers.Layer{
	&layers.GroupedQueryAttentionLayer{}, &layers.LambdaLayer{}, &layers.OperationLayer{},
}

// TestZeroLayers applies the zero value of each type of layers of this package, and a DenseLayer
// made without its constructor: an error that names the constructor, no panic and no stack. It
// fails if an exported type of layers is left out.
func TestZeroLayers(t *testing.T) {
	zeros := make(map[string]layers.Layer)
	for _, l := range append(layers.ZeroLayers(), undeclared...) {
		zeros[reflect.TypeOf(l).Elem().Name()] = l
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var missing []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		if file.Name.Name != "layers" {
			continue // tests
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if ok && spec.Name.IsExported() && strings.HasSuffix(spec.Name.Name, "Layer") && spec.Name.Name != "Layer" {
				if _, ok := spec.Type.(*ast.StructType); ok && zeros[spec.Name.Name] == nil {
					missing = append(missing, spec.Name.Name)
				}
			}
			return true
		})
	}
	require.Empty(t, missing, "types of layers that this test does not apply")
	for name, l := range zeros {
		t.Run(name, func(t *testing.T) {
			var err error
			require.NotPanics(t, func() { err = layers.Errors(layers.Input([]int{4, 4, 3}).Apply(l)) })
			require.ErrorContains(t, err, "the layers."+name+" was not made by a constructor: call layers.")
			require.NotContains(t, err.Error(), "goroutine ")
		})
	}
	err = layers.Errors(layers.Input([]int{4}).Apply(&layers.DenseLayer{Units: 3}))
	require.ErrorContains(t, err, "the layers.DenseLayer was not made by a constructor: call layers.Dense")
}
