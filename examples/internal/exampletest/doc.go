// Package exampletest runs example programs in their tests.
//
// It is for the tests in examples only.
//
// Order of use: Output or JSON.
//
//	file     what it holds
//	run.go   Output, JSON: what a program prints
package exampletest
