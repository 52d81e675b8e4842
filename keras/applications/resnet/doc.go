// Package resnet holds what goes with the residual networks of package
// applications: keras.applications.resnet.
//
// The networks themselves are applications.ResNet50 and its kin.
//
// Order of use: PreprocessInput, the model's Predict, DecodePredictions.
//
//	file             what it holds
//	preprocess.go    PreprocessInput: pixels as the networks want them
//	predictions.go   DecodePredictions: the names of ImageNet's classes
package resnet
