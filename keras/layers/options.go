package layers

// This file defines the options of layers, except for those of windows, and how
// they are described in files.

import (
	"fmt"
	"math"
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
	kernelInitializer initializers.Initializer
	biasInitializer   initializers.Initializer

	pointwiseInitializer initializers.Initializer
	seed                 *int
	limits               limits

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
	outputShape                     []int

	augmentOptions // augment_options.go

	rate, stddev, l1, l2 float64 // of noise and ActivityRegularization

	// Of normalizations, merging and others.
	axis                  []int
	momentum, epsilon     float64
	center, scale         bool
	betaInitializer       initializers.Initializer
	gammaInitializer      initializers.Initializer
	meanInitializer       initializers.Initializer
	varianceInitializer   initializers.Initializer
	embeddingsInitializer initializers.Initializer
	offset                float64

	// Of attention.
	useScale  bool
	scoreMode string
	valueDim  int
	dropout   float64
	causal    bool

	maskZero bool
	rnn      rnnOptions // of recurrent layers (rnn.go)

	// The arguments of KernelInitializer and BiasInitializer, for layers that make
	// several variables with one: a name makes different numbers for each.
	kernelInitializerID, biasInitializerID any
	activationID                           any // the argument of Activation
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
func Activation(a any) Option {
	return Option{Name: "Activation", Set: func(o *options) (err error) {
		o.activationID = a
		o.activation, err = activations.Get(a)
		return err
	}}
}

// UseBias sets whether a bias is added; by default it is.
func UseBias(use bool) Option {
	return option.New("UseBias", func(o *options) { o.useBias = use })
}

// KernelInitializer sets the initializer of the kernel: the name of one, such
// as "glorot_uniform" (the default), or an initializers.Initializer.
func KernelInitializer(init any) Option {
	return Option{Name: "KernelInitializer", Set: func(o *options) (err error) {
		o.kernelInitializerID = init
		o.kernelInitializer, err = initializers.Get(init)
		return err
	}}
}

// BiasInitializer sets the initializer of the bias, "zeros" by default.
func BiasInitializer(init any) Option {
	return Option{Name: "BiasInitializer", Set: func(o *options) (err error) {
		o.biasInitializerID = init
		o.biasInitializer, err = initializers.Get(init)
		return err
	}}
}

// Seed fixes the random numbers of the layer.
func Seed(seed int) Option {
	return option.New("Seed", func(o *options) { o.seed = &seed })
}

// configure applies opts. accepts names the options that the layer takes besides
// DType and DTypePolicy, which all layers take.
func (b *Base) configure(kind string, opts []Option, accepts ...string) options {
	o := options{
		policy: currentPolicy(), useBias: true, activation: activations.Linear,
		window: window{size: []int{2}, dilation: []int{1}, pad: "valid"}, groups: 1, depthMultiplier: 1,
		dataFormat: channelsLast, interpolation: "nearest",
		axis: []int{-1}, center: true, scale: true,
		augmentOptions: augmentOptions{valueRange: colorRange[:]},
	}
	accepts = append(accepts, "DTypePolicy")
	if !slices.Contains(accepts, "DType") {
		accepts = append(accepts, "DType")
	}
	if err := option.Apply(kind, &o, opts, accepts...); err != nil {
		b.fail("%w", err)
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
func Momentum(m float64) Option {
	return within("Momentum", m, func(o *options) { o.momentum = m })
}

// Epsilon sets the number that is added to a variance before dividing by its
// root: 0.001 by default, 1e-6 for RMSNormalization.
func Epsilon(e float64) Option {
	return Option{Name: "Epsilon", Set: func(o *options) error {
		if !(e >= 0) {
			return fmt.Errorf("got %g, want a number not below 0", e)
		}
		o.epsilon = e
		return nil
	}}
}

// Center sets whether a normalization adds a trained beta; by default it does.
func Center(center bool) Option {
	return option.New("Center", func(o *options) { o.center = center })
}

// Scale sets whether a normalization multiplies by a trained gamma; by default
// it does.
func Scale(scale bool) Option {
	return option.New("Scale", func(o *options) { o.scale = scale })
}

// BetaInitializer sets the initializer of beta, "zeros" by default.
func BetaInitializer(init any) Option {
	return initializer("BetaInitializer", init, func(o *options) *initializers.Initializer { return &o.betaInitializer })
}

// GammaInitializer sets the initializer of gamma, "ones" by default.
func GammaInitializer(init any) Option {
	return initializer("GammaInitializer", init, func(o *options) *initializers.Initializer { return &o.gammaInitializer })
}

// MovingMeanInitializer sets the initializer of moving_mean, "zeros" by
// default.
func MovingMeanInitializer(init any) Option {
	return initializer("MovingMeanInitializer", init, func(o *options) *initializers.Initializer { return &o.meanInitializer })
}

// MovingVarianceInitializer sets the initializer of moving_variance, "ones" by
// default.
func MovingVarianceInitializer(init any) Option {
	return initializer("MovingVarianceInitializer", init, func(o *options) *initializers.Initializer { return &o.varianceInitializer })
}

// EmbeddingsInitializer sets the initializer of an embedding's table,
// "uniform" by default.
func EmbeddingsInitializer(init any) Option {
	return initializer("EmbeddingsInitializer", init, func(o *options) *initializers.Initializer { return &o.embeddingsInitializer })
}

// Offset sets the number that Rescaling adds: 0 by default.
func Offset(offset float64) Option {
	return option.New("Offset", func(o *options) { o.offset = offset })
}

// ValueDim sets the size of each head's values, by default that of the keys.
func ValueDim(n int) Option {
	return positive("ValueDim", n, func(o *options) { o.valueDim = n })
}

// DropoutRate sets the probability with which attention drops a score while
// training: 0 by default.
func DropoutRate(rate float64) Option {
	return within("DropoutRate", rate, func(o *options) { o.dropout = rate })
}

// UseCausalMask lets each position attend to itself and to those before it
// only. In Keras it is an argument of the call.
func UseCausalMask() Option { return option.New("UseCausalMask", func(o *options) { o.causal = true }) }

// initializer returns an option that is an initializer or the name of one.
func initializer(name string, init any, field func(*options) *initializers.Initializer) Option {
	return Option{Name: name, Set: func(o *options) (err error) {
		*field(o), err = initializers.Get(init)
		return err
	}}
}

// within returns an option that is a number in [0, 1].
func within(name string, x float64, set func(*options)) Option {
	return Option{Name: name, Set: func(o *options) error {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("got %g, want a number in [0, 1]", x)
		}
		set(o)
		return nil
	}}
}

// activationName returns Keras' name of the activation.
func (o *options) activationName() (string, error) {
	switch a := o.activationID.(type) {
	case nil:
		return "linear", nil
	case string:
		return a, nil
	case activations.Func:
		return "", fmt.Errorf("its activation is a function, which has no name to be saved: give the name of one")
	default:
		return "", fmt.Errorf("its activation is a %T, want a name", a)
	}
}

// seedConfig returns the seed, nil unless one was given.
func (o *options) seedConfig() any {
	if o.seed == nil {
		return nil
	}
	return *o.seed
}

// axisConfig returns one axis as a number, several as a list.
func (o *options) axisConfig() any {
	if len(o.axis) == 1 {
		return o.axis[0]
	}
	return o.axis
}

// positive returns an option that is a positive integer.
func positive(name string, n int, set func(*options)) Option {
	return Option{Name: name, Set: func(o *options) error {
		if n < 1 || n > math.MaxInt32 {
			return fmt.Errorf("got %d, want a positive number of at most %d", n, math.MaxInt32)
		}
		set(o)
		return nil
	}}
}
