// Package pixels implements the operations of keras.ops.image on nodes.
//
// Images are float tensors [batch, height, width, channels]. The functions compute in the order of
// operations of Keras on JAX. Each result depends on one image only, so a sharded batch stays
// sharded.
//
// It draws no random numbers and knows no options of layers: package layers does. Package
// keras/images reads images from files.
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
