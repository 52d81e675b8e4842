// Package training runs the GoMLX programs of this folder as GoMLX users run theirs: by its Trainer
// and its Loop, with a progress bar, metrics, checkpoints and settings on the command line. Its
// code does not mention meshes: the environment variable GOMLX_BACKEND names the mesh.
//
//	GOMLX_BACKEND="gospmd:mesh=2x4,layouts=examples/gomlx/gpt/layouts.txt" go run ./examples/gomlx/gpt/demo
//
// Order of use: define a Program in its own package, and call Program.Main in its command.
//
//	file         what it holds
//	training.go  Program: its trainer, its loop, its command
//	stream.go    Stream: a dataset that makes its batches
package training
