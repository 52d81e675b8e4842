package ops

// This file defines the operations on images, [batch, height, width, channels]:
// keras.ops.image.

import "github.com/gospmd/gospmd/keras/layers"

// RGBToGrayscale returns the brightness of pixels, with one channel.
func RGBToGrayscale(x *layers.Tensor) *layers.Tensor { return ofImages("RGBToGrayscale", x) }

// RGBToHSV returns hue, saturation and value of pixels of red, green and blue.
func RGBToHSV(x *layers.Tensor) *layers.Tensor { return ofImages("RGBToHSV", x) }

// HSVToRGB returns red, green and blue of pixels of hue, saturation and value.
func HSVToRGB(x *layers.Tensor) *layers.Tensor { return ofImages("HSVToRGB", x) }

// GaussianBlur returns images that are smoothed over kernelSize pixels, odd numbers for width
// and height, by normal distributions of the standard deviations sigma.
func GaussianBlur(x *layers.Tensor, kernelSize []int, sigma []float64) *layers.Tensor {
	return layers.Operate("GaussianBlur", []any{x}, map[string]any{"kernel_size": kernelSize, "sigma": sigma, "data_format": "channels_last"})
}

// AffineTransform moves pixels by transforms of 8 numbers, for each image or for all:
// (a0·x + a1·y + a2, b0·x + b1·y + b2) is where (x, y) of the result comes from. interpolation is
// "nearest" or "bilinear", fillMode "constant", "nearest", "wrap", "mirror" or "reflect".
func AffineTransform(images, transform *layers.Tensor, interpolation, fillMode string, fillValue float64) *layers.Tensor {
	return layers.Operate("AffineTransform", []any{images, transform}, map[string]any{"interpolation": interpolation, "fill_mode": fillMode, "fill_value": fillValue, "data_format": nil})
}

// PerspectiveTransform moves four points (x, y) of each image, from [batch, 4, 2], to others.
func PerspectiveTransform(images, from, to *layers.Tensor, interpolation string, fillValue float64) *layers.Tensor {
	return layers.Operate("PerspectiveTransform", []any{images, from, to}, map[string]any{"interpolation": interpolation, "fill_value": fillValue, "data_format": nil})
}

// MapCoordinates returns the elements of x at coordinates, [rank of x, ...]: the nearest ones
// (order 0), or between neighbours (order 1).
func MapCoordinates(x, coordinates *layers.Tensor, order int, fillMode string, fillValue float64) *layers.Tensor {
	return layers.Operate("MapCoordinates", []any{x, coordinates}, map[string]any{"order": order, "fill_mode": fillMode, "fill_value": fillValue})
}

func ofImages(class string, x *layers.Tensor) *layers.Tensor {
	return layers.Operate(class, []any{x}, map[string]any{"data_format": nil})
}
