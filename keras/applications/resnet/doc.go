// Package resnet prepares the images and decodes the predictions of the residual networks of
// package applications: keras.applications.resnet.
//
// The networks themselves are in package applications: ResNet50 and its variants.
//
// Order of use: PreprocessInput, the model's Predict, DecodePredictions.
//
//	file        what it holds
//	resnet.go   PreprocessInput; DecodePredictions and the names of ImageNet's classes
package resnet
