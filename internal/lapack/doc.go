// Package lapack computes the custom calls of linear algebra that JAX makes on the CPU, such as
// lapack_sgetrf_ffi. It has them for real and complex numbers of single and double precision, on
// batches of matrices. Both engines use it: the engine written in Go directly, XLA through handlers
// that package runtime registers.
//
// It has no LAPACK interface: use gonum's for that. The real routines call gonum. Gonum has no
// complex routines: this package implements them, after LAPACK's. Only heevd, gesdd and gesvd use
// gonum in the end: reflections make the matrix real, tridiagonal or bidiagonal, and gonum solves
// the real problem.
//
// Order of use: Check an op when a program is loaded, Find its Routine, Run it.
//
// Single precision is computed in double precision and rounded at the end. Singular vectors and
// eigenvectors are unique up to sign (complex ones up to phase), so another LAPACK may return other
// ones. info is nonzero where LAPACK's is. Rely on its value for getrf only: the number of the
// first zero pivot, as in LAPACK.
//
//	file            holds
//	routine.go      the table of routines: names, operands, results
//	check.go        whether an op fits its routine
//	call.go         Run: batches, element types, layouts
//	real.go         the real routines, by gonum
//	real_eigen.go   the real eigenvalue and singular value problems, by gonum
//	solve.go        the complex factors and solutions: potrf, getrf, trsm, gtsv
//	reflect.go      complex Householder reflections; geqrf, ungqr, unmqr, geqp3
//	reduce.go       reduces complex matrices to bidiagonal, tridiagonal, Hessenberg form
//	eigen.go        complex heevd, gesvd
//	schur.go        complex gees, geev
package lapack
