// Package pixels computes on nodes that hold images, float numbers [batch, height, width,
// channels]: what keras.ops.image computes, in the order of operations of Keras on JAX.
//
// All of it is local to an image, so that a batch that is sharded stays sharded.
//
// It draws no random numbers and knows no options of layers: package layers does. Images of
// files are the subject of keras/images.
//
// Order of use: Affine or Perspective with a Sampling; the functions of colors on their own.
//
//	file         what it holds
//	sample.go    Sample, Map: the elements of images and tensors between pixels; Sampling
//	warp.go      Affine, Perspective: which place of the input each pixel of the output comes from
//	color.go     Grayscale, RGBToHSV, HSVToRGB, Clip, Rescale
//	filter.go    Blur, Filter: sums over neighbours; CheckBlur
//	fit.go       Fit: another size for images, with or without their proportions
//	histogram.go Equalize: the histograms of channels
//	contrast.go  LimitContrast: the histograms of tiles
//	resize.go    Resize: another size for an axis, bilinear, bicubic, lanczos or nearest
package pixels
