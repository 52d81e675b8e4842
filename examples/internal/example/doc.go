// Package example has the common parts of the example programs, so that each main shows only its
// own subject.
//
// It is not a library: programs outside of examples use packages keras, or trace, sharding, compile
// and runtime, as the examples do.
//
// Order of use: Main runs a program; Mesh and Train are for programs without package keras.
//
//	file         what it holds
//	example.go   Main; Mesh, the mesh of a flag; Train, a loop of training steps
//	job.go       Initialize and Names: programs as one process or as several
package example
