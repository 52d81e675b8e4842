// Gomlxsteps measures training steps of the GoMLX programs in examples/gomlx on gospmd, beside
// GoMLX's own backend for XLA.
//
//	go run ./benchmarks/gomlxsteps                               # all programs, about ten minutes
//	go run ./benchmarks/gomlxsteps -programs gpt -small          # one, in the size of tests
//
// In one process the program runs on three backends: GoMLX's own on one device, gospmd on one
// device, and gospmd on a mesh. They take turns, A B C, then C B A. A turn is a number of steps of
// GoMLX's loop, and ends when the loss is computed. Ratios divide turns of the same round: their
// wall times, and their CPU times. A row has the medians, and in brackets the quartiles. All
// backends have the same plugin, data and weights. A difference above 1e-3 between the losses of
// the first step is an error. The examples' tests compare the losses of trainings: in float32,
// rounding grows within few steps where there are relu, max pooling and Adam.
//
//	file      what it holds
//	main.go   the command and its table
//	turns.go  the turns
package main
