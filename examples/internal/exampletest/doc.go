// Package exampletest runs example programs in their tests.
//
// It is for the tests in examples only.
//
// Order of use: Output, JSON or Interrupted.
//
//	file     what it holds
//	run.go   Output, JSON: what a program prints; Interrupted: that it ends when it is interrupted
package exampletest
