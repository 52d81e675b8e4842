package layers

// This file defines the augmentations that consist of others: RandomColorJitter, RandAugment.

import (
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// RandomColorJitter returns a layer that changes brightness, contrast, saturation and hue, in
// this order, as far as they have factors. Options: Name, BrightnessFactor, ContrastFactor,
// SaturationFactor, HueFactor, ValueRange, Seed, DataFormat, DType.
func RandomColorJitter(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomColorJitter", opts)
}

// BrightnessFactor lets RandomColorJitter change the brightness, as RandomBrightness does.
func BrightnessFactor(factor any) Option { return set("BrightnessFactor", factor) }

// ContrastFactor lets RandomColorJitter change the contrast, as RandomContrast does.
func ContrastFactor(factor any) Option { return set("ContrastFactor", factor) }

// SaturationFactor lets RandomColorJitter change the saturation, as RandomSaturation does.
func SaturationFactor(factor any) Option { return set("SaturationFactor", factor) }

// HueFactor lets RandomColorJitter change the hue, as RandomHue does.
func HueFactor(factor any) Option { return set("HueFactor", factor) }

// RandAugment returns a layer that applies some of eleven augmentations, the same to all images
// of a batch (Cubuk et al., RandAugment, 2019). factor, their strength, is a number f, for 0 to
// f, or two numbers. Options: Name, NumOps (2), ValueRange, Interpolation ("bilinear" by
// default), Seed, DataFormat, DType.
//
// As in Keras all of them are computed, and Equalization adds up the histograms of all devices.
func RandAugment(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandAugment", []Option{set("Factor", factor)}, opts)
}

// NumOps sets how many augmentations RandAugment applies.
func NumOps(n int) Option { return set("NumOps", n) }

func newJitter(d declared) *AugmentationLayer {
	l := newAugmentation(d, augmentation{draw: drawAll})
	for _, p := range []struct {
		class  string
		does   augmentation
		option string
		factor factor
	}{
		{"RandomBrightness", randomBrightness, "SignedFactor", l.opts.brightness},
		{"RandomContrast", randomContrast, "Factor", l.opts.contrast},
		{"RandomSaturation", randomSaturation, "SignedFactor", l.opts.saturation},
		{"RandomHue", randomHue, "Factor", l.opts.hue},
	} {
		if p.factor.given != nil {
			l.consistOf(p.class, p.does, set(p.option, p.factor.given))
		}
	}
	return l
}

// drawAll makes an augmentation of those of the parts, one after the other.
func drawAll(l *AugmentationLayer, d *draws, x *graph.Node) change {
	changes := l.drawParts(d, x)
	return func(x *graph.Node) *graph.Node {
		for _, f := range changes {
			x = f(x)
		}
		return x
	}
}

// drawParts draws the numbers of all parts.
func (l *AugmentationLayer) drawParts(d *draws, x *graph.Node) (changes []change) {
	for _, p := range l.parts {
		changes = append(changes, p.draw(p, d, x))
	}
	return changes
}

// policyParts are the augmentations of RandAugment and AugMix: the parts of RandAugment, in the
// order in which Keras draws their numbers, and the options that the factor sets.
var policyParts = []policyPart{
	{"RandomShear", randomShear, "XFactor YFactor"},
	{"RandomTranslation", randomTranslation, "HeightFactor WidthFactor"},
	{"RandomRotation", randomRotation, "SignedFactor"},
	{"RandomBrightness", randomBrightness, "SignedFactor"},
	{"RandomColorDegeneration", randomColorDegeneration, "SignedFactor"},
	{"RandomContrast", randomContrast, "Factor"},
	{"RandomSharpness", randomSharpness, "Factor"},
	{"RandomPosterization", randomPosterization, "Bits"},
	{"Solarization", solarization, "AdditionFactor ThresholdFactor"},
	{"AutoContrast", autoContrast, ""},
	{"Equalization", equalization, ""},
}

// policyPart is an augmentation of a policy.
type policyPart struct {
	class   string
	does    augmentation
	factors string
}

// options returns the options that a factor sets.
func (p policyPart) options(f factor) (opts []Option) {
	for _, name := range strings.Fields(p.factors) {
		var v any = []float64{f.low, f.high}
		if name == "Bits" {
			v = max(1, int(8*f.high))
		}
		opts = append(opts, set(name, v))
	}
	return opts
}

func newRandAugment(d declared) *AugmentationLayer {
	l := newWarp(d, augmentation{draw: drawSome})
	l.consistOfPolicy(policyParts)
	return l
}

// consistOfPolicy makes augmentations parts, whose options the factor of l sets.
func (l *AugmentationLayer) consistOfPolicy(list []policyPart) {
	for _, p := range list {
		l.consistOf(p.class, p.does, p.options(l.opts.factor)...)
	}
}

// drawSome makes an augmentation of some of the parts, which are drawn for all images.
func drawSome(l *AugmentationLayer, d *draws, x *graph.Node) change {
	which := d.key().RandInt(dtypes.Int32, 0, int64(len(l.parts)), l.opts.numOps)
	changes := l.drawParts(d, x)
	return func(x *graph.Node) *graph.Node {
		for i := range l.opts.numOps {
			part := graph.Slice(which, graph.AxisRange(i, i+1))
			for k, f := range changes {
				chosen := graph.Equal(part, graph.Const(x.Graph(), []int32{int32(k)}))
				x = pixels.Select(graph.Reshape(chosen, 1, 1, 1, 1), f(x), x)
			}
		}
		return x
	}
}
