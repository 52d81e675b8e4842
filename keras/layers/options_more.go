package layers

// This file holds the options of normalizations, embeddings, attention and
// merging layers.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/initializers"
)

// Axis sets the dimensions that a layer works on, -1, the last one, by
// default. Of BatchNormalization it is the one dimension that is not
// normalized over, of Concatenate the one that grows; LayerNormalization and
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

// Momentum sets how slowly BatchNormalization's moving averages follow the
// batches, in [0, 1]: 0.99 by default.
func Momentum(m float64) Option {
	return within("Momentum", m, func(o *options) { o.momentum = m })
}

// Epsilon sets the number that keeps a divisor from 0: 0.001 by default, 1e-6
// for RMSNormalization.
func Epsilon(e float64) Option {
	return Option{Name: "Epsilon", Set: func(o *options) error {
		if !(e >= 0) {
			return fmt.Errorf("got %g, want a number not below 0", e)
		}
		o.epsilon = e
		return nil
	}}
}

// Center says whether a normalization adds a trained beta; by default it does.
func Center(center bool) Option {
	return option.New("Center", func(o *options) { o.center = center })
}

// Scale says whether a normalization multiplies by a trained gamma; by default
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

// Offset sets what Rescaling adds: 0 by default.
func Offset(offset float64) Option {
	return option.New("Offset", func(o *options) { o.offset = offset })
}

// ValueDim sets the size of each head's values: that of the keys by default.
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

func initializer(name string, init any, field func(*options) *initializers.Initializer) Option {
	return Option{Name: name, Set: func(o *options) (err error) {
		*field(o), err = initializers.Get(init)
		return err
	}}
}

func within(name string, x float64, set func(*options)) Option {
	return Option{Name: name, Set: func(o *options) error {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("got %g, want a number in [0, 1]", x)
		}
		set(o)
		return nil
	}}
}
