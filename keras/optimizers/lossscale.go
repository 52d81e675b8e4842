package optimizers

// This file scales losses. Gradients in float16, whose smallest positive value is 6e-8, could
// otherwise become 0. The scale is adapted during training (Micikevicius et al., Mixed Precision
// Training, 2018), or fixed.

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/internal/constant"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// lossScale is the state of a LossScaleOptimizer: its options, the scale and the number of finite
// steps.
type lossScale struct {
	scalingOptions
	counter *variable.Variable // number of finite steps since the scale changed; nil before build
	scale   *variable.Variable
	all     []*variable.Variable
}

// NewLossScaleOptimizer makes an optimizer, by name or as an *Optimizer, scale the loss, and
// returns it: keras.optimizers.LossScaleOptimizer. An *Optimizer is changed, and loses its
// LossScaleFactor; one that scales the loss already is an error, which Get returns. The loss is
// multiplied by the scale before gradients are computed, and the gradients are divided by it. If a
// gradient is not finite, the step changes neither weights nor slots, and the scale is halved.
// After a number of finite steps in a row it is doubled. The loss that is shown is not scaled.
// Compile does this for models with the policy mixed_float16. Options: InitialScale,
// DynamicGrowthSteps, Name.
func NewLossScaleOptimizer(inner any, opts ...Option) *Optimizer {
	const class = "LossScaleOptimizer"
	l := &lossScale{}
	option.SetDefaults(&l.scalingOptions)
	err := option.Assign(class, opts, &l.scalingOptions)
	o, innerErr := Get(inner)
	if err == nil {
		err = innerErr
	}
	if err == nil && o.scaling != nil {
		err = fmt.Errorf("%s: the optimizer %s scales the loss already", class, o.common.Name)
	}
	if err != nil {
		return &Optimizer{err: err}
	}
	o.scaling, o.untracked = l, true
	o.common.LossScaleFactor = nil
	return o
}

// InitialScale sets the first scale of a LossScaleOptimizer: 2¹⁵ by default. If it is too high, the
// first steps are skipped: each of them halves it. A number that is not positive is an error.
func InitialScale(x float64) Option { return set("InitialScale", x) }

// DynamicGrowthSteps sets the number of finite steps after which a LossScaleOptimizer doubles the
// scale: 2000 by default. A number below 1 is an error.
func DynamicGrowthSteps(n int) Option { return set("DynamicGrowthSteps", n) }

// LossScaleFactor multiplies the loss by a fixed number, and divides the gradients by it. By
// default nothing is scaled. A number that is not positive is an error.
func LossScaleFactor(x float64) Option { return set("LossScaleFactor", x) }

// ScalesLoss reports whether the optimizer scales the loss dynamically.
func (o *Optimizer) ScalesLoss() bool { return o.scaling != nil }

// DynamicScale returns the current scale of the loss, 1 if it is not scaled dynamically. It waits
// for steps that run; the error is that of reading the variable.
func (o *Optimizer) DynamicScale(ctx context.Context) (float64, error) {
	switch {
	case o.scaling == nil:
		return 1, nil
	case o.scaling.scale == nil:
		return o.scaling.InitialScale, nil
	}
	flat, err := o.scaling.scale.Value(ctx)
	if err != nil {
		return 0, err
	}
	return float64(flat.([]float32)[0]), nil
}

// ScaleLoss returns the loss times the scale, or the loss itself if the optimizer does not scale
// it. The caller computes the gradients of the result, and gives them to Apply.
func (o *Optimizer) ScaleLoss(s *variable.StatelessScope, loss *g.Node) *g.Node {
	switch {
	case o.scaling != nil:
		return g.Mul(loss, g.ConvertDType(s.Value(o.scaling.scale), loss.DType()))
	case orZero(o.common.LossScaleFactor) > 0:
		return g.MulScalar(loss, *o.common.LossScaleFactor)
	}
	return loss
}

// build makes the variables of the loss scale, replicated on dm; nil is one device. If they are
// there already, it does nothing. iteration and learning_rate are unused, but Keras' optimizer has
// them, and so do its files.
func (l *lossScale) build(dm *mesh.DeviceMesh) error {
	if l.scale != nil {
		return nil
	}
	l.counter = scalar(l.Name, "step_counter", dtypes.Int32, 0)
	l.scale = scalar(l.Name, "dynamic_scale", dtypes.Float32, l.InitialScale)
	l.all = []*variable.Variable{scalar(l.Name, "iteration", dtypes.Int32, 0), scalar(l.Name, "learning_rate", dtypes.Float32, 0), l.counter, l.scale}
	return replicate(l.all, dm)
}

// apply divides the gradients by the scale and calls update with them; update may assign the
// variables of state. If a gradient is not finite, these keep their values and the scale is halved.
// After DynamicGrowthSteps finite steps it doubles.
func (l *lossScale) apply(s *variable.StatelessScope, gradients []*g.Node, state []*variable.Variable, update func(gradients []*g.Node)) {
	scale, counter := s.Value(l.scale), s.Value(l.counter)
	finite := g.Const(scale.Graph(), true)
	unscaled := make([]*g.Node, len(gradients))
	for i, v := range gradients {
		finite = g.LogicalAnd(finite, g.ReduceLogicalAnd(g.IsFinite(v)))
		unscaled[i] = g.Div(v, g.ConvertDType(scale, v.DType()))
	}
	onlyIf(s, finite, state, func() { update(unscaled) })
	last := g.Equal(counter, constant.Like(counter, float64(l.DynamicGrowthSteps-1)))
	grown := g.Where(last, g.MulScalar(scale, 2), scale)
	s.Assign(l.scale, g.Where(finite, grown, g.MulScalar(scale, 0.5)))
	s.Assign(l.counter, g.Where(g.LogicalAnd(finite, g.LogicalNot(last)), g.OnePlus(counter), g.ZerosLike(counter)))
}

// onlyIf calls update, which may assign the variables of state in s. Where the scalar cond is
// false, they then keep the values from before.
func onlyIf(s *variable.StatelessScope, cond *g.Node, state []*variable.Variable, update func()) {
	before := make([]*g.Node, len(state))
	for i, v := range state {
		before[i] = s.Value(v)
	}
	update()
	for i, v := range state {
		if after := s.Value(v); after != before[i] {
			s.Assign(v, g.Where(cond, after, before[i]))
		}
	}
}

// scalar returns a new scalar variable optimizer/name of this type, with value as its first value.
// It is not trainable.
func scalar(optimizer, name string, dtype dtypes.DType, value float64) *variable.Variable {
	return variable.New(optimizer+"/"+name, nil, dtype, initializers.Constant(value), variable.NonTrainable(), variable.As(ir.RoleOptimizer))
}

// replicate gives the scalar variables vs a replicated sharding on the mesh dm; nil, one device,
// changes nothing.
func replicate(vs []*variable.Variable, dm *mesh.DeviceMesh) error {
	if dm == nil {
		return nil
	}
	for _, v := range vs {
		if err := v.SetSharding(layout.Replicated(dm, 0)); err != nil {
			return err
		}
	}
	return nil
}
