// Package operations computes the operations of keras.ops on nodes: a table of them by Keras'
// names, and the functions that compute them.
//
// It knows neither symbolic tensors nor layers: package layers makes a layer of an operation, and
// package ops exports it to users.
//
// Order of use: a row of Table, and its Compute.
//
//	file           what it holds
//	table.go       Operation, Table
//	operands.go    the arguments of an operation; Compute
//	math.go        operations element by element
//	axes.go        operations along axes, and products
//	shape.go       operations that change shapes and join tensors
//	signal.go      Fourier transforms, sequences, distances
//	segments.go    diagonals, sums of segments, sums without NaN
//	arrays.go      what NumPy does with arrays: joins, cuts, grids, diagonals, comparisons; complex numbers
//	bits.go        operations on bits and on whole numbers
//	statistics.go  quantiles, what skips NaN, moments, counts of values
//	linalg.go      factorizations of matrices, and what they solve
//	core.go        operations that take Go functions: loops, maps, gradients of one's own
//	scatter.go     reading and writing at computed places
//	nn.go          convolutions, poolings, normalizations, losses, attention
//	image.go       operations on images
//	patches.go     operations on images that cut, resize, compare and distort them
//	index.go       operations that pick elements: by indices, in sorted order
package operations
