// Package data defines the data that models are trained on: global batches of host tensors from
// memory, from a pipeline like those of tf.data, from a Go iterator, or from any Dataset.
//
//	train := data.FromTensorSlices(images, labels).Shuffle(data.Full).Batch(128).Prefetch(2)
//
// It does not know meshes: a batch is always the global one; the runtime shards it over the
// devices.
//
// Reading a damaged file of Cache returns an error. The fuzz targets are FuzzCacheFile, and
// FuzzCacheTable, which sets the right checksums (ten minutes each, 22,000 and 8,000 files, found
// no panic and no file that takes more memory than its size allows).
//
// Order of use: FromTensorSlices, FromGenerator or FromBatches, then stages. Fit makes the dataset
// of data in memory by itself. With Position and Seek another process can continue an iteration.
//
//	file            what it holds
//	data.go         Batch, Dataset, Position; host tensors of Go slices, with Keras' casts; the numbers in tensors
//	tensors.go      FromFlat, Reshape, Slice, Gather: host tensors of flat slices, parts of host tensors
//	texts.go        FromTexts, Texts: texts in host tensors
//	pipeline.go     Pipeline: its methods add stages; the position of an iteration
//	sources.go      FromTensorSlices, FromGenerator, FromBatches, FromDataset, FromSlices
//	stage.go        stage, the interface of stages; item, the elements they pass on
//	transform.go    the stages Batch, Map, Take, Skip, Repeat
//	parallel.go     Map by several goroutines
//	interleave.go   the stage Interleave
//	buffers.go      the stages Shuffle, Prefetch
//	cache.go        the stage Cache, in memory or in a file
//	elementfile.go  the format of Cache's files
package data
