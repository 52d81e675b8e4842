package layers

// This file defines the layers that number and encode categories: CategoryEncoding and
// Discretization; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/sketch"
)

// categoryOptions holds the options of CategoryEncoding: NumTokens, the number of categories, and
// Encoding.
type categoryOptions struct {
	NumTokens int    `argument:"num_tokens" want:"size"`
	Encoding  string `option:"output_mode" default:"multi_hot" oneof:"multi_hot one_hot count"`
}

// discretizationOptions holds the options of Discretization: the boundaries, or the number of bins
// that Adapt makes and the error of its summary; and BinEncoding.
type discretizationOptions struct {
	BinBoundaries []float64 `option:"bin_boundaries"`
	NumBins       *int      `option:"num_bins" want:"size"`
	SummaryError  float64   `option:"epsilon" default:"0.01" want:"positive"`
	BinEncoding   string    `option:"output_mode" default:"int" oneof:"int multi_hot one_hot count"`
}

// CategoryEncodingLayer encodes integers as vectors of zeros and ones, or of counts:
// keras.layers.CategoryEncoding.
type CategoryEncodingLayer struct {
	declared
	opts *categoryOptions
}

// CategoryEncoding returns a layer that encodes integers in [0, numTokens). It ignores other
// integers. Options: Name, Encoding ("multi_hot" by default), DType.
func CategoryEncoding(numTokens int, opts ...Option) *CategoryEncodingLayer {
	return declare[*CategoryEncodingLayer]("CategoryEncoding", []Option{set("NumTokens", numTokens)}, opts)
}

// Encoding sets how CategoryEncoding encodes a sample's integers, Keras' output_mode: "multi_hot"
// (the default), one vector with a one for each integer that occurs; "one_hot", a vector for each
// of them; "count", one vector with the number of times that each occurs. Others are errors.
func Encoding(mode string) Option { return set("Encoding", mode) }

// Build returns an error unless there is one input with at least as many dimensions as the encoding
// needs.
func (l *CategoryEncodingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkEncoded(inputs, l.opts.Encoding)
}

// Call returns the categories in the encoding that the options name, in the layer's compute type.
func (l *CategoryEncodingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{encode(inputs[0], l.opts.Encoding, l.opts.NumTokens, l.ComputeDType())}
}

// checkEncoded returns an error unless there is one input of enough dimensions for the mode: one
// for "int" and "one_hot", two for the others, the batch included.
func checkEncoded(inputs []Spec, mode string) error {
	if mode == "int" || mode == "one_hot" {
		return checkOne(inputs, 1)
	}
	return checkOne(inputs, 2)
}

// encode returns the integers x as int32 ("int"), or as vectors of depth numbers of type dtype: one
// for each integer ("one_hot", which drops a last dimension of 1), or one for all along dimension 1
// ("multi_hot" and "count"). Integers outside [0, depth) are left out.
func encode(x *graph.Node, mode string, depth int, dtype dtypes.DType) *graph.Node {
	x = graph.ConvertDType(x, dtypes.Int32)
	last := x.Rank() - 1
	switch {
	case mode == "int":
		return x
	case mode == "one_hot" && last > 0 && x.Shape().Dimensions[last] == 1:
		x = graph.Squeeze(x, last)
	}
	hot := graph.OneHot(x, depth, dtype)
	switch mode {
	case "multi_hot":
		return graph.ReduceMax(hot, 1)
	case "count":
		return graph.ReduceSum(hot, 1)
	}
	return hot
}

// DiscretizationLayer replaces numbers by the indices of their bins: keras.layers.Discretization.
type DiscretizationLayer struct {
	declared
	opts *discretizationOptions
}

// Discretization returns a layer that replaces each number by the index of its bin: the number of
// boundaries that are not above it. Set the boundaries by BinBoundaries, or set NumBins and let
// Adapt find them. Options: Name, BinBoundaries, NumBins, SummaryError, BinEncoding ("int" by
// default), DType.
func Discretization(opts ...Option) *DiscretizationLayer {
	return declare[*DiscretizationLayer]("Discretization", opts)
}

// BinBoundaries sets the boundaries between the bins of Discretization, in ascending order; another
// order is an error.
func BinBoundaries(at ...float64) Option { return set("BinBoundaries", at) }

// NumBins sets the number of bins, at least 1, that Discretization.Adapt makes. It takes the place
// of BinBoundaries: without both, the layer has an error.
func NumBins(n int) Option { return set("NumBins", n) }

// SummaryError sets the largest error of the quantiles in Discretization.Adapt, as a fraction of
// the data: Keras' epsilon, 0.01 by default. A number that is not positive is an error.
func SummaryError(e float64) Option { return set("SummaryError", e) }

// BinEncoding sets how Discretization encodes the index of a bin: "int" (the default) is the index
// itself; the other modes are those of Encoding, and others are errors.
func BinEncoding(mode string) Option { return set("BinEncoding", mode) }

