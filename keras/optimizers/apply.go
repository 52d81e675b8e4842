package optimizers

// This file defines the basic update rules, and Apply, which traces one step of an optimizer: what
// all optimizers do around their rules. The rules have the same operations in the same order as
// Keras on JAX, so that results differ at most by rounding.

import (
	"context"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// SGD is gradient descent with momentum; without momentum it is w -= rate·gradient. Options:
// LearningRate, Momentum, Nesterov, and the common ones.
func SGD(opts ...Option) *Optimizer {
	c, err := configure("SGD", config{name: "sgd", learningRate: 0.01}, opts,
		"Momentum", "Nesterov")
	var slots []slotGroup
	if c.momentum != 0 {
		slots = []slotGroup{{names: []string{"momentum"}}}
	}
	return c.optimizer(err, slots, func(u *Update) {
		step := g.Mul(u.Gradient, u.LearningRate)
		if c.momentum == 0 {
			u.SetValue(g.Sub(u.Value(), step))
			return
		}
		m := u.SetSlot("momentum", g.Sub(g.MulScalar(u.Slot("momentum"), c.momentum), step))
		if c.nesterov {
			m = g.Sub(g.MulScalar(m, c.momentum), step)
		}
		u.SetValue(g.Add(u.Value(), m))
	})
}

// RMSprop divides the gradient by the root of a running mean of its square (Hinton, 2012). It is
// Keras' default optimizer. Options: LearningRate, Rho, Momentum, Epsilon, Centered, and the common
// ones.
func RMSprop(opts ...Option) *Optimizer {
	c, err := configure("RMSprop", config{name: "rm_sprop", learningRate: 0.001, rho: 0.9, epsilon: 1e-7}, opts,
		"Rho", "Momentum", "Epsilon", "Centered")
	slots := []slotGroup{{names: []string{"velocity"}}}
	if c.momentum > 0 {
		slots = append(slots, slotGroup{names: []string{"momentum"}})
	}
	if c.centered {
		slots = append(slots, slotGroup{names: []string{"average_gradient"}})
	}
	return c.optimizer(err, slots, func(u *Update) {
		square := g.Mul(u.Gradient, u.Gradient)
		velocity := u.SetSlot("velocity", g.Add(g.MulScalar(u.Slot("velocity"), c.rho), g.MulScalar(square, 1-c.rho)))
		denominator := velocity
		if c.centered {
			mean := u.SetSlot("average_gradient",
				g.Add(g.MulScalar(u.Slot("average_gradient"), c.rho), g.MulScalar(u.Gradient, 1-c.rho)))
			denominator = g.Sub(velocity, g.Mul(mean, mean))
		}
		increment := g.Div(g.Mul(u.Gradient, u.LearningRate), g.Sqrt(g.AddScalar(denominator, c.epsilon)))
		if c.momentum > 0 {
			increment = u.SetSlot("momentum", g.Add(g.MulScalar(u.Slot("momentum"), c.momentum), increment))
		}
		u.SetValue(g.Sub(u.Value(), increment))
	})
}

// Adam divides a running mean of the gradient by the root of a running mean of its square (Kingma
// and Ba, 2015). Options: LearningRate, Beta1, Beta2, Epsilon, AMSGrad, and the common ones.
func Adam(opts ...Option) *Optimizer {
	return adam("Adam", config{name: "adam"}, opts)
}

// AdamW is Adam with a weight decay of 0.004 (Loshchilov and Hutter, 2019).
// Options: those of Adam.
func AdamW(opts ...Option) *Optimizer {
	return adam("AdamW", config{name: "adam_w", common: common{weightDecay: 0.004}}, opts)
}

func adam(kind string, c config, opts []Option) *Optimizer {
	c.learningRate, c.beta1, c.beta2, c.epsilon = 0.001, 0.9, 0.999, 1e-7
	c, err := configure(kind, c, opts, "Beta1", "Beta2", "Epsilon", "AMSGrad")
	slots := []slotGroup{{names: []string{"momentum", "velocity"}}}
	if c.amsgrad {
		slots = append(slots, slotGroup{names: []string{"velocity_hat"}})
	}
	return c.optimizer(err, slots, func(u *Update) {
		rate := g.Div(g.Mul(u.LearningRate, g.Sqrt(g.OneMinus(power(c.beta2, u.Step)))), g.OneMinus(power(c.beta1, u.Step)))
		m := u.towards("momentum", u.Gradient, c.beta1)
		v := u.towards("velocity", g.Mul(u.Gradient, u.Gradient), c.beta2)
		if c.amsgrad {
			v = u.SetSlot("velocity_hat", g.Max(u.Slot("velocity_hat"), v))
		}
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(m, rate), g.AddScalar(g.Sqrt(v), c.epsilon))))
	})
}

