package optimizers

// This file holds the update rules. Their operations have the order of Keras on
// JAX, so that results differ at most by rounding.

import (
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
)

// SGD is gradient descent with momentum: w -= rate·gradient. Options:
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

// RMSprop divides the gradient by the root of a running mean of its squares
// (Hinton, 2012): Keras' default optimizer. Options: LearningRate, Rho,
// Momentum, Epsilon, Centered, and the common ones.
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

// Adam keeps running means of the gradient and of its square (Kingma and Ba,
// 2015). Options: LearningRate, Beta1, Beta2, Epsilon, AMSGrad, and the common
// ones.
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
		power := func(beta float64) *g.Node {
			return g.Pow(g.Scalar(u.Step.Graph(), u.Step.DType(), beta), u.Step)
		}
		rate := g.Div(g.Mul(u.LearningRate, g.Sqrt(g.OneMinus(power(c.beta2)))), g.OneMinus(power(c.beta1)))
		towards := func(slot string, target *g.Node, beta float64) *g.Node {
			old := u.Slot(slot)
			return u.SetSlot(slot, g.Add(old, g.MulScalar(g.Sub(target, old), 1-beta)))
		}
		m := towards("momentum", u.Gradient, c.beta1)
		v := towards("velocity", g.Mul(u.Gradient, u.Gradient), c.beta2)
		if c.amsgrad {
			v = u.SetSlot("velocity_hat", g.Max(u.Slot("velocity_hat"), v))
		}
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(m, rate), g.AddScalar(g.Sqrt(v), c.epsilon))))
	})
}

// Adagrad divides the gradient by the root of the sum of all its squares so far
// (Duchi et al., 2011). Options: LearningRate, InitialAccumulatorValue,
// Epsilon, and the common ones.
func Adagrad(opts ...Option) *Optimizer {
	c, err := configure("Adagrad", config{name: "adagrad", learningRate: 0.001, initialAccumulator: 0.1, epsilon: 1e-7}, opts,
		"InitialAccumulatorValue", "Epsilon")
	slots := []slotGroup{{names: []string{"accumulator"}, initial: c.initialAccumulator}}
	return c.optimizer(err, slots, func(u *Update) {
		sum := u.SetSlot("accumulator", g.Add(u.Slot("accumulator"), g.Mul(u.Gradient, u.Gradient)))
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(u.Gradient, u.LearningRate), g.Sqrt(g.AddScalar(sum, c.epsilon)))))
	})
}

// configure applies opts. accepts names the options that the optimizer takes
// besides the common ones.
func configure(kind string, c config, opts []Option, accepts ...string) (config, error) {
	c.kind = kind
	err := option.Apply(kind, &c, opts, append(accepts, commonOptions...)...)
	if err == nil {
		err = c.common.check(kind)
	}
	return c, err
}

// optimizer returns the optimizer of a rule.
func (c config) optimizer(err error, slots []slotGroup, rule func(*Update)) *Optimizer {
	return &Optimizer{config: c, rate: c.learningRate, groups: slots, rule: rule, err: err}
}
