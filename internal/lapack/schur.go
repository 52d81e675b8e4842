package lapack

// This file computes the Schur form of complex matrices, and eigenvalues and
// eigenvectors from it.

import (
	"math"
	"math/cmplx"
)

// schur replaces a by its Schur form t, which is upper triangular. It computes the vectors q of a =
// q·t·qᴴ. It returns the number of eigenvalues that it did not find.
func schur(a matrix) (q matrix, left int) {
	n := a.rows
	q = matrix{rows: n, cols: n, z: make([]complex128, n*n)}
	tau := make([]complex128, max(n-1, 0))
	hessenberg(a, 0, n-1, tau)
	for i := range n {
		q.z[i*n+i] = 1
	}
	for j := n - 2; j >= 0; j-- {
		storedReflection(a, j+1, j, tau[j]).applyLeft(q, 0)
	}
	for i := range n {
		clear(a.z[i*n : i*n+max(i-1, 0)])
	}
	tries := 0
	for high := n - 1; high > 0; {
		low := high
		for low > 0 && !isNegligible(a, low) {
			low--
		}
		if low > 0 {
			a.z[low*n+low-1] = 0
		}
		if low == high {
			high, tries = high-1, 0
			continue
		}
		if tries++; tries > 30*max(n, 10) {
			return q, high + 1
		}
		sweep(a, q, low, high, shift(a, high, tries))
	}
	return q, 0
}

const epsilon = 0x1p-52

// isNegligible reports whether the QR iteration takes the element left of the diagonal in row i as
// 0, because it is small compared with the diagonal elements beside it.
func isNegligible(a matrix, i int) bool {
	n := a.cols
	around := size1(a.z[(i-1)*n+i-1]) + size1(a.z[i*n+i])
	if around == 0 {
		around = norm(a.z)
	}
	return size1(a.z[i*n+i-1]) <= epsilon*around
}

// shift returns the shift for the next step: the eigenvalue of the last two rows and columns that
// is nearer to the last element. Every tenth time it is another number, which breaks cycles.
func shift(a matrix, high, tries int) complex128 {
	n := a.cols
	at := func(i, j int) complex128 { return a.z[(high-i)*n+high-j] }
	if tries%10 == 0 {
		return at(0, 0) + complex(0.75*size1(at(0, 1)), 0)
	}
	half := (at(1, 1) - at(0, 0)) / 2
	root := cmplx.Sqrt(half*half + at(1, 0)*at(0, 1))
	if real(half)*real(root)+imag(half)*imag(root) < 0 {
		root = -root
	}
	if half+root == 0 {
		return at(0, 0)
	}
	return at(0, 0) - at(1, 0)*at(0, 1)/(half+root)
}

// sweep does one step of the QR iteration with the shift s on the rows and columns from low to high
// of a: it replaces a = Q·R + s by R·Q + s, by rotations. It also multiplies q, the vectors, by Q.
func sweep(a, q matrix, low, high int, s complex128) {
	n := a.cols
	for i := low; i <= high; i++ {
		a.z[i*n+i] -= s
	}
	cosines, sines := make([]float64, high), make([]complex128, high)
	for k := low; k < high; k++ {
		c, s := rotation(a.z[k*n+k], a.z[(k+1)*n+k])
		cosines[k], sines[k] = c, s
		for j := k; j < n; j++ {
			x, y := a.z[k*n+j], a.z[(k+1)*n+j]
			a.z[k*n+j] = complex(c, 0)*x + s*y
			a.z[(k+1)*n+j] = complex(c, 0)*y - cmplx.Conj(s)*x
		}
		a.z[(k+1)*n+k] = 0
	}
	for k := low; k < high; k++ {
		rotateColumns(a, min(k+2, high+1), k, cosines[k], sines[k])
		rotateColumns(q, n, k, cosines[k], sines[k])
	}
	for i := low; i <= high; i++ {
		a.z[i*n+i] += s
	}
}

// rotation returns c and s with c² + |s|² = 1. The rotation maps (x, y) to (r, 0), by c·x + s·y and
// c·y - s̄·x.
func rotation(x, y complex128) (c float64, s complex128) {
	if y == 0 {
		return 1, 0
	}
	ax, ay := cmplx.Abs(x), cmplx.Abs(y)
	if ax == 0 {
		return 0, cmplx.Conj(y) / complex(ay, 0)
	}
	r := math.Hypot(ax, ay)
	return ax / r, x / complex(ax, 0) * cmplx.Conj(y) / complex(r, 0)
}

