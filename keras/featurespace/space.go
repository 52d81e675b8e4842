package featurespace

// This file defines FeatureSpace.

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// FeatureSpace prepares and encodes the columns of a table, and crosses of columns.
type FeatureSpace struct {
	names    []string // in order
	features map[string]Feature
	inputs   map[string]*layers.Tensor
	layers   map[string]layers.Layer // of the features that have one
	crosses  []cross
	adapted  bool
	encoded  map[string]*layers.Tensor
	model    *keras.Model

	mode                          string
	crossingDim, hashingDim, bins int
	pairs                         [][]string
}

// cross is a feature that combines the values of several features by hashing them together.
type cross struct {
	name  string
	of    []string
	layer *layers.HashedCrossingLayer
}

// Option configures a FeatureSpace. The comment of New names the options.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in a FeatureSpace.
type setting = option.Option[FeatureSpace]

// OutputMode sets what the space returns: "concat" (the default) is all features in one tensor,
// "dict" is each feature by its name. Others are errors.
func OutputMode(mode string) Option {
	return Option{option.NewChecked("OutputMode", mode, option.OneOf("concat", "dict"), func(s *FeatureSpace, mode string) { s.mode = mode })}
}

// Crosses adds features that combine other features: the values of a row are hashed together. The
// other features must have integers as prepared values: categories, hashes or bins.
func Crosses(names ...[]string) Option {
	return Option{option.New("Crosses", func(s *FeatureSpace) { s.pairs = append(s.pairs, names...) })}
}

// CrossingDim sets the number of bins of a cross, 32 by default. A number below 1 is an error.
func CrossingDim(n int) Option {
	return count("CrossingDim", n, func(s *FeatureSpace) *int { return &s.crossingDim })
}

// HashingDim sets the number of bins of an IntegerHashed or StringHashed that gives none, 32 by
// default. A number below 1 is an error.
func HashingDim(n int) Option {
	return count("HashingDim", n, func(s *FeatureSpace) *int { return &s.hashingDim })
}

// NumDiscretizationBins sets the number of bins of a FloatDiscretized that gives neither NumBins
// nor BinBoundaries, 32 by default. A number below 1 is an error.
func NumDiscretizationBins(n int) Option {
	return count("NumDiscretizationBins", n, func(s *FeatureSpace) *int { return &s.bins })
}

func count(name string, n int, of func(*FeatureSpace) *int) Option {
	return Option{option.NewChecked(name, n, option.Positive, func(s *FeatureSpace, n int) { *of(s) = n })}
}

// New returns a FeatureSpace for the columns of a table, given by their names. It returns the
// errors of making their layers. No features, and a cross of a feature that is not there, are
// errors. Options: OutputMode, Crosses, CrossingDim, HashingDim, NumDiscretizationBins.
func New(features map[string]Feature, opts ...Option) (*FeatureSpace, error) {
	s := &FeatureSpace{
		names: slices.Sorted(maps.Keys(features)), features: features, mode: "concat", crossingDim: 32, hashingDim: 32, bins: 32,
		inputs: make(map[string]*layers.Tensor), layers: make(map[string]layers.Layer),
	}
	err := option.Apply("featurespace.New", s, opts, "OutputMode", "Crosses", "CrossingDim", "HashingDim", "NumDiscretizationBins")
	if err == nil && len(features) == 0 {
		err = fmt.Errorf("featurespace.New: got no features, want at least one")
	}
	if err != nil {
		return nil, err
	}
	for _, name := range s.names {
		f := features[name]
		s.inputs[name] = keras.Input([]int{1}, layers.Name(name), layers.DType(f.dtype))
		if f.layer != nil {
			s.layers[name] = f.layer(s, append(slices.Clone(f.opts), layers.Name(name+"_preprocessor"))...)
			err = layers.ConstructionError(s.layers[name])
		}
		if err != nil {
			return nil, fmt.Errorf("feature %s: %w", name, err)
		}
	}
	return s, s.makeCrosses()
}

