package interp

// This file implements fft: mixed radix where sizes have small factors, the
// defining sum for the primes that are left.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
)

func runFFT(c *call) error {
	length, kind := c.op.Ints("fft_length"), c.op.Enum("fft_type")
	in, err := convertTo(c.in[0], dtypes.Complex128)
	if err != nil {
		return err
	}
	dims := slices.Clone(in.Type.Dims)
	rank := len(dims)
	last := rank - 1
	if kind == "IRFFT" {
		dims[last] = length[len(length)-1]
	}
	x := make([]complex128, 0)
	if kind == "IRFFT" {
		x = unfold(view[complex128](in), in.Type.Dims, dims, len(length))
	} else {
		x = append(x, view[complex128](in)...)
	}
	inverse := kind == "IFFT" || kind == "IRFFT"
	for d := rank - len(length); d < rank; d++ {
		n := dims[d]
		line := make([]complex128, n)
		lines(dims, d, func(start, step int) {
			for i := range line {
				line[i] = x[start+i*step]
			}
			for i, v := range transform(line, inverse) {
				if inverse {
					v /= complex(float64(n), 0)
				}
				x[start+i*step] = v
			}
		})
	}
	t := c.op.Results[0].Type
	wide := New(t.WithDType(dtypes.Complex128))
	z := view[complex128](wide)
	if kind == "RFFT" {
		k, n := t.Dims[last], dims[last]
		for i := range z {
			z[i] = x[i/k*n+i%k]
		}
	} else {
		copy(z, x)
	}
	out, err := convertTo(wide, t.DType)
	c.set(0, out)
	return err
}

// unfold writes out the second half of a spectrum of real numbers, which is
// the first half's mirror image, conjugate. The last n dimensions are
// transformed.
func unfold(half []complex128, from, to []int, n int) []complex128 {
	size := 1
	for _, d := range to {
		size *= d
	}
	out := make([]complex128, 0, size)
	own, last := rowmajor.Strides(from, 1), len(to)-1
	mirror := make([]int, len(to))
	rowmajor.Each(to, func(index []int) {
		if index[last] < from[last] {
			v := half[rowmajor.Offset(index, own)]
			out = append(out, v)
			return
		}
		copy(mirror, index)
		for d := len(to) - n; d < len(to); d++ {
			mirror[d] = (to[d] - index[d]) % to[d]
		}
		v := half[rowmajor.Offset(mirror, own)]
		out = append(out, complex(real(v), -imag(v)))
	})
	return out
}

// transform returns the discrete Fourier transform of x, not scaled.
func transform(x []complex128, inverse bool) []complex128 {
	n := len(x)
	p := smallestFactor(n)
	if p == n || n < 2 {
		return defining(x, inverse)
	}
	m := n / p
	parts := make([][]complex128, p)
	for r := range parts {
		part := make([]complex128, m)
		for i := range part {
			part[i] = x[i*p+r]
		}
		parts[r] = transform(part, inverse)
	}
	out := make([]complex128, n)
	for k := range out {
		for r, part := range parts {
			out[k] += root(r*k%n, n, inverse) * part[k%m]
		}
	}
	return out
}

// defining is the sum by which the transform is defined.
func defining(x []complex128, inverse bool) []complex128 {
	n := len(x)
	out, roots := make([]complex128, n), make([]complex128, n)
	for i := range roots {
		roots[i] = root(i, n, inverse)
	}
	for k := range out {
		for j, v := range x {
			out[k] += v * roots[j*k%n]
		}
	}
	return out
}

// root returns the k-th power of the n-th root of unity.
func root(k, n int, inverse bool) complex128 {
	s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
	if inverse {
		return complex(c, s)
	}
	return complex(c, -s)
}

func smallestFactor(n int) int {
	for p := 2; p*p <= n; p++ {
		if n%p == 0 {
			return p
		}
	}
	return n
}
