package layers

// This file defines the options of layers, except for those of windows, and how
// they are described in files.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/trace"
)

// Option configures a layer. A layer takes the options that its doc comment
// names; any other is an error.
type Option = option.Option[options]

type options struct {
	name              string
	policy            policy
	activation        activations.Func
	useBias           bool
	activationID      any // the argument of Activation
	kernelInitializer initializers.Initializer
	biasInitializer   initializers.Initializer

	units, inputDim, outputDim int
	pointwiseInitializer       initializers.Initializer
	seed                       *int
	limits                     limits

	// Of layers with windows and of images (windows.go, spatial.go).
	filters         int
	window          window
	outputPadding   []int // nil for the default
	groups          int
	depthMultiplier int
	keepDims        bool
	dataFormat      string
	interpolation   string
	edges           edges // of paddings and croppings
	height, width   int
	fillMode        string
	fillValue       float64
	antialias       bool
	cropToAspect    bool
	padToAspect     bool
	outputSize      []int

	// Of the preparation of data.
	mean, variance *array
	invert         bool
	numTokens      int
	outputMode     string
	boundaries     []float64
	numBins        *int
	summaryError   float64

	// Of merges, activations and shapes.
	axes                            []int
	normalize                       bool
	alpha, negativeSlope, threshold float64
	maxValue                        *float64
	alphaInitializer                initializers.Initializer
	sharedAxes                      []int
	times                           int
	equation, biasAxes              string
	outputShape, targetShape, dims  []int
	maskValue                       float64
	scaleBy, offset                 *array // of Rescaling

	augmentOptions               // augment_options.go
	signal         signalOptions // spectrogram.go

	rate, stddev, l1, l2 float64 // of noise and ActivityRegularization
	noiseShape           []int   // nil for that of the input

	// Of normalizations, merging and others.
	axis                  []int
	momentum, epsilon     float64
	center, scale         bool
	betaInitializer       initializers.Initializer
	gammaInitializer      initializers.Initializer
	meanInitializer       initializers.Initializer
	varianceInitializer   initializers.Initializer
	embeddingsInitializer initializers.Initializer
	renorm                bool
	renormMomentum        float64
	renormClipping        clipping
	synchronized          bool

	// Of attention.
	useScale  bool
	scoreMode string
	dropout   float64
	causal    bool

	heads, keyValueHeads int
	keyDim, valueDim     int
	attentionAxes        []int
	slidingWindow        *int
	useGate              bool

	maskZero     bool
	tieWeights   bool // of ReversibleEmbedding
	reverseDType string
	logitSoftCap *float64

	rnn    rnnOptions // of recurrent layers (rnn.go)
	layer  Layer      // the argument of a wrapper
	cells  []Cell
	layers []Layer // of a Pipeline

	powerIterations int
	lookup          lookupOptions // of layers of the host (lookup_data.go)
}

// Name names the layer. Names must be unique within a model: the paths of its
// variables, which a LayoutMap matches, begin with them.
func Name(name string) Option {
	return Option{Name: "Name", Set: func(o *options) error {
		if name == "" || strings.Contains(name, "/") {
			return fmt.Errorf("got %q, want a name without \"/\"", name)
		}
		o.name = name
		return nil
	}}
}

// Activation sets the activation: the name of one, such as "relu", or an
// activations.Func. The default is "linear", the identity.
func Activation(a any) Option { return set("Activation", a) }

// UseBias sets whether a bias is added; by default it is.
func UseBias(use bool) Option { return set("UseBias", use) }

// KernelInitializer sets the initializer of the kernel: the name of one, such
// as "glorot_uniform" (the default), or an initializers.Initializer.
func KernelInitializer(init any) Option { return set("KernelInitializer", init) }

// BiasInitializer sets the initializer of the bias, "zeros" by default.
func BiasInitializer(init any) Option { return set("BiasInitializer", init) }

// Seed fixes the random numbers of the layer.
func Seed(seed int) Option { return set("Seed", seed) }

