package layers

// This file defines the frame of the layers that change images at random while training:
// each draws its numbers for a batch, and returns the function of images that they make.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// AugmentationLayer changes images at random while training: keras.layers.RandomFlip and the
// other layers of image augmentation. Its input is channels last.
//
// The random numbers are those of Keras on JAX with the same seed: they depend on the seed, on
// how often the layer was called, and on the global index of the image. They do not depend on
// the mesh, and no device needs the images of another one.
type AugmentationLayer struct {
	declared
	augmentation
	parts []*AugmentationLayer // the layers that it consists of
	generator
}

// generator makes the keys of a layer's random numbers. The zero value is that of a layer
// without any.
type generator struct {
	seed  *random.SeedGenerator
	state *variable.Variable
}

func (s *generator) build(b *Builder) (err error) {
	if s.seed != nil {
		s.state, err = b.SeedGenerator(s.seed)
	}
	return err
}

// drawing calls f with the numbers of a call.
func (s *generator) drawing(c *Context, f func(d *draws)) {
	d := &draws{}
	if s.state != nil {
		d.state = c.Value(s.state)
	}
	f(d)
	if s.state != nil {
		c.Assign(s.state, d.state)
	}
}

// augmentation is what a class of layers does.
type augmentation struct {
	// draw draws the random numbers for images of x's shape, and returns what they do to
	// images.
	draw func(l *AugmentationLayer, d *draws, x *graph.Node) change
	// infer is what the layer does when it is not training; nil is nothing.
	infer func(l *AugmentationLayer, x *graph.Node) *graph.Node
	// always says that numbers are drawn also when the layer is not training. Nothing needs
	// them, but Keras draws them, and the next ones shall be the same.
	always bool
	// fixed says that the layer has no random numbers.
	fixed bool
}

// change is a function of images [batch, height, width, channels].
type change func(x *graph.Node) *graph.Node

func newAugmentation(d declared, a augmentation) *AugmentationLayer {
	l := &AugmentationLayer{declared: d, augmentation: a}
	if !a.fixed {
		l.seed = l.opts.seedGenerator()
	}
	return l
}

// Build checks the input and makes the state of the seed generator.
func (l *AugmentationLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkSpatial(inputs, 2); err != nil {
		return err
	}
	return l.generator.build(b)
}

// Call changes the images while training.
func (l *AugmentationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	apply := nothing
	if c.Training || l.always {
		l.drawing(c, func(d *draws) { apply = l.draw(l, d, x) })
	}
	switch {
	case c.Training:
		x = apply(x)
	case l.infer != nil:
		x = l.infer(l, x)
	}
	return []*graph.Node{x}
}

// Parts returns the layers that the layer consists of. They draw from its seed.
func (l *AugmentationLayer) Parts() (parts []Part) {
	for _, p := range l.parts {
		parts = append(parts, Part{Field: p.class, Layers: []Layer{p}})
	}
	return parts
}

// consistOf makes a layer of a class a part. It has the value range, the interpolation and the
// seed of l.
func (l *AugmentationLayer) consistOf(class string, a augmentation, opts ...Option) {
	all := append([]Option{set("ValueRange", l.opts.valueRange), Interpolation(l.opts.interpolation), FillMode("reflect"), Bins(256)}, opts...)
	if l.opts.seed != nil {
		all = append(all, Seed(*l.opts.seed))
	}
	var takes []string
	for _, o := range all {
		takes = append(takes, o.Name)
	}
	d := declared{}
	d.opts = d.configure(class, all, takes...)
	d.class = class
	if d.err != nil {
		l.fail("%w", d.err)
	}
	l.parts = append(l.parts, newAugmentation(d, a))
}

// draws are the random numbers of a call. Each takes the next key of the layer's seed, as in
// Keras.
type draws struct{ state *graph.Node }

func (d *draws) key() random.TracedKey {
	key, next := random.Next(d.state)
	d.state = next
	return key
}

// uniform draws float32 numbers in [low, high).
func (d *draws) uniform(low, high float64, dims ...int) *graph.Node {
	return d.uniformOf(dtypes.Float32, low, high, dims...)
}

// uniformOf draws numbers of a type. An empty range is one number.
func (d *draws) uniformOf(dtype dtypes.DType, low, high float64, dims ...int) *graph.Node {
	key := d.key()
	if low >= high {
		return graph.BroadcastToDims(graph.Scalar(key.Node().Graph(), dtype, low), dims...)
	}
	return key.Uniform(dtype, low, high, dims...)
}

// choose draws which images are changed, bool [batch, 1, 1, 1]: each with a probability that
// is itself drawn from a factor.
func (d *draws) choose(f factor, batch int) *graph.Node {
	probability := d.uniform(f.low, f.high, batch, 1, 1, 1)
	return graph.LessThan(d.uniform(0, 1, batch, 1, 1, 1), probability)
}

// perImage draws a number of a factor for each image, [batch, 1, 1, 1], in the type of x.
func (d *draws) perImage(f factor, x *graph.Node) *graph.Node {
	return graph.ConvertDType(d.uniform(f.low, f.high, batchOf(x), 1, 1, 1), x.DType())
}

// sign draws -1 or 1 for each image.
func (d *draws) sign(dtype dtypes.DType, dims ...int) *graph.Node {
	u := d.uniformOf(dtype, 0, 1, dims...)
	return graph.Where(graph.GreaterThan(u, like(u, 0.5)), like(u, -1), like(u, 1))
}

func batchOf(x *graph.Node) int { return x.Shape().Dim(0) }

// nothing leaves images as they are.
func nothing(x *graph.Node) *graph.Node { return x }

// sampling is how a layer finds elements between pixels.
func (o *options) sampling() pixels.Sampling {
	return pixels.Sampling{Interpolation: o.interpolation, FillMode: o.fillMode, FillValue: o.fillValue}
}

// newWarp is newAugmentation of layers with an interpolation.
func newWarp(d declared, a augmentation) *AugmentationLayer {
	if i := d.opts.interpolation; i != "nearest" && i != "bilinear" {
		d.fail("%s: Interpolation: got %q, want nearest or bilinear", d.class, i)
	}
	return newAugmentation(d, a)
}

// clip keeps numbers in the value range of the layer.
func (o *options) clip(x *graph.Node) *graph.Node {
	return pixels.Clip(x, o.valueRange[0], o.valueRange[1])
}

// colorRange is the range in which some layers compute.
var colorRange = [2]float64{0, 255}

// inColors applies f to images whose numbers are between 0 and 255, and returns the result in
// the value range of the layer.
func (o *options) inColors(x *graph.Node, f change) *graph.Node {
	r := [2]float64(o.valueRange)
	return pixels.Rescale(f(pixels.Rescale(x, r, colorRange)), colorRange, r)
}
