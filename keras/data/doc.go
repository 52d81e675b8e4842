// Package data defines what models are trained on: global batches of host
// tensors, from slices or from any Dataset.
//
// It does not know meshes: a batch is always the global one, and which part of
// it goes to which device is the runtime's matter.
//
// Order of use: FromSlices for data in memory, or a Dataset of your own; Fit
// does the first by itself.
//
//	file          what it holds
//	data.go       Batch and Dataset
//	tensor.go     host tensors out of Go slices, with Keras' casts
//	slices.go     FromSlices: batches of data in memory
package data
