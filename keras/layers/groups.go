package layers

// This file defines the normalizations GroupNormalization and UnitNormalization.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// GroupNormalizationLayer normalizes groups of channels of each sample to mean 0 and
// variance 1: keras.layers.GroupNormalization (Wu and He, 2018).
type GroupNormalizationLayer struct {
	declared
	Gamma, Beta *variable.Variable // [channels]; nil without Scale, Center
	axis        int
}

// GroupNormalization returns a layer that normalizes over all dimensions but the batch, in
// Groups of the channels, 32 by default; -1 makes a group of each channel. Options: Name,
// Groups, Axis (one), Epsilon, Center, Scale, BetaInitializer, GammaInitializer,
// BetaRegularizer, GammaRegularizer, BetaConstraint, GammaConstraint, DType.
func GroupNormalization(opts ...Option) *GroupNormalizationLayer {
	return declare[*GroupNormalizationLayer]("GroupNormalization", opts)
}

// BetaRegularizer adds a penalty on beta to the loss.
func BetaRegularizer(r any) Option { return set("BetaRegularizer", r) }

// GammaRegularizer adds a penalty on gamma to the loss.
func GammaRegularizer(r any) Option { return set("GammaRegularizer", r) }

// BetaConstraint projects beta after each step of the optimizer.
func BetaConstraint(c any) Option { return set("BetaConstraint", c) }

// GammaConstraint projects gamma after each step of the optimizer.
func GammaConstraint(c any) Option { return set("GammaConstraint", c) }

// Build makes gamma and beta.
func (l *GroupNormalizationLayer) Build(b *Builder, inputs []Spec) error {
	axes, shape, err := l.opts.axesOf(inputs)
	if err != nil {
		return err
	}
	if len(axes) != 1 {
		return fmt.Errorf("got axes %v, want one", l.opts.axis)
	}
	l.axis = axes[0]
	if n := l.opts.groups; n > 0 && shape[0] >= 0 && shape[0]%n != 0 {
		return fmt.Errorf("got an input of %d channels for %d groups, want a multiple of the groups", shape[0], n)
	}
	return b.addAll(l.opts.scaleAndCenter(&l.Gamma, &l.Beta), shape, l.DType())
}

// Call normalizes.
func (l *GroupNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	dims := x.Shape().Dimensions
	groups := l.opts.groups
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
	mean, variance := moments(grouped, within)
	y := graph.Mul(graph.Sub(grouped, mean), graph.Rsqrt(graph.AddScalar(variance, l.opts.epsilon)))
	y = graph.Reshape(y, dims...)
	if l.Gamma != nil {
		y = graph.Mul(y, onAxes(c.StatelessScope.Value(l.Gamma), y, []int{l.axis}))
	}
	if l.Beta != nil {
		y = graph.Add(y, onAxes(c.StatelessScope.Value(l.Beta), y, []int{l.axis}))
	}
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// UnitNormalizationLayer divides vectors by their norms: keras.layers.UnitNormalization.
type UnitNormalizationLayer struct{ declared }

// UnitNormalization returns a layer that gives vectors along Axis the norm 1. Options: Name,
// Axis, DType.
func UnitNormalization(opts ...Option) *UnitNormalizationLayer {
	return declare[*UnitNormalizationLayer]("UnitNormalization", opts)
}

// Build checks the axes.
func (l *UnitNormalizationLayer) Build(_ *Builder, inputs []Spec) error {
	_, _, err := l.opts.axesOf(inputs)
	return err
}

// Call divides.
func (l *UnitNormalizationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	axes, _, err := l.opts.axesOf([]Spec{{Shape: x.Shape().Dimensions}})
	if err != nil {
		panic(err)
	}
	return []*graph.Node{unit(x, 1e-12, axes...)}
}
