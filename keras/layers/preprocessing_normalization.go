package layers

// This file defines Normalization, which gives data mean 0 and variance 1 with numbers that
// are known before the training, and Rescaling; and their options.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// normalizeOptions holds the options of Normalization: Axis, Mean and Variance (nil if Adapt
// computes them), and Invert.
type normalizeOptions struct {
	axisOptions
	Mean     arrayValue `option:"mean"`
	Variance arrayValue `option:"variance"`
	Invert   bool       `option:"invert"`
}

// rescalingOptions holds the options of Rescaling: the factor and the offset, each a number or one
// for each channel.
type rescalingOptions struct {
	ScaleBy arrayValue `option:"scale"`
	Offset  arrayValue `option:"offset" default:"0"`
}

// Offset sets the number that Rescaling adds, or one for each channel: 0 by default.
func Offset(offset ...float64) Option { return set("Offset", offset) }

// NormalizationLayer computes (x-mean)/√variance with given numbers, or with those of data:
// keras.layers.Normalization.
type NormalizationLayer struct {
	declared
	keepsMask
	opts *normalizeOptions
	// MeanOfData and VarianceOfData are the statistics that Adapt computes, before it zeros and
	// ones. Count is 0, as in files of Keras. All are nil before Build, and if the options Mean
	// and Variance give the statistics.
	MeanOfData, VarianceOfData, Count *variable.Variable

	kept    []int        // dimensions that have numbers of their own
	shape   []int        // their sizes
	adapted [2][]float64 // mean and variance of Adapt before Build
}

// Normalization returns a layer that normalizes each element of Axis, -1 by default, with
// the numbers Mean and Variance, or those of Adapt. Without either it is the identity.
// Options: Name, Axis, NoAxis, Mean, Variance, Invert, DType.
func Normalization(opts ...Option) *NormalizationLayer {
	return declare[*NormalizationLayer]("Normalization", opts)
}

// NoAxis lets Normalization take one mean and one variance for all elements, in place of one for
// each element of Axis.
func NoAxis() Option { return set("Axis", []int{}) }

// Mean sets the mean of the data: one number, or one for each element of the last Axis. Without
// Variance it is an error.
func Mean(of ...float64) Option { return set("Mean", of) }

// Variance sets the variance of the data: one number, or one for each element of the last Axis, as
// many as Mean has. Without Mean it is an error.
func Variance(of ...float64) Option { return set("Variance", of) }

// Invert sets whether Normalization computes x·√variance + mean, the inverse; false by default.
// Lookups with Invert return the tokens of indices.
func Invert(invert bool) Option { return set("Invert", invert) }

func newNormalization(d declared, o *normalizeOptions) Layer {
	mean, variance := o.Mean.array, o.Variance.array
	switch {
	case (mean == nil) != (variance == nil):
		d.fail("Normalization: got one of Mean and Variance, want both or none")
	case mean != nil && !slices.Equal(mean.dims, variance.dims):
		d.fail("Normalization: got a Mean of shape %v and a Variance of shape %v, want the same", mean.dims, variance.dims)
	case mean != nil && len(mean.dims) > len(o.Axis):
		d.fail("Normalization: got a Mean of shape %v for the axes %v, want at most as many dimensions", mean.dims, []int(o.Axis))
	}
	return &NormalizationLayer{declared: d, opts: o}
}

// Build makes the variables mean and variance, which Adapt sets, and count, which stays 0. It fills
// the first two if Adapt was called before. A layer with a given mean has none. An axis that the
// input lacks is an error.
func (l *NormalizationLayer) Build(b *Builder, inputs []Spec) (err error) {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	if err := l.keep(inputs[0].Shape); err != nil {
		return err
	}
	if l.opts.Mean.array != nil {
		return l.checkGiven()
	}
	fixed := []variable.Option{variable.NonTrainable()}
	if err := b.addAll([]weight{
		{&l.MeanOfData, true, "mean", initializers.Zeros(), fixed},
		{&l.VarianceOfData, true, "variance", initializers.Ones(), fixed},
	}, l.shape, l.DType()); err != nil {
		return err
	}
	if l.Count, err = b.AddWeight("count", nil, dtypes.Int32, initializers.Zeros(), fixed...); err != nil {
		return err
	}
	if l.adapted[0] != nil {
		return l.assign()
	}
	return nil
}

// keep sets l.kept and l.shape: the dimensions, of an input of this shape, that have a mean and a
// variance of their own, those of the option Axis, and their sizes. Axes that the input lacks, and
// unknown sizes, are errors.
func (l *NormalizationLayer) keep(shape []int) error {
	l.kept, l.shape = nil, nil
	for _, a := range l.opts.Axis {
		if a < 0 {
			a += len(shape)
		}
		if a < 0 || a >= len(shape) || slices.Contains(l.kept, a) || shape[a] == None {
			return fmt.Errorf("got axes %v for an input of shape %s, want different dimensions with a known size", []int(l.opts.Axis), ShapeText(shape))
		}
		l.kept = append(l.kept, a)
	}
	slices.Sort(l.kept)
	for _, a := range l.kept {
		l.shape = append(l.shape, shape[a])
	}
	return nil
}

