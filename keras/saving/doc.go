// Package saving writes and reads the files of Keras 3: weights in .weights.h5 files, and models in
// .keras archives; and weights in .safetensors files. Keras loads the files written here, and this
// package loads the files of Keras, for all layers of package layers.
//
// Weights are written from the devices to the file shard by shard, and read so: a full tensor need
// not fit into memory, and the file does not depend on the mesh.
//
// A training cannot be resumed bit for bit from these files: Keras' formats hold no random states
// and no position in the data. Use package checkpoint for that.
//
// Files may be damaged or hostile: the memory for reading is bounded by the file's size (package
// budget), sizes are checked before a temporary file is written, and errors are short. The fuzz
// targets are FuzzConfig, FuzzArchive and FuzzWeights. They write changed members into archives
// with right checksums (ten minutes each, 25,000, 3,400 and 116,000 files, found no panic).
//
// Order of use: SaveModel and LoadModel; or SaveWeights, and LoadWeights into a model that is
// built.
//
//	file              what it holds
//	archive.go        SaveModel, SaveModelAsync, LoadModel; the .keras archive
//	encode.go         config.json of a model: layers and their connections
//	decode.go         models and layers of config.json; shapes, dtypes and policies
//	clone.go          CloneModel
//	layer.go          SerializeLayer, DeserializeLayer: a layer as an object of config.json
//	host.go           vocabularies of an archive; LoadHostLayer: a layer that runs on the host, without its model
//	functional.go     functional models of config.json
//	operations.go     operations on tensors and masks in functional models
//	compileconfig.go  losses, metrics, optimizers and schedules of the learning rate in config.json
//	optimizermap.go   the optimizers of a MultiOptimizer in config.json
//	config.go         how Keras calls each class of layers; reading of configs, with errors for unknown options; initializers
//	adapted.go        kernels with low-rank adaptations, which are written as one
//	weights.go        SaveWeights, SaveWeightsAsync, LoadWeights; conversion of element types
//	together.go       how variables are read that are saved: from devices, copies or several processes
//	safetensors.go    weights in .safetensors files
//	match.go          pairs the variables of a model with the datasets of a file, in both formats
//	registry.go       RegisterLayer, RegisterLoss, RegisterMetric: classes of the user
//	paths.go          the paths of a model's variables in a file
package saving
