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
	declared
	keepsMask
	Gamma, Beta                *variable.Variable // nil without Scale, Center
	MovingMean, MovingVariance *variable.Variable
	renorm                     renorm // with Renorm
	axis                       int
}

// BatchNormalization returns a layer that normalizes over all dimensions but
// one. Options: Name, Axis (one), Momentum, Epsilon, Center, Scale,
// BetaInitializer, GammaInitializer, MovingMeanInitializer,
// MovingVarianceInitializer, BetaRegularizer, GammaRegularizer, BetaConstraint,
// GammaConstraint, Renorm, RenormMomentum, RenormClipping, DType.
func BatchNormalization(opts ...Option) *BatchNormalizationLayer {
	return declare[*BatchNormalizationLayer]("BatchNormalization", opts)
}

func newBatchNormalization(d declared) *BatchNormalizationLayer {
	if len(d.opts.axis) != 1 {
		d.fail("BatchNormalization: got axes %v, want one", d.opts.axis)
	}
	return &BatchNormalizationLayer{declared: d}
}

// Build makes the variables.
func (l *BatchNormalizationLayer) Build(b *Builder, inputs []Spec) error {
	axes, shape, err := l.opts.axesOf(inputs)
	if err != nil {
		return err
	}
	l.axis = axes[0]
	o := &l.opts
	fixed := []variable.Option{variable.NonTrainable()}
	weights := append(l.opts.scaleAndCenter(&l.Gamma, &l.Beta),
		weight{&l.MovingMean, true, "moving_mean", o.meanInitializer, fixed},
		weight{&l.MovingVariance, true, "moving_variance", o.varianceInitializer, fixed})
	return b.addAll(append(weights, l.renorm.weights(o)...), shape, l.DType())
}

// scaleAndCenter describes gamma and beta.
func (o *options) scaleAndCenter(gamma, beta **variable.Variable) []weight {
	return []weight{
		{gamma, o.scale, "gamma", o.gammaInitializer, o.limits.of("gamma")},
		{beta, o.center, "beta", o.betaInitializer, o.limits.of("beta")},
	}
}

// Call normalizes and, while training, updates the moving averages.
func (l *BatchNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	dims := slices.Repeat([]int{1}, x.Rank())
	dims[l.axis] = x.Shape().Dimensions[l.axis]
	param := func(v *variable.Variable) *graph.Node {
		return graph.Reshape(graph.ConvertDType(c.StatelessScope.Value(v), x.DType()), dims...)
	}
	var gamma, beta *graph.Node
	if l.Gamma != nil {
		gamma = param(l.Gamma)
	}
	if l.Beta != nil {
		beta = param(l.Beta)
	}
	mean, variance := param(l.MovingMean), param(l.MovingVariance)
	if c.Training && !l.frozen {
		mean, variance = l.batchMoments(x, c.Mask(inputs[0]))
		if l.opts.renorm {
			gamma, beta = l.renorm.compose(l, param, mean, variance, gamma, beta)
			l.renorm.update(l, c, mean, variance)
		} else {
			l.average(c, l.MovingMean, mean, l.opts.momentum)
			l.average(c, l.MovingVariance, variance, l.opts.momentum)
		}
	}
	factor := graph.Rsqrt(graph.AddScalar(variance, l.opts.epsilon))
	if gamma != nil {
		factor = graph.Mul(factor, gamma)
	}
	y := graph.Mul(graph.Sub(x, mean), factor)
	if beta != nil {
		y = graph.Add(y, beta)
	}
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// batchMoments returns mean and variance of the elements of the batch that the mask lets through.
// The mask has one dimension less than x.
func (l *BatchNormalizationLayer) batchMoments(x, mask *graph.Node) (mean, variance *graph.Node) {
	var others []int
	for i := range x.Rank() {
		if i != l.axis {
			others = append(others, i)
		}
	}
	if mask == nil {
		return moments(x, others)
	}
	if mask.Rank() != x.Rank()-1 {
		panic(fmt.Errorf("its input of %d dimensions has a mask of %d, want one less", x.Rank(), mask.Rank()))
	}
	mask = graph.BroadcastToShape(graph.InsertAxes(mask, -1), shapeOf(dtypes.Bool, x.Shape().Dimensions...))
	count := graph.ReduceAndKeep(graph.ConvertDType(mask, x.DType()), graph.ReduceSum, others...)
	meanOf := func(x *graph.Node) *graph.Node {
		sum := graph.ReduceAndKeep(graph.Where(mask, x, graph.ZerosLike(x)), graph.ReduceSum, others...)
		return graph.Div(sum, graph.AddScalar(count, 1e-7))
	}
	mean = meanOf(x)
	d := graph.Sub(x, mean)
	return mean, meanOf(graph.Mul(d, d))
}

// average updates a moving average by a number of the batch, and returns its new value.
func (l *BatchNormalizationLayer) average(c *Context, of *variable.Variable, batch *graph.Node, momentum float64) *graph.Node {
	batch = graph.ConvertDType(graph.Reshape(graph.StopGradient(batch), of.Shape()...), of.DType())
	next := graph.Add(graph.MulScalar(c.StatelessScope.Value(of), momentum), graph.MulScalar(batch, 1-momentum))
	c.Assign(of, next)
	return next
}

// LayerNormalizationLayer normalizes each sample to mean 0 and variance 1 over
// some dimensions: keras.layers.LayerNormalization (Ba et al., 2016).
type LayerNormalizationLayer struct {
	declared
	keepsMask
	Gamma, Beta *variable.Variable // nil without Scale, Center
	axes        []int
}

// LayerNormalization returns a layer that normalizes over Axis. Options: Name,
// Axis, Epsilon, Center, Scale, BetaInitializer, GammaInitializer, BetaRegularizer,
// GammaRegularizer, BetaConstraint, GammaConstraint, DType.
func LayerNormalization(opts ...Option) *LayerNormalizationLayer {
	return declare[*LayerNormalizationLayer]("LayerNormalization", opts)
}

func newLayerNormalization(d declared) *LayerNormalizationLayer {
	d.KeepInputs()
	return &LayerNormalizationLayer{declared: d}
}

// Build makes gamma and beta, in the shape of the normalized dimensions.
func (l *LayerNormalizationLayer) Build(b *Builder, inputs []Spec) (err error) {
	var shape []int
	if l.axes, shape, err = l.opts.axesOf(inputs); err != nil {
		return err
	}
	return b.addAll(l.opts.scaleAndCenter(&l.Gamma, &l.Beta), shape, l.DType())
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

// RMSNormalizationLayer divides by the root of the mean square over some
// dimensions: keras.layers.RMSNormalization (Zhang and Sennrich, 2019).
type RMSNormalizationLayer struct {
	declared
	Scale *variable.Variable // in the shape of the normalized dimensions
	axes  []int
}

// RMSNormalization returns a layer that divides by the root of the mean square
// over Axis. Options: Name, Axis, Epsilon, DType.
func RMSNormalization(opts ...Option) *RMSNormalizationLayer {
	return declare[*RMSNormalizationLayer]("RMSNormalization", opts)
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
