package layers

// This file defines the augmentations that consist of others: RandomColorJitter, RandAugment,
// AugMix; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
)

// The classes of the layers of this file, which apply several augmentations.
var (
	randomColorJitter = classOf(newJitter)
	randAugment       = classOf(newRandAugment)
	augMix            = classOf(newAugMix)
)

// jitterOptions holds the options of RandomColorJitter: a factor for brightness, contrast,
// saturation and hue each, nil where it is not given, and those in colorOptions.
type jitterOptions struct {
	BrightnessFactor signedAsGiven `option:"brightness_factor"`
	ContrastFactor   unitAsGiven   `option:"contrast_factor"`
	SaturationFactor signedAsGiven `option:"saturation_factor"`
	HueFactor        unitAsGiven   `option:"hue_factor"`
	colorOptions
}

// randAugmentOptions holds the options of RandAugment: Factor, the range of the strength, NumOps,
// how many augmentations it applies, and those in policyOptions.
type randAugmentOptions struct {
	Factor unitFactor `argument:"factor" default:"0.5"`
	NumOps int        `option:"num_ops" default:"2" most:"64"`
	policyOptions
}

// augMixOptions holds the options of AugMix: the number and the depth of its chains, the range of
// the strength, the parameter of the weights, AllOps, and those in policyOptions.
type augMixOptions struct {
	NumChains      int        `option:"num_chains" default:"3" most:"64"`
	ChainDepth     int        `option:"chain_depth" default:"3" most:"64"`
	StrengthFactor unitFactor `option:"factor" default:"0.3"`
	MixAlpha       float64    `option:"alpha" default:"1" want:"positive"`
	AllOps         bool       `option:"all_ops" default:"true"`
	policyOptions
}

// policyOptions are the options that RandAugment and AugMix have in common. Their parts get
// Interpolation, ValueRange and Seed, too, but not DataFormat.
type policyOptions struct {
	Interpolation string `option:"interpolation" default:"bilinear" oneof:"nearest bilinear"`
	colorOptions
}

// ofParts returns the options that the parts of a layer get: ValueRange, and Seed if the layer has
// one.
func (o *colorOptions) ofParts() []Option {
	opts := []Option{set("ValueRange", []float64(o.ValueRange))}
	if o.Seed != nil {
		opts = append(opts, Seed(*o.Seed))
	}
	return opts
}

// ofParts returns the options that the parts of a layer get: ValueRange, Interpolation, and Seed if
// the layer has one.
func (o *policyOptions) ofParts() []Option {
	return append(o.colorOptions.ofParts(), Interpolation(o.Interpolation))
}

// RandomColorJitter returns a layer that changes brightness, contrast, saturation and hue, in this
// order. It changes only those with a factor among the options. Options: Name, BrightnessFactor,
// ContrastFactor, SaturationFactor, HueFactor, ValueRange, Seed, DataFormat, DType.
func RandomColorJitter(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomColorJitter", opts)
}

// BrightnessFactor makes RandomColorJitter change the brightness, as RandomBrightness does with
// this factor: a number f, for -f to f, or two numbers, within [-1, 1].
func BrightnessFactor(factor any) Option { return set("BrightnessFactor", factor) }

// ContrastFactor makes RandomColorJitter change the contrast, as RandomContrast does with this
// factor: a number f, or two, within [0, 1].
func ContrastFactor(factor any) Option { return set("ContrastFactor", factor) }

// SaturationFactor makes RandomColorJitter change the saturation, as RandomSaturation does with
// this factor: a number f, for -f to f, or two numbers, within [-1, 1].
func SaturationFactor(factor any) Option { return set("SaturationFactor", factor) }

// HueFactor makes RandomColorJitter change the hue, as RandomHue does with this factor: a number f,
// for 0 to f, or two numbers, within [0, 1].
func HueFactor(factor any) Option { return set("HueFactor", factor) }

// RandAugment returns a layer that applies some of eleven augmentations, the same to all images of
// a batch (Cubuk et al., RandAugment, 2019). factor, their strength, is a number f, for 0 to f, or
// two numbers, within [0, 1]. Options: Name, NumOps (2), ValueRange, Interpolation ("bilinear" by
// default), Seed, DataFormat, DType.
//
// As in Keras all of them are computed, and Equalization adds up the histograms of all devices.
func RandAugment(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandAugment", []Option{set("Factor", factor)}, opts)
}

// NumOps sets how many augmentations RandAugment applies to each batch, drawn at random and perhaps
// the same one twice: 2 by default. A number below 1 or above 64 is an error.
func NumOps(n int) Option { return set("NumOps", n) }

