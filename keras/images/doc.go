// Package images reads images for models: keras.utils.load_img, keras.ops.image.resize and
// keras.utils.image_dataset_from_directory.
//
//	train, err := images.FromDirectory("flowers", images.Size(224, 224), images.BatchSize(32))
//	history, err := model.Fit(ctx, train, nil)
//
// Images are tensors of float32 (height, width, channels) with values from 0 to 255. Go's standard
// library decodes the PNG, JPEG and GIF files. For JPEG files with subsampled colors, as most have,
// its results differ from those of other decoders by a few of the 255 steps.
//
// Files may be damaged or hostile: the memory for decoding is computed from the header. It is an
// error if that is too much for the size of the file (MaxMemory sets another limit).
//
// The fuzz target is FuzzLoad, which sets the right checksums; ten minutes (265,000 files) found no
// panic and no file that takes more memory.
//
// It does not augment images, and models do not contain it: layers.Rescaling and
// resnet.PreprocessInput prepare the pixels.
//
// Order of use: FromDirectory; or Load and Resize.
//
//	file          what it holds
//	image.go      Load and Resize; the conversion of images to numbers
//	decode.go     the decoding of files, within a budget
//	resize.go     the methods of resizing, row by row
//	directory.go  the options; FromDirectory: a dataset of a directory with a subdirectory for each class
package images