func (s *FeatureSpace) makeCrosses() error {
	for _, of := range s.pairs {
		name := strings.Join(of, "_X_")
		for _, feature := range of {
			if !slices.Contains(s.names, feature) {
				return fmt.Errorf("cross %s: there is no feature %q%s: the features are %s", name, feature, suggest.DidYouMean(feature, s.names), suggest.Quote(s.names))
			}
		}
		s.crosses = append(s.crosses, cross{name, of, layers.HashedCrossing(s.crossingDim, layers.Name(name))})
	}
	slices.SortFunc(s.crosses, func(a, b cross) int { return strings.Compare(a.name, b.name) })
	return nil
}

// Adapt adapts the layers of the features to a table. The table is a map of columns by name, or a
// data.Dataset whose batches have these names. It reads the table once for each layer, except for
// layers whose state was given by an option, such as a vocabulary. The position of a dataset stays.
// A table without the column of a layer that it reads for is an error.
func (s *FeatureSpace) Adapt(table any) error {
	ds, ok := table.(data.Dataset)
	if !ok {
		ds = data.FromTensorSlices(table, nil).Batch(data.DefaultBatchSize)
	}
	if p, ok := ds.(data.Positioned); ok {
		at := p.Position()
		defer func() { _ = p.Seek(at) }() // a position that it had
	}
	for _, name := range s.names {
		l, err := toAdapt(s.layers[name])
		if err == nil && l != nil {
			err = l.Adapt(&column{ds, name})
		}
		if err != nil {
			return fmt.Errorf("feature %s: %w", name, err)
		}
	}
	s.adapted = true
	return nil
}

// column is the dataset of one column of a table, that with the given name.
type column struct {
	data.Dataset
	name string
}

// Batches yields the batches of the table with only this column, as a matrix with one value in each
// row. A table without the column is an error.
func (c *column) Batches(ctx context.Context) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for b, err := range c.Dataset.Batches(ctx) {
			i := slices.Index(b.Names.X, c.name)
			if err == nil && i < 0 {
				err = fmt.Errorf("the table has no column %q: it has %s", c.name, suggest.Quote(b.Names.X))
			}
			var x *tensors.Tensor
			if err == nil {
				x, err = data.Reshape(b.X[i], -1, 1)
			}
			if !yield(data.Batch{X: []*tensors.Tensor{x}}, err) || err != nil {
				return
			}
		}
	}
}

// Inputs returns the input tensors of the columns, in the order of their names, for NewModel.
func (s *FeatureSpace) Inputs() (all []*layers.Tensor) {
	for _, name := range s.names {
		all = append(all, s.inputs[name])
	}
	return all
}

// EncodedFeatures returns all features and crosses in one tensor, in the order of their names,
// crosses last: FeatureSpace.get_encoded_features with OutputMode("concat"). Another mode, and a
// layer that still needs Adapt, are errors.
func (s *FeatureSpace) EncodedFeatures() (*layers.Tensor, error) {
	if s.mode != "concat" {
		return nil, fmt.Errorf("featurespace: the space has OutputMode(%q): EncodedDict returns its features", s.mode)
	}
	if err := s.encode(); err != nil {
		return nil, err
	}
	return s.encoded[""], nil
}

// EncodedDict returns each feature and cross by its name: FeatureSpace.get_encoded_features with
// OutputMode("dict"). Another mode, and a layer that still needs Adapt, are errors.
func (s *FeatureSpace) EncodedDict() (map[string]*layers.Tensor, error) {
	if s.mode != "dict" {
		return nil, fmt.Errorf("featurespace: the space has OutputMode(%q): EncodedFeatures returns its tensor", s.mode)
	}
	if err := s.encode(); err != nil {
		return nil, err
	}
	return maps.Clone(s.encoded), nil
}

