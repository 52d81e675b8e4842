// Package applications holds well-known models with their trained weights: keras.applications in
// Go.
//
//	model, err := applications.ResNet50(ctx)                    // trained on ImageNet, 1000 classes
//	base, err := applications.ResNet50(ctx,
//		applications.IncludeTop(false), applications.Pooling("avg")) // features of images of any size
//
// Layers have the names that they have in Keras. The weights are Keras' own files. They are
// downloaded once, to the directory that Keras uses too. A model uses the distribution that is
// current when the model is made.
//
// It does not load or resize images: package keras/images does. A subpackage for each family of
// models, such as resnet, preprocesses images and decodes class names.
//
// Order of use: ResNet50, then Predict. For transfer learning: apply layers to the Outputs of the
// model, make a keras.NewModel of the result, and train that.
//
//	file        what it holds
//	config.go   the options; the input's shape; the files of trained weights
//	resnet.go   ResNet50, ResNet101, ResNet152
package applications
