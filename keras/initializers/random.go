package initializers

// This file defines the initializers that compute random numbers: those that
// draw each element by itself, from one distribution or from one whose scale
// follows from the shape, and Orthogonal.

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// drawn is an initializer that draws each element from one distribution, for every shape.
type drawn struct {
	base
	pairs []any // options for Config
	fill  func(k random.Key, dst any, global []int, ranges []layout.Range) error
}

// RandomNormal draws normal numbers. Options: Seed, Mean (0 by default), Stddev
// (0.05).
func RandomNormal(opts ...Option) Initializer {
	d := &drawn{base: newBase("RandomNormal", options{stddev: 0.05}, opts, "Seed", "Mean", "Stddev")}
	d.pairs = []any{"mean", d.o.mean, "stddev", d.o.stddev}
	d.fill = func(k random.Key, dst any, global []int, ranges []layout.Range) error {
		return k.FillNormal(dst, global, ranges, d.o.mean, d.o.stddev)
	}
	return d
}

// TruncatedNormal draws normal numbers no farther than two standard deviations
// from the mean. Options: Seed, Mean (0 by default), Stddev (0.05).
func TruncatedNormal(opts ...Option) Initializer {
	d := &drawn{base: newBase("TruncatedNormal", options{stddev: 0.05}, opts, "Seed", "Mean", "Stddev")}
	d.pairs = []any{"mean", d.o.mean, "stddev", d.o.stddev}
	d.fill = func(k random.Key, dst any, global []int, ranges []layout.Range) error {
		return k.FillTruncatedNormal(dst, global, ranges, d.o.mean, d.o.stddev)
	}
	return d
}

// RandomUniform draws uniform numbers. Options: Seed, Range ([-0.05, 0.05) by
// default).
func RandomUniform(opts ...Option) Initializer {
	d := &drawn{base: newBase("RandomUniform", options{minval: -0.05, maxval: 0.05}, opts, "Seed", "Range")}
	d.pairs = []any{"minval", d.o.minval, "maxval", d.o.maxval}
	d.fill = func(k random.Key, dst any, global []int, ranges []layout.Range) error {
		return k.FillUniform(dst, global, ranges, d.o.minval, d.o.maxval)
	}
	return d
}

// Config returns the seed and the parameters of the distribution, under Keras' names.
func (d *drawn) Config() map[string]any { return d.config(true, d.pairs...) }

// Fill sets dst to the random numbers of the elements that ranges select of a tensor of shape
// global. Integers, wrong options, and a dst or ranges that do not fit are errors.
func (d *drawn) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := d.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	return d.wrap(d.fill(d.key, dst, global, ranges))
}

// Scale sets the scale of VarianceScaling: 1 by default. A number that is not positive is an error
// of Fill.
func Scale(s float64) Option { return Option{option.New("Scale", func(o *options) { o.scale = s })} }

// Mode sets what VarianceScaling divides the scale by: "fan_in", the default, the number of inputs;
// "fan_out", that of outputs; or "fan_avg", the mean of both. Others are errors of Fill.
func Mode(m string) Option { return Option{option.New("Mode", func(o *options) { o.mode = m })} }

// Distribution sets what VarianceScaling draws: "truncated_normal", the default ("normal" for
// short), "untruncated_normal" or "uniform". Others are errors of Fill.
func Distribution(d string) Option {
	return Option{option.New("Distribution", func(o *options) { o.distribution = d })}
}

// FanAxes sets which dimensions count as inputs and which as outputs for VarianceScaling and the
// Glorot, He and Lecun initializers; negative ones count from the end. Without it, or with nil for
// one of them, they are the last two, each multiplied by the sizes of all dimensions before. A
// dimension that the shape lacks is an error of Fill.
func FanAxes(input, output []int) Option {
	return Option{option.New("FanAxes", func(o *options) { o.inAxes, o.outAxes = input, output })}
}

// scaling is an initializer that draws each element from a distribution whose scale follows from
// the shape.
type scaling struct {
	base
	plain bool // whether the class is VarianceScaling itself
}

// VarianceScaling draws numbers whose variance is scale/n, n being the number
// of inputs, of outputs, or the mean of both. Options: Seed, Scale (1 by
// default), Mode ("fan_in"), Distribution ("truncated_normal"), FanAxes.
func VarianceScaling(opts ...Option) Initializer {
	s := newScaling("VarianceScaling", 1, "fan_in", "truncated_normal", opts, "Scale", "Mode", "Distribution")
	s.plain = true
	return s
}

// GlorotUniform draws from [-l, l) with l = √(6/(inputs+outputs)): the default
// of Dense (Glorot and Bengio, 2010). Options: Seed, FanAxes.
func GlorotUniform(opts ...Option) Initializer {
	return newScaling("GlorotUniform", 1, "fan_avg", "uniform", opts)
}

