package lapack

// This file computes with complex Householder reflections, I - tau·v·vᴴ, as LAPACK does: they map a
// vector to a real number and zeros, so that the diagonals of factors are real.

import (
	"math"
	"math/cmplx"
)

// reflection is I - tau·v·vᴴ, on the elements from index first on.
type reflection struct {
	first int
	tau   complex128
	v     []complex128 // v[0] is 1
}

// reflect returns a reflection. Its conjugate transpose maps x, the elements from index first on,
// to beta and zeros.
func reflect(first int, x []complex128) (h reflection, beta float64) {
	alpha := x[0]
	rest := norm(x[1:])
	h = reflection{first: first, v: make([]complex128, len(x))}
	h.v[0] = 1
	if rest == 0 && imag(alpha) == 0 {
		return h, real(alpha)
	}
	beta = -math.Copysign(math.Hypot(math.Hypot(real(alpha), imag(alpha)), rest), real(alpha))
	h.tau = complex((beta-real(alpha))/beta, -imag(alpha)/beta)
	scale := 1 / (alpha - complex(beta, 0))
	for i, z := range x[1:] {
		h.v[1+i] = z * scale
	}
	return h, beta
}

// norm returns the Euclidean norm of x, computed without overflow. It is 0 for an empty x, and
// infinite or NaN if a part of an element is.
func norm(x []complex128) float64 {
	largest := 0.0
	for _, z := range x {
		largest = max(largest, math.Abs(real(z)), math.Abs(imag(z)))
	}
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	sum := 0.0
	for _, z := range x {
		re, im := real(z)/largest, imag(z)/largest
		sum += re*re + im*im
	}
	return largest * math.Sqrt(sum)
}

// conjugate returns the conjugate transpose of the reflection, which is its inverse.
func (h reflection) conjugate() reflection {
	h.tau = cmplx.Conj(h.tau)
	return h
}

// applyLeft makes m's columns from the given one on h times themselves.
func (h reflection) applyLeft(m matrix, from int) {
	for j := from; j < m.cols; j++ {
		var sum complex128
		for i, v := range h.v {
			sum += cmplx.Conj(v) * m.z[(h.first+i)*m.cols+j]
		}
		for i, v := range h.v {
			m.z[(h.first+i)*m.cols+j] -= h.tau * v * sum
		}
	}
}

// applyRight makes m's rows from the given one on themselves times h.
func (h reflection) applyRight(m matrix, from int) {
	for i := from; i < m.rows; i++ {
		row := m.z[i*m.cols:][:m.cols]
		var sum complex128
		for j, v := range h.v {
			sum += row[h.first+j] * v
		}
		for j, v := range h.v {
			row[h.first+j] -= h.tau * sum * cmplx.Conj(v)
		}
	}
}

// column returns a copy of the elements of column j, from row i on.
func (m matrix) column(i, j int) []complex128 {
	out := make([]complex128, 0, m.rows)
	for ; i < m.rows; i++ {
		out = append(out, m.z[i*m.cols+j])
	}
	return out
}

// keep stores what LAPACK keeps of the reflection h in column j of m: beta, the value that it made,
// and below it the vector v without its first element, 1.
func (h reflection) keep(m matrix, j int, beta float64) {
	for i, v := range h.v {
		if i == 0 {
			v = complex(beta, 0)
		}
		m.z[(h.first+i)*m.cols+j] = v
	}
}

// storedReflection returns the reflection that keep has stored in column j of m, from row i on; tau
// is stored elsewhere.
func storedReflection(m matrix, i, j int, tau complex128) reflection {
	v := m.column(i, j)
	v[0] = 1
	return reflection{i, tau, v}
}

// eliminate makes column j zero below the diagonal by a reflection, which it applies to the columns
// after it. In place of the zeros it stores the reflection's vector. It returns the reflection's
// tau.
func eliminate(a matrix, j int) (tau complex128) {
	h, beta := reflect(j, a.column(j, j))
	h.conjugate().applyLeft(a, j+1)
	h.keep(a, j, beta)
	return h.tau
}

func complexGeqrf(c *item) {
	a, tau := c.take(0, 0), c.out[1].z
	for j := range tau {
		tau[j] = eliminate(a, j)
	}
}

// complexGeqp3 computes the QR decomposition of operand 0 with column pivoting: result 0 has the
// factors, result 1 the pivots, counted from 1, and result 2 tau. Columns whose pivot in operand 1
// is not 0 come first. Of the others it always takes the longest one.
func complexGeqp3(c *item) {
	a, pivots, tau := c.take(0, 0), c.take(1, 1).i, c.out[2].z
	fixed := 0
	for j, p := range pivots {
		pivots[j] = int32(j + 1)
		if p != 0 {
			swapColumns(a, pivots, j, fixed)
			fixed++
		}
	}
	for j := range tau {
		if j >= fixed {
			longest, best := 0.0, j
			for k := j; k < a.cols; k++ {
				if l := norm(a.column(j, k)); l > longest {
					longest, best = l, k
				}
			}
			swapColumns(a, pivots, j, best)
		}
		tau[j] = eliminate(a, j)
	}
}

func swapColumns(a matrix, pivots []int32, i, j int) {
	pivots[i], pivots[j] = pivots[j], pivots[i]
	for k := range a.rows {
		row := a.z[k*a.cols:]
		row[i], row[j] = row[j], row[i]
	}
}

func complexUngqr(c *item) {
	a, tau, q := c.in[0], c.in[1].z, c.out[0]
	c.identities(q)
	for j := len(tau) - 1; j >= 0; j-- {
		storedReflection(a, j, j, tau[j]).applyLeft(q, 0)
	}
}

func complexUnmqr(c *item) {
	a, tau, m := c.in[0], c.in[1].z, c.take(2, 0)
	left, adjoint := c.attrs["left"] != 0, c.attrs["transpose"] != 0
	for step := range tau {
		j := step
		if left != adjoint { // Q·m is H₀·(H₁·(…·m)), Qᴴ·m begins with H₀
			j = len(tau) - 1 - step
		}
		h := storedReflection(a, j, j, tau[j])
		if adjoint {
			h = h.conjugate()
		}
		if left {
			h.applyLeft(m, 0)
		} else {
			h.applyRight(m, 0)
		}
	}
}
