// Package applications holds known models with their trained weights:
// keras.applications in Go.
//
//	model, err := applications.ResNet50(ctx)                    // trained on ImageNet, 1000 classes
//	base, err := applications.ResNet50(ctx,
//		applications.IncludeTop(false), applications.Pooling("avg")) // features of images of any size
//
// Layers have the names that they have in Keras, and weights are read from
// Keras' own files, which are downloaded once and kept where Keras keeps them.
// A model belongs to the distribution that is current when it is made.
//
// It does not load or resize images: that is package keras/images. What a
// model wants its pixels to be like, and what its classes are called, is in a
// package of its own, such as resnet.
//
// Order of use: ResNet50, then Predict; or put layers onto its Outputs, make a
// keras.NewModel of them and train that.
//
//	file           what it holds
//	options.go     the options
//	inputs.go      the shape of a model's input
//	resnet.go      ResNet50, ResNet101, ResNet152
//	weights.go     the files of trained weights
package applications