// rotateColumns multiplies columns k and k+1 of m, in the first rows rows, by the inverse of the
// rotation (c, s).
func rotateColumns(m matrix, rows, k int, c float64, s complex128) {
	for i := range rows {
		x, y := m.z[i*m.cols+k], m.z[i*m.cols+k+1]
		m.z[i*m.cols+k] = complex(c, 0)*x + cmplx.Conj(s)*y
		m.z[i*m.cols+k+1] = complex(c, 0)*y - s*x
	}
}

func complexGees(c *item) {
	a := c.take(0, 0)
	q, left := schur(a)
	copy(c.out[1].z, q.z)
	for i := range a.rows {
		c.out[2].z[i] = a.z[i*a.cols+i]
	}
	c.fail(left)
}

// complexGeev computes the eigenvalues of operand 0 into result 0, and its left and right
// eigenvectors, as columns, into results 1 and 2 if the attributes ask for them. They have norm 1,
// and their largest element is real. info is the number of eigenvalues that were not found.
func complexGeev(c *item) {
	a := matrix{rows: c.in[0].rows, cols: c.in[0].cols, z: append([]complex128(nil), c.in[0].z...)}
	n := a.rows
	q, left := schur(a)
	for i := range n {
		c.out[0].z[i] = a.z[i*n+i]
	}
	tiny := max(epsilon*norm(a.z), math.SmallestNonzeroFloat64/epsilon)
	for k := range n {
		if c.is("compute_left", 'V') {
			setVector(c.out[1], k, q, leftVector(a, k, tiny))
		}
		if c.is("compute_right", 'V') {
			setVector(c.out[2], k, q, rightVector(a, k, tiny))
		}
	}
	c.fail(left)
}

// boundBelow is z, or tiny where z is smaller: eigenvalues that are equal would
// divide by 0.
func boundBelow(z complex128, tiny float64) complex128 {
	if size1(z) < tiny {
		return complex(tiny, 0)
	}
	return z
}

// rightVector returns a vector x with (t - t[k,k])·x = 0, for a triangular t. A smaller divisor
// than tiny is replaced by it.
func rightVector(t matrix, k int, tiny float64) []complex128 {
	n := t.rows
	x := make([]complex128, n)
	x[k] = 1
	for i := k - 1; i >= 0; i-- {
		var sum complex128
		for j := i + 1; j <= k; j++ {
			sum += t.z[i*n+j] * x[j]
		}
		x[i] = -sum / boundBelow(t.z[i*n+i]-t.z[k*n+k], tiny)
	}
	return x
}

// leftVector returns a vector y with yᴴ·(t - t[k,k]) = 0, for a triangular t. A smaller divisor
// than tiny is replaced by it.
func leftVector(t matrix, k int, tiny float64) []complex128 {
	n := t.rows
	y := make([]complex128, n)
	y[k] = 1
	for j := k + 1; j < n; j++ {
		var sum complex128
		for i := k; i < j; i++ {
			sum += cmplx.Conj(t.z[i*n+j]) * y[i]
		}
		y[j] = -sum / cmplx.Conj(boundBelow(t.z[j*n+j]-t.z[k*n+k], tiny))
	}
	return y
}

// setVector sets column k of out to q·x, scaled to norm 1 and so that its largest element is real.
func setVector(out matrix, k int, q matrix, x []complex128) {
	n := q.rows
	v := make([]complex128, n)
	for i := range n {
		for j, z := range x {
			v[i] += q.z[i*n+j] * z
		}
	}
	scale := complex(1/norm(v), 0)
	largest := 0
	for i := range v {
		v[i] *= scale
		if cmplx.Abs(v[i]) > cmplx.Abs(v[largest]) {
			largest = i
		}
	}
	turn := cmplx.Conj(v[largest]) / complex(cmplx.Abs(v[largest]), 0)
	for i := range v {
		out.z[i*n+k] = v[i] * turn
	}
	out.z[largest*n+k] = complex(real(out.z[largest*n+k]), 0)
}
