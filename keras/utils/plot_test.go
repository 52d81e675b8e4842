package utils_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/utils"
)

// drawnModel returns a model with a branch, a model that is a layer, and two outputs.
func drawnModel(t *testing.T) *keras.Model {
	layers.ClearSession()
	x := keras.Input([]int{4}, layers.Name("x"))
	inner := keras.Input([]int{8}, layers.Name("inner_input"))
	body, err := keras.NewModel([]*layers.Tensor{inner}, []*layers.Tensor{inner.Apply(layers.Dense(8, layers.Name("inner_dense")))})
	require.NoError(t, err)
	require.NoError(t, body.SetName("body"))
	h := x.Apply(layers.Dense(8, layers.Activation("relu"), layers.Name("a<b|c>")))
	y := h.Apply(body.AsLayer())
	z := layers.Apply(layers.Add(layers.Name("sum")), h, y)
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{z, y.Apply(layers.Dense(1, layers.Name("one")))})
	require.NoError(t, err)
	require.NoError(t, m.SetName("drawn"))
	return m
}

func TestModelToDot(t *testing.T) {
	m := drawnModel(t)
	golden.Run(t, "testdata/*.txtar", 0, func(t *testing.T, _ *txtar.Archive) map[string]string {
		plain, err := utils.ModelToDot(m)
		require.NoError(t, err)
		all, err := utils.ModelToDot(m, utils.ShowShapes(), utils.ShowDType(), utils.ShowTrainable(), utils.ExpandNested(), utils.RankDir("LR"), utils.DPI(200))
		require.NoError(t, err)
		return map[string]string{"plain.dot": plain, "all.dot": all}
	})
	_, err := utils.ModelToDot(m, utils.RankDir("up"))
	require.ErrorContains(t, err, `RankDir: got "up", want "TB" or "LR"`)
	_, err = utils.ModelToDot(m, utils.DPI(0))
	require.ErrorContains(t, err, "DPI: got 0")
	open, err := keras.NewSequential(layers.Dense(1))
	require.NoError(t, err)
	_, err = utils.ModelToDot(open)
	require.ErrorContains(t, err, "call Build")
}

// The files must have the formats of their names, .svg, .png, .jpg and .dot; the SVG must contain
// the names of layers and a shape. Another ending must be an error.
func TestPlotModel(t *testing.T) {
	m, dir := drawnModel(t), t.TempDir()
	for name, begin := range map[string]string{"m.svg": "<?xml", "m.png": "\x89PNG", "m.jpg": "\xff\xd8", "m.dot": "digraph"} {
		file := filepath.Join(dir, name)
		require.NoError(t, utils.PlotModel(context.Background(), m, file, utils.ShowShapes(), utils.ExpandNested()))
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, begin, string(b[:len(begin)]), name)
		if name == "m.svg" {
			for _, layer := range []string{"a&lt;b|c&gt;", "inner_dense", "sum", "one", "(None, 8)", "body"} {
				require.Contains(t, string(b), layer)
			}
		}
	}
	require.ErrorContains(t, utils.PlotModel(context.Background(), m, filepath.Join(dir, "m.gif")), "want a name that ends in .svg, .png, .jpg or .dot")
}

// Lookups are drawn like other layers. Their texts have Keras' name of the type.
func TestPlotModelOfTexts(t *testing.T) {
	x := keras.Input([]int{1}, layers.DType(layers.String), layers.Name("color"))
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(x.Apply(layers.StringLookup(layers.Vocabulary([]string{"red"}), layers.Name("lookup"))).Apply(layers.Embedding(2, 3))))
	require.NoError(t, err)
	text, err := utils.ModelToDot(m, utils.ShowDType())
	require.NoError(t, err)
	for _, want := range []string{"{lookup|string_lookup|dtype: int64}", "dtype: string", "dtype: int64", "dtype: float32"} {
		require.Contains(t, text, want)
	}
}
