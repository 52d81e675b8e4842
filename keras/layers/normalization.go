package layers

// This file defines the normalizations LayerNormalization, RMSNormalization, GroupNormalization and
// UnitNormalization; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// normalizationClasses has the normalizations: by the name of the class in Keras, how a layer is
// made of its options.
var normalizationClasses = map[string]class{
	"BatchNormalization":    classOf(newBatchNormalization),
	"GroupNormalization":    classOf(func(d declared, o *groupNormOptions) Layer { return &GroupNormalizationLayer{declared: d, opts: o} }),
	"LayerNormalization":    classOf(newLayerNormalization),
	"RMSNormalization":      classOf(func(d declared, o *rmsOptions) Layer { return &RMSNormalizationLayer{declared: d, opts: o} }),
	"SpectralNormalization": classOf(newSpectralNormalization),
	"UnitNormalization":     classOf(func(d declared, o *axisOptions) Layer { return &UnitNormalizationLayer{d, o} }),
}

// layerNormOptions holds the options of LayerNormalization, which other normalizations have too:
// Axis, Epsilon, Center, Scale, and the initializers, regularizers and constraints of beta and
// gamma.
type layerNormOptions struct {
	axisOptions
	Epsilon float64       `option:"epsilon" default:"0.001" want:"notNegative"`
	Center  bool          `option:"center" default:"true"`
	Scale   bool          `option:"scale" default:"true"`
	Beta    weightOptions `prefix:"beta" default:"zeros"`
	Gamma   weightOptions `prefix:"gamma" default:"ones"`
}

// groupNormOptions holds the options of GroupNormalization: Groups, the number of groups of
// channels, and those of LayerNormalization.
type groupNormOptions struct {
	Groups groupCount `option:"groups" default:"32"`
	layerNormOptions
}

// rmsOptions holds the options of RMSNormalization: Axis and Epsilon.
type rmsOptions struct {
	axisOptions
	Epsilon float64 `option:"epsilon" default:"1e-6" want:"notNegative"`
}

// weights describes the variables gamma and beta for addAll, which stores them at these addresses:
// gamma if Scale is set, beta if Center is.
func (o *layerNormOptions) weights(gamma, beta **variable.Variable) []weight {
	return []weight{o.Gamma.weight(gamma, o.Scale, "gamma"), o.Beta.weight(beta, o.Center, "beta")}
}

// Epsilon sets the number that a normalization adds to a variance, or RMSNormalization to a mean
// square, before dividing by the root: 0.001 by default, 1e-6 for RMSNormalization. A negative
// number is an error.
func Epsilon(e float64) Option { return set("Epsilon", e) }

// Center sets whether BatchNormalization, GroupNormalization and LayerNormalization add a trained
// beta; by default they do.
func Center(center bool) Option { return set("Center", center) }

// Scale sets whether BatchNormalization, GroupNormalization and LayerNormalization multiply by a
// trained gamma; by default they do.
func Scale(scale bool) Option { return set("Scale", scale) }

// BetaInitializer sets the initializer of beta, which a normalization with Center adds: a name or
// an initializer, "zeros" by default.
func BetaInitializer(init any) Option { return set("BetaInitializer", init) }

// GammaInitializer sets the initializer of gamma, which a normalization with Scale multiplies by: a
// name or an initializer, "ones" by default.
func GammaInitializer(init any) Option { return set("GammaInitializer", init) }

// BetaRegularizer adds to the loss a penalty on beta, which a normalization with Center adds. r is
// a name or a regularizer; there is none by default.
func BetaRegularizer(r any) Option { return set("BetaRegularizer", r) }

// GammaRegularizer adds to the loss a penalty on gamma, which a normalization with Scale multiplies
// by. r is a name or a regularizer; there is none by default.
func GammaRegularizer(r any) Option { return set("GammaRegularizer", r) }

// BetaConstraint projects beta, which a normalization with Center adds, after each step of the
// optimizer. c is a name or a constraint; there is none by default.
func BetaConstraint(c any) Option { return set("BetaConstraint", c) }

