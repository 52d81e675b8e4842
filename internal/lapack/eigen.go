package lapack

// This file solves the Hermitian eigenvalue problem and finds singular values of complex matrices:
// reflections make the problem real, and gonum solves it.

import (
	"math/cmplx"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

func complexHeevd(c *item) {
	a, w := c.take(0, 0), c.out[1].f
	n := a.rows
	if n == 0 {
		return
	}
	mirror(a, c.is("uplo", 'L'))
	e, tau := make([]float64, max(n-1, 1))[:n-1], make([]complex128, n-1)
	tridiagonalize(a, true, w, e, tau)
	z := make([]float64, n*n)
	job := lapack.EVTridiag
	if !c.is("mode", 'V') {
		job = lapack.EVCompNone
	}
	if !routine64.Dsteqr(job, n, w, e, z, n, make([]float64, max(2*n-2, 1))) {
		c.fail(1)
	}
	vectors := matrix{rows: n, cols: n, z: complexes(z)}
	for j := n - 2; j >= 0; j-- {
		storedReflection(a, j+1, j, tau[j]).applyLeft(vectors, 0)
	}
	copy(a.z, vectors.z)
}

func complexes(x []float64) []complex128 {
	out := make([]complex128, len(x))
	for i, v := range x {
		out[i] = complex(v, 0)
	}
	return out
}

// complexGesvd computes the singular value decomposition of operand 0 into results 1 to 3: the
// singular values, U and Vᴴ. It decomposes the adjoint of a wide matrix. If it does not converge,
// info is 1.
func complexGesvd(c *item) {
	a, s, u, vt := c.take(0, 0), c.out[1].f, c.out[2], c.out[3]
	if len(s) == 0 {
		c.identities(u, vt)
		return
	}
	wide := a.rows < a.cols
	if wide {
		a, u, vt = a.adjoint(), vt.adjoint(), u.adjoint()
	} else {
		a = matrix{rows: a.rows, cols: a.cols, z: append([]complex128(nil), a.z...)}
	}
	if !decompose(a, s, u, vt) {
		c.fail(1)
	}
	if wide {
		copy(c.out[2].z, vt.adjoint().z)
		copy(c.out[3].z, u.adjoint().z)
	}
}

// adjoint returns the conjugate transpose of m as a new matrix.
func (m matrix) adjoint() matrix {
	out := matrix{rows: m.cols, cols: m.rows, z: make([]complex128, len(m.z))}
	for i := range m.rows {
		for j := range m.cols {
			out.z[j*m.rows+i] = cmplx.Conj(m.z[i*m.cols+j])
		}
	}
	return out
}

// decompose computes a = u·s·vt, the singular value decomposition, into s, u and vt, and overwrites
// a, which must not have more columns than rows. u has as many columns as its memory has space for.
// It returns false if it does not converge.
func decompose(a matrix, s []float64, u, vt matrix) bool {
	n := a.cols
	q, p, d, e := bidiagonalize(a)
	left, right := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		left[i*n+i], right[i*n+i] = 1, 1
	}
	ok := routine64.Dbdsqr(blas.Upper, n, n, n, 0, d, append(e, 0)[:n-1], right, n, left, n, nil, 1, make([]float64, 4*n))
	copy(s, d)
	for i := range min(u.rows, u.cols) {
		u.z[i*u.cols+i] = 1
	}
	for i := range n {
		for j := range n {
			u.z[i*u.cols+j] = complex(left[i*n+j], 0)
		}
	}
	for i := len(q) - 1; i >= 0; i-- {
		q[i].applyLeft(u, 0)
	}
	// vt is rightᵀ·Pᴴ, where P = P₀·P₁·…
	copy(vt.z, complexes(right))
	for i := len(p) - 1; i >= 0; i-- {
		p[i].conjugate().applyRight(vt, 0)
	}
	return ok
}
