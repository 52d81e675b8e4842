// Package exampletest runs example programs in their tests.
//
// Only tests in examples use it.
//
// Order of use: Output, JSON or Interrupted; for jobs of several processes Main, Start, Results.
//
//	file     what it holds
//	job.go   Main, Start: a program as the processes of a job, which can be killed; Results: their output
//	run.go   Output, JSON: the output of a program; Interrupted: a program that is interrupted
package exampletest
