// Package utils prepares data for models and draws models: keras.utils.
//
// Functions on arrays accept the values that keras/data.Tensor accepts, host tensors and slices of
// slices of numbers, and return host tensors. Functions on datasets return pipelines of keras/data.
// Images are in keras/images, files of weights and models in keras/saving.
//
// Order of use: any; the functions do not depend on each other.
//
//	file          what it holds
//	arrays.go     ToCategorical, Normalize, Shuffle
//	sequences.go  PadSequences, TimeseriesDatasetFromArray
//	split.go      SplitDataset
//	texts.go      TextDatasetFromDirectory
//	plot.go       ModelToDot, PlotModel
package utils
