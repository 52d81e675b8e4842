package lapack

// This file calls gonum's LAPACK for factors and solutions of real matrices.

import (
	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack/gonum"
)

var (
	routine64 gonum.Implementation
	blas64    blasgonum.Implementation
)

// withWork calls f twice: first with length -1, so that f stores the best size of its workspace in
// work[0], and then with a workspace of that length.
func withWork(f func(work []float64, length int)) {
	query := make([]float64, 1)
	f(query, -1)
	n := max(int(query[0]), 1)
	f(make([]float64, n), n)
}

func uplo(c *item) blas.Uplo {
	if c.is("uplo", 'L') {
		return blas.Lower
	}
	return blas.Upper
}

func potrf(c *item) {
	a := c.take(0, 0)
	if !routine64.Dpotrf(uplo(c), a.rows, a.f, max(a.cols, 1)) {
		c.fail(1)
	}
}

func getrf(c *item) {
	a, pivots := c.take(0, 0), c.out[1].i
	ints := make([]int, len(pivots))
	ok := routine64.Dgetrf(a.rows, a.cols, a.f, max(a.cols, 1), ints)
	for i, p := range ints {
		pivots[i] = int32(p) + 1
	}
	for i := range pivots {
		if !ok && a.f[i*a.cols+i] == 0 {
			c.fail(i + 1)
			break
		}
	}
}

// letterOf returns a letter of an attribute as a type of gonum, which uses the same letters.
func letterOf[T ~byte](c *item, attr string) T { return T(c.attrs[attr]) }

func trsm(c *item) {
	a, b := c.in[0], c.take(1, 0)
	blas64.Dtrsm(letterOf[blas.Side](c, "side"), uplo(c), letterOf[blas.Transpose](c, "trans_x"), letterOf[blas.Diag](c, "diag"),
		b.rows, b.cols, 1, a.f, max(a.cols, 1), b.f, max(b.cols, 1))
}

// gtsv solves tridiagonal systems; the result takes the place of operand 3. The first element of
// the lower diagonal and the last one of the upper diagonal are not used. A singular matrix sets
// info to 1.
func gtsv(c *item) {
	lower, diagonal, upper, b := c.take(0, 0), c.take(1, 1), c.take(2, 2), c.take(3, 3)
	n := diagonal.rows
	if n == 0 || b.cols == 0 {
		return
	}
	if !routine64.Dgtsv(n, b.cols, lower.f[1:], diagonal.f, upper.f[:n-1], b.f, b.cols) {
		c.fail(1)
	}
}

func geqrf(c *item) {
	a, tau := c.take(0, 0), c.out[1]
	if tau.rows == 0 {
		return
	}
	withWork(func(work []float64, n int) { routine64.Dgeqrf(a.rows, a.cols, a.f, a.cols, tau.f, work, n) })
}

// geqp3 computes the QR decomposition with column pivoting: result 0 has the factors, result 1 the
// pivots, counted from 1, and result 2 tau. Columns whose pivot in operand 1 is not 0 come first.
func geqp3(c *item) {
	a, pivots, tau := c.take(0, 0), c.take(1, 1).i, c.out[2]
	ints := make([]int, len(pivots))
	for i, p := range pivots {
		ints[i] = -1
		if p != 0 {
			ints[i] = i
		}
	}
	if tau.rows > 0 {
		withWork(func(work []float64, n int) { routine64.Dgeqp3(a.rows, a.cols, a.f, a.cols, ints, tau.f, work, n) })
	}
	for i, p := range ints {
		if tau.rows == 0 {
			p = i
		}
		pivots[i] = int32(p) + 1
	}
}

func orgqr(c *item) {
	q, tau := c.take(0, 0), c.in[1]
	if q.cols == 0 {
		return
	}
	withWork(func(work []float64, n int) { routine64.Dorgqr(q.rows, q.cols, tau.rows, q.f, q.cols, tau.f, work, n) })
}

func ormqr(c *item) {
	a, tau, out := c.in[0], c.in[1], c.take(2, 0)
	side, trans := blas.Right, blas.NoTrans
	if c.attrs["left"] != 0 {
		side = blas.Left
	}
	if c.attrs["transpose"] != 0 {
		trans = blas.Trans
	}
	if out.rows*out.cols == 0 || tau.rows == 0 {
		return
	}
	withWork(func(work []float64, n int) {
		routine64.Dormqr(side, trans, out.rows, out.cols, tau.rows, a.f, a.cols, tau.f, out.f, out.cols, work, n)
	})
}
