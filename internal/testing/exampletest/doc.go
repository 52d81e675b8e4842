// Package exampletest runs example programs in their tests.
//
// Only tests in examples use it.
//
// Order of use: Output, JSON, Guide or Interrupted. Package jobtest runs programs as several
// processes.
//
//	file      what it holds
//	run.go    Output, JSON: the output of a program; Interrupted: a program that is interrupted
//	guide.go  Guide: a guide of keras.io against the numbers of Keras
package exampletest
