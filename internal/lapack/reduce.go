package lapack

// This file reduces complex matrices to simpler ones by reflections from both
// sides: to real bidiagonal and tridiagonal ones, and to Hessenberg form.

import "math/cmplx"

// bidiagonalize computes the upper bidiagonal form B of a, which has no more columns than rows, and
// overwrites a. d is the diagonal of B, and e the one above it. a was Q·B·Pᴴ, where Q and P are the
// products of the reflections q and p, in order.
func bidiagonalize(a matrix) (q, p []reflection, d, e []float64) {
	n := a.cols
	d, e = make([]float64, n), make([]float64, max(n-1, 0))
	for i := range n {
		h, beta := reflect(i, a.column(i, i))
		h.conjugate().applyLeft(a, i+1)
		q, d[i] = append(q, h), beta
		if i+1 == n {
			break
		}
		row := make([]complex128, 0, n)
		for _, z := range a.z[i*n+i+1 : (i+1)*n] {
			row = append(row, cmplx.Conj(z))
		}
		g, beta := reflect(i+1, row)
		g.applyRight(a, i+1)
		p, e[i] = append(p, g), beta
	}
	return q, p, d, e
}

// tridiagonalize makes the Hermitian matrix a tridiagonal with real diagonals d and e, as hetrd
// does: only one triangle is read and, with the reflections, written. lower says that it is the
// lower one.
func tridiagonalize(a matrix, lower bool, d, e []float64, tau []complex128) {
	n := a.rows
	if !lower {
		tridiagonalizeUpper(a, d, e, tau)
		return
	}
	mirror(a, lower)
	for i := range n - 1 {
		h, beta := reflect(i+1, a.column(i+1, i))
		h.conjugate().applyLeft(a, i+1)
		h.applyRight(a, i+1)
		h.keep(a, i, beta)
		d[i], e[i], tau[i] = real(a.z[i*n+i]), beta, h.tau
	}
	if n > 0 {
		d[n-1] = real(a.z[n*n-1])
	}
}

// tridiagonalizeUpper reduces a matrix that is stored in its upper triangle. Like LAPACK, it goes
// from the last column to the first. So the vector of a reflection ends with the element 1, while
// the vectors of tridiagonalize begin with it.
func tridiagonalizeUpper(a matrix, d, e []float64, tau []complex128) {
	n := a.rows
	mirror(a, false)
	// The matrix is reduced as the lower triangle of the matrix with rows and columns in reverse
	// order.
	r := matrix{rows: n, cols: n, z: reverse(a.z)}
	rd, re := make([]float64, n), make([]float64, len(e))
	rtau := make([]complex128, len(tau))
	tridiagonalize(r, true, rd, re, rtau)
	copy(a.z, reverse(r.z))
	for i := range n {
		d[i] = rd[n-1-i]
	}
	for i := range e {
		e[i], tau[i] = re[n-2-i], rtau[n-2-i]
	}
}

func reverse(x []complex128) []complex128 {
	out := make([]complex128, len(x))
	for i, z := range x {
		out[len(x)-1-i] = z
	}
	return out
}

// mirror makes a Hermitian matrix full: it computes the upper triangle from the lower one if lower
// is true, and otherwise the lower one from the upper one. It also makes the diagonal real.
func mirror(a matrix, lower bool) {
	n := a.rows
	for i := range n {
		a.z[i*n+i] = complex(real(a.z[i*n+i]), 0)
		for j := range i {
			if lower {
				a.z[j*n+i] = cmplx.Conj(a.z[i*n+j])
			} else {
				a.z[i*n+j] = cmplx.Conj(a.z[j*n+i])
			}
		}
	}
}

// complexHetrd computes the tridiagonal form of the Hermitian operand 0: the matrix with the
// reflections into result 0, the diagonal into result 1, the one beside it into 2, and tau into 3.
// It reads and changes only the triangle that the attribute uplo names.
func complexHetrd(c *item) {
	a, lower := c.take(0, 0), c.is("uplo", 'L')
	n := a.rows
	tridiagonalize(a, lower, c.out[1].f, c.out[2].f, c.out[3].z)
	e := c.out[2].f
	for i := range n {
		a.z[i*n+i] = complex(c.out[1].f[i], 0)
		for j := range n {
			if lower && j > i || !lower && j < i {
				a.z[i*n+j] = c.in[0].z[i*n+j]
			}
		}
		if i+1 == n {
			break
		}
		if lower {
			a.z[(i+1)*n+i] = complex(e[i], 0)
		} else {
			a.z[i*n+i+1] = complex(e[i], 0)
		}
	}
}

// hessenberg reduces the rows and columns from low to high (from 0) of a to Hessenberg form. It
// stores the reflections below the first subdiagonal.
func hessenberg(a matrix, low, high int, tau []complex128) {
	for j := low; j < high; j++ {
		x := a.column(j+1, j)[:high-j]
		h, beta := reflect(j+1, x)
		h.applyRight(a, 0)
		h.conjugate().applyLeft(a, j+1)
		h.keep(a, j, beta)
		tau[j] = h.tau
	}
}

func complexGehrd(c *item) {
	hessenberg(c.take(0, 0), int(c.attrs["low"])-1, int(c.attrs["high"])-1, c.out[1].z)
}
