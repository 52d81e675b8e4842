package utils

// This file changes arrays: labels to vectors, vectors to length 1, and the order of samples.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/internal/classdir"
)

// ToCategorical returns the one-hot vectors of classes, float32: keras.utils.to_categorical. x has
// whole numbers from 0 to numClasses - 1; others are errors. A numClasses of 0 means the largest
// number plus one. The result has the dimensions of x and a last dimension of size numClasses. A
// last dimension of size 1 of x is dropped, unless it is the only one.
func ToCategorical(x any, numClasses int) (*tensors.Tensor, error) {
	t, err := data.Tensor(x)
	if err != nil {
		return nil, fmt.Errorf("utils: ToCategorical: %w", err)
	}
	classes := make([]int, t.Size())
	bad, largest := -1, -1
	err = data.Numbers(t, func(i int, v float64) bool {
		classes[i] = int(v)
		largest = max(largest, classes[i])
		if v != math.Trunc(v) || v < 0 || v >= math.MaxInt32 || numClasses > 0 && int(v) >= numClasses {
			bad = i
			return false
		}
		return true
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("utils: ToCategorical: %w", err)
	case numClasses < 0:
		return nil, fmt.Errorf("utils: ToCategorical: got %d classes, want at least 1, or 0 for as many as x has", numClasses)
	case bad >= 0 && numClasses > 0:
		return nil, fmt.Errorf("utils: ToCategorical: element %d is not a class: want whole numbers from 0 to %d", bad, numClasses-1)
	case bad >= 0:
		return nil, fmt.Errorf("utils: ToCategorical: element %d is not a class: want whole numbers from 0 on", bad)
	case numClasses == 0 && len(classes) == 0:
		return nil, fmt.Errorf("utils: ToCategorical: got no elements to count the classes of: give their number")
	case numClasses == 0:
		numClasses = largest + 1
	}
	if limit := math.MaxInt32; len(classes) > 0 && numClasses > limit/len(classes) {
		return nil, fmt.Errorf("utils: ToCategorical: %d elements of %d classes are too many for a tensor: want at most %d numbers", len(classes), numClasses, limit)
	}
	dims := slices.Clone(t.Shape().Dimensions)
	if n := len(dims); n > 1 && dims[n-1] == 1 {
		dims = dims[:n-1]
	}
	flat := make([]float32, len(classes)*numClasses)
	for i, c := range classes {
		flat[i*numClasses+c] = 1
	}
	return data.FromFlat(flat, append(dims, numClasses)...)
}

// Option configures a function of this package. Each takes the options that its comment names; any
// other is an error.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in a config.
type setting = option.Option[config]

// config holds the values of options. Each function reads its own options.
type config struct {
	axis  int // Normalize
	order float64

	maxLen              int // PadSequences
	padding, truncating string
	value               float64

	stride, rate, batchSize, start, end int // TimeseriesDatasetFromArray
	shuffle                             bool
	seed                                *uint64

	files      classdir.Config // TextDatasetFromDirectory
	maxLength  int
	unshuffled bool

	shapes, dtypes, trainable, nested bool // ModelToDot
	direction                         string
	dpi                               int
}

// Axis sets the dimension of Normalize's norms; the default is the last. A negative number counts
// from the end, and a dimension that x lacks is an error.
func Axis(axis int) Option { return Option{option.New("Axis", func(c *config) { c.axis = axis })} }

// Order sets the order of the norm of Normalize, as numpy.linalg.norm has it: 1, 2 (the default),
// any other positive number, or an infinity. Others are errors.
func Order(order float64) Option {
	return Option{option.New("Order", func(c *config) { c.order = order })}
}

// Normalize returns x, float32, divided by its norm along an axis: keras.utils.normalize. Vectors
// of norm 0 stay unchanged. It returns an error if x is no tensor of numbers, or if an option is
// wrong. Options: Axis, Order.
func Normalize(x any, opts ...Option) (*tensors.Tensor, error) {
	c := config{axis: -1, order: 2}
	if err := option.Apply("utils: Normalize", &c, opts, "Axis", "Order"); err != nil {
		return nil, err
	}
	t, err := data.Tensor(x)
	if err != nil {
		return nil, fmt.Errorf("utils: Normalize: %w", err)
	}
	flat, err := data.Floats(t)
	if err != nil {
		return nil, fmt.Errorf("utils: Normalize: %w", err)
	}
	dims, axis := t.Shape().Dimensions, c.axis
	if axis < 0 {
		axis += len(dims)
	}
	if axis < 0 || axis >= len(dims) {
		return nil, fmt.Errorf("utils: Normalize: got the axis %d of a tensor of shape %v: want one from %d to %d", c.axis, dims, -len(dims), len(dims)-1)
	}
	if math.IsNaN(c.order) || c.order <= 0 && !math.IsInf(c.order, -1) {
		return nil, fmt.Errorf("utils: Normalize: got the order %g: want a positive number or an infinity", c.order)
	}
	inner := 1
	for _, d := range dims[axis+1:] {
		inner *= d
	}
	n := dims[axis]
	for start := range flat {
		if start/inner%max(n, 1) != 0 {
			continue
		}
		divide(flat, start, inner, n, c.order)
	}
	return data.FromFlat(flat, dims...)
}

// divide divides n elements of flat, from index start on and stride apart, by their norm of the
// given order. Elements whose norm is 0 stay unchanged.
func divide(flat []float32, start, stride, n int, order float64) {
	norm := 0.0
	if math.IsInf(order, -1) {
		norm = math.Inf(1)
	}
	for i := range n {
		v := math.Abs(float64(flat[start+i*stride]))
		switch {
		case math.IsInf(order, 1):
			norm = math.Max(norm, v)
		case math.IsInf(order, -1):
			norm = math.Min(norm, v)
		default:
			norm += math.Pow(v, order)
		}
	}
	if !math.IsInf(order, 0) {
		norm = math.Pow(norm, 1/order)
	}
	if norm == 0 {
		return
	}
	for i := range n {
		flat[start+i*stride] = float32(float64(flat[start+i*stride]) / norm)
	}
}

// Shuffle returns the samples of arrays, their slices along the first dimension, in a random order,
// which depends on seed and is the same for all arrays: x and its labels stay together. Different
// numbers of samples are an error.
func Shuffle(seed uint64, arrays ...any) ([]*tensors.Tensor, error) {
	out, err := data.Tensors(arrays)
	if err != nil {
		return nil, fmt.Errorf("utils: Shuffle: %w", err)
	}
	var order []int
	for i, t := range out {
		if t.Rank() == 0 || i > 0 && t.Shape().Dimensions[0] != len(order) {
			return nil, fmt.Errorf("utils: Shuffle: array %d has shape %v: want all arrays to have the same number of samples", i, t.Shape().Dimensions)
		}
		if i == 0 {
			order = rand.New(rand.NewPCG(seed, 0)).Perm(t.Shape().Dimensions[0])
		}
		if out[i], err = data.Gather(t, order); err != nil {
			return nil, fmt.Errorf("utils: Shuffle: array %d: %w", i, err)
		}
	}
	return out, nil
}
