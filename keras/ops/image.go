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

func ofImages(class string, x *layers.Tensor) *layers.Tensor {
	return layers.Operate(class, []any{x}, map[string]any{"data_format": nil})
}
