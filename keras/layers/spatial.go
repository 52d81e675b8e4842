package layers

// This file defines the layers that change the sizes of the spatial dimensions: UpSampling,
// ZeroPadding and Cropping over one, two or three of them. Inputs are channels last.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// UpSamplingLayer repeats the elements of spatial dimensions, or interpolates between
// them: keras.layers.UpSampling1D, UpSampling2D, UpSampling3D.
type UpSamplingLayer struct{ declared }

// UpSampling1D returns a layer that repeats steps. Options: Name, Size.
func UpSampling1D(opts ...Option) *UpSamplingLayer {
	return declare[*UpSamplingLayer]("UpSampling1D", opts)
}

// UpSampling2D returns a layer that enlarges images. Options: Name, Size, DataFormat,
// Interpolation ("nearest" by default).
func UpSampling2D(opts ...Option) *UpSamplingLayer {
	return declare[*UpSamplingLayer]("UpSampling2D", opts)
}

// UpSampling3D returns a layer that repeats the elements of volumes. Options: Name,
// Size, DataFormat.
func UpSampling3D(opts ...Option) *UpSamplingLayer {
	return declare[*UpSamplingLayer]("UpSampling3D", opts)
}

// Size sets the factor of an UpSampling: one number for all dimensions, or one for each. The
// default is 2.
func Size(n ...int) Option { return set("Size", n) }

// Interpolation sets how images are resized: "nearest", "bilinear", "bicubic",
// "lanczos3" or "lanczos5".
func Interpolation(kind string) Option { return set("Interpolation", kind) }

func newUpSampling(d declared, rank int) *UpSamplingLayer {
	d.opts.window.toRank(&d.Base, rank, false)
	return &UpSamplingLayer{d}
}

// Build checks the input.
func (l *UpSamplingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkSpatial(inputs, len(l.opts.window.size))
}

// Call enlarges.
func (l *UpSamplingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	for i, factor := range l.opts.window.size {
		if l.opts.interpolation == "nearest" {
			x = repeat(x, i+1, factor)
		} else {
			x = resize(x, i+1, x.Shape().Dimensions[i+1]*factor, l.opts.interpolation, false)
		}
	}
	return []*graph.Node{x}
}

// repeat repeats each element of an axis.
func repeat(x *graph.Node, axis, times int) *graph.Node {
	dims := slices.Clone(x.Shape().Dimensions)
	x = graph.BroadcastToDims(graph.InsertAxes(x, axis+1), slices.Insert(slices.Clone(dims), axis+1, times)...)
	dims[axis] *= times
	return graph.Reshape(x, dims...)
}

// edges are the numbers of elements before and after each spatial dimension, in one list.
type edges []int

// Assign takes lists, nested or not.
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
	if !add(v) || len(*e) == 0 || slices.Min(*e) < 0 || slices.Max(*e) > maxSize {
		return fmt.Errorf("got %v, want numbers from 0 to %d", v, maxSize)
	}
	return nil
}

// Read returns pairs, or one pair for one dimension.
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

// toRank gives each spatial dimension two numbers: one number is for all sides, and of as
// many numbers as dimensions each is for both sides of one.
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

// ZeroPaddingLayer adds zeros around the spatial dimensions: keras.layers.ZeroPadding1D,
// ZeroPadding2D, ZeroPadding3D.
type ZeroPaddingLayer struct{ declared }

// ZeroPadding1D returns a layer that adds zero steps. padding is one number for both
// sides, or one for each. Options: Name, DataFormat.
func ZeroPadding1D[S Sizes](padding S, opts ...Option) *ZeroPaddingLayer {
	return declare[*ZeroPaddingLayer]("ZeroPadding1D", []Option{set("ZeroPadding", sizesOf(padding))}, opts)
}

