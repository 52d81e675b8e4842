package featurespace

// This file defines the kinds of columns.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/keras/layers"
)

// Feature describes a column of a table: its type, the layer that prepares it, and how it is
// encoded.
type Feature struct {
	dtype dtypes.DType
	layer func(s *FeatureSpace, opts ...layers.Option) layers.Layer // nil: the column as it is
	opts  []layers.Option
	mode  string // "one_hot", "int" or "float"
}

// OutputMode returns the feature with another mode: "one_hot", "float", or "int". The mode "int"
// needs a FeatureSpace with OutputMode("dict"). f does not change.
func (f Feature) OutputMode(mode string) Feature {
	f.mode = mode
	return f
}

// Of describes a column of the type dtype that your own layer prepares: FeatureSpace.feature. mode
// is that of the method OutputMode. With "one_hot" the layer must return integers of a known range:
// it is a lookup, a Hashing or a Discretization.
func Of(dtype dtypes.DType, preprocessor layers.Layer, mode string) Feature {
	return Feature{dtype: dtype, mode: mode, layer: func(*FeatureSpace, ...layers.Option) layers.Layer { return preprocessor }}
}

// Float describes a column of numbers that are not changed.
func Float() Feature { return Feature{dtype: dtypes.Float32, mode: "float"} }

// FloatRescaled describes a column of numbers that are multiplied by scale; then offset is added.
func FloatRescaled(scale, offset float64) Feature {
	return Feature{dtype: dtypes.Float32, mode: "float", layer: func(_ *FeatureSpace, opts ...layers.Option) layers.Layer {
		return layers.Rescaling(scale, append(opts, layers.Offset(offset))...)
	}}
}

// FloatNormalized describes a column of numbers that are normalized to mean 0 and variance 1.
// Options: those of layers.Normalization.
func FloatNormalized(opts ...layers.Option) Feature {
	return Feature{dtype: dtypes.Float32, opts: opts, mode: "float", layer: func(_ *FeatureSpace, opts ...layers.Option) layers.Layer {
		return layers.Normalization(opts...)
	}}
}

// FloatDiscretized describes a column of numbers that are divided into bins, and encoded one-hot.
// Options: those of layers.Discretization. Without NumBins and BinBoundaries the number of bins is
// NumDiscretizationBins of the space.
func FloatDiscretized(opts ...layers.Option) Feature {
	given := slices.ContainsFunc(opts, func(o layers.Option) bool { return o.Name() == "NumBins" || o.Name() == "BinBoundaries" })
	return Feature{dtype: dtypes.Float32, opts: opts, mode: "one_hot", layer: func(s *FeatureSpace, opts ...layers.Option) layers.Layer {
		if !given {
			opts = append(opts, layers.NumBins(s.bins))
		}
		return layers.Discretization(opts...)
	}}
}

// IntegerCategorical describes a column of integers that are categories, and encoded one-hot.
// Options: those of layers.IntegerLookup, such as OOVIndices and MaxTokens.
func IntegerCategorical(opts ...layers.Option) Feature {
	return Feature{dtype: dtypes.Int32, opts: opts, mode: "one_hot", layer: func(_ *FeatureSpace, opts ...layers.Option) layers.Layer {
		return layers.IntegerLookup(opts...)
	}}
}

// StringCategorical describes a column of texts that are categories, and encoded one-hot. Options:
// those of layers.StringLookup.
func StringCategorical(opts ...layers.Option) Feature {
	return Feature{dtype: layers.String, opts: opts, mode: "one_hot", layer: func(_ *FeatureSpace, opts ...layers.Option) layers.Layer {
		return layers.StringLookup(opts...)
	}}
}

// IntegerHashed describes a column of integers that are hashed into bins, and encoded one-hot. If
// bins is 0, it is the HashingDim of the space. Options: those of layers.Hashing.
func IntegerHashed(bins int, opts ...layers.Option) Feature { return hashed(dtypes.Int32, bins, opts) }

// StringHashed describes a column of texts that are hashed into bins, and encoded one-hot. If bins
// is 0, it is the HashingDim of the space. Options: those of layers.Hashing.
func StringHashed(bins int, opts ...layers.Option) Feature { return hashed(layers.String, bins, opts) }

func hashed(dtype dtypes.DType, bins int, opts []layers.Option) Feature {
	return Feature{dtype: dtype, opts: opts, mode: "one_hot", layer: func(s *FeatureSpace, opts ...layers.Option) layers.Layer {
		if bins == 0 {
			return layers.Hashing(s.hashingDim, opts...)
		}
		return layers.Hashing(bins, opts...)
	}}
}

// adaptive is a layer with a method Adapt, which sets its state from data.
type adaptive interface {
	layers.Configured
	Adapt(batches ...any) error
}

// given lists the names in configs of the options that set what Adapt would compute otherwise.
var given = []string{"vocabulary", "mean", "bin_boundaries"}

// toAdapt returns the layer if it has an Adapt method and its state was not given by an option.
// Otherwise it returns nil.
func toAdapt(l layers.Layer) (adaptive, error) {
	a, ok := l.(adaptive)
	if !ok {
		return nil, nil
	}
	config, err := a.Config()
	if err != nil {
		return nil, err
	}
	for _, key := range given {
		switch v := config[key].(type) {
		case nil:
		case []float64:
			if len(v) > 0 {
				return nil, nil
			}
		default:
			return nil, nil
		}
	}
	return a, nil
}

// cardinality returns the number of different integers that a preprocessing layer may return. A
// layer that does not tell it is an error.
func cardinality(l layers.Layer) (int, error) {
	switch l := l.(type) {
	case *layers.StringLookupLayer:
		return len(l.Vocabulary()), nil
	case *layers.IntegerLookupLayer:
		return len(l.Vocabulary()), nil
	}
	if c, ok := l.(layers.Configured); ok {
		config, err := c.Config()
		if err != nil {
			return 0, err
		}
		if n, ok := config["num_bins"].(int); ok {
			return n, nil
		}
		if at, ok := config["bin_boundaries"].([]float64); ok {
			return len(at) + 1, nil
		}
	}
	return 0, fmt.Errorf("layer %s returns integers whose number is not known: give the feature the mode \"int\"", layers.TypeName(l))
}
