package ops

// This file defines the operations on images, [batch, height, width, channels]:
// keras.ops.image.

import "github.com/gospmd/gospmd/keras/layers"

// RGBToGrayscale converts images of red, green and blue, [batch, height, width, 3], to one channel,
// the brightness.
func RGBToGrayscale(x *layers.Tensor) *layers.Tensor { return ofImages("RGBToGrayscale", x) }

// RGBToHSV converts the channels red, green and blue of images, in [0, 1], to hue, saturation and
// value, in [0, 1].
func RGBToHSV(x *layers.Tensor) *layers.Tensor { return ofImages("RGBToHSV", x) }

// HSVToRGB converts the channels hue, saturation and value of images, in [0, 1], to red, green and
// blue, in [0, 1].
func HSVToRGB(x *layers.Tensor) *layers.Tensor { return ofImages("HSVToRGB", x) }

// GaussianBlur smooths images with a Gaussian kernel. kernelSize holds its sizes in pixels, two odd
// numbers. sigma holds its two standard deviations in pixels.
func GaussianBlur(x *layers.Tensor, kernelSize []int, sigma []float64) *layers.Tensor {
	return layers.Operate("GaussianBlur", []any{x}, map[string]any{"kernel_size": kernelSize, "sigma": sigma, "data_format": "channels_last"})
}

// AffineTransform transforms images by a0, a1, a2, b0, b1, b2 and two zeros, 8 numbers for each
// image or for all. The pixel (x, y) of the result comes from (a0·x + a1·y + a2, b0·x + b1·y + b2).
// interpolation is "nearest" or "bilinear". fillMode says what is beyond the edge: "constant",
// which is fillValue, "nearest", "wrap", "mirror" or "reflect".
func AffineTransform(images, transform *layers.Tensor, interpolation, fillMode string, fillValue float64) *layers.Tensor {
	return layers.Operate("AffineTransform", []any{images, transform}, map[string]any{"interpolation": interpolation, "fill_mode": fillMode, "fill_value": fillValue, "data_format": nil})
}

// PerspectiveTransform applies to each image the perspective transform that moves four points (x,
// y), in pixels, to four others. Both tensors of points are [batch, 4, 2]. interpolation is
// "nearest" or "bilinear"; pixels from beyond the edge become fillValue.
func PerspectiveTransform(images, from, to *layers.Tensor, interpolation string, fillValue float64) *layers.Tensor {
	return layers.Operate("PerspectiveTransform", []any{images, from, to}, map[string]any{"interpolation": interpolation, "fill_value": fillValue, "data_format": nil})
}

// MapCoordinates returns the values of x at coordinates, a tensor [rank of x, ...] of positions, in
// elements. It takes the nearest element (order 0), or interpolates between neighbours (order 1).
// fillMode says what is beyond the edge, as for FillMode; fillValue is the value for "constant".
func MapCoordinates(x, coordinates *layers.Tensor, order int, fillMode string, fillValue float64) *layers.Tensor {
	return layers.Operate("MapCoordinates", []any{x, coordinates}, map[string]any{"order": order, "fill_mode": fillMode, "fill_value": fillValue})
}

func ofImages(class string, x *layers.Tensor) *layers.Tensor {
	return layers.Operate(class, []any{x}, map[string]any{"data_format": nil})
}

// Borders holds how many pixels CropImages removes, or PadImages adds, at each side, and the size
// of the result. For height set two of Top, Bottom and Height, for width two of Left, Right and
// Width. The third is layers.None.
type Borders struct{ Top, Left, Bottom, Right, Height, Width int }

func (b Borders) attrs(what string) map[string]any {
	or := func(n int) any {
		if n == layers.None {
			return nil
		}
		return n
	}
	return map[string]any{"top_" + what: or(b.Top), "left_" + what: or(b.Left), "bottom_" + what: or(b.Bottom), "right_" + what: or(b.Right),
		"target_height": or(b.Height), "target_width": or(b.Width), "data_format": "channels_last"}
}

// CropImages returns images without the pixels at their borders that b says.
func CropImages(x *Tensor, b Borders) *Tensor {
	return layers.Operate("CropImages", []any{x}, b.attrs("cropping"))
}

// PadImages returns images with zeros added at the borders that b says.
func PadImages(x *Tensor, b Borders) *Tensor {
	return layers.Operate("PadImages", []any{x}, b.attrs("padding"))
}

// ExtractPatches returns windows of images, the pixels of each window as channels. size is one
// number, or one for each spatial dimension. Windows do not overlap by default. Options: Strides,
// Padding, DilationRate.
func ExtractPatches(x *Tensor, size []int, opts ...Option) *Tensor {
	return layers.Operate("ExtractPatches", []any{x}, with(opts, map[string]any{"size": numbers(size), "strides": nil, "dilation_rate": 1, "padding": "valid", "data_format": "channels_last"}))
}

