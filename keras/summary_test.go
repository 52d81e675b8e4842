package keras_test

// This file compares summaries with what Keras prints.

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/runtime/runtimetest"
	"github.com/gospmd/gospmd/trace/tracetest"
)

// TestSummariesAgainstKeras compares the cells of tables, and the lines below them.
func TestSummariesAgainstKeras(t *testing.T) {
	want := tracetest.ReadJSON[struct{ Chain, Branches, Nested string }](t, "testdata/reference/summaries.json")
	client := keras.Client(runtimetest.Open(t, 1))
	summary := func(m *keras.Model, opts ...keras.SummaryOption) string {
		var out strings.Builder
		require.NoError(t, m.Summary(&out, opts...))
		return out.String()
	}
	layers.ClearSession()
	chain, err := keras.NewSequential(layers.Conv2D(3, []int{3}), layers.BatchNormalization(), layers.Flatten(), layers.Dense(10))
	require.NoError(t, err)
	require.NoError(t, chain.Build([]int{28, 28, 1}))
	chain.Layers()[3].SetTrainable(false)
	require.Equal(t, table(want.Chain), table(summary(chain, keras.ShowTrainable())))

	layers.ClearSession()
	x := keras.Input([]int{3}, layers.Name("x"))
	shared := layers.Dense(3, layers.Name("shared"))
	a := x.Apply(shared)
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(layers.Apply(layers.Add(layers.Name("sum")), a, a.Apply(shared)), a.Apply(layers.Dense(2, layers.Name("d")))))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Optimizer("adam"), keras.Loss("mse"), client))
	_, err = m.Fit(t.Context(), [][]float32{{1, 2, 3}}, []any{[][]float32{{1, 2, 3}}, [][]float32{{1, 2}}}, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, table(want.Branches), table(summary(m)))

	layers.ClearSession()
	inner, err := keras.NewSequential(layers.Dense(5, layers.Name("first")), layers.Dense(4, layers.Name("second")))
	require.NoError(t, err)
	require.NoError(t, inner.SetName("inner"))
	y := keras.Input([]int{6}, layers.Name("y"))
	nested, err := keras.NewModel(keras.Tensors(y), keras.Tensors(inner.Apply(y).Apply(layers.Dense(1, layers.Name("last")))))
	require.NoError(t, err)
	require.Equal(t, table(want.Nested), table(summary(nested, keras.ExpandNested())))
}

// table returns the cells of a summary, one row on a line, without frames and padding.
func table(text string) string {
	text = regexp.MustCompile(`[━┏┳┓┡╇┩├┼┤─└┴┘]{2,}`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`[│┃]| {2,}`).ReplaceAllString(text, "\n")
	lines := regexp.MustCompile(`\s*\n\s*`).Split(strings.TrimSpace(text), -1)
	return strings.Join(lines, "\n")
}
