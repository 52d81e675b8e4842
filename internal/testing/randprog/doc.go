// Package randprog makes random programs with random partial shardings, for
// tests of propagation. The same seed gives the same program.
//
//	file         contents
//	randprog.go  programs, meshes and shardings; element-wise ops, products, reshapes
//	data.go      ops that gather, scatter, slice, reduce; constants, sharding groups
//	control.go   loops, branches, manual and named computations, functions and calls
package randprog
