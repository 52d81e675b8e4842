// Package lapack computes the custom calls of linear algebra that JAX makes on
// the CPU: lapack_sgetrf_ffi and its like, for real and complex numbers of
// single and double precision, on batches of matrices. Both engines use it: the
// engine written in Go directly, XLA through handlers that package runtime
// registers.
//
// It is not LAPACK's interface: that is gonum's, which computes the real routines. Gonum has no
// complex ones; those are written here after LAPACK's, by reflections to a real bidiagonal or
// tridiagonal matrix. Gonum's routines do the rest.
//
// Order of use: Check an op when a program is loaded, Find its Routine, Run it.
//
// Single precision is computed in double precision and rounded at the end. The
// signs (of complex numbers, the phases) of singular and eigenvectors, which are
// free, may differ from those of another LAPACK. info is 0, or not 0 where
// LAPACK's is not; only getrf's says where.
//
//	file            holds
//	routine.go      the table of routines: names, operands, results
//	check.go        whether an op fits its routine
//	call.go         Run: batches, element types, layouts
//	real.go         the real routines, by gonum
//	real_eigen.go   the real eigenvalue and singular value problems, by gonum
//	solve.go        the complex factors and solutions: potrf, getrf, trsm, gtsv
//	reflect.go      complex Householder reflections; geqrf, ungqr, unmqr, geqp3
//	reduce.go       complex matrices made bidiagonal, tridiagonal, Hessenberg
//	eigen.go        complex heevd, gesvd
//	schur.go        complex gees, geev
package lapack
