package lapack

// This file computes factors and solutions of complex matrices.

import (
	"math"
	"math/cmplx"
)

// size1 returns |re| + |im|. LAPACK compares complex numbers by it.
func size1(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }

func complexPotrf(c *item) {
	a := c.take(0, 0)
	if Cholesky(a.z, a.rows, c.is("uplo", 'L')) != 0 {
		c.fail(1)
	}
}

// Cholesky replaces one triangle of the matrix a, of n by n, by its Cholesky factor: the lower one,
// or the upper one if lower is false. It does not change the other one. It ignores the imaginary
// parts of the diagonal. It returns 0, or the number of the first row, from 1, that makes the
// matrix not positive definite, also by a NaN; the rows before it have the factor.
func Cholesky(a []complex128, n int, lower bool) int {
	at := func(i, j int) *complex128 { return &a[i*n+j] }
	if !lower { // the upper factor is the conjugate transpose of the lower one
		conjugateTranspose(a, n)
		defer conjugateTranspose(a, n)
	}
	for j := range n {
		d := real(*at(j, j))
		for k := range j {
			v := *at(j, k)
			d -= real(v)*real(v) + imag(v)*imag(v)
		}
		if !(d > 0) {
			return j + 1
		}
		d = math.Sqrt(d)
		*at(j, j) = complex(d, 0)
		for i := j + 1; i < n; i++ {
			sum := *at(i, j)
			for k := range j {
				sum -= *at(i, k) * cmplx.Conj(*at(j, k))
			}
			*at(i, j) = complex(real(sum)/d, imag(sum)/d)
		}
	}
	return 0
}

func conjugateTranspose(a []complex128, n int) {
	for i := range n {
		for j := range i + 1 {
			a[i*n+j], a[j*n+i] = cmplx.Conj(a[j*n+i]), cmplx.Conj(a[i*n+j])
		}
	}
}

// complexGetrf computes the LU decomposition with row exchanges, column by column, into result 0,
// and the pivots, counted from 1, into result 1. The pivot is the largest remaining element of the
// column. info is the number of the first zero pivot, or 0.
func complexGetrf(c *item) {
	a, pivots := c.take(0, 0), c.out[1].i
	n := a.cols
	info := 0
	for j := range pivots {
		p := j
		for i := j + 1; i < a.rows; i++ {
			if size1(a.z[i*n+j]) > size1(a.z[p*n+j]) {
				p = i
			}
		}
		pivots[j] = int32(p + 1)
		if a.z[p*n+j] == 0 {
			if info == 0 {
				info = j + 1
			}
			continue
		}
		swapRows(a, j, p)
		for i := j + 1; i < a.rows; i++ {
			f := a.z[i*n+j] / a.z[j*n+j]
			a.z[i*n+j] = f
			for k := j + 1; k < n; k++ {
				a.z[i*n+k] -= f * a.z[j*n+k]
			}
		}
	}
	c.fail(info)
}

func swapRows(a matrix, i, j int) {
	for k := range a.cols {
		a.z[i*a.cols+k], a.z[j*a.cols+k] = a.z[j*a.cols+k], a.z[i*a.cols+k]
	}
}

func complexTrsm(c *item) {
	b := c.take(1, 0)
	t := Triangle{Left: c.is("side", 'L'), Lower: c.is("uplo", 'L'), Unit: c.is("diag", 'U'),
		Transpose: !c.is("trans_x", 'N'), Conjugate: c.is("trans_x", 'C')}
	t.Solve(c.in[0].z, b.z, b.rows, b.cols)
}

// Triangle says how Solve reads a triangular matrix.
type Triangle struct {
	Left      bool // a is to the left of the unknowns: a·x = b, not x·a = b
	Lower     bool // only this triangle is read
	Unit      bool // the diagonal is assumed to be 1
	Transpose bool
	Conjugate bool
}

// Solve replaces b, a matrix of that size, by the solution x of a·x = b or x·a = b; a is the
// triangle t of a square matrix, of rows rows to the left of x and of cols rows to the right. All
// are in row-major order. A zero on the diagonal gives infinities or NaN, and no error.
func (t Triangle) Solve(a, b []complex128, rows, cols int) {
	n := cols
	if t.Left {
		n = rows
	}
	// x·m = b is the same as mᵀ·xᵀ = bᵀ: with the unknowns on the left, solve for the rows of b,
	// with the matrix transposed once more.
	flip := t.Transpose != !t.Left
	at := func(i, j int) complex128 {
		if flip {
			i, j = j, i
		}
		if v := a[i*n+j]; !t.Conjugate {
			return v
		} else {
			return cmplx.Conj(v)
		}
	}
	count, between, step := cols, 1, cols
	if !t.Left {
		count, between, step = rows, cols, 1
	}
	for k := range count {
		substitute(n, t.Lower != flip, t.Unit, at, func(i int) *complex128 { return &b[k*between+i*step] })
	}
}

// substitute solves a·x = b for a triangular matrix of n rows, whose elements a returns, in place:
// x returns the places of b, which get the solution. unit says that the diagonal is 1. lower says
// that the matrix is lower triangular; otherwise it is upper triangular.
func substitute(n int, lower, unit bool, a func(i, j int) complex128, x func(i int) *complex128) {
	for step := range n {
		i := step
		if !lower {
			i = n - 1 - step
		}
		sum := *x(i)
		for k := range step {
			j := k
			if !lower {
				j = n - 1 - k
			}
			sum -= a(i, j) * *x(j)
		}
		if !unit {
			sum /= a(i, i)
		}
		*x(i) = sum
	}
}

// complexGtsv solves tridiagonal systems: operands 0 to 2 are the diagonals, from the lower one,
// and 3 the right sides, whose result gets the solutions. It eliminates the lower diagonal row by
// row, and swaps two rows if the lower element is larger. Then the lower diagonal holds the second
// upper one. A singular matrix sets info.
func complexGtsv(c *item) {
	lower, d, du, b := c.take(0, 0).z, c.take(1, 1).z, c.take(2, 2).z, c.take(3, 3)
	n := len(d)
	if n == 0 || b.cols == 0 {
		return
	}
	dl := lower[1:]
	row := func(i int) []complex128 { return b.z[i*b.cols:][:b.cols] }
	for k := range n - 1 {
		switch {
		case dl[k] == 0:
			if d[k] == 0 {
				c.fail(k + 1)
				return
			}
		case size1(d[k]) >= size1(dl[k]):
			f := dl[k] / d[k]
			d[k+1] -= f * du[k]
			for j := range b.cols {
				row(k + 1)[j] -= f * row(k)[j]
			}
			dl[k] = 0
		default:
			f := d[k] / dl[k]
			d[k] = dl[k]
			d[k+1], du[k] = du[k]-f*d[k+1], d[k+1]
			dl[k] = 0
			if k < n-2 {
				dl[k] = du[k+1]
				du[k+1] *= -f
			}
			for j := range b.cols {
				row(k)[j], row(k + 1)[j] = row(k + 1)[j], row(k)[j]-f*row(k + 1)[j]
			}
		}
	}
	if d[n-1] == 0 {
		c.fail(n)
		return
	}
	for j := range b.cols {
		for k := n - 1; k >= 0; k-- {
			v := row(k)[j]
			if k+1 < n {
				v -= du[k] * row(k + 1)[j]
			}
			if k+2 < n {
				v -= dl[k] * row(k + 2)[j]
			}
			row(k)[j] = v / d[k]
		}
	}
}
