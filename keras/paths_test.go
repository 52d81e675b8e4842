package keras_test

// This file compares the paths of variables with those of Keras, which
// benchmarks/peers/paths_reference.py wrote.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// pathCase is a layer, and the paths that Keras gives to its variables in models of several forms.
type pathCase struct {
	Layer      string
	Serialized map[string]any
	Shapes     [][]int
	DType      string
	Paths      map[string][]string
}

// inputs returns new model inputs of the shapes and the type that the layer takes.
func (c pathCase) inputs() (xs []*layers.Tensor) {
	dtype := dtypes.Float32
	if c.DType == "int32" {
		dtype = dtypes.Int32
	}
	for _, s := range c.Shapes {
		xs = append(xs, keras.Input(s, layers.DType(dtype)))
	}
	return xs
}

// box is a layer of the user's own that calls another one, Part.
type box struct {
	layers.Base
	Part layers.Layer
}

func (b *box) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return c.ApplyAll(b.Part, in...)
}

// nested returns a model that contains layer l. form says what encloses l there, as inner and
// outer: "models" or "sequentials", which are layers, or "boxes". With another form, l is in the
// model itself.
func (c pathCase) nested(t *testing.T, form string, l layers.Layer) *keras.Model {
	t.Helper()
	around := func(l layers.Layer, name string) *keras.Model {
		xs := c.inputs()
		m, err := keras.NewModel(xs, layers.ApplyAll(l, xs...), keras.Name(name))
		require.NoError(t, err)
		return m
	}
	switch form {
	case "models":
		l = around(around(l, "inner").AsLayer(), "outer").AsLayer()
	case "boxes":
		for _, name := range []string{"inner", "outer"} {
			l = &box{Part: l}
			l.SetName(name)
		}
	case "sequentials":
		for _, name := range []string{"inner", "outer"} {
			m, err := keras.NewSequential(l)
			require.NoError(t, err)
			require.NoError(t, m.SetName(name))
			l = m.AsLayer()
		}
	}
	return around(l, "model")
}

// pathsOf divides paths into those of weights, and those of the states of random generators.
func pathsOf(paths []string) (weights, seeds []string) {
	for _, p := range paths {
		if strings.HasSuffix(p, "/seed_generator_state") {
			seeds = append(seeds, p)
		} else {
			weights = append(weights, p)
		}
	}
	return weights, seeds
}

// unnumbered returns the paths with seed_generator in place of seed_generator_1, seed_generator_2
// and so on.
func unnumbered(paths []string) (out []string) {
	for _, p := range paths {
		out = append(out, regexp.MustCompile(`seed_generator_\d+/`).ReplaceAllString(p, "seed_generator/"))
	}
	return out
}

// TestPathsOfKeras nests each layer that has variables in models. A layout map of Keras then
// matches the same variables here. Keras also has states of generators that nothing uses, such
// as those of an LSTM without dropout.
func TestPathsOfKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Adapted []string
		Cases   []pathCase
	}](t, "testdata/reference/paths.json")
	require.Greater(t, len(file.Cases), 50)
	for i, c := range file.Cases {
		t.Run(fmt.Sprintf("%d %s", i, c.Layer), func(t *testing.T) {
			for form, want := range c.Paths {
				layers.ClearSession()
				l, err := saving.DeserializeLayer(c.Serialized)
				require.NoError(t, err)
				m := c.nested(t, form, l)
				var got []string
				for _, v := range m.Variables() {
					got = append(got, v.Path())
				}
				weights, seeds := pathsOf(got)
				wantWeights, wantSeeds := pathsOf(want)
				require.ElementsMatch(t, wantWeights, weights, form)
				if c.Layer == "TimeDistributed" { // which of two layers in a config is made first, differs
					seeds, wantSeeds = unnumbered(seeds), unnumbered(wantSeeds)
				}
				for _, s := range seeds {
					require.True(t, slices.Contains(wantSeeds, s), "%s: %s is not among %v", form, s, wantSeeds)
				}
			}
		})
	}

	t.Run("adapted", func(t *testing.T) {
		l := layers.Normalization(layers.Name("layer"))
		require.NoError(t, l.Adapt([][]float32{{1, 1, 1}, {1, 1, 1}}))
		c := pathCase{Shapes: [][]int{{3}}}
		var got []string
		for _, v := range c.nested(t, "sequentials", l).Variables() {
			got = append(got, v.Path())
		}
		require.Equal(t, file.Adapted, got)
	})
}
