package featurespace_test

import (
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/featurespace"
	"github.com/gospmd/gospmd/keras/layers"
)

// reference is the test's file: a table, and what a FeatureSpace of Keras makes of it
// (benchmarks/peers/text_models_reference.py).
type reference struct {
	Table struct {
		Sex, Zone                 []int64
		Age, Chol, Slope, Oldpeak []float64
		Thal, Code                []string
	}
	Concat [][]float32
	Dict   map[string][][]float32
}

func (r reference) table() map[string]any {
	t := r.Table
	return map[string]any{"sex": t.Sex, "zone": t.Zone, "age": t.Age, "chol": t.Chol, "slope": t.Slope, "oldpeak": t.Oldpeak, "thal": t.Thal, "code": t.Code}
}

// space returns the FeatureSpace of the reference, not adapted: eight features of all kinds and two
// crosses. mode is its OutputMode, "concat" or "dict".
func space(t *testing.T, mode string) *featurespace.FeatureSpace {
	t.Helper()
	s, err := featurespace.New(map[string]featurespace.Feature{
		"sex": featurespace.IntegerCategorical(layers.OOVIndices(0)), "thal": featurespace.StringCategorical(), "age": featurespace.FloatDiscretized(layers.NumBins(6)),
		"chol": featurespace.FloatNormalized(), "code": featurespace.StringHashed(5), "zone": featurespace.IntegerHashed(0), "slope": featurespace.Float(),
		"oldpeak": featurespace.FloatRescaled(.5, -1),
	}, featurespace.Crosses([]string{"thal", "code"}, []string{"sex", "age"}), featurespace.CrossingDim(8), featurespace.HashingDim(4), featurespace.OutputMode(mode))
	require.NoError(t, err)
	return s
}

func requireRows(t *testing.T, want [][]float32, got *tensors.Tensor) {
	t.Helper()
	require.Equal(t, []int{len(want), len(want[0])}, got.Shape().Dimensions)
	require.InDeltaSlice(t, slices.Concat(want...), tensors.MustCopyFlatData[float32](got), 1e-5)
}

func TestAgainstKeras(t *testing.T) {
	want := tracetest.ReadJSON[reference](t, "testdata/space.json")
	client := keras.Client(runtimetest.Open(t, 8))
	for _, mesh := range longtest.Pick([]string{"3x2"}, []string{"single", "2x4", "3x2"}) {
		t.Run(mesh, func(t *testing.T) {
			dm, err := distribution.ParseMesh(mesh, "data", "model")
			require.NoError(t, err)
			var d distribution.Distribution
			if dm != nil {
				d, err = distribution.NewModelParallel(distribution.NewLayoutMap(dm), "data")
				require.NoError(t, err)
			}
			require.NoError(t, distribution.Scope(d, func() error {
				s := space(t, "concat")
				require.NoError(t, s.Adapt(data.FromTensorSlices(want.table(), nil).Batch(32)))
				got, err := s.Call(t.Context(), want.table(), client)
				require.NoError(t, err)
				requireRows(t, want.Concat, got[""])

				each := space(t, "dict")
				require.NoError(t, each.Adapt(want.table()))
				got, err = each.Call(t.Context(), want.table(), client)
				require.NoError(t, err)
				require.Len(t, got, len(want.Dict))
				for name, rows := range want.Dict {
					requireRows(t, rows, got[name])
				}
				return nil
			}))
		})
	}
}

func TestErrors(t *testing.T) {
	one := func(f featurespace.Feature, opts ...featurespace.Option) (*featurespace.FeatureSpace, error) {
		return featurespace.New(map[string]featurespace.Feature{"x": f}, opts...)
	}
	encode := func(s *featurespace.FeatureSpace, err error) error {
		require.NoError(t, err)
		_, err = s.EncodedFeatures()
		return err
	}
	_, err := featurespace.New(nil)
	require.ErrorContains(t, err, "got no features")
	_, err = one(featurespace.Float(), featurespace.Crosses([]string{"x", "y"}))
	require.ErrorContains(t, err, `cross x_X_y: there is no feature "y"`)
	_, err = one(featurespace.Float(), featurespace.OutputMode("list"))
	require.ErrorContains(t, err, `got "list", want one of`)
	_, err = one(featurespace.StringHashed(-1))
	require.ErrorContains(t, err, "feature x: ")
	_, err = one(featurespace.Float(), featurespace.CrossingDim(0))
	require.ErrorContains(t, err, "CrossingDim: got 0")
	require.ErrorContains(t, encode(one(featurespace.FloatNormalized())), "feature x: its layer has seen no data: call Adapt first")
	require.ErrorContains(t, encode(one(featurespace.StringHashed(3).OutputMode("int"))), `feature x: it is int64, which is not encoded`)
	require.ErrorContains(t, encode(one(featurespace.Of(dtypes.Float32, layers.Rescaling(2), "one_hot"))), "which is for integers")
	dict, err := one(featurespace.Float(), featurespace.OutputMode("dict"))
	require.NoError(t, err)
	require.ErrorContains(t, encode(dict, nil), "EncodedDict returns its features")
	words, err := one(featurespace.StringCategorical())
	require.NoError(t, err)
	require.ErrorContains(t, words.Adapt(map[string]any{"y": []string{"a"}}), `feature x: layer StringLookup: Adapt: batch 0: batch 0 of the dataset: the table has no column "x": it has "y"`)
	require.NoError(t, encode(one(featurespace.FloatDiscretized(layers.BinBoundaries(0, 1)))), "nothing to adapt")
}

// TestDefaultsBesideOptions gives FloatDiscretized an option, but not the number of bins: it takes
// the space's number. Call takes options each time: a wrong one is an error, and does not affect
// the next call.
func TestDefaultsBesideOptions(t *testing.T) {
	s, err := featurespace.New(map[string]featurespace.Feature{"a": featurespace.FloatDiscretized(layers.SummaryError(.1))}, featurespace.NumDiscretizationBins(3))
	require.NoError(t, err)
	table := map[string]any{"a": []float32{1, 2, 3, 4, 5, 6}}
	require.NoError(t, s.Adapt(table))
	client := keras.Client(runtimetest.Open(t, 8))
	out, err := s.Call(t.Context(), table, client)
	require.NoError(t, err)
	require.Equal(t, []int{6, 3}, out[""].Shape().Dimensions)
	_, err = s.Call(t.Context(), table, keras.StepsPerExecution(0))
	require.ErrorContains(t, err, "want a positive number of steps")
	_, err = s.Call(t.Context(), table)
	require.NoError(t, err)
}
