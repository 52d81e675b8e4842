package interp

// This file implements cholesky, triangular_solve, calls of LAPACK, and fft.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/lapack"
	"github.com/gospmd/gospmd/internal/rowmajor"
)

// matrices returns the elements of t, a batch of matrices, as complex numbers, in row-major order.
func matrices(t *Tensor) ([]complex128, error) {
	wide, err := convertTo(t, dtypes.Complex128)
	if err != nil {
		return nil, err
	}
	return append([]complex128(nil), view[complex128](wide)...), nil
}

// fromMatrices sets result 0 to the complex numbers x, in row-major order, converted to its element
// type.
func (c *call) fromMatrices(x []complex128) error {
	t := c.op.Results[0].Type
	wide := New(t.WithDType(dtypes.Complex128))
	copy(view[complex128](wide), x)
	out, err := convertTo(wide, wideType(t.DType))
	c.set(0, out)
	return err
}

// runCholesky computes the triangle that the attribute lower asks for, and sets the other one to
// zero. A matrix that is not positive definite gives NaN everywhere; the other matrices of the
// batch do not.
func runCholesky(c *call) error {
	all, err := matrices(c.in[0])
	if err != nil {
		return err
	}
	dims := c.in[0].Type.Dims
	n := dims[len(dims)-1]
	lower := c.op.Bool("lower")
	for at := 0; n > 0 && at < len(all); at += n * n {
		a := all[at : at+n*n]
		bad := lapack.Cholesky(a, n, lower) != 0
		for i := range a {
			row, column := i/n, i%n
			switch {
			case bad:
				a[i] = complex(math.NaN(), math.NaN())
			case row != column && (row < column) == lower:
				a[i] = 0
			}
		}
	}
	return c.fromMatrices(all)
}

// runTriangularSolve solves op(a)·x = b or x·op(a) = b. op may transpose. Only one triangle of a is
// read.
func runTriangularSolve(c *call) error {
	as, err := matrices(c.in[0])
	if err != nil {
		return err
	}
	bs, err := matrices(c.in[1])
	if err != nil {
		return err
	}
	a, b := c.in[0].Type.Dims, c.in[1].Type.Dims
	n, rows, columns := a[len(a)-1], b[len(b)-2], b[len(b)-1]
	transpose := c.op.TriangularSolve().TransposeA()
	t := lapack.Triangle{
		Left: c.op.Bool("left_side"), Lower: c.op.Bool("lower"), Unit: c.op.Bool("unit_diagonal"),
		Transpose: transpose != "NO_TRANSPOSE", Conjugate: transpose == "ADJOINT",
	}
	if rows*columns > 0 {
		for i := range len(bs) / (rows * columns) {
			t.Solve(as[i*n*n:], bs[i*rows*columns:], rows, columns)
		}
	}
	return c.fromMatrices(bs)
}

// runLapack computes a call of the LAPACK routine that the op names, on the host.
func runLapack(c *call) error {
	r, _ := lapack.Find(c.op.CustomCall().CallTargetName()) // its presence was checked by Compile
	buffers := func(ts []*Tensor) []lapack.Buffer {
		out := make([]lapack.Buffer, len(ts))
		for i, t := range ts {
			out[i] = lapack.Buffer{DType: t.Type.DType, Dims: t.Type.Dims, Data: t.Data}
		}
		return out
	}
	for i := range c.out {
		c.newRaw(i)
	}
	return r.Run(lapack.Attrs(c.op), buffers(c.in), buffers(c.out))
}

func runFFT(c *call) error {
	length, kind := c.op.FFT().FFTLength(), c.op.FFT().FFTType()
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

// unfold returns the full spectrum, with dimensions to, of real numbers from its first half, with
// dimensions from: the second half is the conjugate mirror image. The last n dimensions are
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

// transform returns the discrete Fourier transform of x, or its inverse, both unscaled.
func transform(x []complex128, inverse bool) []complex128 {
	n := len(x)
	p := smallestFactor(n)
	if p == n || n < 2 {
		return dftSum(x, inverse)
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

// dftSum returns the unscaled discrete Fourier transform of x, or its inverse, computed by the
// definition: each element as a sum over x.
func dftSum(x []complex128, inverse bool) []complex128 {
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

// root returns the k-th power of the n-th root of unity that a Fourier transform of n elements
// uses: exp(-2πik/n), or exp(2πik/n) for the inverse.
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
