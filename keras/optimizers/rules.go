package optimizers

// This file holds the update rules, in the order of operations of Keras on
// JAX, so that results differ by rounding at most.

import (
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
)

// SGD is gradient descent with momentum: w -= rate·gradient. Options: Name,
// LearningRate, Momentum, Nesterov.
func SGD(opts ...Option) *Optimizer {
	c, err := configure("SGD", config{name: "sgd", learningRate: 0.01}, opts,
		"Name", "LearningRate", "Momentum", "Nesterov")
	var slots []string
	if c.momentum != 0 {
		slots = []string{"momentum"}
	}
	o := New(c.name, c.learningRate, slots, func(u *Update) {
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
	o.err = err
	return o
}

// RMSprop divides the gradient by the root of a running mean of its squares
// (Hinton, 2012): Keras' default optimizer. Options: Name, LearningRate, Rho,
// Momentum, Epsilon, Centered.
func RMSprop(opts ...Option) *Optimizer {
	c, err := configure("RMSprop", config{name: "rm_sprop", learningRate: 0.001, rho: 0.9, epsilon: 1e-7}, opts,
		"Name", "LearningRate", "Rho", "Momentum", "Epsilon", "Centered")
	slots := []string{"velocity"}
	if c.momentum > 0 {
		slots = append(slots, "momentum")
	}
	if c.centered {
		slots = append(slots, "average_gradient")
	}
	o := New(c.name, c.learningRate, slots, func(u *Update) {
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
	o.err = err
	return o
}

// Adam keeps running means of the gradient and of its square (Kingma and Ba,
// 2015). Options: Name, LearningRate, Beta1, Beta2, Epsilon, AMSGrad.
func Adam(opts ...Option) *Optimizer {
	c, err := configure("Adam", config{name: "adam", learningRate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-7}, opts,
		"Name", "LearningRate", "Beta1", "Beta2", "Epsilon", "AMSGrad")
	slots := []string{"momentum", "velocity"}
	if c.amsgrad {
		slots = append(slots, "velocity_hat")
	}
	o := New(c.name, c.learningRate, slots, func(u *Update) {
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
	o.err = err
	return o
}

func configure(kind string, c config, opts []Option, accepts ...string) (config, error) {
	err := option.Apply(kind, &c, opts, accepts...)
	return c, err
}