// AugMix returns a layer that mixes images with the results of chains of augmentations (Hendrycks
// et al., AugMix, 2020). The chains are the same for all images of a batch. Options: Name,
// NumChains (3), ChainDepth (3), StrengthFactor (0.3), MixAlpha (1), AllOps (on), ValueRange,
// Interpolation ("bilinear" by default), Seed, DataFormat, DType.
//
// As in Keras on JAX, the augmentations of the chains are chosen when a step is compiled, and
// their strengths are drawn for each batch. They are chosen by the seed; by Python's module random
// in Keras.
func AugMix(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("AugMix", opts)
}

// NumChains sets how many chains of augmentations AugMix mixes: 3 by default. A number below 1 or
// above 64 is an error.
func NumChains(n int) Option { return set("NumChains", n) }

// ChainDepth sets the largest number of augmentations in a chain of AugMix: 3 by default. A number
// below 1 or above 64 is an error.
func ChainDepth(n int) Option { return set("ChainDepth", n) }

// StrengthFactor sets the range of the strength of AugMix's augmentations: a number f, for 0 to f,
// or two numbers, within [0, 1]; 0.3 by default.
func StrengthFactor(factor any) Option { return set("StrengthFactor", factor) }

// MixAlpha sets the parameter of the beta and Dirichlet distributions of AugMix's weights, a
// positive number: 1 by default. A larger one makes weights more equal.
func MixAlpha(alpha float64) Option { return set("MixAlpha", alpha) }

// AllOps sets whether AugMix also changes brightness, colors, contrast and sharpness; by default
// it does.
func AllOps(all bool) Option { return set("AllOps", all) }

func newJitter(d declared, o *jitterOptions) Layer {
	l := newAugmentation(d, &o.seedOptions, augmentation{})
	l.draw = l.drawAll
	for _, p := range []struct {
		name   string
		class  class
		factor factor
	}{
		{"RandomBrightness", randomBrightness, o.BrightnessFactor.factor},
		{"RandomContrast", randomContrast, o.ContrastFactor.factor},
		{"RandomSaturation", randomSaturation, o.SaturationFactor.factor},
		{"RandomHue", randomHue, o.HueFactor.factor},
	} {
		if p.factor.given != nil {
			l.addPart(p.name, p.class, append(o.ofParts(), set("Factor", p.factor.given)))
		}
	}
	return l
}

// drawAll draws the random numbers of all parts of the layer, and returns the function that applies
// the parts' changes to images, one after the other.
func (l *AugmentationLayer) drawAll(d *draws, x *graph.Node) change {
	changes := l.drawParts(d, x)
	return func(x *graph.Node) *graph.Node {
		for _, f := range changes {
			x = f(x)
		}
		return x
	}
}

// drawParts draws the numbers of all parts of the layer for images of x's shape, and returns the
// change that each part makes.
func (l *AugmentationLayer) drawParts(d *draws, x *graph.Node) (changes []change) {
	for _, p := range l.parts {
		changes = append(changes, p.draw(d, x))
	}
	return changes
}

// policyPart is an augmentation of RandAugment or AugMix: its name, its class, and the names of
// those of its options that the policy's factor sets.
type policyPart struct {
	name    string
	class   class
	factors []string
}

// policyParts are the augmentations that RandAugment consists of, in the order in which Keras draws
// their numbers. AugMix finds its own among them, by their names in mixParts.
var policyParts = []policyPart{
	{"RandomShear", randomShear, []string{"XFactor", "YFactor"}},
	{"RandomTranslation", randomTranslation, []string{"HeightFactor", "WidthFactor"}},
	{"RandomRotation", randomRotation, []string{"Factor"}},
	{"RandomBrightness", randomBrightness, []string{"Factor"}},
	{"RandomColorDegeneration", randomColorDegeneration, []string{"Factor"}},
	{"RandomContrast", randomContrast, []string{"Factor"}},
	{"RandomSharpness", randomSharpness, []string{"Factor"}},
	{"RandomPosterization", randomPosterization, []string{"Bits"}},
	{"Solarization", solarization, []string{"AdditionFactor", "ThresholdFactor"}},
	{"AutoContrast", autoContrast, nil},
	{"Equalization", equalization, nil},
}

// mixParts are the parts of AugMix, in Keras' order; the last four are those of AllOps.
var mixParts = []string{
	"RandomShear", "RandomTranslation", "RandomRotation", "RandomPosterization", "Solarization", "AutoContrast", "Equalization",
	"RandomBrightness", "RandomColorDegeneration", "RandomContrast", "RandomSharpness",
}