// ZeroPadding2D returns a layer that pads images, channels last, with zeros.
// padding is one number for all sides, two for height and width, or four for
// top, bottom, left and right. Options: Name, DataFormat.
func ZeroPadding2D[S Sizes](padding S, opts ...Option) *ZeroPaddingLayer {
	return declare[*ZeroPaddingLayer]("ZeroPadding2D", []Option{set("ZeroPadding", sizesOf(padding))}, opts)
}

// ZeroPadding3D returns a layer that pads volumes with zeros. padding is one number for
// all sides, three for the dimensions, or six. Options: Name, DataFormat.
func ZeroPadding3D[S Sizes](padding S, opts ...Option) *ZeroPaddingLayer {
	return declare[*ZeroPaddingLayer]("ZeroPadding3D", []Option{set("ZeroPadding", sizesOf(padding))}, opts)
}

func newZeroPadding(d declared, rank int) *ZeroPaddingLayer {
	d.opts.edges.toRank(&d.Base, "padding", rank)
	return &ZeroPaddingLayer{d}
}

// Build checks the input.
func (l *ZeroPaddingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkSpatial(inputs, len(l.opts.edges)/2)
}

// Call pads.
func (l *ZeroPaddingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	pad := make([]graph.PadAxis, x.Rank())
	for i, e := range l.opts.edges.pairs() {
		pad[i+1] = graph.PadAxis{Start: e[0], End: e[1]}
	}
	return []*graph.Node{graph.Pad(x, graph.ScalarZero(x.Graph(), x.DType()), pad...)}
}

// CroppingLayer drops the edges of the spatial dimensions: keras.layers.Cropping1D,
// Cropping2D, Cropping3D.
type CroppingLayer struct{ declared }

// Cropping1D returns a layer that drops steps. cropping is one number for both sides, or
// one for each. Options: Name.
func Cropping1D[S Sizes](cropping S, opts ...Option) *CroppingLayer {
	return declare[*CroppingLayer]("Cropping1D", []Option{set("Cropping", sizesOf(cropping))}, opts)
}

// Cropping2D returns a layer that drops the edges of images. cropping is one number for
// all sides, two for height and width, or four for top, bottom, left and right. Options:
// Name, DataFormat.
func Cropping2D[S Sizes](cropping S, opts ...Option) *CroppingLayer {
	return declare[*CroppingLayer]("Cropping2D", []Option{set("Cropping", sizesOf(cropping))}, opts)
}

// Cropping3D returns a layer that drops the edges of volumes. cropping is one number for
// all sides, three for the dimensions, or six. Options: Name, DataFormat.
func Cropping3D[S Sizes](cropping S, opts ...Option) *CroppingLayer {
	return declare[*CroppingLayer]("Cropping3D", []Option{set("Cropping", sizesOf(cropping))}, opts)
}

func newCropping(d declared, rank int) *CroppingLayer {
	d.opts.edges.toRank(&d.Base, "cropping", rank)
	return &CroppingLayer{d}
}

// Build checks the input.
func (l *CroppingLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkSpatial(inputs, len(l.opts.edges)/2); err != nil {
		return err
	}
	return l.check(inputs[0].Shape)
}

// check returns an error if nothing of an input is left.
func (l *CroppingLayer) check(shape []int) error {
	for i, e := range l.opts.edges.pairs() {
		if n := shape[i+1]; n >= 0 && n <= e[0]+e[1] {
			return fmt.Errorf("got an input of shape %s, of which the cropping %v leaves nothing: want more than %d elements in dimension %d",
				ShapeText(shape), l.opts.edges.Read(), e[0]+e[1], i+1)
		}
	}
	return nil
}

// Call crops.
func (l *CroppingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	if err := l.check(x.Shape().Dimensions); err != nil {
		panic(err)
	}
	kept := slices.Repeat([]graph.SliceAxisSpec{graph.AxisRange()}, x.Rank())
	for i, e := range l.opts.edges.pairs() {
		kept[i+1] = graph.AxisRange(e[0], x.Shape().Dimensions[i+1]-e[1])
	}
	return []*graph.Node{graph.Slice(x, kept...)}
}
