// Package saving writes and reads the files of Keras 3: weights in .weights.h5
// files, and models in .keras archives. Keras loads the files written here, and
// this package loads the files of Keras, for all layers of package layers.
//
// Weights go from the devices to the file shard by shard, and back: a full tensor
// need not fit into memory, and the file does not depend on the mesh.
//
// It is not for trainings that are to be resumed bit-identically: the files of
// Keras hold no random states and no position in the data. Use package checkpoint
// for these.
//
// Files may be damaged or hostile: their memory is bounded by their size (package
// budget), nothing is written before its size is checked, and errors are short. The fuzz
// targets are FuzzConfig, FuzzArchive and FuzzWeights; they zip what they change again (ten
// minutes each, 25,000, 3,400 and 116,000 files, found no panic).
//
// Order of use: SaveModel and LoadModel; or SaveWeights, and LoadWeights into a
// model that is built.
//
//	file              what it holds
//	archive.go        SaveModel, LoadModel; the .keras archive
//	encode.go         config.json of a model: layers and their connections
//	decode.go         models and layers of config.json; shapes, dtypes and policies
//	clone.go          CloneModel
//	layer.go          SerializeLayer, DeserializeLayer: a layer as an object of config.json
//	host.go           vocabularies of an archive; LoadHostLayer: a layer that runs on the host, without its model
//	functional.go     functional models of config.json
//	operations.go     operations on tensors and masks in functional models
//	compileconfig.go  losses, metrics, optimizers and schedules of the learning rate in config.json
//	optimizermap.go   the optimizers of a MultiOptimizer in config.json
//	config.go         how each class of layers is made of its config; reading of configs, with errors for unknown options; initializers
//	weights.go        SaveWeights, LoadWeights; conversion of element types
//	together.go       SaveModel and SaveWeights by several processes
//	match.go          the datasets of a file for the variables of a model, both formats
//	registry.go       RegisterLayer, RegisterLoss, RegisterMetric: classes of the user
//	paths.go          the paths of a model's variables in a file
package saving
