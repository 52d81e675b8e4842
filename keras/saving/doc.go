// Package saving writes and reads the files of Keras 3: weights in
// .weights.h5, and whole models in .keras archives. Files written here load in
// Keras, those of Keras load here, for the layers that are here.
//
// Weights go from the devices to the file shard by shard and back: neither
// needs a tensor to be whole in memory, and the file knows no mesh.
//
// It is not for training that is to be resumed to the bit: the files of Keras
// hold no random state and no position in the data. That is what package
// checkpoint is for.
//
// Order of use: SaveModel and LoadModel; or SaveWeights, and LoadWeights into a
// model that is built.
//
//	file           what it holds
//	paths.go       where the variables of a model stand in a file
//	model.go       SaveModel, LoadModel
//	archive.go     .keras archives
//	encode.go      config.json of a model
//	decode.go      a model of config.json
//	registry.go    how layers and initializers are made of their configs
//	schedules.go   schedules of the learning rate
//	reader.go      reading of configs; options that are not known
//	weights.go     SaveWeights, LoadWeights
//	legacy.go      weights of the older format of Keras, .h5
//	elements.go    element types, and variables from datasets
package saving