// encode applies the layers of all features to the inputs and sets s.encoded, on the first call
// only. A layer that still needs Adapt is an error.
func (s *FeatureSpace) encode() error {
	if s.encoded != nil {
		return nil
	}
	prepared := make(map[string]*layers.Tensor)
	for _, name := range s.names {
		if a, err := toAdapt(s.layers[name]); err != nil || a != nil && !s.adapted {
			return fmt.Errorf("feature %s: its layer has seen no data: call Adapt first", name)
		}
		if prepared[name] = s.inputs[name]; s.layers[name] != nil {
			prepared[name] = s.inputs[name].Apply(s.layers[name])
		}
	}
	encoded := make(map[string]*layers.Tensor)
	var all []*layers.Tensor
	add := func(name, mode string, x *layers.Tensor, l layers.Layer) (err error) {
		if err = x.Err(); err == nil && mode == "one_hot" {
			x, err = oneHot(x, l)
		}
		if err == nil && s.mode == "concat" && !x.DType().IsFloat() {
			err = fmt.Errorf("it is %s, which is not encoded: give it the mode \"one_hot\", or the space OutputMode(\"dict\")", layers.DTypeName(x.DType()))
		}
		encoded[name], all = x, append(all, x)
		if err != nil {
			err = fmt.Errorf("feature %s: %w", name, err)
		}
		return err
	}
	for _, name := range s.names {
		if err := add(name, s.features[name].mode, prepared[name], s.layers[name]); err != nil {
			return err
		}
	}
	for _, c := range s.crosses {
		of := make([]*layers.Tensor, len(c.of))
		for i, name := range c.of {
			of[i] = prepared[name]
		}
		if err := add(c.name, "one_hot", layers.Apply(c.layer, of...), c.layer); err != nil {
			return err
		}
	}
	if s.mode == "concat" {
		one := all[0]
		if len(all) > 1 {
			one = layers.Apply(layers.Concatenate(), all...)
		}
		encoded = map[string]*layers.Tensor{"": one}
	}
	s.encoded = encoded
	return layers.Errors(slices.Collect(maps.Values(encoded))...)
}

// oneHot returns the one-hot encoding of x, integers that layer l returns. It returns an error if x
// has floats or the range of l's results is not known.
func oneHot(x *layers.Tensor, l layers.Layer) (*layers.Tensor, error) {
	if l == nil || x.DType().IsFloat() {
		return nil, fmt.Errorf("it is %s, and has the mode \"one_hot\", which is for integers: want the mode \"float\"", layers.DTypeName(x.DType()))
	}
	n, err := cardinality(l)
	if err != nil {
		return nil, err
	}
	y := x.Apply(layers.CategoryEncoding(n))
	return y, y.Err()
}

// Call encodes a table: a map of columns by name, or a dataset. It returns one tensor, by the name
// "", or with OutputMode("dict") a tensor for each feature and cross, by its name. It runs a model
// on the devices that the options choose: they are those of keras.Compile. Without options those of
// an earlier call hold. A layer that still needs Adapt is an error.
func (s *FeatureSpace) Call(ctx context.Context, table any, opts ...keras.CompileOption) (map[string]*tensors.Tensor, error) {
	if err := s.encode(); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(s.encoded))
	compiled := len(opts) == 0 // by an earlier call
	if s.model == nil {
		var outputs []*layers.Tensor
		for _, name := range names {
			outputs = append(outputs, s.encoded[name])
		}
		var err error
		if s.model, err = keras.NewModel(s.Inputs(), outputs); err != nil {
			return nil, err
		}
		compiled = false
	}
	if !compiled {
		if err := s.model.Compile(opts...); err != nil {
			return nil, err
		}
	}
	out, err := s.model.Predict(ctx, table, keras.Verbose(0))
	if err != nil {
		return nil, err
	}
	named := make(map[string]*tensors.Tensor)
	for i, name := range names {
		named[name] = out[i]
	}
	return named, nil
}
