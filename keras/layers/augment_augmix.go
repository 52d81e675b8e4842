package layers

// This file defines AugMix.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
)

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

// NumChains sets how many chains AugMix mixes.
func NumChains(n int) Option { return set("NumChains", n) }

// ChainDepth sets how many augmentations a chain of AugMix has at most.
func ChainDepth(n int) Option { return set("ChainDepth", n) }

// StrengthFactor sets how strong the augmentations of AugMix are: a number f, for 0 to f, or two
// numbers.
func StrengthFactor(factor any) Option { return set("Factor", factor) }

// MixAlpha sets the parameter of the distributions of AugMix's weights: 1 by default.
func MixAlpha(alpha float64) Option { return set("MixAlpha", alpha) }

// AllOps sets whether AugMix also changes brightness, colors, contrast and sharpness; by default
// it does.
func AllOps(all bool) Option { return set("AllOps", all) }

// mixedClasses are the augmentations of AugMix, in Keras' order; the last four are those of AllOps.
var mixedClasses = []string{
	"RandomShear", "RandomTranslation", "RandomRotation", "RandomPosterization", "Solarization", "AutoContrast", "Equalization",
	"RandomBrightness", "RandomColorDegeneration", "RandomContrast", "RandomSharpness",
}

func newAugMix(d declared) *AugmentationLayer {
	l := newWarp(d, augmentation{draw: drawChains})
	classes := mixedClasses
	if !l.opts.allOps {
		classes = classes[:7]
	}
	for _, class := range classes {
		i := slices.IndexFunc(policyParts, func(p policyPart) bool { return p.class == class })
		l.consistOfPolicy(policyParts[i : i+1])
	}
	return l
}

// chains returns what each chain consists of: indices of parts.
func (l *AugmentationLayer) chains() [][]int {
	n := l.opts.numChains * l.opts.chainDepth
	chosen := make([]int32, n)
	key, err := l.seed.Seed().Key()
	if err == nil {
		err = key.FoldIn(1).FillRandInt(chosen, []int{n}, []layout.Range{{Limit: n}}, 0, int64(len(l.parts)+1))
	}
	if err != nil {
		panic(fmt.Errorf("the choice of augmentations: %w", err))
	}
	out := make([][]int, l.opts.numChains)
	for i, part := range chosen {
		if int(part) < len(l.parts) { // else nothing
			chain := i / l.opts.chainDepth
			out[chain] = append(out[chain], int(part))
		}
	}
	return out
}

// drawChains draws the weights, then the numbers of the chains.
func drawChains(l *AugmentationLayer, d *draws, x *graph.Node) change {
	alpha := graph.Scalar(x.Graph(), dtypes.Float32, l.opts.mixAlpha)
	weights := graph.ConvertDType(dirichlet(d.key(), alpha, l.opts.numChains), x.DType())
	own := graph.ConvertDType(graph.Reshape(d.key().Beta(alpha, 1)), x.DType())
	changes := make([][]change, l.opts.numChains)
	for i, chain := range l.chains() {
		for _, part := range chain {
			p := l.parts[part]
			changes[i] = append(changes[i], p.draw(p, d, x))
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
		return l.opts.clip(graph.Add(graph.Mul(own, x), graph.Mul(graph.OneMinus(own), sum)))
	}
}

// dirichlet draws n numbers whose sum is 1.
func dirichlet(key random.TracedKey, alpha *graph.Node, n int) *graph.Node {
	gamma := graph.Exp(key.LogGamma(alpha, n))
	return graph.StopGradient(graph.Div(gamma, graph.BroadcastToShape(graph.ReduceAllSum(gamma), gamma.Shape())))
}
