package keras_test

// This file compares summaries with those of Keras.

import (
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
)

// TestSummariesAgainstKeras: the cells of tables, and the lines below them, must be Keras', for a
// chain with a frozen layer, for a trained model with a shared layer, and for a nested model.
func TestSummariesAgainstKeras(t *testing.T) {
	want := tracetest.ReadJSON[struct{ Chain, Branches, Nested string }](t, "testdata/reference/summaries.json")
	client := keras.Client(runtimetest.Open(t, 1))
	summary := func(m *keras.Model, opts ...keras.SummaryOption) string {
		var out strings.Builder
		require.NoError(t, m.Summary(&out, opts...))
		return out.String()
	}
	layers.ClearSession()
	chain, err := keras.NewSequential(layers.Conv2D(3, 3), layers.BatchNormalization(), layers.Flatten(), layers.Dense(10))
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

// On a mesh the variables' bytes are those that the report of the step has for parameters and
// optimizer, the parts of the memory sum up to its peak, and lines fit.
func TestSummaryOfMemory(t *testing.T) {
	layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	require.NoError(t, layouts.Set("sequential/dense_with_a_rather_long_name/kernel", distribution.None, "model"))
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	layers.ClearSession()
	require.NoError(t, distribution.Scope(d, func() error {
		m, err := keras.NewSequential(layers.Dense(256, layers.Name("dense_with_a_rather_long_name")), layers.Dense(8, layers.Name("d2")))
		require.NoError(t, err)
		require.NoError(t, m.Build([]int{64}))
		require.NoError(t, m.Compile(keras.Optimizer("adam"), keras.Loss("mse"), keras.Client(runtimetest.Open(t, 8)), keras.Logger(slog.New(slog.DiscardHandler))))
		summary := func(opts ...keras.SummaryOption) string {
			var out strings.Builder
			require.NoError(t, m.Summary(&out, opts...))
			return out.String()
		}
		require.NotContains(t, summary(), "at the peak", "no step is compiled")
		x, y := tensors.FromScalarAndDimensions(float32(1), 32, 64), tensors.FromScalarAndDimensions(float32(1), 32, 8)
		_, err = m.Fit(t.Context(), x, y, keras.BatchSize(32), keras.Verbose(0))
		require.NoError(t, err)
		text := summary()
		parts := strings.Split(text, "\n\n")
		last := func(line string) int {
			n, err := strconv.Atoi(strings.ReplaceAll(line[strings.LastIndex(line, " ")+1:], ",", ""))
			require.NoError(t, err, line)
			return n
		}
		sum := func(part string) (n int) {
			for _, line := range strings.Split(part, "\n")[1:] {
				n += last(line)
			}
			return n
		}
		require.NotRegexp(t, `[\d.]+ ?[kKMG]?i?B\b`, text, "all sizes are in bytes")
		require.Regexp(t, `Total params: 56,090 \([\d,]+ bytes, [\d,]+ per device\)`, text)
		r := report.NewFor(m.Programs()[0], cost.Host()).Memory
		require.Equal(t, r.Parameters+r.Optimizer, sum(parts[2]), "the table of variables: %s", parts[2])
		require.Contains(t, parts[2], "adam/sequential_dense_with_a_rather_long_name_kernel_momentum")
		require.Equal(t, 2*r.Peak, sum(parts[3]), "the parts and their sum: %s", parts[3])
		require.Contains(t, parts[3], "activations")

		narrow := summary(keras.LineLength(60))
		for line := range strings.Lines(narrow) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 60, line)
		}
		letters := func(text string) (out []rune) {
			for _, r := range text {
				if r != ' ' && r != '\n' {
					out = append(out, r)
				}
			}
			slices.Sort(out)
			return out
		}
		require.Equal(t, letters(text), letters(narrow), "nothing is cut off")
		require.ErrorContains(t, m.Summary(io.Discard, keras.LineLength(3)), "want at least 20")
		return nil
	}))
}

// sizes matches the sizes of totals: in bytes.
var sizes = regexp.MustCompile(`\(([\d,]+) bytes\)`)

// kerasSize writes a size in bytes as Keras does: (56.00 B), (2.64 KB); 1 KB is 1024 bytes.
func kerasSize(bytes string) string {
	size, _ := strconv.ParseFloat(strings.ReplaceAll(sizes.FindStringSubmatch(bytes)[1], ",", ""), 64)
	if size < 1024 {
		return fmt.Sprintf("(%.2f B)", size)
	}
	return fmt.Sprintf("(%.2f KB)", size/1024)
}

// table returns the cells of a summary's text, one on each line, without frames and padding. Sizes
// have Keras' units.
func table(text string) string {
	text = sizes.ReplaceAllStringFunc(text, kerasSize)
	text = regexp.MustCompile(`[━┏┳┓┡╇┩├┼┤─└┴┘]{2,}`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`[│┃]| {2,}`).ReplaceAllString(text, "\n")
	lines := regexp.MustCompile(`\s*\n\s*`).Split(strings.TrimSpace(text), -1)
	return strings.Join(lines, "\n")
}
