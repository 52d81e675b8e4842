package ops

// This file defines functions that make arrays: constants, which may be combined with tensors of a
// model.

import (
	"fmt"
	"math"

	"github.com/gospmd/gospmd/keras/layers"
)

// typed returns the type that the option DType sets, or otherwise if it is not among opts. Any
// other option is an error.
func typed(opts []Option, otherwise string) (string, error) {
	attrs := with(opts, map[string]any{"dtype": otherwise})
	err, _ := attrs[layers.BadOption].(error)
	name, _ := attrs["dtype"].(string)
	return name, err
}

// generate returns an array with the sizes dims whose element i, row by row, is f(i). Its type is
// that of the option DType, or otherwise. A wrong option makes a Tensor that holds the error.
func generate(dims []int, opts []Option, otherwise string, f func(i int) float64) *Tensor {
	dtype, err := typed(opts, otherwise)
	if err != nil {
		return layers.Failed(err)
	}
	return layers.Generate(dims, dtype, f)
}

// Arange returns the numbers start, start+step, … below stop, or above it for a negative step:
// int32 for ints, and float32 for floats. The arguments are stop; or start and stop; or start, stop
// and step. Another number of them, and a step of 0, are errors.
func Arange[N int | float64](bounds ...N) *Tensor {
	var start, step N = 0, 1
	switch len(bounds) {
	case 1:
		bounds = []N{0, bounds[0]}
	case 3:
		step = bounds[2]
	}
	if len(bounds) < 2 || len(bounds) > 3 || step == 0 {
		return layers.Failed(fmt.Errorf("Arange: got %v, want stop, or start and stop, or start, stop and a step that is not 0", bounds))
	}
	start = bounds[0]
	n := max(0, int(math.Ceil(float64(bounds[1]-start)/float64(step))))
	dtype := "float32"
	if _, whole := any(start).(int); whole {
		dtype = "int32"
	}
	return layers.Generate([]int{n}, dtype, func(i int) float64 { return float64(start) + float64(i)*float64(step) })
}

// Zeros returns an array of zeros in this shape, float32 by default. Options: DType.
func Zeros(shape []int, opts ...Option) *Tensor {
	return generate(shape, opts, "float32", func(int) float64 { return 0 })
}

// Ones returns an array of ones in this shape, float32 by default. Options: DType.
func Ones(shape []int, opts ...Option) *Tensor {
	return generate(shape, opts, "float32", func(int) float64 { return 1 })
}

// Empty is Zeros.
func Empty(shape []int, opts ...Option) *Tensor { return Zeros(shape, opts...) }

// Filled returns an array in this shape whose elements all are value: keras.ops.full. The type is
// float32 by default. Options: DType.
func Filled(shape []int, value float64, opts ...Option) *Tensor {
	return generate(shape, opts, "float32", func(int) float64 { return value })
}

// Eye returns a matrix with ones on diagonal k and zeros elsewhere. 0 is the main diagonal, and
// positive numbers are above it. The type is float32 by default. Options: DType.
func Eye(rows, columns, k int, opts ...Option) *Tensor {
	return generate([]int{rows, columns}, opts, "float32", func(i int) float64 { return truth(i%columns-i/columns == k) })
}

// Identity returns the n×n identity matrix, float32 by default. Options: DType.
func Identity(n int, opts ...Option) *Tensor { return Eye(n, n, 0, opts...) }

// Tri returns a matrix with ones on diagonal k and below, and zeros above. 0 is the main diagonal,
// and positive numbers are above it. The type is float32 by default. Options: DType.
func Tri(rows, columns, k int, opts ...Option) *Tensor {
	return generate([]int{rows, columns}, opts, "float32", func(i int) float64 { return truth(i%columns-i/columns <= k) })
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Linspace returns n numbers from start to stop at equal distances. If start and stop are tensors,
// the numbers are along a new axis. Options: Axis (one, 0 by default), Endpoint, DType.
func Linspace(start, stop any, n int, opts ...Option) *Tensor {
	return spaced("Linspace", start, stop, with(opts, map[string]any{"num": n, "endpoint": true, "dtype": nil, "axis": 0, "retstep": false}))
}

// Logspace returns a base, 10 by default, to the power of each number of Linspace. Options: those
// of Linspace, Base.
func Logspace(start, stop any, n int, opts ...Option) *Tensor {
	return spaced("Logspace", start, stop, with(opts, map[string]any{"num": n, "endpoint": true, "base": 10.0, "dtype": nil, "axis": 0}))
}

// Base sets the base of Logspace: 10 by default.
func Base(x float64) Option { return Option{"Base", "base", x} }

// Geomspace returns n numbers from start to stop in a geometric progression. Options: those of
// Linspace.
func Geomspace(start, stop any, n int, opts ...Option) *Tensor {
	return spaced("Geomspace", start, stop, with(opts, map[string]any{"num": n, "endpoint": true, "dtype": nil, "axis": 0}))
}

// spaced records the operation class, such as "Linspace", with the arguments start and stop, which
// are numbers or tensors, and attrs. If both are numbers, it makes start an array, so that the
// result is an array too.
func spaced(class string, start, stop any, attrs map[string]any) *Tensor {
	if !IsTensor(start) && !IsTensor(stop) {
		start = layers.Ensure(start)
	}
	return layers.Operate(class, []any{start, stop}, attrs)
}

// cosines returns an array of n float32 values, a window: value i is the sum over k of
// weights[k]·cos(2πki/(n-1)). A window of one value is 1.
func cosines(n int, weights ...float64) *Tensor {
	return layers.Generate([]int{n}, "float32", func(i int) (y float64) {
		if n == 1 {
			return 1
		}
		for k, w := range weights {
			y += w * math.Cos(2*math.Pi*float64(k*i)/float64(n-1))
		}
		return y
	})
}

// Hamming returns the Hamming window of n values, float32: 0.54 - 0.46·cos(2πi/(n-1)).
func Hamming(n int) *Tensor { return cosines(n, .54, -.46) }

// Hanning returns the Hann window of n values, float32: 0.5 - 0.5·cos(2πi/(n-1)).
func Hanning(n int) *Tensor { return cosines(n, .5, -.5) }

// Blackman returns the Blackman window of n values, float32: 0.42 - 0.5·cos(2πi/(n-1)) +
// 0.08·cos(4πi/(n-1)).
func Blackman(n int) *Tensor { return cosines(n, .42, -.5, .08) }

// Bartlett returns the Bartlett window of n values, float32: a triangle with 0 at both ends and its
// top, 1, in the middle. A window of one value is 1.
func Bartlett(n int) *Tensor {
	return layers.Generate([]int{n}, "float32", func(i int) float64 {
		if n == 1 {
			return 1
		}
		return 1 - math.Abs(2*float64(i)/float64(n-1)-1)
	})
}

// Kaiser returns the Kaiser window of n values, float32. It is narrower for a larger beta, and all
// 1 for 0. A window of one value is 1.
func Kaiser(n int, beta float64) *Tensor {
	return layers.Generate([]int{n}, "float32", func(i int) float64 {
		if n == 1 {
			return 1
		}
		x := 2*float64(i)/float64(n-1) - 1
		return besselI0(beta*math.Sqrt(1-x*x)) / besselI0(beta)
	})
}

// besselI0 returns the modified Bessel function of the first kind of order 0 at x, computed by its
// power series.
func besselI0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}
