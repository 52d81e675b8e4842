package losses_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/optiontest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/losses"
)

func init() { runtimetest.CompileQuickly() }

// TestKeras requires that each sample's loss, the reduced loss and its gradient equal those of
// Keras on JAX up to 1e-6, in 63 cases, which benchmarks/peers/training_reference.py wrote.
func TestKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Cases []struct {
			Name         string
			Params       map[string]any
			YTrue        any `json:"y_true"`
			YPred        any `json:"y_pred"`
			SampleWeight any `json:"sample_weight"`
			PerSample    any `json:"per_sample"`
			Value        any
			Gradient     any
		}
	}](t, "../testdata/reference/losses.json")
	tested := 0
	for i, tc := range file.Cases {
		tested++
		t.Run(fmt.Sprintf("%d %s %v", i, tc.Name, tc.Params), func(t *testing.T) {
			loss, err := losses.FromConfig(tc.Name, tc.Params)
			require.NoError(t, err)
			inputs := []*tensors.Tensor{tracetest.Tensor(tc.YTrue), tracetest.Tensor(tc.YPred)}
			if tc.SampleWeight != nil {
				inputs = append(inputs, tracetest.Tensor(tc.SampleWeight))
			}
			out := tracetest.RunOn(t, runtimetest.OpenSample(t, 1, i%8 == 0), func(in []*g.Node) []*g.Node {
				var weights *g.Node
				if len(in) > 2 {
					weights = in[2]
				}
				reduced := loss.Value(in[0], in[1], weights, nil)
				return []*g.Node{loss.Call(in[0], in[1]), reduced, g.Gradient(reduced, in[1])[0]}
			}, inputs...)
			for k, want := range []any{tc.PerSample, tc.Value, tc.Gradient} {
				tracetest.RequireClose(t, []string{"per sample", "value", "gradient"}[k], tracetest.Tensor(want), out[k], 1e-6)
			}
		})
	}
	require.Equal(t, 63, tested)
}

func TestIntegerLabels(t *testing.T) {
	probabilities := tensors.FromValue([][]float32{{0.25, 0.75}, {0.5, 0.5}})
	var first []float32
	for _, labels := range []any{[]int32{1, 0}, []uint8{1, 0}, []int64{1, 0}, []float32{1, 0}, [][]int32{{1}, {0}}} {
		y, err := tensors.FromAnyValue(labels)
		require.NoError(t, err)
		out := tracetest.Run(t, func(in []*g.Node) []*g.Node {
			return []*g.Node{losses.SparseCategoricalCrossentropy().Call(in[0], in[1])}
		}, y, probabilities)
		got := tensors.MustCopyFlatData[float32](out[0])
		if first == nil {
			first = got
			require.InDelta(t, 0.287682, got[0], 1e-5)
			require.InDelta(t, 0.693147, got[1], 1e-5)
		}
		require.Equal(t, first, got, "labels %T", labels)
	}
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name    string
		loss    any
		wantErr string
	}{
		{"unknown name", "msee", `unknown loss "msee"`},
		{"not a loss", 3, "loss is a int"},
		{"option that does not apply", losses.SparseCategoricalCrossentropy(losses.LabelSmoothing(0.1)), "takes no option LabelSmoothing: it takes Name, Reduction, FromLogits"},
		{"a name misspelt", "hubber", `did you mean "huber"`},
		{"delta", losses.Huber(losses.Delta(0)), "Delta: got 0, want a positive number"},
		{"smoothing out of range", losses.CategoricalCrossentropy(losses.LabelSmoothing(2)), "got 2, want a number in [0, 1]"},
		{"no axis", losses.CategoricalCrossentropy(losses.Axis()), "CategoricalCrossentropy: Axis: got [], want one dimension"},
		{"no axis of class numbers", losses.SparseCategoricalCrossentropy(losses.Axis()), "Axis: got [], want one dimension"},
		{"two axes", losses.CategoricalFocalCrossentropy(losses.Axis(0, 1)), "Axis: got [0 1], want one dimension"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := losses.Get(tc.loss)
			require.ErrorContains(t, err, tc.wantErr)
			if l, ok := tc.loss.(*losses.Loss); ok {
				require.PanicsWithError(t, err.Error(), func() { l.Masked(nil, nil) })
			}
		})
	}
}

// TestNoReduction requires that the reductions "none" and "", Keras' None, give no number to train
// on, and that ApplyMask does not scale weights up for them. A loss of one's own must be a mean.
func TestNoReduction(t *testing.T) {
	out := tracetest.RunOn(t, runtimetest.OpenSample(t, 1, false), func(in []*g.Node) []*g.Node {
		values, column, mask := in[0], g.InsertAxes(in[0], -1), g.GreaterThan(in[0], g.ZerosLike(in[0]))
		var out []*g.Node
		for _, reduction := range []string{"none", ""} {
			loss := losses.MeanSquaredError(losses.Reduction(reduction))
			require.Panics(t, func() { loss.Value(column, column, nil, nil) }, reduction)
			out = append(out, losses.ApplyMask(nil, mask, values, reduction))
		}
		own := losses.New("own", func(_, yPred *g.Node) *g.Node { return yPred })
		return append(out, own.Value(values, values, nil, nil))
	}, tensors.FromValue([]float32{4, 0}))
	require.Equal(t, []float32{1, 0}, out[0].Value())
	require.Equal(t, []float32{1, 0}, out[1].Value())
	require.Equal(t, float32(2), out[2].Value())
}

