package lapack

// This file calls gonum's LAPACK for eigenvalues and singular values of real matrices, and for the
// intermediate forms of their matrices.

import "gonum.org/v1/gonum/lapack"

func syevd(c *item) {
	a, w := c.take(0, 0), c.out[1].f
	ok := true
	withWork(func(work []float64, n int) {
		ok = routine64.Dsyev(letterOf[lapack.EVJob](c, "mode"), uplo(c), a.rows, a.f, max(a.cols, 1), w, work, n)
	})
	if !ok {
		c.fail(1)
	}
}

func sytrd(c *item) {
	a := c.take(0, 0)
	if a.rows == 0 {
		return
	}
	withWork(func(work []float64, n int) {
		routine64.Dsytrd(uplo(c), a.rows, a.f, a.cols, c.out[1].f, c.out[2].f, c.out[3].f, work, n)
	})
}

// gesvd computes the singular value decomposition of operand 0: the singular values into result 1,
// U into result 2 and Vᵀ into result 3. Result 0, the overwritten matrix, is not used. If it does
// not converge, info is 1.
func gesvd(c *item) {
	a, s, u, vt := c.take(0, 0), c.out[1].f, c.out[2], c.out[3]
	if len(s) == 0 {
		c.identities(u, vt)
		return
	}
	job, ok := letterOf[lapack.SVDJob](c, "mode"), true
	withWork(func(work []float64, n int) {
		ok = routine64.Dgesvd(job, job, a.rows, a.cols, a.f, a.cols, s, u.f, max(u.cols, 1), vt.f, max(vt.cols, 1), work, n)
	})
	if !ok {
		c.fail(1)
	}
}

// identities sets the singular vectors of a matrix without elements to unit matrices.
func (c *item) identities(ms ...matrix) {
	for _, m := range ms {
		for i := range min(m.rows, m.cols) {
			if m.z != nil {
				m.z[i*m.cols+i] = 1
			} else {
				m.f[i*m.cols+i] = 1
			}
		}
	}
}

func gehrd(c *item) {
	a, tau := c.take(0, 0), c.out[1].f
	if a.rows == 0 {
		return
	}
	withWork(func(work []float64, n int) {
		routine64.Dgehrd(a.rows, int(c.attrs["low"])-1, int(c.attrs["high"])-1, a.f, a.cols, tau, work, n)
	})
}

// gees computes the Schur decomposition of a real square matrix, from its Hessenberg form: c.out
// gets T, the vectors, and the real and imaginary parts of the eigenvalues. If eigenvalues do not
// converge, it calls c.fail with their number.
func gees(c *item) {
	a, vectors, wr, wi := c.take(0, 0), c.out[1], c.out[2].f, c.out[3].f
	n := a.rows
	if n == 0 {
		return
	}
	tau := make([]float64, max(n-1, 1))[:n-1]
	withWork(func(work []float64, length int) { routine64.Dgehrd(n, 0, n-1, a.f, n, tau, work, length) })
	copy(vectors.f, a.f)
	withWork(func(work []float64, length int) { routine64.Dorghr(n, 0, n-1, vectors.f, n, tau, work, length) })
	for i := range n {
		clear(a.f[i*n : i*n+max(i-1, 0)])
	}
	left := 0
	withWork(func(work []float64, length int) {
		left = routine64.Dhseqr(lapack.EigenvaluesAndSchur, lapack.SchurOrig, n, 0, n-1, a.f, n, wr, wi, vectors.f, n, work, length)
	})
	c.fail(left)
}

// geev computes the eigenvalues of a real square matrix, as real and imaginary parts, and its left
// and right eigenvectors if the attributes ask for them. Gonum returns the vectors of a complex
// pair as a real and an imaginary part, which geev makes complex.
func geev(c *item) {
	n := c.in[0].rows
	if n == 0 {
		return
	}
	a := append([]float64(nil), c.in[0].f...)
	wr, wi := c.out[0].f, c.out[1].f
	left, right := make([]float64, n*n), make([]float64, n*n)
	first := 0
	withWork(func(work []float64, length int) {
		first = routine64.Dgeev(letterOf[lapack.LeftEVJob](c, "compute_left"), letterOf[lapack.RightEVJob](c, "compute_right"),
			n, a, n, wr, wi, left, n, right, n, work, length)
	})
	unpack(c.out[2].z, left, wi)
	unpack(c.out[3].z, right, wi)
	c.fail(first)
}

// unpack writes the eigenvectors of a real matrix to to, as complex columns. packed has them as
// gonum does: the real and imaginary part of a complex pair in two columns. The second vector of a
// pair is the conjugate of the first. wi has the imaginary parts of the eigenvalues.
func unpack(to []complex128, packed, wi []float64) {
	n := len(wi)
	for j := 0; j < n; j++ {
		if wi[j] == 0 || j+1 == n {
			for i := range n {
				to[i*n+j] = complex(packed[i*n+j], 0)
			}
			continue
		}
		for i := range n {
			re, im := packed[i*n+j], packed[i*n+j+1]
			to[i*n+j], to[i*n+j+1] = complex(re, im), complex(re, -im)
		}
		j++
	}
}