// Adagrad divides the gradient by the root of the sum of all its squares so far (Duchi et al.,
// 2011). Options: LearningRate, InitialAccumulatorValue, Epsilon, and the common ones.
func Adagrad(opts ...Option) *Optimizer {
	c, err := configure("Adagrad", config{name: "adagrad", learningRate: 0.001, initialAccumulator: 0.1, epsilon: 1e-7}, opts,
		"InitialAccumulatorValue", "Epsilon")
	slots := []slotGroup{{names: []string{"accumulator"}, initial: map[string]float64{"accumulator": c.initialAccumulator}}}
	return c.optimizer(err, slots, func(u *Update) {
		sum := u.SetSlot("accumulator", g.Add(u.Slot("accumulator"), g.Mul(u.Gradient, u.Gradient)))
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(u.Gradient, u.LearningRate), g.Sqrt(g.AddScalar(sum, c.epsilon)))))
	})
}

// configure applies opts to c. It fails for an option that is neither a common one nor listed in
// accepts, and for options that exclude each other.
func configure(kind string, c config, opts []Option, accepts ...string) (config, error) {
	c.kind, c.own = kind, accepts
	err := option.Apply(kind, &c, opts, slices.Concat(accepts, commonOptions)...)
	if err == nil {
		err = c.common.check(kind)
	}
	return c, err
}

// optimizer returns the optimizer with the given slots and rule.
func (c config) optimizer(err error, slots []slotGroup, rule func(*Update)) *Optimizer {
	inOnePlace := func(u *Update) { u.scope.Recorder.AtOnePlace(func() { rule(u) }) }
	return &Optimizer{config: c, rate: c.learningRate, groups: slots, rule: inOnePlace, err: err}
}

// Apply assigns the new values of variables and slots in s. gradients are those of the loss that
// ScaleLoss returned, in the order of the variables that Build got.
func (o *Optimizer) Apply(s *variable.StatelessScope, gradients []*g.Node) {
	for i, v := range o.trained {
		gradients[i] = g.ConvertDType(gradients[i], v.DType())
	}
	if o.scaling != nil {
		o.scaling.apply(s, gradients, slices.Concat(o.all, o.trained), func(unscaled []*g.Node) { o.step(s, unscaled) })
		return
	}
	if x := o.config.common.lossScaleFactor; x > 0 {
		for i := range gradients {
			gradients[i] = g.DivScalar(gradients[i], x)
		}
	}
	o.step(s, gradients)
}

