// Package interp computes StableHLO ops on dense tensors in memory: every op of ir's table that
// runs on one device, for every element type. It aims for the values of the specification, and for
// clear code. It is fast enough for small models.
//
// It is no engine: package goengine runs programs on several devices, with collectives, and passes
// expensive ops to GoMLX's Go backend.
//
// Order of use: Compile a module into Code, NewFrame with the arguments, Exec, Results.
//
// If the specification leaves a choice, the results are those of XLA on the CPU: an integer divided
// by zero has all bits set; a float converts to the nearest integer in range; NaN converts to 0.
// Small floats (f16, bf16, 8 bits) are computed as f32 and rounded after each op. Reductions go in
// row-major order; sums of floats are kept in double precision. It assumes little-endian memory.
//
//	file                  computes
//	code.go               Code, Step, Frame: a block ready to run
//	kernels.go            the table of kernels; loops, branches, calls
//	tensor.go             Tensor and its memory; element types: which are widened for arithmetic
//	elementwise.go        element-wise ops of integers and booleans
//	elementwise_float.go  element-wise ops of floats and complex numbers
//	compare.go            compare, clamp, select, map, sort, top_k
//	convert.go            convert, reduce_precision, bitcast_convert
//	data.go               iota, broadcast, reshape, transpose, slice, pad, concatenate, reverse
//	index.go              dynamic slices, gather, scatter
//	dot.go                dot_general, convolution
//	reducer.go            combining pairs of elements, for reductions
//	combine.go            combining whole tensors element by element, for collectives
//	reduce.go             reduce, reduce_window, select_and_scatter, batch normalization
//	linalg.go             cholesky, triangular_solve, calls of LAPACK, fft
//	rng.go                random bits
package interp