func newDiscretization(d declared, o *discretizationOptions) Layer {
	if o.NumBins == nil && o.BinBoundaries == nil {
		d.fail("Discretization: got neither BinBoundaries nor NumBins, want one of them")
	}
	if !slices.IsSorted(o.BinBoundaries) {
		d.fail("Discretization: got the boundaries %v, want them in order", o.BinBoundaries)
	}
	d.KeepInputs() // bins are found in float32 with any policy, as in Keras
	return &DiscretizationLayer{d, o}
}

// Build returns an error unless there are boundaries, and one input that suits the encoding.
func (l *DiscretizationLayer) Build(_ *Builder, inputs []Spec) error {
	if l.opts.BinBoundaries == nil {
		return fmt.Errorf("it has no boundaries: give BinBoundaries, or call Adapt before it is applied")
	}
	return checkEncoded(inputs, l.opts.BinEncoding)
}

// Call returns, for each number of the input, how many boundaries are not above it, encoded as
// BinEncoding says.
func (l *DiscretizationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], dtypes.Float32)
	number := graph.ConvertDType(graph.ZerosLike(x), dtypes.Int32)
	for _, at := range l.opts.BinBoundaries {
		number = graph.Add(number, graph.ConvertDType(graph.GreaterOrEqual(x, nodes.Like(x, at)), dtypes.Int32))
	}
	return []*graph.Node{encode(number, l.opts.BinEncoding, len(l.opts.BinBoundaries)+1, l.ComputeDType())}
}

// HostOnly returns false, because the layer can also run on devices. It runs on the host if a
// lookup or a HashedCrossing takes its output.
func (l *DiscretizationLayer) HostOnly() bool { return false }

// HostSpecs returns the spec of the bins' indices, or of their encoding, for the first input. It
// returns an error if BinEncoding needs more dimensions.
func (l *DiscretizationLayer) HostSpecs(inputs []Spec) ([]Spec, error) {
	s, err := encodedSpec(inputs[0], l.opts.BinEncoding, len(l.opts.BinBoundaries)+1)
	return []Spec{s}, err
}

// CallHost returns, for each number of the input, the index of its bin, encoded as BinEncoding
// says, computed on the host. Several inputs, and texts, are errors.
func (l *DiscretizationLayer) CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	return only(inputs, func(x *tensors.Tensor) (*tensors.Tensor, error) {
		ranges := make([]int64, 0, x.Size())
		err := data.Numbers(x, func(_ int, v float64) bool {
			n := 0
			for _, at := range l.opts.BinBoundaries {
				if float32(v) >= float32(at) {
					n++
				}
			}
			ranges = append(ranges, int64(n))
			return true
		})
		if err != nil {
			return nil, err
		}
		depth := len(l.opts.BinBoundaries) + 1
		return byRows(tensors.FromFlatDataAndDimensions(ranges, data.Dims(x)...), l.opts.BinEncoding, depth, func(rows any) (*tensors.Tensor, error) {
			of, rank, err := rowsOf[int64](rows)
			numbers := make([][]int, len(of))
			for i, row := range of {
				for _, n := range row {
					numbers[i] = append(numbers[i], int(n))
				}
			}
			if err != nil {
				return nil, err
			}
			return encodeRows(numbers, rank, l.opts.BinEncoding, depth)
		})
	})
}

// Adapt finds boundaries so that each bin has about equally many of the data: quantiles of a
// summary of each batch, as Keras' adapt does. A batch is a *tensors.Tensor, a Go slice, or a
// data.Dataset, which counts as one batch. It is an error without NumBins, or after the layer was
// applied.
func (l *DiscretizationLayer) Adapt(batches ...any) error {
	switch {
	case l.opts.NumBins == nil:
		return fmt.Errorf("layer Discretization: Adapt needs the option NumBins: it has BinBoundaries")
	case l.built:
		return fmt.Errorf("layer %s: Adapt comes too late: call it before the layer is applied", l.name)
	}
	given, err := numbersOf(batches)
	if err != nil {
		return fmt.Errorf("layer Discretization: Adapt: %w", err)
	}
	var all sketch.Summary
	for _, values := range given {
		all = sketch.Summarize(values, l.opts.SummaryError).Merge(all, l.opts.SummaryError)
	}
	if len(all.At) == 0 {
		return fmt.Errorf("layer Discretization: Adapt got no data, want at least one number")
	}
	at := all.Compress(1 / float64(*l.opts.NumBins)).At
	l.opts.BinBoundaries = at[:len(at)-1]
	return nil
}

// hostNumbers returns the numbers of a batch, a tensor or a Go slice, row by row, and its
// dimensions. Other values are errors.
func hostNumbers(batch any) ([]float64, []int, error) {
	t, ok := batch.(*tensors.Tensor)
	if !ok {
		var err error
		if t, err = tensors.FromAnyValue(batch); err != nil {
			return nil, nil, fmt.Errorf("got a %T, want a *tensors.Tensor, a slice of numbers or a data.Dataset", batch)
		}
	}
	out := make([]float64, 0, t.Size())
	err := data.Numbers(t, func(_ int, v float64) bool {
		out = append(out, v)
		return true
	})
	return out, t.Shape().Dimensions, err
}
