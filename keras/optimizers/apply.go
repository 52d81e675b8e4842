package optimizers

// This file defines the basic update rules, and Apply, which traces one step of an optimizer: what
// all optimizers do around their rules. The rules have the same operations in the same order as
// Keras on JAX, so that results differ at most by rounding.

import (
	"cmp"
	"context"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/internal/constant"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// SGD is gradient descent with momentum; without momentum it is w -= rate·gradient. Options:
// LearningRate, Momentum, Nesterov, and the common ones.
func SGD(opts ...Option) *Optimizer {
	o, c := declare[sgdOptions]("SGD", opts, LearningRate(0.01))
	var slots []slotGroup
	if c.Momentum != 0 {
		slots = []slotGroup{{names: []string{"momentum"}}}
	}
	return o.withRule(slots, func(u *Update) {
		step := g.Mul(u.Gradient, u.LearningRate)
		if c.Momentum == 0 {
			u.SetValue(g.Sub(u.Value(), step))
			return
		}
		m := u.SetSlot("momentum", g.Sub(g.MulScalar(u.Slot("momentum"), c.Momentum), step))
		if c.Nesterov {
			m = g.Sub(g.MulScalar(m, c.Momentum), step)
		}
		u.SetValue(g.Add(u.Value(), m))
	})
}

// RMSprop divides the gradient by the root of a running mean of its square (Hinton, 2012). It is
// Keras' default optimizer. Options: LearningRate, Rho, Momentum, Epsilon, Centered, and the common
// ones.
func RMSprop(opts ...Option) *Optimizer {
	o, c := declare[rmspropOptions]("RMSprop", opts)
	slots := []slotGroup{{names: []string{"velocity"}}}
	if c.Momentum > 0 {
		slots = append(slots, slotGroup{names: []string{"momentum"}})
	}
	if c.Centered {
		slots = append(slots, slotGroup{names: []string{"average_gradient"}})
	}
	return o.withRule(slots, func(u *Update) {
		square := g.Mul(u.Gradient, u.Gradient)
		velocity := u.SetSlot("velocity", g.Add(g.MulScalar(u.Slot("velocity"), c.Rho), g.MulScalar(square, 1-c.Rho)))
		denominator := velocity
		if c.Centered {
			mean := u.SetSlot("average_gradient",
				g.Add(g.MulScalar(u.Slot("average_gradient"), c.Rho), g.MulScalar(u.Gradient, 1-c.Rho)))
			denominator = g.Sub(velocity, g.Mul(mean, mean))
		}
		increment := g.Div(g.Mul(u.Gradient, u.LearningRate), g.Sqrt(plus(denominator, c.Epsilon)))
		if c.Momentum > 0 {
			increment = u.SetSlot("momentum", g.Add(g.MulScalar(u.Slot("momentum"), c.Momentum), increment))
		}
		u.SetValue(g.Sub(u.Value(), increment))
	})
}

// Adam divides a running mean of the gradient by the root of a running mean of its square (Kingma
// and Ba, 2015). Options: LearningRate, Beta1, Beta2, Epsilon, AMSGrad, and the common ones.
func Adam(opts ...Option) *Optimizer {
	return adam("Adam", opts)
}

// AdamW is Adam with a weight decay of 0.004 (Loshchilov and Hutter, 2019).
// Options: those of Adam.
func AdamW(opts ...Option) *Optimizer {
	return adam("AdamW", opts, WeightDecay(0.004))
}

func adam(class string, opts []Option, defaults ...Option) *Optimizer {
	o, c := declare[adamOptions](class, opts, defaults...)
	slots := []slotGroup{{names: []string{"momentum", "velocity"}}}
	if c.AMSGrad {
		slots = append(slots, slotGroup{names: []string{"velocity_hat"}})
	}
	return o.withRule(slots, func(u *Update) {
		rate := g.Div(g.Mul(u.LearningRate, g.Sqrt(g.OneMinus(power(c.Beta2, u.Step)))), g.OneMinus(power(c.Beta1, u.Step)))
		m := u.towards("momentum", u.Gradient, c.Beta1)
		v := u.towards("velocity", g.Mul(u.Gradient, u.Gradient), c.Beta2)
		if c.AMSGrad {
			v = u.SetSlot("velocity_hat", g.Max(u.Slot("velocity_hat"), v))
		}
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(m, rate), plus(g.Sqrt(v), c.Epsilon))))
	})
}