// TestGammaZero requires that the focal loss with Gamma 0 is the cross-entropy also where the
// prediction is right, and that its gradient there is a number.
func TestGammaZero(t *testing.T) {
	out := tracetest.RunOn(t, runtimetest.OpenSample(t, 1, false), func(in []*g.Node) []*g.Node {
		value := losses.BinaryFocalCrossentropy(losses.Gamma(0)).Value(in[0], in[0], nil, nil)
		want := losses.BinaryCrossentropy().Value(in[0], in[0], nil, nil)
		return []*g.Node{value, want, g.Gradient(value, in[0])[0], g.Gradient(want, in[0])[0]}
	}, tensors.FromValue([][]float32{{1, 0}}))
	require.Equal(t, out[1].Value(), out[0].Value())
	require.Equal(t, out[3].Value(), out[2].Value())
}

// Each loss of Keras computes a loss of labels of the shape that Labels returns, where predictions
// have one or two dimensions besides the batch. Circle wants one, and CTC two.
func TestLabels(t *testing.T) {
	list := []*losses.Loss{losses.SparseCategoricalCrossentropy(losses.Axis(1)), losses.New("own", func(_, yPred *g.Node) *g.Node { return yPred })}
	for _, name := range losses.Names() {
		l, err := losses.Get(name)
		require.NoError(t, err)
		list = append(list, l)
	}
	tracetest.RunOn(t, runtimetest.OpenSample(t, 1, false), func(in []*g.Node) []*g.Node {
		for _, l := range list {
			for _, yPred := range in {
				if l.Name() == "ctc" && yPred.Rank() == 2 || l.Name() == "circle" && yPred.Rank() == 3 {
					continue
				}
				labels := l.Labels(yPred.Shape())
				require.Equal(t, 4, labels.Dim(0))
				require.NotPanics(t, func() { l.Call(g.Zeros(yPred.Graph(), labels), yPred) }, "%s of %s", l.Name(), yPred.Shape())
			}
		}
		return in[:1]
	}, tensors.FromScalarAndDimensions(float32(1), 4, 6), tensors.FromScalarAndDimensions(float32(1), 4, 5, 6))
	for _, tc := range []struct {
		loss *losses.Loss
		want shapes.Shape
	}{
		{losses.MeanSquaredError(), shapes.Make(dtypes.Float32, 4, 5, 6)},
		{losses.SparseCategoricalCrossentropy(), shapes.Make(dtypes.Int32, 4, 5)},
		{losses.SparseCategoricalCrossentropy(losses.Axis(1)), shapes.Make(dtypes.Int32, 4, 6)},
		{losses.CTC(), shapes.Make(dtypes.Int32, 4, 5)},
		{losses.Circle(), shapes.Make(dtypes.Int32, 4)},
	} {
		require.Equal(t, tc.want, tc.loss.Labels(shapes.Make(dtypes.Float32, 4, 5, 6)), tc.loss.Name())
	}
}

// TestEveryOptionIsTaken requires that there are at least 14 options of losses, and that each is a
// field of the options of at least one class.
func TestEveryOptionIsTaken(t *testing.T) { optiontest.RequireTaken(t, 14, losses.AnyTakes) }

func Example() {
	loss, err := losses.Get("mse")
	fmt.Println(loss.Name(), err)
	_, err = losses.Get(losses.BinaryCrossentropy(losses.LabelSmoothing(-1)))
	fmt.Println(err)
	// Output:
	// mean_squared_error <nil>
	// BinaryCrossentropy: LabelSmoothing: got -1, want a number in [0, 1]
}

// TestConfig makes each loss of Keras again from the class in its config: the name must stay the
// same, and stand in the config. "crossentropy" is left out. A loss of one's own must have no
// class.
func TestConfig(t *testing.T) {
	for _, name := range losses.Names() {
		l, err := losses.Get(name)
		require.NoError(t, err)
		class, config := l.Config()
		if l.Name() == "crossentropy" {
			continue // shapes choose the class: files hold the name
		}
		again, err := losses.Get(class)
		require.NoError(t, err, name)
		require.Equal(t, l.Name(), again.Name())
		require.Equal(t, l.Name(), config["name"])
	}
	class, _ := losses.New("mean_squared_error", nil).Config()
	require.Empty(t, class, "a loss of one's own has no class in Keras")
}
