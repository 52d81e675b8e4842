package ops_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/runtime"
)

// TestNumbers requires that the results of operations, in one program on one device of the engine
// in Go, have exactly the numbers and the types that NumPy gives in float32 and int32.
func TestNumbers(t *testing.T) {
	x := layers.Input([]int{3}, layers.Name("x"))
	n := layers.Input([]int{2}, layers.Name("n"), layers.DType(dtypes.Int32))
	cases := []struct {
		name string
		y    *layers.Tensor
		want any
	}{
		{"add", x.Add(1), [][]float32{{2, -1, 5}}},
		{"a number minus a tensor", ops.Subtract(1, x), [][]float32{{0, 3, -3}}},
		{"integers and a fraction", n.Mul(0.5), [][]float32{{1.5, 0}}},
		{"integers stay integers", n.Add(2), [][]int32{{5, 2}}},
		{"integers divided", n.Div(2), [][]float32{{1.5, 0}}},
		{"integers and numbers", ops.Add(ops.ExpandDims(n, -1), ops.ExpandDims(x, 1)), [][][]float32{{{4, 1, 7}, {1, -2, 4}}}},
		{"power", x.Pow(2), [][]float32{{1, 4, 16}}},
		{"negative", x.Neg().Sub(x), [][]float32{{-2, 4, -8}}},
		{"clip", ops.Clip(x, -0.5, 2.5), [][]float32{{1, -0.5, 2.5}}},
		{"larger", ops.Maximum(x, 0.5), [][]float32{{1, 0.5, 4}}},
		{"smaller", ops.Minimum(0.5, x), [][]float32{{0.5, -2, 0.5}}},
		{"absolute", ops.Absolute(x), [][]float32{{1, 2, 4}}},
		{"root of a square", ops.Sqrt(ops.Square(x)), [][]float32{{1, 2, 4}}},
		{"relu", ops.Relu(x), [][]float32{{1, 0, 4}}},
		{"mean kept", ops.Mean(x, ops.Axis(-1), ops.KeepDims()), [][]float32{{1}}},
		{"sum of truths", ops.Sum(ops.Greater(x, 0), ops.Axis(1)), []int32{2}},
		{"max", ops.Max(x, ops.Axis(1)), []float32{4}},
		{"min", ops.Min(n, ops.Axis(1)), []int32{0}},
		{"any", ops.Any(ops.Equal(n, 0), ops.Axis(1)), []bool{true}},
		{"all", ops.All(n, ops.Axis(1)), []bool{false}},
		{"both", ops.LogicalAnd(ops.LessEqual(x, 1), ops.LogicalNot(ops.Less(x, 0))), [][]bool{{true, false, false}}},
		{"where", ops.Where(ops.GreaterEqual(x, 1), x, 0.5), [][]float32{{1, 0.5, 4}}},
		{"item", x.GetItem(ops.Full(), -1), []float32{4}},
		{"range and a new dimension", x.GetItem(ops.Ellipsis, ops.Range(0, 2), nil), [][][]float32{{{1}, {-2}}}},
		{"ends", ops.Concatenate([]*layers.Tensor{x.GetItem(ops.Full(), ops.From(2)), x.GetItem(ops.Full(), ops.To(-2))}, -1), [][]float32{{4, 1}}},
		{"stack", ops.Stack([]*layers.Tensor{x, x}, 1), [][][]float32{{{1, -2, 4}, {1, -2, 4}}}},
		{"transpose", ops.Transpose(ops.Stack([]*layers.Tensor{x, x}, -1), 0, 2, 1), [][][]float32{{{1, -2, 4}, {1, -2, 4}}}},
		{"reshape", ops.Reshape(x, -1, 3, 1), [][][]float32{{{1}, {-2}, {4}}}},
		{"squeeze", ops.Squeeze(ops.ExpandDims(x, 1), ops.Axis(1)), [][]float32{{1, -2, 4}}},
		{"cast", ops.Cast(x, "int32"), [][]int32{{1, -2, 4}}},
		{"matrices", ops.Matmul(ops.ExpandDims(x, 1), ops.ExpandDims(x, -1)), [][][]float32{{{21}}}},
		{"a constant matrix", x.MatMul(tensors.FromValue([][]float32{{1}, {2}, {3}})), [][]float32{{9}}},
	}
	var ys []*layers.Tensor
	for _, tc := range cases {
		require.NoError(t, tc.y.Err(), tc.name)
		ys = append(ys, tc.y)
	}
	m, err := keras.NewModel([]*layers.Tensor{x, n}, ys)
	require.NoError(t, err)
	client := runtimetest.OpenWith(t, runtime.Options{Devices: 1, Engine: runtime.EngineGo})
	require.NoError(t, m.Compile(keras.Client(client)))
	out, err := m.Predict(t.Context(), []any{[][]float32{{1, -2, 4}}, [][]int32{{3, 0}}}, keras.Verbose(0))
	require.NoError(t, err)
	for i, tc := range cases {
		require.Equal(t, tc.want, out[i].Value(), tc.name)
	}
}

func TestErrors(t *testing.T) {
	x, y := layers.Input([]int{3}), layers.Input([]int{4})
	for _, tc := range []struct {
		name string
		got  *layers.Tensor
		want string
	}{
		{"no tensor", ops.Add(1, 2), "is applied to no tensor"},
		{"shapes", x.Add(y), "shapes [None 3] and [None 4] do not fit each other"},
		{"a text", x.Add("1"), "got 1, want a tensor or a number"},
		{"axis", ops.Sum(x, ops.Axis(2)), "got axis 2 for 2 dimensions"},
		{"too many indices", x.GetItem(0, 0, 0), "got 3 indices for 2 dimensions"},
		{"type", ops.Cast(x, "number"), `got dtype "number"`},
		{"unknown", layers.Operate("Wrap", []any{x}, nil), "the operation Wrap is not known here"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.got.Err(), tc.want) })
	}
}

// TestAllHaveFunctions requires that this package has a function for each operation that files can
// hold.
func TestAllHaveFunctions(t *testing.T) {
	have := map[string]bool{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				have[f.Name.Name] = true
			}
		}
	}
	others := map[string]string{"BatchNorm": "BatchNormalization", "LayerNorm": "LayerNormalization", "RMSNorm": "RMSNormalization"}
	for _, class := range layers.Operations() {
		require.True(t, have[class] || have[others[class]], class)
	}
}
