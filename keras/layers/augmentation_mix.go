package layers

// This file defines the augmentations that mix images, and their labels, with other ones of the
// batch: CutMix, MixUp; and their options.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// The classes of the layers of this file, which mix the images of a batch.
var (
	cutMix = classOf(func(d declared, o *cutMixOptions) Layer { return newMix(d, &o.seedOptions, o.draw, false) })
	mixUp  = classOf(func(d declared, o *mixUpOptions) Layer { return newMix(d, &o.seedOptions, o.draw, true) })
)

// cutMixOptions holds the options of CutMix: the range of the parameters of its beta distribution,
// Seed and DataFormat.
type cutMixOptions struct {
	Factor unitFactor `argument:"factor"`
	imageOptions
}

// mixUpOptions holds the options of MixUp: MixAlpha, both parameters of its beta distribution, Seed
// and DataFormat.
type mixUpOptions struct {
	MixAlpha float64 `argument:"alpha" want:"positive"`
	imageOptions
}

// MixLayer mixes each image with another image of the batch during training: keras.layers.CutMix,
// MixUp. ApplyAll(l, images, labels) mixes images and labels. Labels are one-hot, [batch, classes].
// The other image may be on another device; then devices exchange images.
type MixLayer struct {
	declared
	generator
	draw   func(d *draws, x *graph.Node) mixture
	always bool // draws also when it is not training, as Keras does
}

// mixture says how each image of a batch is mixed: the other image, how much its own label counts,
// and the function that mixes the images.
type mixture struct {
	order  *graph.Node // int32 [batch]: the other image
	weight *graph.Node // [batch, 1, 1, 1]: of the image's own label
	images func(own, other *graph.Node) *graph.Node
}

// CutMix returns a layer that pastes a rectangle of another image into each image (Yun et al.,
// CutMix, 2019). The size of the rectangle follows a beta distribution. factor is the range of its
// parameters: a number f stands for 0 to f, two numbers are the limits, within [0, 1]. Options:
// Name, Seed, DataFormat, DType.
func CutMix(factor any, opts ...Option) *MixLayer {
	return declare[*MixLayer]("CutMix", []Option{set("Factor", factor)}, opts)
}

// MixUp returns a layer that computes weighted means of pairs of images (Zhang et al., mixup,
// 2018). Both parameters of the beta distribution of the weights are alpha, which is positive.
// Options: Name, Seed, DataFormat, DType.
func MixUp(alpha float64, opts ...Option) *MixLayer {
	return declare[*MixLayer]("MixUp", []Option{set("MixAlpha", alpha)}, opts)
}

func newMix(d declared, seed *seedOptions, draw func(d *draws, x *graph.Node) mixture, always bool) *MixLayer {
	return &MixLayer{declared: d, generator: generator{seed: seed.generator()}, draw: draw, always: always}
}

// Build makes the state of the seed generator. Inputs are images, [batch, height, width, channels],
// and perhaps their labels, [batch, classes]; others are errors.
func (l *MixLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkSpatial(inputs[:min(1, len(inputs))], 2); err != nil {
		return err
	}
	if len(inputs) > 2 || len(inputs) == 2 && len(inputs[1].Shape) != 2 {
		return fmt.Errorf("got inputs %v, want images, or images and their labels (batch, classes)", inputs)
	}
	return l.generator.build(b)
}

// Call returns its inputs, images and perhaps labels, in the layer's compute type. While training,
// each is mixed with that of another sample of the batch. It moves the seed's state on when it
// draws: while training, and in MixUp always.
func (l *MixLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	out := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		out[i] = graph.ConvertDType(x, l.ComputeDType())
	}
	if !c.Training && !l.always {
		return out
	}
	var m mixture
	l.drawing(c, func(d *draws) { m = l.draw(d, out[0]) })
	if !c.Training {
		return out
	}
	other := func(x *graph.Node) *graph.Node { return graph.Gather(x, graph.InsertAxes(m.order, -1)) }
	out[0] = m.images(out[0], other(out[0]))
	if len(out) == 2 {
		out[1] = mix(out[1], other(out[1]), graph.Reshape(m.weight, batchOf(out[1]), 1))
	}
	return out
}

// mix returns weight·own + (1-weight)·other, element by element.
func mix(own, other, weight *graph.Node) *graph.Node {
	weight = graph.ConvertDType(weight, own.DType())
	return graph.Add(graph.Mul(weight, own), graph.Mul(graph.OneMinus(weight), other))
}

func (o *mixUpOptions) draw(d *draws, x *graph.Node) mixture {
	order := d.key().Permutation(batchOf(x))
	key := d.key()
	weight := key.Beta(graph.Scalar(x.Graph(), dtypes.Float32, o.MixAlpha), batchOf(x))
	weight = graph.Reshape(weight, batchOf(x), 1, 1, 1)
	return mixture{order, weight, func(own, other *graph.Node) *graph.Node { return mix(own, other, weight) }}
}

func (o *cutMixOptions) draw(d *draws, x *graph.Node) mixture {
	n := batchOf(x)
	alpha := graph.AddScalar(d.uniformOf(x.DType(), o.Factor.low, o.Factor.high), 1e-6)
	kept := graph.ConvertDType(d.key().Beta(graph.ConvertDType(alpha, dtypes.Float32), n), x.DType())
	side := graph.Reshape(graph.Sqrt(graph.OneMinus(kept)), n, 1)
	box := d.box(x, side, side)
	return mixture{d.key().Permutation(n), graph.OneMinus(box.area), func(own, other *graph.Node) *graph.Node {
		return pixels.Select(box.mask, other, own)
	}}
}