// GlorotNormal draws truncated normal numbers of variance 2/(inputs+outputs).
// Options: Seed, FanAxes.
func GlorotNormal(opts ...Option) Initializer {
	return newScaling("GlorotNormal", 1, "fan_avg", "truncated_normal", opts)
}

// HeUniform draws from [-l, l) with l = √(6/inputs) (He et al., 2015). Options:
// Seed, FanAxes.
func HeUniform(opts ...Option) Initializer {
	return newScaling("HeUniform", 2, "fan_in", "uniform", opts)
}

// HeNormal draws truncated normal numbers of variance 2/inputs. Options: Seed,
// FanAxes.
func HeNormal(opts ...Option) Initializer {
	return newScaling("HeNormal", 2, "fan_in", "truncated_normal", opts)
}

// LecunUniform draws from [-l, l) with l = √(3/inputs) (Klambauer et al.,
// 2017). Options: Seed, FanAxes.
func LecunUniform(opts ...Option) Initializer {
	return newScaling("LecunUniform", 1, "fan_in", "uniform", opts)
}

// LecunNormal draws truncated normal numbers of variance 1/inputs. Options:
// Seed, FanAxes.
func LecunNormal(opts ...Option) Initializer {
	return newScaling("LecunNormal", 1, "fan_in", "truncated_normal", opts)
}

func newScaling(name string, scale float64, mode, distribution string, opts []Option, accepts ...string) *scaling {
	defaults := options{scale: scale, mode: mode, distribution: distribution}
	s := &scaling{base: newBase(name, defaults, opts, append([]string{"Seed", "FanAxes"}, accepts...)...)}
	o := &s.o
	o.distribution = strings.ToLower(o.distribution)
	if o.distribution == "normal" {
		o.distribution = "truncated_normal"
	}
	_, modeOK := fans[o.mode]
	switch {
	case s.err != nil:
	case !(o.scale > 0):
		s.err = fmt.Errorf("initializers: %s: got scale %g: want a positive number", name, o.scale)
	case !modeOK:
		s.err = fmt.Errorf("initializers: %s: got mode %q: want fan_in, fan_out or fan_avg", name, o.mode)
	case o.distribution != "uniform" && o.distribution != "truncated_normal" && o.distribution != "untruncated_normal":
		s.err = fmt.Errorf("initializers: %s: got distribution %q: want uniform, truncated_normal or untruncated_normal", name, o.distribution)
	}
	return s
}

// fans has, for each value of Mode, the function that computes n from the numbers of inputs and
// outputs; the variance is scale/n.
var fans = map[string]func(in, out float64) float64{
	"fan_in":  func(in, _ float64) float64 { return in },
	"fan_out": func(_, out float64) float64 { return out },
	"fan_avg": func(in, out float64) float64 { return (in + out) / 2 },
}

// Config returns Keras' options: the seed, the axes and, for VarianceScaling, scale, mode and
// distribution.
func (s *scaling) Config() map[string]any {
	axes := func(a []int) any {
		if a == nil {
			return nil
		}
		return a
	}
	c := s.config(true, "input_axes", axes(s.o.inAxes), "output_axes", axes(s.o.outAxes))
	if s.plain {
		c["scale"], c["mode"], c["distribution"] = s.o.scale, s.o.mode, s.o.distribution
	}
	return c
}

// truncatedStddev is the standard deviation of a normal number of variance 1
// that is truncated at ±2.
const truncatedStddev = 0.87962566103423978

// Fill draws the numbers in ranges of a tensor of shape global into dst, scaled by the inputs and
// outputs of the full shape. Integers, wrong options, FanAxes that the shape lacks, and a dst or
// ranges that do not fit are errors.
func (s *scaling) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := s.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	in, out, err := Fans(global, s.o.inAxes, s.o.outAxes)
	if err != nil {
		return s.wrap(err)
	}
	variance := s.o.scale / max(1, fans[s.o.mode](float64(in), float64(out)))
	switch s.o.distribution {
	case "truncated_normal":
		err = s.key.FillTruncatedNormal(dst, global, ranges, 0, math.Sqrt(variance)/truncatedStddev)
	case "untruncated_normal":
		err = s.key.FillNormal(dst, global, ranges, 0, math.Sqrt(variance))
	default:
		limit := math.Sqrt(3 * variance)
		err = s.key.FillUniform(dst, global, ranges, -limit, limit)
	}
	return s.wrap(err)
}

// Fans returns the numbers of inputs and outputs of a unit whose weight has the given shape. If
// inAxes and outAxes are given, they are the products of the dimensions along these axes. A
// negative axis counts from the end; an axis that the shape lacks is an error. Otherwise a kernel
// [..., in, out] counts every position of its window, a vector is both input and output, and a
// scalar has one of each.
func Fans(shape, inAxes, outAxes []int) (in, out int, err error) {
	if inAxes != nil && outAxes != nil {
		if in, err = product(shape, inAxes); err != nil {
			return 0, 0, err
		}
		out, err = product(shape, outAxes)
		return in, out, err
	}
	switch rank := len(shape); rank {
	case 0:
		return 1, 1, nil
	case 1:
		return shape[0], shape[0], nil
	default:
		window := 1
		for _, d := range shape[:rank-2] {
			window *= d
		}
		return shape[rank-2] * window, shape[rank-1] * window, nil
	}
}