// ExtractPatches3D is ExtractPatches of volumes [batch, depth, height, width, channels]. size is
// one number, or three.
func ExtractPatches3D(x *Tensor, size []int, opts ...Option) *Tensor {
	if len(size) == 1 {
		size = []int{size[0], size[0], size[0]}
	}
	return ExtractPatches(x, size, opts...)
}

// Resize resizes images to height × width, which are positive. interpolation is "bilinear",
// "nearest", "bicubic", "lanczos3" or "lanczos5". Images of integers stay integers, rounded.
// Options: Antialias, CropToAspectRatio, PadToAspectRatio, FillValue.
func Resize(x *Tensor, height, width int, interpolation string, opts ...Option) *Tensor {
	return layers.Operate("Resize", []any{x}, with(opts, map[string]any{"size": []int{height, width}, "interpolation": interpolation, "antialias": false,
		"crop_to_aspect_ratio": false, "pad_to_aspect_ratio": false, "fill_mode": "constant", "fill_value": 0.0, "data_format": "channels_last"}))
}

// Antialias sets whether Resize (by default not) and ScaleAndTranslate (by default) average more
// pixels where images become smaller, so that no details are skipped.
func Antialias(smooth bool) Option { return Option{"Antialias", "antialias", smooth} }

// CropToAspectRatio makes Resize first crop images to the aspect ratio of the result, in their
// middle. It is an error beside PadToAspectRatio.
func CropToAspectRatio() Option { return Option{"CropToAspectRatio", "crop_to_aspect_ratio", true} }

// PadToAspectRatio makes Resize first pad images to the aspect ratio of the result, on both sides,
// with FillValue. It is an error beside CropToAspectRatio.
func PadToAspectRatio() Option { return Option{"PadToAspectRatio", "pad_to_aspect_ratio", true} }

// FillValue sets the value of pixels beyond the edge for Resize with PadToAspectRatio, and for
// ElasticTransform with the FillMode "constant": 0 by default.
func FillValue(x float64) Option { return Option{"FillValue", "fill_value", x} }

// FillMode sets how ElasticTransform computes pixels beyond the edge: "reflect" (the default),
// "constant", "nearest", "wrap" or "mirror". Others are errors.
func FillMode(mode string) Option { return Option{"FillMode", "fill_mode", mode} }

// Interpolation sets how ElasticTransform computes values between pixels: "bilinear" (the default)
// or "nearest". Others are errors.
func Interpolation(kind string) Option { return Option{"Interpolation", "interpolation", kind} }

// ScaleAndTranslate returns a tensor of this shape: x with the dimensions dims resized by scale,
// and shifted by translation, in elements. Both are vectors with an element for each of dims.
// Elements from outside x are 0. method is "linear", "cubic", "lanczos3" or "lanczos5". Options:
// Antialias.
func ScaleAndTranslate(x *Tensor, shape []int, scale, translation *Tensor, dims []int, method string, opts ...Option) *Tensor {
	return layers.Operate("ScaleAndTranslate", []any{x, listed(shape), scale, translation}, with(opts, map[string]any{"spatial_dims": dims, "method": method, "antialias": true}))
}

// SobelEdges returns the Sobel gradients of images along a new last axis of size 2: vertical, then
// horizontal.
func SobelEdges(x *Tensor) *Tensor { return ofImages("SobelEdges", x) }

// SSIM returns the structural similarity index of each pair of images of x and y: 1 for equal ones.
// maxValue is the largest possible value of a pixel. Options: FilterSize.
func SSIM(x, y *Tensor, maxValue float64, opts ...Option) *Tensor {
	return layers.Operate("SSIM", []any{x, y}, with(opts, map[string]any{"max_val": maxValue, "filter_size": 11, "filter_sigma": 1.5, "k1": 0.01, "k2": 0.03, "data_format": "channels_last"}))
}

// FilterSize sets the size of SSIM's windows in pixels, 11 by default.
func FilterSize(n int) Option { return Option{"FilterSize", "filter_size", n} }

// ElasticTransform moves each pixel by alpha times a random distance, drawn from seed. The
// distances are smoothed by a Gaussian of standard deviation sigma pixels. Options: Interpolation,
// FillMode, FillValue.
func ElasticTransform(x *Tensor, alpha, sigma float64, seed int, opts ...Option) *Tensor {
	return layers.Operate("ElasticTransform", []any{x}, with(opts, map[string]any{"alpha": alpha, "sigma": sigma, "interpolation": "bilinear",
		"fill_mode": "reflect", "fill_value": 0.0, "seed": seed, "data_format": "channels_last"}))
}
