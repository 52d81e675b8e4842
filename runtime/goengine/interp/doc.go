// Package interp computes StableHLO ops on dense tensors in memory: every op of
// ir's table that concerns one device, for every element type. It strives for
// the specification's values and for clear code, and is fast enough for small
// models.
//
// It is no engine: package goengine runs programs on several devices, with
// collectives, and hands heavy ops to GoMLX's Go backend.
//
// Order of use: Compile a module into Code, NewFrame with the arguments, Exec,
// Results.
//
// Where the specification leaves a choice, results are XLA's on the CPU:
// integers divided by zero give all ones, floats out of an integer's range
// give its nearest number, NaN gives 0. Small floats (f16, bf16, 8 bits) are
// computed as f32 and rounded after each op. Reductions go in row-major order;
// sums of floats are kept in double precision. Memory is taken to be little
// endian.
//
//	file              what it computes
//	code.go           Code, Step, Frame: a block ready to run
//	table.go          the table of kernels, one row for each op kind
//	tensor.go         Tensor, and walks over elements
//	memory.go         memory, and the error when there is not enough
//	types.go          element types: which are widened for arithmetic
//	loops.go          element-wise ops: how loops are made and found
//	loops_int.go      … of integers and booleans
//	loops_float.go    … of floats
//	loops_complex.go  … of complex numbers
//	special.go        functions that package math lacks
//	compare.go        compare, clamp, select, map
//	convert.go        convert, reduce_precision, bitcast_convert
//	data.go           iota, broadcast, reshape, transpose, slice, pad, concatenate, reverse
//	index.go          dynamic slices, gather, scatter
//	dot.go, conv.go   dot_general, convolution
//	fold.go           combining elements two by two
//	reduce.go         reduce, reduce_window, select_and_scatter
//	sort.go           sort, top_k
//	rng.go            random bits
//	linalg.go, fft.go cholesky, triangular_solve; fft
//	batchnorm.go      batch normalization
//	control.go        loops, branches, calls, bodies of scalars
package interp
