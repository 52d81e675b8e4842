package layers

// This file defines the layers that prepare images: CenterCrop and Resizing, which give them
// another size, and MaxNumBoundingBoxes; and their options. Inputs are channels last.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// preprocessingClasses has the layers that prepare images and numbers: by the name of the class in
// Keras, how a layer is made of its options.
var preprocessingClasses = map[string]class{
	"CategoryEncoding":    classOf(func(d declared, o *categoryOptions) Layer { return &CategoryEncodingLayer{d, o} }),
	"CenterCrop":          classOf(func(d declared, o *imageSizeOptions) Layer { return &CenterCropLayer{d, o} }),
	"Discretization":      classOf(newDiscretization),
	"MaxNumBoundingBoxes": classOf(func(d declared, o *boxOptions) Layer { return &MaxNumBoundingBoxesLayer{d, o} }),
	"Normalization":       classOf(newNormalization),
	"Rescaling":           classOf(func(d declared, o *rescalingOptions) Layer { return &RescalingLayer{declared: d, opts: o} }),
	"Resizing":            classOf(newResizing),
}

// imageSizeOptions holds the options of CenterCrop, which other layers have too: Height and Width
// in pixels, and DataFormat.
type imageSizeOptions struct {
	Height int `argument:"height" want:"size"`
	Width  int `argument:"width" want:"size"`
	lastFormatOptions
}

// size returns Height and Width, in pixels, in this order.
func (o *imageSizeOptions) size() [2]int { return [2]int{o.Height, o.Width} }

// resizingOptions holds the options of Resizing: Height and Width in pixels, those in fitOptions,
// and DataFormat. ConstantFill only stands in files.
type resizingOptions struct {
	imageSizeOptions
	fitOptions
	ConstantFill string `argument:"fill_mode" default:"constant" oneof:"constant"`
}

// fitOptions says how an image is given another size: the interpolation, whether it is cropped or
// padded to the new proportions, the value of the padding, and whether it is smoothed.
type fitOptions struct {
	Interpolation     string  `option:"interpolation" default:"bilinear" oneof:"bicubic bilinear lanczos3 lanczos5 nearest"`
	CropToAspectRatio bool    `option:"crop_to_aspect_ratio"`
	PadToAspectRatio  bool    `option:"pad_to_aspect_ratio"`
	FillValue         float64 `option:"fill_value"`
	Antialias         bool    `option:"antialias"`
}

// boxOptions holds the options of MaxNumBoundingBoxes: the number of boxes, the value of boxes and
// labels that are added, the format's name, and DataFormat.
type boxOptions struct {
	MaxNumber int `argument:"max_number" want:"size"`
	BoxFill   int `option:"fill_value" default:"-1"`
	lastFormatOptions
	BoundingBoxFormat optional `option:"bounding_box_format"`
}

// CenterCropLayer cuts the middle out of images: keras.layers.CenterCrop.
type CenterCropLayer struct {
	declared
	opts *imageSizeOptions
}

// CenterCrop returns a layer that takes the middle, height x width, of images. Of images that are
// lower or narrower, it takes the largest middle of the same proportions and resizes it, bilinear.
// Options: Name, DataFormat, DType.
func CenterCrop(height, width int, opts ...Option) *CenterCropLayer {
	return declare[*CenterCropLayer]("CenterCrop", []Option{set("Height", height), set("Width", width)}, opts)
}

// Build returns an error unless the input is a batch of images.
func (l *CenterCropLayer) Build(_ *Builder, inputs []Spec) error { return checkSpatial(inputs, 2) }

// Call returns the middle of images. If they are smaller than the wanted size in a dimension, it
// resizes the largest middle part that has the wanted proportions.
func (l *CenterCropLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	in, out := pixels.Size(x), l.opts.size()
	if in[0] >= out[0] && in[1] >= out[1] {
		return []*graph.Node{pixels.Middle(x, out)}
	}
	x = pixels.Middle(x, pixels.Inscribe(in, out))
	for i, n := range out {
		x = pixels.Resize(x, i+1, n, "bilinear", false)
	}
	return []*graph.Node{x}
}

// ResizingLayer resizes images to one height and width: keras.layers.Resizing.
type ResizingLayer struct {
	declared
	opts *resizingOptions
}

// Resizing returns a layer that resizes images to height x width pixels. Integers are rounded and
// stay integers. Options: Name, Interpolation ("bilinear" by default), CropToAspectRatio,
// PadToAspectRatio, FillValue, Antialias, DataFormat, DType.
func Resizing(height, width int, opts ...Option) *ResizingLayer {
	return declare[*ResizingLayer]("Resizing", []Option{set("Height", height), set("Width", width)}, opts)
}

