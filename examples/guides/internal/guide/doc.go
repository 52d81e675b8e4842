// Package guide runs guides and examples of keras.io. A guide defines its model and its data. This
// package does the rest: flags, mesh, training and output.
//
// It is for the programs in examples/guides only.
//
// Order of use: fill a Guide; Main in the program, exampletest.Guide in its test.
//
//	file         what it holds
//	guide.go     Guide, Main, Run: a guide on a mesh, with its flags
//	data.go      Fractions, Classes: the data of guides, the same numbers as in Python
package guide
