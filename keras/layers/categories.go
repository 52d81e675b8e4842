package layers

// This file defines the layers that encode categories or put numbers into bins: CategoryEncoding
// and Discretization.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// CategoryEncodingLayer encodes integers: keras.layers.CategoryEncoding.
type CategoryEncodingLayer struct{ declared }

// CategoryEncoding returns a layer that encodes integers in [0, numTokens). It ignores other
// integers. Options: Name, Encoding ("multi_hot" by default), DType.
func CategoryEncoding(numTokens int, opts ...Option) *CategoryEncodingLayer {
	return declare[*CategoryEncodingLayer]("CategoryEncoding", []Option{set("NumTokens", numTokens)}, opts)
}

// Encoding sets the encoding of a sample's integers, Keras' output_mode: "one_hot", a vector for
// each of them; "multi_hot", one vector with a one for each integer that occurs; "count", one
// vector with the number of times that each occurs.
func Encoding(mode string) Option { return set("Encoding", mode) }

// Build checks the input.
func (l *CategoryEncodingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkEncoded(inputs, l.opts.outputMode)
}

// Call encodes.
func (l *CategoryEncodingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{encoded(inputs[0], l.opts.outputMode, l.opts.numTokens, l.ComputeDType())}
}

// checkEncoded checks the input of an encoding.
func checkEncoded(inputs []Spec, mode string) error {
	if mode == "int" || mode == "one_hot" {
		return checkOne(inputs, 1)
	}
	return checkOne(inputs, 2)
}

// encoded encodes integers.
func encoded(x *graph.Node, mode string, depth int, dtype dtypes.DType) *graph.Node {
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

// DiscretizationLayer numbers ranges of values: keras.layers.Discretization.
type DiscretizationLayer struct{ declared }

// Discretization returns a layer that replaces each number by the index of its bin: the number of
// boundaries that are not above it. Set the boundaries by BinBoundaries, or set NumBins and let
// Adapt find them. Options: Name, BinBoundaries, NumBins, SummaryError, BinEncoding ("int" by
// default), DType.
func Discretization(opts ...Option) *DiscretizationLayer {
	return declare[*DiscretizationLayer]("Discretization", opts)
}

// BinBoundaries sets the boundaries between the ranges of Discretization, in order.
func BinBoundaries(at ...float64) Option { return set("BinBoundaries", at) }

// NumBins sets the number of bins that Discretization.Adapt makes.
func NumBins(n int) Option { return set("NumBins", n) }

// SummaryError sets the largest error of the quantiles in Discretization.Adapt, as a fraction of
// the data: Keras' epsilon, 0.01 by default.
func SummaryError(e float64) Option { return set("SummaryError", e) }

// BinEncoding sets how Discretization encodes the number of a range: "int", the number
// itself, or as Encoding.
func BinEncoding(mode string) Option { return set("BinEncoding", mode) }

func newDiscretization(d declared) *DiscretizationLayer {
	if d.opts.numBins == nil && d.opts.boundaries == nil {
		d.fail("Discretization: got neither BinBoundaries nor NumBins, want one of them")
	}
	if !slices.IsSorted(d.opts.boundaries) {
		d.fail("Discretization: got the boundaries %v, want them in order", d.opts.boundaries)
	}
	return &DiscretizationLayer{d}
}

// Build checks the input, and that there are boundaries.
func (l *DiscretizationLayer) Build(_ *Builder, inputs []Spec) error {
	if l.opts.boundaries == nil {
		return fmt.Errorf("it has no boundaries: give BinBoundaries, or call Adapt before it is applied")
	}
	return checkEncoded(inputs, l.opts.outputMode)
}

// Call counts the boundaries.
func (l *DiscretizationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], dtypes.Float32)
	number := graph.ConvertDType(graph.ZerosLike(x), dtypes.Int32)
	for _, at := range l.opts.boundaries {
		number = graph.Add(number, graph.ConvertDType(graph.GreaterOrEqual(x, like(x, at)), dtypes.Int32))
	}
	return []*graph.Node{encoded(number, l.opts.outputMode, len(l.opts.boundaries)+1, l.ComputeDType())}
}

// HostOnly returns false: the layer runs on the host where a lookup takes the ranges, as
// HashedCrossing does.
func (l *DiscretizationLayer) HostOnly() bool { return false }