// Adagrad divides the gradient by the root of the sum of all its squares so far (Duchi et al.,
// 2011). Options: LearningRate, InitialAccumulatorValue, Epsilon, and the common ones.
func Adagrad(opts ...Option) *Optimizer {
	o, c := declare[adagradOptions]("Adagrad", opts)
	slots := []slotGroup{{names: []string{"accumulator"}, initial: map[string]float64{"accumulator": c.InitialAccumulatorValue}}}
	return o.withRule(slots, func(u *Update) {
		sum := u.SetSlot("accumulator", g.Add(u.Slot("accumulator"), g.Mul(u.Gradient, u.Gradient)))
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(u.Gradient, u.LearningRate), g.Sqrt(plus(sum, c.Epsilon)))))
	})
}

// declare returns an optimizer of Keras without a rule, and the struct T of its options besides the
// common ones, with their values. defaults are defaults of the class that differ from those of the
// structs. The optimizer keeps the error of a wrong option, which Get returns.
func declare[T any](class string, opts []Option, defaults ...Option) (*Optimizer, *T) {
	own := new(T)
	o := &Optimizer{class: class, options: own}
	option.SetDefaults(own)
	option.SetDefaults(&o.common)
	if o.err = option.Assign(class, slices.Concat(defaults, opts), own, &o.common); o.err == nil {
		o.err = o.common.check(class)
	}
	o.common.Name = cmp.Or(o.common.Name, autoname.Snake(class))
	return o, own
}

// withRule sets the slots of the optimizer and its update rule, and returns the optimizer. All ops
// of the rule get one place in the source.
func (o *Optimizer) withRule(slots []slotGroup, rule func(*Update)) *Optimizer {
	o.groups = slots
	o.rule = func(u *Update) { u.scope.Recorder.AtOnePlace(func() { rule(u) }) }
	return o
}

// Apply assigns the new values of variables and slots in s. gradients are those of the loss that
// ScaleLoss returned, in the order of the variables that Build got. It overwrites the elements of
// gradients.
func (o *Optimizer) Apply(s *variable.StatelessScope, gradients []*g.Node) {
	for i, v := range o.trained {
		gradients[i] = g.ConvertDType(gradients[i], v.DType())
	}
	if o.scaling != nil {
		o.scaling.apply(s, gradients, slices.Concat(o.all, o.trained), func(unscaled []*g.Node) { o.step(s, unscaled) })
		return
	}
	if x := orZero(o.common.LossScaleFactor); x > 0 {
		for i := range gradients {
			gradients[i] = g.DivScalar(gradients[i], x)
		}
	}
	o.step(s, gradients)
}

// step assigns new values to the trained variables, by gradients, one for each, which are not
// scaled, and to the optimizer's own variables. With accumulation, the rule runs only in each n-th
// step. The constraints of variables are applied in each step.
func (o *Optimizer) step(s *variable.StatelessScope, gradients []*g.Node) {
	iteration := s.Value(o.iteration)
	if o.multi != nil {
		o.multi.step(s, gradients)
		s.Assign(o.iteration, g.OnePlus(iteration))
		return
	}
	updates := iteration // number of updates before this step
	var now *g.Node      // whether this step ends an accumulation
	sums := gradients
	if n := orZero(o.common.GradientAccumulationSteps); n > 1 {
		every := g.Scalar(iteration.Graph(), iteration.DType(), n)
		updates = g.Div(iteration, every)
		now = g.Equal(g.Rem(g.OnePlus(iteration), every), g.ZerosLike(iteration))
		sums, gradients = o.accumulate(s, gradients)
	}
	gradients = o.common.clip(gradients)
	rate := o.rateNode(s, iteration)
	scalars := o.stepScalars(s, now, updates)
	for i, v := range o.trained {
		s.Recorder.Scope(v.Path(), func() {
			update := func() { o.update(s, v, gradients[i], rate, updates, scalars) }
			if now == nil {
				update()
			} else {
				onlyIf(s, now, o.ruleState(v), update)
				s.Assign(o.slotVars[v][accumulatorSlot], g.Where(now, g.ZerosLike(sums[i]), sums[i]))
			}
			if o.common.UseEMA {
				o.average(s, v, updates)
			}
		})
	}
	for _, v := range o.trained {
		if limit := v.Constraint(); limit != nil {
			s.Recorder.Scope(v.Path(), func() { s.Assign(v, limit.Call(s.Value(v))) })
		}
	}
	s.Assign(o.iteration, g.OnePlus(iteration))
}