func product(shape, axes []int) (int, error) {
	n := 1
	for _, a := range axes {
		if a < -len(shape) || a >= len(shape) {
			return 0, fmt.Errorf("FanAxes: shape %v has no dimension %d", shape, a)
		}
		if a < 0 {
			a += len(shape)
		}
		n *= shape[a]
	}
	return n, nil
}

type orthogonal struct {
	base

	mu sync.Mutex
	// shape of the tensor whose matrix was computed last; its next shard uses the matrix again
	shape  []int
	matrix []float64 // elements of that matrix, row-major
}

// Orthogonal makes a matrix with orthogonal columns, or orthogonal rows if it has more columns than
// rows: the Q of the QR factorisation of normal numbers (Saxe et al., 2014). All dimensions before
// the last count as rows. Options: Seed, Gain (1 by default).
//
// A part cannot be computed alone: the full matrix is computed on the host once, and kept until a
// matrix of another shape is made. The factorisation rounds differently from JAX's, so the numbers
// equal Keras' up to about 1e-6.
func Orthogonal(opts ...Option) Initializer {
	return &orthogonal{base: newBase("Orthogonal", options{gain: 1}, opts, "Seed", "Gain")}
}

// Config returns the seed and the gain, under Keras' names.
func (q *orthogonal) Config() map[string]any { return q.config(true, "gain", q.o.gain) }

// Fill sets dst, a slice of dtype, to the part of the orthogonal matrix of shape global that ranges
// select. It computes the matrix in its first call for a shape, and keeps it. Fewer than two
// dimensions and integers are errors.
func (q *orthogonal) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := q.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	if len(global) < 2 {
		return fmt.Errorf("initializers: Orthogonal: got shape %v: want two or more dimensions", global)
	}
	if !dtype.IsFloat() {
		return fmt.Errorf("initializers: Orthogonal: got dtype %s: want a floating-point dtype", dtype)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Equal(q.shape, global) {
		if err := q.make(global); err != nil {
			return q.wrap(err)
		}
	}
	out := reflect.ValueOf(dst)
	n := 0
	var visit func(dim, index int)
	visit = func(dim, index int) {
		if dim == len(global) {
			out.Index(n).Set(scalar(q.o.gain*q.matrix[index], dtype))
			n++
			return
		}
		for i := ranges[dim].Start; i < ranges[dim].Limit; i++ {
			visit(dim+1, index*global[dim]+i)
		}
	}
	visit(0, 0)
	return nil
}

// make computes the full matrix for the shape global, without the gain, and stores it row-major in
// q.matrix, and the shape in q.shape. The last dimension gives its columns, and the others together
// its rows; the matrix is nil if it has no elements. The caller must hold q.mu.
func (q *orthogonal) make(global []int) error {
	columns := global[len(global)-1]
	rows := 1
	for _, d := range global[:len(global)-1] {
		rows *= d
	}
	if rows == 0 || columns == 0 {
		q.shape, q.matrix = slices.Clone(global), nil
		return nil
	}
	tall, narrow := max(rows, columns), min(rows, columns)
	numbers := make([]float32, tall*narrow)
	if err := q.key.FillNormal(numbers, []int{tall, narrow}, []layout.Range{{Start: 0, Limit: tall}, {Start: 0, Limit: narrow}}, 0, 1); err != nil {
		return err
	}
	a := blas64.General{Rows: tall, Cols: narrow, Stride: narrow, Data: make([]float64, tall*narrow)}
	for i, x := range numbers {
		a.Data[i] = float64(x)
	}
	tau := make([]float64, narrow)
	withWork(func(work []float64, n int) { lapack64.Geqrf(a, tau, work, n) })
	negative := make([]bool, narrow) // signs of R's diagonal
	for j := range negative {
		negative[j] = a.Data[j*narrow+j] < 0
	}
	withWork(func(work []float64, n int) { lapack64.Orgqr(a, tau, work, n) })

	// Q with R's signs is unique; Keras returns it transposed for wide shapes.
	matrix := make([]float64, rows*columns)
	for i := range tall {
		for j := range narrow {
			x := a.Data[i*narrow+j]
			if negative[j] {
				x = -x
			}
			if rows < columns {
				matrix[j*columns+i] = x
			} else {
				matrix[i*columns+j] = x
			}
		}
	}
	q.shape, q.matrix = slices.Clone(global), matrix
	return nil
}

// withWork calls a LAPACK routine with a workspace of the size that the routine wants.
func withWork(call func(work []float64, n int)) {
	size := make([]float64, 1)
	call(size, -1)
	n := int(size[0])
	call(make([]float64, n), n)
}