// configure applies opts. accepts names the options that the layer takes besides
// DType and DTypePolicy, which all layers take.
func (b *Base) configure(kind string, opts []Option, accepts ...string) options {
	o := options{
		policy: currentPolicy(), useBias: true, activation: activations.Linear,
		window: window{size: []int{2}, dilation: []int{1}, pad: "valid"}, groups: 1, depthMultiplier: 1,
		dataFormat: channelsLast, interpolation: "nearest",
		axis: []int{-1}, center: true, scale: true, renormMomentum: 0.99,
		augmentOptions: augmentOptions{valueRange: colorRange[:]},
	}
	accepts = append(accepts, "ActivityRegularizer", "DTypePolicy")
	if !slices.Contains(accepts, "DType") {
		accepts = append(accepts, "DType")
	}
	if err := option.Apply(kind, &o, opts, accepts...); err != nil {
		b.fail("%w", err)
		for _, x := range opts {
			if x.Name == "Name" { // which the error has
				_ = x.Set(&o)
			}
		}
	}
	if o.policy.compute == String && kind != "InputLayer" {
		b.fail("%s: DType: got string, want a type of numbers: an Input may have texts", kind)
	}
	b.name, b.policy = o.name, o.policy
	b.activity, _ = o.limits["activity_regularizer"].(*regularizers.Regularizer)
	b.place = trace.Caller()
	return o
}

// Axis sets the dimensions that a layer works on: -1, the last one, by default.
// For BatchNormalization it is the one dimension that is not normalized over,
// for Concatenate the one that is concatenated. LayerNormalization and
// RMSNormalization take several, and normalize over all of them.
func Axis(axis ...int) Option {
	return Option{Name: "Axis", Set: func(o *options) error {
		if len(axis) == 0 {
			return fmt.Errorf("got no axis, want at least one")
		}
		o.axis = axis
		return nil
	}}
}

// Momentum sets the weight, in [0, 1], of the old value when BatchNormalization
// updates a moving average: 0.99 by default.
func Momentum(m float64) Option { return set("Momentum", m) }

// Epsilon sets the number that is added to a variance before dividing by its
// root: 0.001 by default, 1e-6 for RMSNormalization.
func Epsilon(e float64) Option { return set("Epsilon", e) }

// Center sets whether a normalization adds a trained beta; by default it does.
func Center(center bool) Option { return set("Center", center) }

// Scale sets whether a normalization multiplies by a trained gamma; by default
// it does.
func Scale(scale bool) Option { return set("Scale", scale) }

// BetaInitializer sets the initializer of beta, "zeros" by default.
func BetaInitializer(init any) Option { return set("BetaInitializer", init) }

// GammaInitializer sets the initializer of gamma, "ones" by default.
func GammaInitializer(init any) Option { return set("GammaInitializer", init) }

// MovingMeanInitializer sets the initializer of moving_mean, "zeros" by
// default.
func MovingMeanInitializer(init any) Option { return set("MovingMeanInitializer", init) }

// MovingVarianceInitializer sets the initializer of moving_variance, "ones" by
// default.
func MovingVarianceInitializer(init any) Option { return set("MovingVarianceInitializer", init) }

// EmbeddingsInitializer sets the initializer of an embedding's table,
// "uniform" by default.
func EmbeddingsInitializer(init any) Option { return set("EmbeddingsInitializer", init) }

// Offset sets the number that Rescaling adds, or one for each channel: 0 by default.
func Offset(offset ...float64) Option { return set("Offset", offset) }

// NoiseShape sets the shape of the mask of a dropout, the batch included: None is the size of the
// input; along a dimension of 1 the same elements are dropped. By default it is that of the input.
func NoiseShape(dims ...int) Option { return set("NoiseShape", dims) }

// ValueDim sets the size of each head's values, by default that of the keys.
func ValueDim(n int) Option { return set("ValueDim", n) }

// DropoutRate sets the probability that attention drops a score while training: 0 by default.
func DropoutRate(rate float64) Option { return set("DropoutRate", rate) }

// UseCausalMask lets each position attend to itself and to those before it
// only. In Keras it is an argument of the call.
func UseCausalMask() Option { return set("UseCausalMask", true) }
