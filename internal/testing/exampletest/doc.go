// Package exampletest runs example programs in their tests.
//
// It is for the tests in examples only.
//
// Order of use: Output, JSON, Guide or Interrupted; for jobs of several processes Main, Start,
// Results.
//
//	file      what it holds
//	job.go    Main, Start: a program as the processes of a job, which can be killed; Results: what they print
//	run.go    Output, JSON: what a program prints; Interrupted: that it ends when it is interrupted
//	guide.go  Guide: a guide of keras.io against the numbers of Keras
package exampletest
