package layers

// This file defines the normalizations: BatchNormalization,
// LayerNormalization and RMSNormalization.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
)

// BatchNormalizationLayer normalizes each channel to mean 0 and variance 1:
// keras.layers.BatchNormalization (Ioffe and Szegedy, 2015). While training,
// mean and variance are those of the global batch, whatever the mesh, and update
// the moving averages. Otherwise, and if the layer is frozen, mean and variance
// are the moving averages.
type BatchNormalizationLayer struct {
	Base
	keepsMask
	Gamma, Beta                *variable.Variable // nil without Scale, Center
	MovingMean, MovingVariance *variable.Variable
	opts                       options
	axis                       int
}

// BatchNormalization returns a layer that normalizes over all dimensions but
// one. Options: Name, Axis (one), Momentum, Epsilon, Center, Scale,
// BetaInitializer, GammaInitializer, MovingMeanInitializer,
// MovingVarianceInitializer, DType.
func BatchNormalization(opts ...Option) *BatchNormalizationLayer {
	l := &BatchNormalizationLayer{}
	defaults := []Option{
		Momentum(0.99), Epsilon(1e-3), BetaInitializer("zeros"), GammaInitializer("ones"),
		MovingMeanInitializer("zeros"), MovingVarianceInitializer("ones"),
	}
	l.opts = l.configure("BatchNormalization", append(defaults, opts...), "Name", "Axis", "Momentum", "Epsilon", "Center", "Scale",
		"BetaInitializer", "GammaInitializer", "MovingMeanInitializer", "MovingVarianceInitializer", "DType")
	if len(l.opts.axis) != 1 {
		l.fail("BatchNormalization: got axes %v, want one", l.opts.axis)
	}
	return l
}

// Build makes the variables.
func (l *BatchNormalizationLayer) Build(b *Builder, inputs []Spec) error {
	axes, shape, err := l.opts.axesOf(inputs)
	if err != nil {
		return err
	}
	l.axis = axes[0]
	o := &l.opts
	return b.addAll([]weight{
		{&l.Gamma, o.scale, "gamma", o.gammaInitializer, nil},
		{&l.Beta, o.center, "beta", o.betaInitializer, nil},
		{&l.MovingMean, true, "moving_mean", o.meanInitializer, []variable.Option{variable.NonTrainable()}},
		{&l.MovingVariance, true, "moving_variance", o.varianceInitializer, []variable.Option{variable.NonTrainable()}},
	}, shape, l.DType())
}

