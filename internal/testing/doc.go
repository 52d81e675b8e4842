// Package testing has no code. The packages below it are those that only tests import, and the
// command that summarizes test results.
//
// The rule: a package that no command, example or benchmark links stands here, and one that they
// link does not. TestOnlyTests of layering_test.go in the root enforces it. It reads the imports of
// all files, follows them from each main package outside this directory, and fails with the number
// of lines that only tests reach. Tests of any package may import the packages here.
//
//	package          what tests use it for
//	needs            skipping a test that lacks a tool or a file
//	longtest         the short and the long form of a slow test
//	golden           golden files in txtar
//	memtest          the memory that reading a file takes
//	peer             the Python with JAX and Keras, and Shardy's driver
//	runtimetest      clients: one for each number of devices, jobs of several processes
//	tracetest        running functions of GoMLX nodes
//	agreetest        processes of a job that are goroutines
//	transporttest    the tests that every transport must pass
//	exampletest      running example programs, comparing guides with Keras
//	randprog         random programs
//	difftest         comparing a program on several devices with the same on one
//	jaxsuite         programs of JAX with their results
//	testsummary      a command: what go test -json says, for people
package testing