// step applies gradients that are not scaled.
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
	if n := o.config.common.accumulate; n > 1 {
		every := g.Scalar(iteration.Graph(), iteration.DType(), n)
		updates = g.Div(iteration, every)
		now = g.Equal(g.Rem(g.OnePlus(iteration), every), g.ZerosLike(iteration))
		sums, gradients = o.accumulate(s, gradients)
	}
	gradients = o.config.common.clip(gradients)
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
			if o.config.common.useEMA {
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

// rateNode returns the learning rate of this step, a float32 scalar.
func (o *Optimizer) rateNode(s *variable.StatelessScope, iteration *g.Node) *g.Node {
	if o.config.schedule != nil {
		return o.config.schedule.Rate(g.ConvertDType(iteration, dtypes.Float32))
	}
	return s.Value(o.learningRate)
}

// update applies weight decay and the rule to one variable.
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

// weightDecay returns the weight decay of a variable.
func (o *Optimizer) weightDecay(v *variable.Variable) float64 {
	switch {
	case !o.config.common.decays(v.Name()):
		return 0
	case o.decay != nil:
		return o.decay(v)
	}
	return o.config.common.weightDecay
}

// stepScalars returns the values of the scalars that all variables share, by their names, and keeps
// them for the next step. now says whether this step updates the weights; nil means that it does.
func (o *Optimizer) stepScalars(s *variable.StatelessScope, now, updates *g.Node) map[string]*g.Node {
	values := make(map[string]*g.Node)
	for _, x := range o.scalars {
		step := g.ConvertDType(g.OnePlus(updates), dtypes.Float32)
		if o.untracked {
			values[x.name] = x.next(constant(step, x.initial), step)
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

// accumulate returns the sums of the gradients since the last update, and
// their means.
func (o *Optimizer) accumulate(s *variable.StatelessScope, gradients []*g.Node) (sums, means []*g.Node) {
	for i, v := range o.trained {
		sum := g.Add(gradients[i], s.Value(o.slotVars[v][accumulatorSlot]))
		sums = append(sums, sum)
		means = append(means, g.DivScalar(sum, float64(o.config.common.accumulate)))
	}
	return sums, means
}

// ruleState returns the variables that the rule may assign when it updates v: v and its slots.
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

// average updates the moving average of a variable. At the first update the average is the value of
// the variable.
func (o *Optimizer) average(s *variable.StatelessScope, v *variable.Variable, updates *g.Node) {
	x, slot := s.Value(v), o.slotVars[v][averageSlot]
	momentum := 0.99
	if o.config.common.emaMomentum > 0 {
		momentum = o.config.common.emaMomentum
	}
	first := g.Equal(updates, g.ZerosLike(updates))
	m := g.Where(first, constant(x, 0), constant(x, momentum))
	average := g.Add(g.Mul(s.Value(slot), m), g.Mul(x, g.OneMinus(m)))
	s.Assign(slot, average)
	if n := o.config.common.emaOverwrite; n > 0 {
		every := g.Scalar(updates.Graph(), updates.DType(), n)
		due := g.Equal(g.Rem(g.OnePlus(updates), every), g.ZerosLike(updates))
		s.Assign(v, g.Where(due, average, x))
	}
}

// KeepsAverages reports whether the optimizer, or one of the optimizers in a MultiOptimizer, has
// the option UseEMA.
func (o *Optimizer) KeepsAverages() bool {
	return o.config.common.useEMA || slices.ContainsFunc(o.Optimizers(), (*Optimizer).KeepsAverages)
}

// Averages returns the variables that the optimizer trains, and for each its moving average. It
// returns none without UseEMA, and before the first step.
func (o *Optimizer) Averages() (of, averages []*variable.Variable) {
	for _, inner := range o.Optimizers() {
		ofInner, itsAverages := inner.Averages()
		of, averages = append(of, ofInner...), append(averages, itsAverages...)
	}
	if !o.config.common.useEMA {
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
// averages.
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

// slots returns the slots of the common options. In Variables they come before the slots of the
// rule.
func (c common) slots() []slotGroup {
	var groups []slotGroup
	if c.useEMA {
		groups = append(groups, slotGroup{names: []string{averageSlot}})
	}
	if c.accumulate > 1 {
		groups = append(groups, slotGroup{names: []string{accumulatorSlot}})
	}
	return groups
}

// clip returns the clipped gradients.
func (c common) clip(gradients []*g.Node) []*g.Node {
	out := make([]*g.Node, len(gradients))
	copy(out, gradients)
	var scale *g.Node // float32, of the global norm
	if c.globalClipNorm > 0 {
		var squares *g.Node
		for _, v := range gradients {
			s := g.ReduceAllSum(g.Mul(v, v))
			if squares == nil {
				squares = s
			} else {
				squares = g.Add(squares, g.ConvertDType(s, squares.DType()))
			}
		}
		norm := g.Sqrt(squares)
		limit := constant(norm, c.globalClipNorm)
		scale = g.Add(g.Mul(limit, g.Min(g.Reciprocal(norm), g.Reciprocal(limit))),
			g.Sub(norm, norm)) // NaN where the norm is not finite
	}
	for i, v := range out {
		switch {
		case c.clipNorm > 0:
			norm := g.Sqrt(g.ReduceAllSum(g.Mul(v, v)))
			out[i] = g.Div(g.MulScalar(v, c.clipNorm), g.Max(norm, constant(norm, c.clipNorm)))
		case scale != nil:
			out[i] = g.Mul(v, g.ConvertDType(scale, v.DType()))
		case c.clipValue > 0:
			out[i] = g.Clamp(constant(v, -c.clipValue), v, constant(v, c.clipValue))
		}
	}
	return out
}

// decays reports whether weight decay applies to the variable of the given name.
func (c common) decays(name string) bool {
	for _, re := range c.noDecay {
		if re.MatchString(name) {
			return false
		}
	}
	return true
}

func constant(like *g.Node, v float64) *g.Node { return g.Scalar(like.Graph(), like.DType(), v) }