// CropToAspectRatio makes Resizing crop an image before it resizes it: to the largest part in the
// middle with the proportions of the result. It is an error beside PadToAspectRatio.
func CropToAspectRatio(crop bool) Option { return set("CropToAspectRatio", crop) }

// PadToAspectRatio makes Resizing pad an image before it resizes it: with FillValue at two sides,
// until it has the proportions of the result. It is an error beside CropToAspectRatio.
func PadToAspectRatio(pad bool) Option { return set("PadToAspectRatio", pad) }

// FillValue sets the value of pixels outside of an image: in Resizing with PadToAspectRatio, in
// RandomPerspective, and in augmentations with FillMode("constant"). It is 0 by default.
func FillValue(x float64) Option { return set("FillValue", x) }

// Antialias sets whether Resizing smooths images that become smaller, by means over more elements:
// false by default.
func Antialias(smooth bool) Option { return set("Antialias", smooth) }

func newResizing(d declared, o *resizingOptions) Layer {
	if o.CropToAspectRatio && o.PadToAspectRatio {
		d.fail("Resizing: got CropToAspectRatio and PadToAspectRatio, want one of them")
	}
	return &ResizingLayer{d, o}
}

// Build returns an error unless the input is a batch of images.
func (l *ResizingLayer) Build(_ *Builder, inputs []Spec) error { return checkSpatial(inputs, 2) }

// Call returns the images in the wanted size. Integers are rounded, limited to the range of their
// type, and keep it.
func (l *ResizingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	if x.DType().IsFloat() {
		x = graph.ConvertDType(x, l.ComputeDType())
	}
	x = l.opts.fit().Resize(x, l.opts.size())
	if dtype := inputs[0].DType(); !dtype.IsFloat() && x.DType() != dtype {
		x = nodes.Saturate(graph.Round(x), dtype)
	}
	return []*graph.Node{x}
}

// fit returns the options in the form that package pixels takes.
func (o *fitOptions) fit() pixels.Fit {
	return pixels.Fit{
		Interpolation: o.Interpolation, Crop: o.CropToAspectRatio, Pad: o.PadToAspectRatio, FillValue: o.FillValue, Antialias: o.Antialias,
	}
}

// MaxNumBoundingBoxesLayer cuts off or fills up the bounding boxes of each image, so that all
// images have the same number: keras.layers.MaxNumBoundingBoxes.
type MaxNumBoundingBoxesLayer struct {
	declared
	opts *boxOptions
}

// MaxNumBoundingBoxes returns a layer that keeps the first maxNumber boxes of each image, and fills
// up where there are fewer. It is applied to boxes (batch, boxes, 4) and their labels (batch,
// boxes), ApplyAll(l, boxes, labels), and returns both; Keras' layer takes them in a dict. Options:
// Name, BoxFill (-1), BoundingBoxFormat, DataFormat, DType.
func MaxNumBoundingBoxes(maxNumber int, opts ...Option) *MaxNumBoundingBoxesLayer {
	return declare[*MaxNumBoundingBoxesLayer]("MaxNumBoundingBoxes", []Option{set("MaxNumber", maxNumber)}, opts)
}

// BoxFill sets the value of all numbers of boxes and labels that MaxNumBoundingBoxes adds: -1 by
// default.
func BoxFill(n int) Option { return set("BoxFill", n) }

// BoundingBoxFormat names what the four numbers of a box are, such as "xyxy". Nothing depends on
// it.
func BoundingBoxFormat(name string) Option { return set("BoundingBoxFormat", name) }

// Build returns an error unless the inputs are boxes (batch, boxes, 4) and their labels (batch,
// boxes). It makes the layer keep the types of its inputs.
func (l *MaxNumBoundingBoxesLayer) Build(_ *Builder, inputs []Spec) error {
	l.KeepInputs()
	if len(inputs) != 2 || len(inputs[0].Shape) != 3 || inputs[0].Shape[2] != 4 || len(inputs[1].Shape) != 2 {
		return fmt.Errorf("got inputs %v, want boxes (batch, boxes, 4) and their labels (batch, boxes)", inputs)
	}
	return nil
}

// Call returns the boxes, [batch, MaxNumber, 4], and the labels, [batch, MaxNumber]: the first ones
// of the inputs, filled up with BoxFill where there are fewer.
func (l *MaxNumBoundingBoxesLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	out := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		dims := x.Shape().Clone().Dimensions
		more := l.opts.MaxNumber - dims[1]
		if out[i] = x; more <= 0 {
			out[i] = graph.SliceAxis(x, 1, graph.AxisRange(0, l.opts.MaxNumber))
			continue
		}
		dims[1] = more
		filler := graph.BroadcastToDims(graph.Scalar(x.Graph(), x.DType(), l.opts.BoxFill), dims...)
		out[i] = graph.Concatenate([]*graph.Node{x, filler}, 1)
	}
	return out
}
