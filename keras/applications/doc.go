// Package applications holds well-known models with their trained weights:
// keras.applications in Go.
//
//	model, err := applications.ResNet50(ctx)                    // trained on ImageNet, 1000 classes
//	base, err := applications.ResNet50(ctx,
//		applications.IncludeTop(false), applications.Pooling("avg")) // features of images of any size
//
// Layers have the names that they have in Keras. Weights are read from Keras' own
// files, which are downloaded once and kept where Keras keeps them. A model belongs
// to the distribution that is current when it is made.
//
// It does not load or resize images: package keras/images does. The preprocessing
// of a model's images and the names of its classes are in a subpackage, such as
// resnet.
//
// Order of use: ResNet50, then Predict; or apply layers to its Outputs, make a
// keras.NewModel of them and train that.
//
//	file        what it holds
//	config.go   the options; the input's shape; the files of trained weights
//	resnet.go   ResNet50, ResNet101, ResNet152
package applications