// GammaConstraint projects gamma, which a normalization with Scale multiplies by, after each step
// of the optimizer. c is a name or a constraint; there is none by default.
func GammaConstraint(c any) Option { return set("GammaConstraint", c) }

// LayerNormalizationLayer normalizes each sample to mean 0 and variance 1 over
// some dimensions: keras.layers.LayerNormalization (Ba et al., 2016).
type LayerNormalizationLayer struct {
	declared
	keepsMask
	opts        *layerNormOptions
	Gamma, Beta *variable.Variable // nil without Scale, Center
	axes        []int
}

// LayerNormalization returns a layer that normalizes each sample over the dimensions of Axis, the
// last by default. Options: Name, Axis, Epsilon, Center, Scale, BetaInitializer, GammaInitializer,
// BetaRegularizer, GammaRegularizer, BetaConstraint, GammaConstraint, DType.
func LayerNormalization(opts ...Option) *LayerNormalizationLayer {
	return declare[*LayerNormalizationLayer]("LayerNormalization", opts)
}

func newLayerNormalization(d declared, o *layerNormOptions) Layer {
	d.KeepInputs()
	return &LayerNormalizationLayer{declared: d, opts: o}
}

// Build makes the variables gamma (with Scale) and beta (with Center), in the shape of the
// normalized dimensions. An axis that is the batch or does not exist is an error.
func (l *LayerNormalizationLayer) Build(b *Builder, inputs []Spec) (err error) {
	var shape []int
	if l.axes, shape, err = l.opts.resolve(inputs); err != nil {
		return err
	}
	return b.addAll(l.opts.weights(&l.Gamma, &l.Beta), shape, l.DType())
}