// Call normalizes and, while training, updates the moving averages.
func (l *BatchNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	if c.Mask(inputs[0]) != nil && c.Training {
		panic(fmt.Errorf("its input has a mask: a mean over what is not masked is not supported; normalize before the mask is made, or use LayerNormalization"))
	}
	x := precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	dims := slices.Repeat([]int{1}, x.Rank())
	dims[l.axis] = x.Shape().Dimensions[l.axis]
	param := func(v *variable.Variable) *graph.Node {
		return graph.Reshape(graph.ConvertDType(c.StatelessScope.Value(v), x.DType()), dims...)
	}
	var mean, variance *graph.Node
	if c.Training && !l.frozen {
		var others []int
		for i := range x.Rank() {
			if i != l.axis {
				others = append(others, i)
			}
		}
		mean, variance = moments(x, others)
		update := func(average *variable.Variable, batch *graph.Node) {
			old := c.StatelessScope.Value(average)
			batch = graph.ConvertDType(graph.Reshape(graph.StopGradient(batch), average.Shape()...), average.DType())
			c.Assign(average, graph.Add(graph.MulScalar(old, l.opts.momentum), graph.MulScalar(batch, 1-l.opts.momentum)))
		}
		update(l.MovingMean, mean)
		update(l.MovingVariance, variance)
	} else {
		mean, variance = param(l.MovingMean), param(l.MovingVariance)
	}
	factor := graph.Rsqrt(graph.AddScalar(variance, l.opts.epsilon))
	if l.Gamma != nil {
		factor = graph.Mul(factor, param(l.Gamma))
	}
	y := graph.Mul(graph.Sub(x, mean), factor)
	if l.Beta != nil {
		y = graph.Add(y, param(l.Beta))
	}
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// Config returns the options.
func (l *BatchNormalizationLayer) Config() (map[string]any, error) {
	o := &l.opts
	return map[string]any{
		"axis": o.axisConfig(), "momentum": o.momentum, "epsilon": o.epsilon, "center": o.center, "scale": o.scale,
		"beta_initializer": o.betaInitializer, "gamma_initializer": o.gammaInitializer,
		"moving_mean_initializer": o.meanInitializer, "moving_variance_initializer": o.varianceInitializer,
	}, nil
}

// LayerNormalizationLayer normalizes each sample to mean 0 and variance 1 over
// some dimensions: keras.layers.LayerNormalization (Ba et al., 2016).
type LayerNormalizationLayer struct {
	Base
	keepsMask
	Gamma, Beta *variable.Variable // nil without Scale, Center
	opts        options
	axes        []int
}

// LayerNormalization returns a layer that normalizes over Axis. Options: Name,
// Axis, Epsilon, Center, Scale, BetaInitializer, GammaInitializer, DType.
func LayerNormalization(opts ...Option) *LayerNormalizationLayer {
	l := &LayerNormalizationLayer{}
	defaults := []Option{Epsilon(1e-3), BetaInitializer("zeros"), GammaInitializer("ones")}
	l.KeepInputs()
	l.opts = l.configure("LayerNormalization", append(defaults, opts...), "Name", "Axis", "Epsilon", "Center", "Scale",
		"BetaInitializer", "GammaInitializer", "DType")
	return l
}

// Build makes gamma and beta, in the shape of the normalized dimensions.
func (l *LayerNormalizationLayer) Build(b *Builder, inputs []Spec) (err error) {
	var shape []int
	if l.axes, shape, err = l.opts.axesOf(inputs); err != nil {
		return err
	}
	return b.addAll([]weight{
		{&l.Gamma, l.opts.scale, "gamma", l.opts.gammaInitializer, nil},
		{&l.Beta, l.opts.center, "beta", l.opts.betaInitializer, nil},
	}, shape, l.DType())
}

// Call normalizes.
func (l *LayerNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := precise(inputs[0])
	if !l.ComputeDType().IsHalfPrecision() || !x.DType().IsFloat() {
		x = precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	}
	mean, variance := moments(x, l.axes)
	y := graph.Mul(graph.Sub(x, mean), graph.Rsqrt(graph.AddScalar(variance, l.opts.epsilon)))
	if l.Gamma != nil {
		y = graph.Mul(y, onAxes(c.StatelessScope.Value(l.Gamma), y, l.axes))
	}
	if l.Beta != nil {
		y = graph.Add(y, onAxes(c.StatelessScope.Value(l.Beta), y, l.axes))
	}
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// Config returns the options.
func (l *LayerNormalizationLayer) Config() (map[string]any, error) {
	o := &l.opts
	return map[string]any{
		"axis": o.axisConfig(), "epsilon": o.epsilon, "center": o.center, "scale": o.scale,
		"beta_initializer": o.betaInitializer, "gamma_initializer": o.gammaInitializer,
	}, nil
}

// RMSNormalizationLayer divides by the root of the mean square over some
// dimensions: keras.layers.RMSNormalization (Zhang and Sennrich, 2019).
type RMSNormalizationLayer struct {
	Base
	Scale *variable.Variable // in the shape of the normalized dimensions
	opts  options
	axes  []int
}

// RMSNormalization returns a layer that divides by the root of the mean square
// over Axis. Options: Name, Axis, Epsilon, DType.
func RMSNormalization(opts ...Option) *RMSNormalizationLayer {
	l := &RMSNormalizationLayer{}
	l.opts = l.configure("RMSNormalization", append([]Option{Epsilon(1e-6)}, opts...), "Name", "Axis", "Epsilon", "DType")
	return l
}

// Build makes scale.
func (l *RMSNormalizationLayer) Build(b *Builder, inputs []Spec) (err error) {
	var shape []int
	if l.axes, shape, err = l.opts.axesOf(inputs); err != nil {
		return err
	}
	l.Scale, err = b.AddWeight("scale", shape, l.DType(), initializers.Ones())
	return err
}

// Call normalizes.
func (l *RMSNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	square := graph.ReduceAndKeep(graph.Mul(x, x), graph.ReduceMean, l.axes...)
	y := graph.Mul(x, graph.Rsqrt(graph.AddScalar(square, l.opts.epsilon)))
	y = graph.Mul(y, onAxes(c.Value(l.Scale), y, l.axes))
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// Config returns the options.
func (l *RMSNormalizationLayer) Config() (map[string]any, error) {
	return map[string]any{"axis": l.opts.axisConfig(), "epsilon": l.opts.epsilon}, nil
}

// axesOf returns the dimensions of Axis, sorted and not negative, and their
// sizes.
func (o *options) axesOf(inputs []Spec) (axes, shape []int, err error) {
	if err := checkOne(inputs, 2); err != nil {
		return nil, nil, err
	}
	rank := len(inputs[0].Shape)
	for _, a := range o.axis {
		if a < 0 {
			a += rank
		}
		if a < 1 || a >= rank || slices.Contains(axes, a) {
			return nil, nil, fmt.Errorf("got axes %v for an input of shape %s, want different dimensions after the batch", o.axis, ShapeText(inputs[0].Shape))
		}
		axes = append(axes, a)
	}
	slices.Sort(axes)
	for _, a := range axes {
		shape = append(shape, inputs[0].Shape[a])
	}
	return axes, shape, nil
}

// precise converts half-precision numbers to float32, because sums over many
// elements would overflow.
func precise(x *graph.Node) *graph.Node {
	if x.DType().IsHalfPrecision() {
		return graph.ConvertDType(x, dtypes.Float32)
	}
	return x
}

// moments returns mean and variance over axes, which are kept with size 1.
func moments(x *graph.Node, axes []int) (mean, variance *graph.Node) {
	mean = graph.ReduceAndKeep(x, graph.ReduceMean, axes...)
	d := graph.Sub(x, mean)
	return mean, graph.ReduceAndKeep(graph.Mul(d, d), graph.ReduceMean, axes...)
}

// onAxes reshapes v, whose dimensions are the given axes of x, so that it can be
// broadcast to x.
func onAxes(v, x *graph.Node, axes []int) *graph.Node {
	dims := slices.Repeat([]int{1}, x.Rank())
	for _, a := range axes {
		dims[a] = x.Shape().Dimensions[a]
	}
	return graph.Reshape(graph.ConvertDType(v, x.DType()), dims...)
}
