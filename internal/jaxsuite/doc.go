// Package jaxsuite holds small programs of JAX's primitives and library functions, with the results
// that JAX computes on one device. Differential tests compare with them.
// benchmarks/peers/jax_suite.py writes the programs (testdata/suite.json.gz).
//
// It compiles nothing and runs nothing; its tests do, on one device and on meshes of 8, 2x4 and 3x2
// devices with random shardings, on both engines. The short form runs every twentieth program, the
// long form all:
//
//	GOSPMD_LONG_TESTS=1 go test ./internal/jaxsuite -v
//
// Order of use: Read, or ReadFrom for a file of other programs, then a Program's Inputs, and Differ
// for each result.
//
//	file          holds
//	jaxsuite.go   Program: reading, inputs, layouts, comparison of results
package jaxsuite
