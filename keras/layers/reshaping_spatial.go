package layers

// This file defines the layers that change the sizes of the spatial dimensions: UpSampling,
// ZeroPadding and Cropping over one, two or three of them; and their options. Inputs are channels
// last.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// spatialClasses has the layers that enlarge, pad and crop: by the name of the class in Keras, how
// a layer is made of its options.
var spatialClasses = map[string]class{
	"UpSampling1D": classOf(func(d declared, o *upSamplingOptions) Layer { return newUpSampling(d, o, 1) }),
	"UpSampling2D": classOf(func(d declared, o *imageUpSamplingOptions) Layer {
		l := newUpSampling(d, &o.upSamplingOptions, 2)
		l.interpolation = o.Interpolation
		return l
	}),
	"UpSampling3D": classOf(func(d declared, o *volumeUpSamplingOptions) Layer { return newUpSampling(d, &o.upSamplingOptions, 3) }),

	"ZeroPadding1D": classOf(func(d declared, o *zeroPaddingOptions) Layer { return newZeroPadding(d, o, 1) }),
	"ZeroPadding2D": classOf(func(d declared, o *zeroPaddingOptions) Layer { return newZeroPadding(d, o, 2) }),
	"ZeroPadding3D": classOf(func(d declared, o *zeroPaddingOptions) Layer { return newZeroPadding(d, o, 3) }),
	"Cropping1D":    classOf(func(d declared, o *croppingOptions) Layer { return newCropping(d, o, 1) }),
	"Cropping2D":    classOf(func(d declared, o *imageCroppingOptions) Layer { return newCropping(d, &o.croppingOptions, 2) }),
	"Cropping3D":    classOf(func(d declared, o *imageCroppingOptions) Layer { return newCropping(d, &o.croppingOptions, 3) }),
}

// upSamplingOptions holds the option of UpSampling1D: how often steps are repeated, 2 by default.
type upSamplingOptions struct {
	Size option.Ints `option:"size" default:"2" want:"sizes"`
}

// volumeUpSamplingOptions holds the options of UpSampling3D: the factors of depth, height and
// width, and DataFormat.
type volumeUpSamplingOptions struct {
	upSamplingOptions
	formatOptions
}

// imageUpSamplingOptions holds the options of UpSampling2D: the factors of height and width,
// DataFormat and Interpolation.
type imageUpSamplingOptions struct {
	volumeUpSamplingOptions
	Interpolation string `option:"interpolation" default:"nearest" oneof:"bicubic bilinear lanczos3 lanczos5 nearest"`
}

// zeroPaddingOptions holds the options of ZeroPadding: the numbers of zeros before and after each
// spatial dimension, and DataFormat.
type zeroPaddingOptions struct {
	ZeroPadding edges `argument:"padding"`
	formatOptions
}

// croppingOptions holds the option of Cropping1D: how many steps are cut off at the start and at
// the end.
type croppingOptions struct {
	Cropping edges `argument:"cropping"`
}

// imageCroppingOptions holds the options of Cropping2D and Cropping3D: how much is cut off before
// and after each spatial dimension, and DataFormat.
type imageCroppingOptions struct {
	croppingOptions
	formatOptions
}

// UpSamplingLayer repeats the elements of spatial dimensions, or interpolates between
// them: keras.layers.UpSampling1D, UpSampling2D, UpSampling3D.
type UpSamplingLayer struct {
	declared
	opts          *upSamplingOptions
	interpolation string
}

// UpSampling1D returns a layer that repeats each step Size times, twice by default. Options: Name,
// Size.
func UpSampling1D(opts ...Option) *UpSamplingLayer {
	return declare[*UpSamplingLayer]("UpSampling1D", opts)
}

// UpSampling2D returns a layer that enlarges images by the factors of Size, 2 by default. Options:
// Name, Size, DataFormat, Interpolation ("nearest" by default).
func UpSampling2D(opts ...Option) *UpSamplingLayer {
	return declare[*UpSamplingLayer]("UpSampling2D", opts)
}

// UpSampling3D returns a layer that repeats the elements of volumes along each dimension, Size
// times. Options: Name, Size, DataFormat.
func UpSampling3D(opts ...Option) *UpSamplingLayer {
	return declare[*UpSamplingLayer]("UpSampling3D", opts)
}

// Size sets the factor of an UpSampling: one number for all dimensions, or one for each. The
// default is 2. Numbers below 1 are errors.
func Size(n ...int) Option { return set("Size", n) }

