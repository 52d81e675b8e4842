// Package images brings images from files to models: what Keras has in
// keras.utils.load_img, keras.ops.image.resize and
// keras.utils.image_dataset_from_directory.
//
//	train, err := images.FromDirectory("flowers", images.Size(224, 224), images.BatchSize(32))
//	history, err := model.Fit(ctx, train, nil)
//
// Images are tensors of float32 (height, width, channels) with values from 0 to
// 255. PNG, JPEG and GIF files are decoded, by Go's standard library: JPEG
// files that hold less of the colors than of the brightness, as most do, differ
// by a few of the 255 steps from what other decoders make of them.
//
// It does not augment images and is no part of a model: layers.Rescaling and
// resnet.PreprocessInput prepare the pixels.
//
// Order of use: FromDirectory; or Load and Resize.
//
//	file           what it holds
//	options.go     the options
//	load.go        Load: an image from a file
//	resize.go      Resize
//	directory.go   FromDirectory: a dataset of a folder with a folder for each class
package images