// rateNode returns the learning rate of the step with the number iteration, a float32 scalar.
func (o *Optimizer) rateNode(s *variable.StatelessScope, iteration *g.Node) *g.Node {
	if o.common.LearningRate.schedule != nil {
		return o.common.LearningRate.schedule.Rate(g.ConvertDType(iteration, dtypes.Float32))
	}
	return s.Value(o.learningRate)
}

// update assigns the new values of the variable v in s: it subtracts the weight decay, if it
// applies to v, and runs the optimizer's rule on the gradient, with the learning rate and the
// number of updates before, which are scalars. scalars holds the numbers that stepScalars returns.
func (o *Optimizer) update(s *variable.StatelessScope, v *variable.Variable, gradient, rate, updates *g.Node, scalars map[string]*g.Node) {
	rate = g.ConvertDType(rate, v.DType())
	x := s.Value(v)
	if decay := o.weightDecay(v); decay > 0 {
		s.Assign(v, g.Sub(x, g.Mul(g.MulScalar(x, decay), rate)))
	}
	o.rule(&Update{
		Gradient:     gradient,
		LearningRate: rate,
		Step:         g.ConvertDType(g.OnePlus(updates), v.DType()),
		scope:        s,
		variable:     v,
		before:       x,
		slots:        o.slotVars[v],
		scalars:      scalars,
	})
}

// weightDecay returns the weight decay of the variable v as a factor of the learning rate: 0 for a
// variable that is excluded.
func (o *Optimizer) weightDecay(v *variable.Variable) float64 {
	switch {
	case !o.common.decays(v.Name()):
		return 0
	case o.decay != nil:
		return o.decay(v)
	}
	return orZero(o.common.WeightDecay)
}

// stepScalars computes the numbers that all variables share in this step, such as Nadam's momentum
// schedule, and returns them by name. updates is the number of updates before. It assigns the
// numbers to their variables for the next step, unless now, a boolean that says whether this step
// updates the weights, is false. A nil now is true. Within a LossScaleOptimizer, there are no
// variables: the numbers always follow from their initial values.
func (o *Optimizer) stepScalars(s *variable.StatelessScope, now, updates *g.Node) map[string]*g.Node {
	values := make(map[string]*g.Node)
	for _, x := range o.scalars {
		step := g.ConvertDType(g.OnePlus(updates), dtypes.Float32)
		if o.untracked {
			values[x.name] = x.next(constant.Like(step, x.initial), step)
			continue
		}
		before := s.Value(x.variable)
		after := x.next(before, step)
		if now != nil {
			after = g.Where(now, after, before)
		}
		s.Assign(x.variable, after)
		values[x.name] = after
	}
	return values
}

// accumulate returns, for each trained variable, the sum of the gradients since the last update
// with this one added, and that sum divided by GradientAccumulationSteps. It assigns nothing.
func (o *Optimizer) accumulate(s *variable.StatelessScope, gradients []*g.Node) (sums, means []*g.Node) {
	for i, v := range o.trained {
		sum := g.Add(gradients[i], s.Value(o.slotVars[v][accumulatorSlot]))
		sums = append(sums, sum)
		means = append(means, g.DivScalar(sum, float64(*o.common.GradientAccumulationSteps)))
	}
	return sums, means
}

// ruleState returns the variables that the rule may assign when it updates v: v and its slots of
// the rule.
func (o *Optimizer) ruleState(v *variable.Variable) []*variable.Variable {
	state := []*variable.Variable{v}
	for _, group := range o.groups {
		for _, name := range group.names {
			if slot := o.slotVars[v][name]; slot != nil {
				state = append(state, slot)
			}
		}
	}
	return state
}

// average updates the moving average of v in s, for UseEMA: in the first update it becomes the
// value of v. It is called in each step, also in one that only accumulates gradients. updates is
// the number of updates before this step. At each EMAOverwriteFrequency-th update the average
// replaces the value of v.
func (o *Optimizer) average(s *variable.StatelessScope, v *variable.Variable, updates *g.Node) {
	x, slot := s.Value(v), o.slotVars[v][averageSlot]
	first := g.Equal(updates, g.ZerosLike(updates))
	m := g.Where(first, constant.Like(x, 0), constant.Like(x, o.common.EMAMomentum))
	average := g.Add(g.Mul(s.Value(slot), m), g.Mul(x, g.OneMinus(m)))
	s.Assign(slot, average)
	if n := orZero(o.common.EMAOverwriteFrequency); n > 0 {
		every := g.Scalar(updates.Graph(), updates.DType(), n)
		due := g.Equal(g.Rem(g.OnePlus(updates), every), g.ZerosLike(updates))
		s.Assign(v, g.Where(due, average, x))
	}
}