// addPolicyPart adds the augmentation p as a part of the layer, with the options opts and with each
// of its factors set to the range f. The factor Bits is set to a number: 8 times the end of the
// range, rounded down, but at least 1.
func (l *AugmentationLayer) addPolicyPart(p policyPart, f factor, opts []Option) {
	for _, name := range p.factors {
		var v any = []float64{f.low, f.high}
		if name == "Bits" {
			v = max(1, int(8*f.high))
		}
		opts = append(opts, set(name, v))
	}
	l.addPart(p.name, p.class, opts)
}

func newRandAugment(d declared, o *randAugmentOptions) Layer {
	l := newAugmentation(d, &o.seedOptions, augmentation{})
	l.draw = func(d *draws, x *graph.Node) change { return l.drawSome(d, x, o.NumOps) }
	for _, p := range policyParts {
		l.addPolicyPart(p, o.Factor.factor, o.ofParts())
	}
	return l
}

// drawSome chooses n parts at random, perhaps one several times, the same for all images, and draws
// the random numbers of all parts. It returns the function that applies the changes of the chosen
// parts one after the other; it computes all of them, and selects.
func (l *AugmentationLayer) drawSome(d *draws, x *graph.Node, n int) change {
	which := d.key().RandInt(dtypes.Int32, 0, int64(len(l.parts)), n)
	changes := l.drawParts(d, x)
	return func(x *graph.Node) *graph.Node {
		for i := range n {
			part := graph.Slice(which, graph.AxisRange(i, i+1))
			for k, f := range changes {
				chosen := graph.Equal(part, graph.Const(x.Graph(), []int32{int32(k)}))
				x = pixels.Select(graph.Reshape(chosen, 1, 1, 1, 1), f(x), x)
			}
		}
		return x
	}
}

func newAugMix(d declared, o *augMixOptions) Layer {
	l := newAugmentation(d, &o.seedOptions, augmentation{})
	l.draw = func(d *draws, x *graph.Node) change { return l.drawChains(d, x, o) }
	names := mixParts
	if !o.AllOps {
		names = names[:7]
	}
	for _, name := range names {
		i := slices.IndexFunc(policyParts, func(p policyPart) bool { return p.name == name })
		l.addPolicyPart(policyParts[i], o.StrengthFactor.factor, o.ofParts())
	}
	return l
}

// chains returns, for each chain of AugMix, the indices in l.parts of the augmentations that it
// applies, at most ChainDepth of them. They are chosen at random by the layer's seed, and are
// always the same for a seed. A seed that is not valid panics.
func (l *AugmentationLayer) chains(o *augMixOptions) [][]int {
	n := o.NumChains * o.ChainDepth
	chosen := make([]int32, n)
	key, err := l.seed.Seed().Key()
	if err == nil {
		err = key.FoldIn(1).FillRandInt(chosen, []int{n}, []layout.Range{{Limit: n}}, 0, int64(len(l.parts)+1))
	}
	if err != nil {
		panic(fmt.Errorf("the choice of augmentations: %w", err))
	}
	out := make([][]int, o.NumChains)
	for i, part := range chosen {
		if int(part) < len(l.parts) { // else nothing
			chain := i / o.ChainDepth
			out[chain] = append(out[chain], int(part))
		}
	}
	return out
}

// drawChains draws the random numbers of AugMix: the weights of the chains and of the image itself,
// and those of the parts. It returns the function that mixes each image with its augmented
// versions, limited to the value range of o.
func (l *AugmentationLayer) drawChains(d *draws, x *graph.Node, o *augMixOptions) change {
	alpha := graph.Scalar(x.Graph(), dtypes.Float32, o.MixAlpha)
	weights := graph.ConvertDType(dirichlet(d.key(), alpha, o.NumChains), x.DType())
	own := graph.ConvertDType(graph.Reshape(d.key().Beta(alpha, 1)), x.DType())
	changes := make([][]change, o.NumChains)
	for i, chain := range l.chains(o) {
		for _, part := range chain {
			changes[i] = append(changes[i], l.parts[part].draw(d, x))
		}
	}
	return func(x *graph.Node) *graph.Node {
		sum := graph.ZerosLike(x)
		for i, chain := range changes {
			y := x
			for _, f := range chain {
				y = f(y)
			}
			sum = graph.Add(sum, graph.Mul(y, graph.Reshape(graph.Slice(weights, graph.AxisElem(i)))))
		}
		return o.clip(graph.Add(graph.Mul(own, x), graph.Mul(graph.OneMinus(own), sum)))
	}
}

// dirichlet returns n random numbers whose sum is 1, from the Dirichlet distribution with n equal
// parameters alpha. They have no gradient.
func dirichlet(key random.TracedKey, alpha *graph.Node, n int) *graph.Node {
	gamma := graph.Exp(key.LogGamma(alpha, n))
	return graph.StopGradient(graph.Div(gamma, graph.BroadcastToShape(graph.ReduceAllSum(gamma), gamma.Shape())))
}