// checkGiven returns an error if the shape of the option Mean cannot be broadcast to the kept
// dimensions of the input.
func (l *NormalizationLayer) checkGiven() error {
	dims := l.opts.Mean.array.dims
	for i, n := range dims {
		if want := l.shape[len(l.shape)-len(dims)+i]; n != 1 && n != want {
			return fmt.Errorf("got a Mean of shape %v for dimensions of sizes %v, want numbers that fit", dims, l.shape)
		}
	}
	return nil
}

// Call returns one node: (x - mean)/√variance, with the numbers of the options or of adapted data,
// or x·√variance + mean with Invert. A √variance below 1e-7 counts as 1e-7.
func (l *NormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	var mean, variance *graph.Node
	if l.opts.Mean.array != nil {
		mean, variance = l.broadcast(x, l.opts.Mean.array), l.broadcast(x, l.opts.Variance.array)
	} else {
		mean, variance = l.around(c.Value(l.MeanOfData), x), l.around(c.Value(l.VarianceOfData), x)
	}
	const least = 1e-7 // keras.config.epsilon()
	deviation := graph.Sqrt(variance)
	deviation = graph.Max(deviation, nodes.Like(deviation, least))
	if l.opts.Invert {
		return []*graph.Node{graph.Add(graph.Mul(x, deviation), mean)}
	}
	return []*graph.Node{graph.Div(graph.Sub(x, mean), deviation)}
}

// around returns v, the numbers of the kept dimensions, in the type and shape of x: broadcast over
// the other dimensions.
func (l *NormalizationLayer) around(v, x *graph.Node) *graph.Node {
	dims := slices.Repeat([]int{1}, x.Rank())
	for i, a := range l.kept[len(l.kept)-v.Rank():] {
		dims[a] = v.Shape().Dimensions[i]
	}
	return graph.BroadcastToShape(graph.Reshape(graph.ConvertDType(v, x.DType()), dims...), x.Shape())
}

func (l *NormalizationLayer) broadcast(x *graph.Node, a *array) *graph.Node {
	return l.around(graph.ConstTensor(x.Graph(), tensors.FromFlatDataAndDimensions(a.flat, a.dims...)), x)
}

// Adapt computes mean and variance of data, as Keras' adapt does: those of all batches together. A
// batch is a *tensors.Tensor or a slice of Go, the batch in dimension 0, or a data.Dataset, which
// stands for its batches. Before the layer is applied it also fixes the sizes of Axis; afterwards
// the data must fit, and the model must not be compiled yet. No data, data that do not fit, and the
// options Mean and Variance are errors.
func (l *NormalizationLayer) Adapt(batches ...any) error {
	if l.opts.Mean.array != nil {
		return fmt.Errorf("layer Normalization: Adapt: the layer has the options Mean and Variance")
	}
	var of moment
	sizes := l.shape
	first := true
	err := visitBatches(batches, func(batch any) error {
		values, dims, err := hostNumbers(batch)
		if err == nil {
			err = l.keep(dims)
		}
		if err == nil && (l.built || !first) && !slices.Equal(l.shape, sizes) {
			err = fmt.Errorf("got data of shape %v, want the sizes %v in the axes %v", dims, sizes, []int(l.opts.Axis))
		}
		if err != nil {
			return err
		}
		sizes, first = l.shape, false
		of.add(values, dims, l.kept)
		return nil
	})
	if err != nil {
		if l.built {
			l.shape = sizes
		}
		return fmt.Errorf("layer Normalization: Adapt: %w", err)
	}
	if of.count == 0 {
		return fmt.Errorf("layer Normalization: Adapt got no data, want at least one batch")
	}
	l.adapted = [2][]float64{of.mean, of.variance()}
	if l.built {
		return l.assign()
	}
	l.topLevel = true // Keras makes the variables now, before the layer is part of another one
	return nil
}

// assign sets the variables to the values that Adapt found. Values that do not fit the variables
// are an error.
func (l *NormalizationLayer) assign() error {
	for i, v := range []*variable.Variable{l.MeanOfData, l.VarianceOfData} {
		flat := make([]float32, len(l.adapted[i]))
		for k, x := range l.adapted[i] {
			flat[k] = float32(x)
		}
		if err := v.Assign(nil, flat); err != nil {
			return fmt.Errorf("the data of Adapt do not fit: %w", err)
		}
	}
	return nil
}

// RescalingLayer computes x·scale + offset, with one number or one for each channel:
// keras.layers.Rescaling.
type RescalingLayer struct {
	declared
	keepsMask
	opts *rescalingOptions
}

// Rescaling returns a layer that computes x·scale + offset: a scale of 1/255
// maps bytes to [0, 1]. Options: Name, ScaleBy, Offset, DType.
func Rescaling(scale float64, opts ...Option) *RescalingLayer {
	return declare[*RescalingLayer]("Rescaling", []Option{ScaleBy(scale)}, opts)
}