// Interpolation sets how UpSampling2D, Resizing and augmentations that move pixels compute values
// between pixels: "nearest", "bilinear", "bicubic", "lanczos3" or "lanczos5". Augmentations take
// only the first two. The default is "nearest" for UpSampling2D, and "bilinear" for the rest.
// Others are errors.
func Interpolation(kind string) Option { return set("Interpolation", kind) }

func newUpSampling(d declared, o *upSamplingOptions, rank int) *UpSamplingLayer {
	d.toRank("size of the window", (*[]int)(&o.Size), rank)
	return &UpSamplingLayer{d, o, "nearest"}
}

// Build returns an error unless the input has a batch, as many spatial dimensions as Size has
// factors, and channels.
func (l *UpSamplingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkSpatial(inputs, len(l.opts.Size))
}

// Call returns the input with each spatial dimension enlarged by its factor: it repeats elements,
// or interpolates.
func (l *UpSamplingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	for i, factor := range l.opts.Size {
		if l.interpolation == "nearest" {
			x = nodes.Repeat(x, i+1, factor)
		} else {
			x = pixels.Resize(x, i+1, x.Shape().Dimensions[i+1]*factor, l.interpolation, false)
		}
	}
	return []*graph.Node{x}
}

// edges lists numbers of elements that are added or removed at the sides of spatial dimensions.
// After toRank it holds two for each dimension, before and after it: [before0, after0, before1,
// after1]. Before toRank it is the list that the caller gave, which may be shorter.
type edges []int

// Assign sets the edges to the numbers of v, in lists that may be nested. Numbers that are
// negative, too large or not whole are errors.
func (e *edges) Assign(v any) error {
	*e = nil
	var add func(v any) bool
	add = func(v any) bool {
		switch v := v.(type) {
		case float64:
			*e = append(*e, int(v))
			return v == float64(int(v))
		case []int:
			*e = append(*e, v...)
		case []any:
			return !slices.ContainsFunc(v, func(x any) bool { return !add(x) })
		default:
			return false
		}
		return true
	}
	if !add(v) || len(*e) == 0 || slices.Min(*e) < 0 || slices.Max(*e) > option.MaxSize {
		return fmt.Errorf("got %v, want numbers from 0 to %d", v, option.MaxSize)
	}
	return nil
}

// Read returns the list for a config: two numbers for one dimension, else a pair for each
// dimension.
func (e *edges) Read() any {
	if len(*e) == 2 {
		return []int(*e)
	}
	return e.pairs()
}

func (e *edges) pairs() (out [][2]int) {
	for i := 0; i+1 < len(*e); i += 2 {
		out = append(out, [2]int{(*e)[i], (*e)[i+1]})
	}
	return out
}

// toRank extends the list, the option what, to two numbers (both sides) for each of rank spatial
// dimensions: from one number, or one for each dimension. Any other length becomes the layer's
// error.
func (e *edges) toRank(b *Base, what string, rank int) {
	given := *e
	switch len(given) {
	case 2 * rank:
		return
	case 1:
		given = slices.Repeat(given, rank)
	}
	if b.err == nil && len(given) != rank {
		b.fail("%s: got %s %v, want one number, %d or %d", b.class, what, given, rank, 2*rank)
	}
	*e = nil
	for _, n := range given {
		*e = append(*e, n, n)
	}
}

// ZeroPaddingLayer adds zeros before and after the spatial dimensions: keras.layers.ZeroPadding1D,
// ZeroPadding2D, ZeroPadding3D.
type ZeroPaddingLayer struct {
	declared
	opts *zeroPaddingOptions
}

// ZeroPadding1D returns a layer that adds steps of zeros. padding is one number for both ends, or
// two: at the start and at the end. Others, and negative numbers, are errors of the layer. Options:
// Name, DataFormat.
func ZeroPadding1D[S Sizes](padding S, opts ...Option) *ZeroPaddingLayer {
	return declare[*ZeroPaddingLayer]("ZeroPadding1D", []Option{set("ZeroPadding", sizesOf(padding))}, opts)
}

// ZeroPadding2D returns a layer that pads images with zeros. padding is one number for all sides,
// two for height and width, or four for top, bottom, left and right. Others, and negative numbers,
// are errors of the layer. Options: Name, DataFormat.
func ZeroPadding2D[S Sizes](padding S, opts ...Option) *ZeroPaddingLayer {
	return declare[*ZeroPaddingLayer]("ZeroPadding2D", []Option{set("ZeroPadding", sizesOf(padding))}, opts)
}

