// Gomlxsteps measures training steps of the GoMLX programs in examples/gomlx on gospmd, beside
// GoMLX's own backend for XLA.
//
//	go run ./benchmarks/gomlxsteps                               # all programs, about ten minutes
//	go run ./benchmarks/gomlxsteps -programs gpt -small          # one, of the size that tests have
//
// In one process the program lives on three backends: GoMLX's own on one device, gospmd on one
// device, and gospmd on a mesh. They take turns, A B C, then C B A. A turn is a number of steps of
// GoMLX's loop, and ends when the loss is there. Ratios are of turns of the same round, of the time
// and then of the processor's time; a row has the medians, in brackets the quartiles. All have the
// same plugin, data and weights, and the losses of the first turn are compared: a difference above
// 1e-3 is an error.
//
//	file      what it holds
//	main.go   the command and its table
//	turns.go  the turns
package main
