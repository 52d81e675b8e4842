package optimizers

// This file holds the options of update rules. Each optimizer's doc comment
// names those it takes; those of common.go all of them take.

import (
	"fmt"
	"math"

	"github.com/gospmd/gospmd/internal/option"
)

// config is what the options set.
type config struct {
	kind, name                           string
	learningRate, momentum, rho, epsilon float64
	beta1, beta2                         float64
	nesterov, centered, amsgrad          bool
	initialAccumulator                   float64
	initialScale                         float64
	growthSteps                          int
	schedule                             Schedule
	common                               common
}

// Option configures an optimizer.
type Option = option.Option[config]

// Name names the optimizer; the name begins the paths of its variables.
func Name(name string) Option {
	return option.New("Name", func(c *config) { c.name = name })
}

// LearningRate sets the learning rate: 0.001 by default, 0.01 for SGD.
func LearningRate(rate float64) Option {
	return Option{Name: "LearningRate", Set: func(c *config) error {
		c.learningRate = rate
		return checkRate(rate)
	}}
}

// LearningRateSchedule makes the learning rate follow a schedule; it cannot be
// set then.
func LearningRateSchedule(s Schedule) Option {
	return Option{Name: "LearningRateSchedule", Set: func(c *config) error {
		if s == nil {
			return fmt.Errorf("got nil, want a Schedule such as ExponentialDecay")
		}
		c.schedule = s
		return s.Check()
	}}
}

// InitialAccumulatorValue sets what Adagrad's sums of squares start at: 0.1 by
// default.
func InitialAccumulatorValue(v float64) Option {
	return notNegative("InitialAccumulatorValue", v, func(c *config) { c.initialAccumulator = v })
}

// Momentum sets the share of the last step that goes into the next, in [0, 1]:
// 0 by default.
func Momentum(m float64) Option {
	return share("Momentum", m, func(c *config) { c.momentum = m })
}

// Nesterov makes SGD's momentum look ahead (Nesterov, 1983).
func Nesterov() Option { return option.New("Nesterov", func(c *config) { c.nesterov = true }) }

// Rho sets the discount of RMSprop's mean of squares: 0.9 by default.
func Rho(rho float64) Option { return share("Rho", rho, func(c *config) { c.rho = rho }) }

// Centered makes RMSprop divide by the estimated variance of the gradient.
func Centered() Option { return option.New("Centered", func(c *config) { c.centered = true }) }

// Epsilon sets the number that keeps a divisor from 0: 1e-7 by default.
func Epsilon(e float64) Option {
	return notNegative("Epsilon", e, func(c *config) { c.epsilon = e })
}

// Beta1 sets the decay of Adam's first moment: 0.9 by default.
func Beta1(b float64) Option { return share("Beta1", b, func(c *config) { c.beta1 = b }) }

// Beta2 sets the decay of Adam's second moment: 0.999 by default.
func Beta2(b float64) Option { return share("Beta2", b, func(c *config) { c.beta2 = b }) }

// AMSGrad makes Adam divide by the largest second moment so far (Reddi et al.,
// 2018).
func AMSGrad() Option { return option.New("AMSGrad", func(c *config) { c.amsgrad = true }) }

func share(name string, x float64, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("got %g, want a number in [0, 1]", x)
		}
		set(c)
		return nil
	}}
}

func notNegative(name string, x float64, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if !(x >= 0) {
			return fmt.Errorf("got %g, want a number not below 0", x)
		}
		set(c)
		return nil
	}}
}

func positive(name string, x float64, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("got %g, want a positive number", x)
		}
		set(c)
		return nil
	}}
}

func checkRate(rate float64) error {
	if math.IsNaN(rate) || math.IsInf(rate, 0) || rate < 0 {
		return fmt.Errorf("got learning rate %g, want a finite number not below 0", rate)
	}
	return nil
}