// ZeroPadding3D returns a layer that pads volumes with zeros. padding is one number for all sides,
// three for depth, height and width, or six, two sides for each. Others, and negative numbers, are
// errors of the layer. Options: Name, DataFormat.
func ZeroPadding3D[S Sizes](padding S, opts ...Option) *ZeroPaddingLayer {
	return declare[*ZeroPaddingLayer]("ZeroPadding3D", []Option{set("ZeroPadding", sizesOf(padding))}, opts)
}

func newZeroPadding(d declared, o *zeroPaddingOptions, rank int) *ZeroPaddingLayer {
	o.ZeroPadding.toRank(&d.Base, "padding", rank)
	return &ZeroPaddingLayer{d, o}
}

// Build returns an error unless the input has a batch, the layer's spatial dimensions and channels.
func (l *ZeroPaddingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkSpatial(inputs, len(l.opts.ZeroPadding)/2)
}

// Call returns the input with zeros at both ends of each spatial dimension.
func (l *ZeroPaddingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	pad := make([]graph.PadAxis, x.Rank())
	for i, e := range l.opts.ZeroPadding.pairs() {
		pad[i+1] = graph.PadAxis{Start: e[0], End: e[1]}
	}
	return []*graph.Node{graph.Pad(x, graph.ScalarZero(x.Graph(), x.DType()), pad...)}
}

// CroppingLayer cuts off the edges of the spatial dimensions: keras.layers.Cropping1D, Cropping2D,
// Cropping3D.
type CroppingLayer struct {
	declared
	opts *croppingOptions
}

// Cropping1D returns a layer that cuts off steps. cropping is one number for both ends, or two: at
// the start and at the end. Others, and negative numbers, are errors of the layer. Options: Name.
func Cropping1D[S Sizes](cropping S, opts ...Option) *CroppingLayer {
	return declare[*CroppingLayer]("Cropping1D", []Option{set("Cropping", sizesOf(cropping))}, opts)
}

// Cropping2D returns a layer that drops the edges of images. cropping is one number for all sides,
// two for height and width, or four for top, bottom, left and right. Others, and negative numbers,
// are errors of the layer. Options: Name, DataFormat.
func Cropping2D[S Sizes](cropping S, opts ...Option) *CroppingLayer {
	return declare[*CroppingLayer]("Cropping2D", []Option{set("Cropping", sizesOf(cropping))}, opts)
}

// Cropping3D returns a layer that cuts off the edges of volumes. cropping is one number for all
// sides, three for depth, height and width, or six, two sides for each. Others, and negative
// numbers, are errors of the layer. Options: Name, DataFormat.
func Cropping3D[S Sizes](cropping S, opts ...Option) *CroppingLayer {
	return declare[*CroppingLayer]("Cropping3D", []Option{set("Cropping", sizesOf(cropping))}, opts)
}

func newCropping(d declared, o *croppingOptions, rank int) *CroppingLayer {
	o.Cropping.toRank(&d.Base, "cropping", rank)
	return &CroppingLayer{d, o}
}

// Build returns an error unless the input has a batch, the layer's spatial dimensions and channels,
// and elements are left after cropping.
func (l *CroppingLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkSpatial(inputs, len(l.opts.Cropping)/2); err != nil {
		return err
	}
	return l.check(inputs[0].Shape)
}

// check returns an error if the cropping leaves nothing of a spatial dimension of an input of this
// shape, the batch included. Open dimensions are not checked.
func (l *CroppingLayer) check(shape []int) error {
	for i, e := range l.opts.Cropping.pairs() {
		if n := shape[i+1]; n >= 0 && n <= e[0]+e[1] {
			return fmt.Errorf("got an input of shape %s, of which the cropping %v leaves nothing: want more than %d elements in dimension %d",
				ShapeText(shape), l.opts.Cropping.Read(), e[0]+e[1], i+1)
		}
	}
	return nil
}

// Call returns the input without the elements at both ends of each spatial dimension that Cropping
// names. It panics if nothing is left of a dimension.
func (l *CroppingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	if err := l.check(x.Shape().Dimensions); err != nil {
		panic(err)
	}
	kept := slices.Repeat([]graph.SliceAxisSpec{graph.AxisRange()}, x.Rank())
	for i, e := range l.opts.Cropping.pairs() {
		kept[i+1] = graph.AxisRange(e[0], x.Shape().Dimensions[i+1]-e[1])
	}
	return []*graph.Node{graph.Slice(x, kept...)}
}
