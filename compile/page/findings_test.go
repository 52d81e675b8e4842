package page_test

// This file tests the findings of a page.

import (
	"math"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/ir"
)

// explainLine matches commands that explain a value; its groups are the flag and the value.
var explainLine = regexp.MustCompile(`^explain -(value|path) '(.+)'$`)

// The findings are sorted by their gains in time or memory, and the commands that they show name
// existing values.
func TestFindings(t *testing.T) {
	m := ir.MustParse(`sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d1/kernel"), %v: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d2/kernel"), %big: tensor<256x256xf32> loc("d3/kernel")) -> tensor<64x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x1024xf32>) -> tensor<64x1024xf32>
  %1 = stablehlo.tanh %0 : tensor<64x1024xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<64x1024xf32>, tensor<1024x256xf32>) -> tensor<64x256xf32>
  %3 = stablehlo.dot_general %2, %big, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}`)
	s, err := suggest.Find(m.Clone(), suggest.Options{})
	require.NoError(t, err)
	e, err := compile.Explain(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	p, err := page.New(e, nil)
	require.NoError(t, err)
	p.Suggest(s)
	kinds := map[string]bool{}
	last, gains := math.Inf(1), true
	for _, f := range p.Findings {
		kinds[string(f.Kind)] = true
		if f.Kind == "collective" && gains {
			last, gains = math.Inf(1), false
		}
		require.LessOrEqual(t, max(f.Time, f.Part), last, f.Text)
		last = max(f.Time, f.Part)
		require.InDelta(t, float64(f.Memory)/float64(p.Totals.Peak), f.Part, 1e-9, "of the peak: the default machine has no memory")
		require.NotEmpty(t, f.Line, f.Text)
		if line := explainLine.FindStringSubmatch(f.Line); line != nil {
			find := map[string]func(string) error{
				"value": func(name string) error { _, err := e.Value(name); return err },
				"path":  func(name string) error { _, err := e.Input(name); return err },
			}[line[1]]
			require.NoError(t, find(line[2]), f.Line)
		}
	}
	require.Subset(t, []string{"suggestion", "override", "collective", "replicated", "conflict"}, keys(kinds))
	require.True(t, kinds["suggestion"] && kinds["collective"] && kinds["replicated"], "%v", kinds)
}

func keys(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}
