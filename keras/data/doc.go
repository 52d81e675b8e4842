// Package data defines what models are trained on: global batches of host
// tensors, from memory, from a pipeline as those of tf.data, from any Go
// iterator, or from any Dataset.
//
//	train := data.FromTensorSlices(images, labels).Shuffle(data.Full).Batch(128).Prefetch(2)
//
// It does not know meshes: a batch is always the global one, and which part of
// it goes to which device is the runtime's matter.
//
// Order of use: FromTensorSlices, FromGenerator or FromBatches, then stages;
// Fit makes the dataset of data in memory by itself. Position and Seek carry
// an iteration over into another process.
//
//	file            what it holds
//	data.go         Batch, Dataset, Position
//	tensor.go       host tensors out of Go slices, with Keras' casts
//	numbers.go      the numbers in tensors of any type
//	slices.go       FromSlices: batches of data in memory
//	pipeline.go     Pipeline: stages put together, and where an iteration stands
//	stage.go        what a stage must do, so that any element can be gone to
//	item.go         elements, and how they become a batch
//	sources.go      tensors, iterators and datasets as sources
//	shuffle.go      Shuffle
//	batching.go     Batch
//	transform.go    Map, Take, Skip, Repeat
//	cache.go        Cache in memory
//	cachefile.go    Cache in a file
//	elementfile.go  the file's format
//	prefetch.go     Prefetch
package data