// ScaleBy sets the factors of Rescaling, one for each channel, in place of its argument, which is
// one for all.
func ScaleBy(factors ...float64) Option { return set("ScaleBy", factors) }

// Build returns an error unless scale and offset are one number, or one for each channel of the
// input.
func (l *RescalingLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	shape := inputs[0].Shape
	for _, a := range []*array{l.opts.ScaleBy.array, l.opts.Offset.array} {
		for i := range a.dims {
			at := len(shape) - 1 - i
			if n := a.dims[len(a.dims)-1-i]; at < 0 || n != 1 && shape[at] >= 0 && n != shape[at] {
				return fmt.Errorf("got numbers of shape %v for an input of shape %s, want one, or one for each channel", a.dims, ShapeText(shape))
			}
		}
	}
	return nil
}

// Call returns x·scale + offset, in the layer's compute type.
func (l *RescalingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{graph.Add(graph.Mul(x, l.opts.ScaleBy.like(x)), l.opts.Offset.like(x))}
}

// moment sums up batches of numbers: for each place of the kept dimensions the mean, and the sum of
// squared distances from it.
type moment struct {
	count         float64
	mean, squares []float64
}

// add adds a batch, values row by row with the sizes dims, to the sums. The dimensions kept have
// sums of their own.
func (m *moment) add(values []float64, dims, kept []int) {
	places := 1
	for _, a := range kept {
		places *= dims[a]
	}
	if m.mean == nil {
		m.mean, m.squares = make([]float64, places), make([]float64, places)
	}
	count := m.count
	counts := slices.Repeat([]float64{count}, places)
	for i, x := range values {
		p, rest := 0, i
		at := make([]int, len(dims))
		for d := len(dims) - 1; d >= 0; d-- {
			at[d], rest = rest%dims[d], rest/dims[d]
		}
		for _, a := range kept {
			p = p*dims[a] + at[a]
		}
		counts[p]++ // Welford, 1962
		d := x - m.mean[p]
		m.mean[p] += d / counts[p]
		m.squares[p] += d * (x - m.mean[p])
	}
	m.count = counts[0]
}

func (m *moment) variance() []float64 {
	out := make([]float64, len(m.squares))
	for i, s := range m.squares {
		out[i] = s / m.count
	}
	return out
}

// array is the value of an option: a number (dims is empty), or numbers of the shape dims in
// row-major order.
type array struct {
	dims []int
	flat []float64
}

// like returns the array's numbers, whose dimensions are the last ones of x, broadcast to the shape
// of x and in its type.
func (a *array) like(x *graph.Node) *graph.Node {
	if len(a.dims) == 0 {
		return nodes.Like(x, a.flat[0])
	}
	v := graph.ConvertDType(graph.Const(x.Graph(), tensors.FromFlatDataAndDimensions(a.flat, a.dims...)), x.DType())
	return nodes.BroadcastLast(v, x)
}

// arrayValue is an array among options, nil for None.
type arrayValue struct{ *array }

// Assign sets the array to v: a number, a list of numbers, nested lists of equal lengths, or nil
// for no array. Others are errors.
func (f *arrayValue) Assign(v any) error {
	if v == nil {
		f.array = nil
		return nil
	}
	if list, ok := v.([]float64); ok {
		f.array = &array{[]int{len(list)}, slices.Clone(list)}
		if len(list) == 1 {
			f.array.dims = nil
		}
		return nil
	}
	a := &array{}
	if !a.read(v, 0) || len(a.flat) == 0 {
		return fmt.Errorf("got %v, want a number, or numbers in lists of the same length", v)
	}
	f.array = a
	return nil
}

// read appends the numbers in v, JSON lists nested depth deep below the top, to the array, and
// reports whether they form an array: lists of equal lengths, and no NaN.
func (a *array) read(v any, depth int) bool {
	list, ok := v.([]any)
	if !ok {
		x, ok := v.(float64)
		a.flat = append(a.flat, x)
		return ok && depth == len(a.dims) && !math.IsNaN(x)
	}
	if depth == len(a.dims) && len(a.flat) == 0 {
		a.dims = append(a.dims, len(list))
	}
	return depth < len(a.dims) && a.dims[depth] == len(list) && !slices.ContainsFunc(list, func(x any) bool { return !a.read(x, depth+1) })
}

// Read returns the number, or nested lists of numbers; nil if it is not set.
func (f *arrayValue) Read() any {
	if f.array == nil {
		return nil
	}
	return nest(f.array.dims, f.array.flat)
}

func nest(dims []int, flat []float64) any {
	if len(dims) == 0 {
		return flat[0]
	}
	out, size := make([]any, dims[0]), len(flat)/max(dims[0], 1)
	for i := range out {
		out[i] = nest(dims[1:], flat[i*size:(i+1)*size])
	}
	return out
}