// HostSpecs returns the type of the encoded ranges.
func (l *DiscretizationLayer) HostSpecs(inputs []Spec) ([]Spec, error) {
	s, err := encodedSpec(inputs[0], l.opts.outputMode, len(l.opts.boundaries)+1)
	return []Spec{s}, err
}

// CallHost computes the ranges on the host.
func (l *DiscretizationLayer) CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	return only(inputs, func(x *tensors.Tensor) (*tensors.Tensor, error) {
		ranges := make([]int64, 0, x.Size())
		err := data.Numbers(x, func(_ int, v float64) bool {
			n := 0
			for _, at := range l.opts.boundaries {
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
		depth := len(l.opts.boundaries) + 1
		return byRows(tensors.FromFlatDataAndDimensions(ranges, data.Dims(x)...), l.opts.outputMode, depth, func(rows any) (*tensors.Tensor, error) {
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
			return encodeRows(numbers, rank, l.opts.outputMode, depth)
		})
	})
}

// Adapt finds boundaries so that each bin has about equally many of the data: quantiles of a
// summary of each batch, as Keras' adapt does. A batch is a *tensors.Tensor, a Go slice, or a
// data.Dataset, which counts as one batch. Call it before the layer is applied.
func (l *DiscretizationLayer) Adapt(batches ...any) error {
	switch {
	case l.opts.numBins == nil:
		return fmt.Errorf("layer Discretization: Adapt needs the option NumBins: it has BinBoundaries")
	case l.built:
		return fmt.Errorf("layer %s: Adapt comes too late: call it before the layer is applied", l.name)
	}
	given, err := numbersOf(batches)
	if err != nil {
		return fmt.Errorf("layer Discretization: Adapt: %w", err)
	}
	var all summary
	for _, values := range given {
		all = summarized(values, l.opts.summaryError).merged(all, l.opts.summaryError)
	}
	if len(all.at) == 0 {
		return fmt.Errorf("layer Discretization: Adapt got no data, want at least one number")
	}
	at := all.compressed(1 / float64(*l.opts.numBins)).at
	l.opts.boundaries = at[:len(at)-1]
	return nil
}

// hostNumbers returns the numbers of a batch, and its dimensions.
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

// summary holds some of the sorted values, each with the number of values that it stands for.
type summary struct{ at, weights []float64 }

// summarized returns the summary of values.
func summarized(values []float64, within float64) (s summary) {
	values = slices.Sorted(slices.Values(values))
	step := max(float64(len(values))*within, 1)
	for i := int(step - 1); i < len(values); i += int(step) {
		s.at = append(s.at, float64(float32(values[i])))
		s.weights = append(s.weights, step)
	}
	return s
}

// merged returns the summary of both.
func (s summary) merged(other summary, within float64) summary {
	at, weights := slices.Concat(s.at, other.at), slices.Concat(s.weights, other.weights)
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(math.Copysign(1, at[i]-at[j])) })
	var out summary
	for _, i := range order {
		out.at, out.weights = append(out.at, at[i]), append(out.weights, weights[i])
	}
	return out.compressed(within)
}

// compressed returns a summary of at most 1/within values, between those of s.
func (s summary) compressed(within float64) (out summary) {
	if float64(len(s.at))*within < 1 {
		return s
	}
	sums, total := make([]float64, len(s.at)), 0.
	for i, w := range s.weights {
		total += w
		sums[i] = total
	}
	before := 0.
	for k := 0; k < int(math.Ceil(1/within)); k++ {
		part := (within + float64(k)*within) * total
		sum := interpolated(part, sums, sums)
		out.at = append(out.at, float64(float32(interpolated(part, sums, s.at))))
		out.weights = append(out.weights, sum-before)
		before = sum
	}
	return out
}

// interpolated returns the value at x of the line through the points, constant beyond the ends.
func interpolated(x float64, xs, ys []float64) float64 {
	i, _ := slices.BinarySearch(xs, x)
	switch {
	case i == 0:
		return ys[0]
	case i == len(xs):
		return ys[i-1]
	}
	return ys[i-1] + (ys[i]-ys[i-1])*(x-xs[i-1])/(xs[i]-xs[i-1])
}