// KeepsAverages reports whether the optimizer, or one of the optimizers in a MultiOptimizer, has
// the option UseEMA.
func (o *Optimizer) KeepsAverages() bool {
	return o.common.UseEMA || slices.ContainsFunc(o.Optimizers(), (*Optimizer).KeepsAverages)
}

// Averages returns the variables that the optimizer trains, and for each its moving average; of a
// MultiOptimizer, those of its optimizers that have UseEMA. It returns none without UseEMA, and
// before the averages have values.
func (o *Optimizer) Averages() (of, averages []*variable.Variable) {
	for _, inner := range o.Optimizers() {
		ofInner, itsAverages := inner.Averages()
		of, averages = append(of, ofInner...), append(averages, itsAverages...)
	}
	if !o.common.UseEMA {
		return of, averages
	}
	for _, v := range o.trained {
		if average := o.slotVars[v][averageSlot]; average.Array() != nil {
			of, averages = append(of, v), append(averages, average)
		}
	}
	return of, averages
}

// Finalize must be called at the end of a training. With UseEMA it replaces the weights by their
// averages, on the devices of c; otherwise it does nothing. The error is that of reading or writing
// the variables.
func (o *Optimizer) Finalize(ctx context.Context, c *runtime.Client) error {
	of, averages := o.Averages()
	for i, v := range of {
		flat, err := averages[i].Value(ctx)
		if err != nil {
			return err
		}
		if err := v.Assign(c, flat); err != nil {
			return err
		}
	}
	return nil
}

// slots returns the slots that the common options need: of UseEMA and of GradientAccumulationSteps.
// In Variables they come before the slots of the rule.
func (c *common) slots() []slotGroup {
	var groups []slotGroup
	if c.UseEMA {
		groups = append(groups, slotGroup{names: []string{averageSlot}})
	}
	if orZero(c.GradientAccumulationSteps) > 1 {
		groups = append(groups, slotGroup{names: []string{accumulatorSlot}})
	}
	return groups
}

// clip returns the gradients clipped by the option ClipNorm, ClipValue or GlobalClipNorm; without
// them it returns a copy of the list. gradients itself does not change.
func (c *common) clip(gradients []*g.Node) []*g.Node {
	out := make([]*g.Node, len(gradients))
	copy(out, gradients)
	norm, value, globalNorm := orZero(c.ClipNorm), orZero(c.ClipValue), orZero(c.GlobalClipNorm)
	var scale *g.Node // float32, of the global norm
	if globalNorm > 0 {
		var squares *g.Node
		for _, v := range gradients {
			s := g.ReduceAllSum(g.Mul(v, v))
			if squares == nil {
				squares = s
			} else {
				squares = g.Add(squares, g.ConvertDType(s, squares.DType()))
			}
		}
		all := g.Sqrt(squares)
		limit := constant.Like(all, globalNorm)
		scale = g.Add(g.Mul(limit, g.Min(g.Reciprocal(all), g.Reciprocal(limit))),
			g.Sub(all, all)) // NaN where the norm is not finite
	}
	for i, v := range out {
		switch {
		case norm > 0:
			own := g.Sqrt(g.ReduceAllSum(g.Mul(v, v)))
			out[i] = g.Div(g.MulScalar(v, norm), g.Max(own, constant.Like(own, norm)))
		case scale != nil:
			out[i] = g.Mul(v, g.ConvertDType(scale, v.DType()))
		case value > 0:
			out[i] = g.Clamp(constant.Like(v, -value), v, constant.Like(v, value))
		}
	}
	return out
}

// decays reports whether weight decay applies to the variable of the given name: no pattern of
// ExcludeFromWeightDecay matches a part of it.
func (c *common) decays(name string) bool { return !c.ExcludeFromWeightDecay.match(name) }

// plus returns x plus the number v, such as an epsilon.
func plus(x *g.Node, v float64) *g.Node { return g.Add(x, constant.Like(x, v)) }
