package optimizers

// This file makes one step of an optimizer, while the train step is traced.

import (
	"context"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// Apply assigns the variables' and the slots' new values in s. gradients are
// those of the variables that Build was given, in that order, of the loss that
// ScaleLoss returned.
func (o *Optimizer) Apply(s *variable.StatelessScope, gradients []*g.Node) {
	for i, v := range o.trained {
		gradients[i] = g.ConvertDType(gradients[i], v.DType())
	}
	if o.scaling != nil {
		o.scaling.apply(s, gradients, slices.Concat(o.all, o.trained), func(unscaled []*g.Node) { o.step(s, unscaled) })
		return
	}
	if x := o.common.lossScaleFactor; x > 0 {
		for i := range gradients {
			gradients[i] = g.DivScalar(gradients[i], x)
		}
	}
	o.step(s, gradients)
}

// step makes a step with gradients that are not scaled.
func (o *Optimizer) step(s *variable.StatelessScope, gradients []*g.Node) {
	iteration := s.Value(o.iteration)
	updates := iteration // so far
	var now *g.Node      // whether this step ends an accumulation
	sums := gradients
	if n := o.common.accumulate; n > 1 {
		every := g.Scalar(iteration.Graph(), iteration.DType(), n)
		updates = g.Div(iteration, every)
		now = g.Equal(g.Rem(g.OnePlus(iteration), every), g.ZerosLike(iteration))
		sums, gradients = o.accumulate(s, gradients)
	}
	gradients = o.common.clip(gradients)
	rate := o.rateNode(s, iteration)
	for i, v := range o.trained {
		s.Recorder.Scope(v.Path(), func() {
			update := func() { o.update(s, v, gradients[i], rate, updates) }
			if now == nil {
				update()
			} else {
				onlyIf(s, now, o.ruleState(v), update)
				s.Assign(o.slotVars[v][accumulatorSlot], g.Where(now, g.ZerosLike(sums[i]), sums[i]))
			}
			if o.common.useEMA {
				o.average(s, v, updates)
			}
		})
	}
	s.Assign(o.iteration, g.OnePlus(iteration))
}

// rateNode returns the learning rate of this step, float32.
func (o *Optimizer) rateNode(s *variable.StatelessScope, iteration *g.Node) *g.Node {
	if o.schedule != nil {
		return o.schedule.Rate(g.ConvertDType(iteration, dtypes.Float32))
	}
	return s.Value(o.learningRate)
}

// update decays a variable and applies the rule to it.
func (o *Optimizer) update(s *variable.StatelessScope, v *variable.Variable, gradient, rate, updates *g.Node) {
	rate = g.ConvertDType(rate, v.DType())
	if o.common.decays(v.Name()) {
		x := s.Value(v)
		s.Assign(v, g.Sub(x, g.Mul(g.MulScalar(x, o.common.weightDecay), rate)))
	}
	o.rule(&Update{
		Gradient:     gradient,
		LearningRate: rate,
		Step:         g.ConvertDType(g.OnePlus(updates), v.DType()),
		scope:        s,
		variable:     v,
		slots:        o.slotVars[v],
	})
}

// accumulate returns the sums of the gradients since the last update, and
// their means.
func (o *Optimizer) accumulate(s *variable.StatelessScope, gradients []*g.Node) (sums, means []*g.Node) {
	for i, v := range o.trained {
		sum := g.Add(gradients[i], s.Value(o.slotVars[v][accumulatorSlot]))
		sums = append(sums, sum)
		means = append(means, g.DivScalar(sum, float64(o.common.accumulate)))
	}
	return sums, means
}

// ruleState returns what the rule may change when it updates v.
func (o *Optimizer) ruleState(v *variable.Variable) []*variable.Variable {
	state := []*variable.Variable{v}
	for _, group := range o.groups {
		for _, name := range group.names {
			state = append(state, o.slotVars[v][name])
		}
	}
	return state
}

// average moves the average of a variable, which starts at the first value.
func (o *Optimizer) average(s *variable.StatelessScope, v *variable.Variable, updates *g.Node) {
	x, slot := s.Value(v), o.slotVars[v][averageSlot]
	momentum := 0.99
	if o.common.emaMomentum > 0 {
		momentum = o.common.emaMomentum
	}
	first := g.Equal(updates, g.ZerosLike(updates))
	m := g.Where(first, constant(x, 0), constant(x, momentum))
	average := g.Add(g.Mul(s.Value(slot), m), g.Mul(x, g.OneMinus(m)))
	s.Assign(slot, average)
	if n := o.common.emaOverwrite; n > 0 {
		every := g.Scalar(updates.Graph(), updates.DType(), n)
		due := g.Equal(g.Rem(g.OnePlus(updates), every), g.ZerosLike(updates))
		s.Assign(v, g.Where(due, average, x))
	}
}

// Finalize ends a training: with UseEMA the averages replace the weights.
func (o *Optimizer) Finalize(ctx context.Context, c *runtime.Client) error {
	if !o.common.useEMA {
		return nil
	}
	for _, v := range o.trained {
		average := o.slotVars[v][averageSlot]
		if average.Array() == nil {
			continue // no step was made
		}
		flat, err := average.Value(ctx)
		if err != nil {
			return err
		}
		if err := v.Assign(c, flat); err != nil {
			return err
		}
	}
	return nil
}