// Call returns one node: the input normalized to mean 0 and variance 1 over the axes, times gamma
// and plus beta where the layer has them.
func (l *LayerNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := nodes.Precise(inputs[0])
	if !l.ComputeDType().IsHalfPrecision() || !x.DType().IsFloat() {
		x = nodes.Precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	}
	mean, variance := nodes.Moments(x, l.axes)
	y := graph.Mul(graph.Sub(x, mean), graph.Rsqrt(graph.AddScalar(variance, l.opts.Epsilon)))
	if l.Gamma != nil {
		y = graph.Mul(y, nodes.OnAxes(c.StatelessScope.Value(l.Gamma), y, l.axes))
	}
	if l.Beta != nil {
		y = graph.Add(y, nodes.OnAxes(c.StatelessScope.Value(l.Beta), y, l.axes))
	}
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// RMSNormalizationLayer divides by the root of the mean square over some dimensions, and multiplies
// by a trained scale: keras.layers.RMSNormalization (Zhang and Sennrich, 2019).
type RMSNormalizationLayer struct {
	declared
	opts  *rmsOptions
	Scale *variable.Variable // in the shape of the normalized dimensions
	axes  []int
}

// RMSNormalization returns a layer that divides by the root of the mean square over Axis, the last
// dimension by default, and multiplies by a trained scale. Options: Name, Axis, Epsilon, DType.
func RMSNormalization(opts ...Option) *RMSNormalizationLayer {
	return declare[*RMSNormalizationLayer]("RMSNormalization", opts)
}

// Build makes scale, with ones, in the shape of the dimensions that Axis names. An axis that is the
// batch or does not exist is an error.
func (l *RMSNormalizationLayer) Build(b *Builder, inputs []Spec) (err error) {
	var shape []int
	if l.axes, shape, err = l.opts.resolve(inputs); err != nil {
		return err
	}
	l.Scale, err = b.AddWeight("scale", shape, l.DType(), initializers.Ones())
	return err
}

// Call returns one node: the input divided by its root mean square over the axes, times the trained
// scale.
func (l *RMSNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := nodes.Precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	square := graph.ReduceAndKeep(graph.Mul(x, x), graph.ReduceMean, l.axes...)
	y := graph.Mul(x, graph.Rsqrt(graph.AddScalar(square, l.opts.Epsilon)))
	y = graph.Mul(y, nodes.OnAxes(c.Value(l.Scale), y, l.axes))
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// GroupNormalizationLayer normalizes groups of channels of each sample to mean 0 and
// variance 1: keras.layers.GroupNormalization (Wu and He, 2018).
type GroupNormalizationLayer struct {
	declared
	opts        *groupNormOptions
	Gamma, Beta *variable.Variable // [channels]; nil without Scale, Center
	axis        int
}

// GroupNormalization returns a layer that normalizes over all dimensions but the batch, in Groups
// of the channels, 32 by default, which must divide them; -1 makes a group of each channel.
// Options: Name, Groups, Axis (one), Epsilon, Center, Scale, BetaInitializer, GammaInitializer,
// BetaRegularizer, GammaRegularizer, BetaConstraint, GammaConstraint, DType.
func GroupNormalization(opts ...Option) *GroupNormalizationLayer {
	return declare[*GroupNormalizationLayer]("GroupNormalization", opts)
}

// Build makes gamma and beta, if the options ask for them, for the channels of the input. Several
// axes, and groups that do not divide the channels, are errors.
func (l *GroupNormalizationLayer) Build(b *Builder, inputs []Spec) error {
	axes, shape, err := l.opts.resolve(inputs)
	if err != nil {
		return err
	}
	if len(axes) != 1 {
		return fmt.Errorf("got axes %v, want one", []int(l.opts.Axis))
	}
	l.axis = axes[0]
	if n := int(l.opts.Groups); n > 0 && shape[0] >= 0 && shape[0]%n != 0 {
		return fmt.Errorf("got an input of %d channels for %d groups, want a multiple of the groups", shape[0], n)
	}
	return b.addAll(l.opts.weights(&l.Gamma, &l.Beta), shape, l.DType())
}

// Call returns one node: the input normalized to mean 0 and variance 1 within each group of
// channels of a sample, times gamma and plus beta where the layer has them.
func (l *GroupNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := nodes.Precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	dims := x.Shape().Dimensions
	groups := int(l.opts.Groups)
	if groups < 0 {
		groups = dims[l.axis]
	}
	split := slices.Insert(slices.Clone(dims), l.axis, groups)
	split[l.axis+1] /= groups
	var within []int // all dimensions but batch and groups
	for i := 1; i < len(split); i++ {
		if i != l.axis {
			within = append(within, i)
		}
	}
	grouped := graph.Reshape(x, split...)
	mean, variance := nodes.Moments(grouped, within)
	y := graph.Mul(graph.Sub(grouped, mean), graph.Rsqrt(graph.AddScalar(variance, l.opts.Epsilon)))
	y = graph.Reshape(y, dims...)
	if l.Gamma != nil {
		y = graph.Mul(y, nodes.OnAxes(c.StatelessScope.Value(l.Gamma), y, []int{l.axis}))
	}
	if l.Beta != nil {
		y = graph.Add(y, nodes.OnAxes(c.StatelessScope.Value(l.Beta), y, []int{l.axis}))
	}
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// UnitNormalizationLayer divides vectors, along one dimension or several, by their Euclidean norms:
// keras.layers.UnitNormalization.
type UnitNormalizationLayer struct {
	declared
	opts *axisOptions
}

// UnitNormalization returns a layer that scales vectors along Axis, the last dimension by default,
// to the Euclidean norm 1. Options: Name, Axis, DType.
func UnitNormalization(opts ...Option) *UnitNormalizationLayer {
	return declare[*UnitNormalizationLayer]("UnitNormalization", opts)
}

// Build returns an error unless there is one input, and the axes are different dimensions of it
// after the batch.
func (l *UnitNormalizationLayer) Build(_ *Builder, inputs []Spec) error {
	_, _, err := l.opts.resolve(inputs)
	return err
}

// Call returns one node: the input, in which the vectors along the axes are divided by their norms.
// A norm below 1e-12 counts as 1e-12.
func (l *UnitNormalizationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	axes, _, err := l.opts.resolve([]Spec{{Shape: x.Shape().Dimensions}})
	if err != nil {
		panic(err)
	}
	return []*graph.Node{nodes.Unit(x, 1e-12, axes...)}
}
