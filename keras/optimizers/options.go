package optimizers

// This file holds the options of optimizers: those of the update rules, which
// the doc comment of each optimizer names, and those that all optimizers take.
// Config returns them under Keras' names.

import (
	"fmt"
	"math"
	"regexp"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/pyregexp"
)

// config holds the values of the options.
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

// common holds the values of the options that all optimizers take; 0 is off.
type common struct {
	weightDecay                         float64
	noDecay                             []*regexp.Regexp
	clipNorm, clipValue, globalClipNorm float64
	useEMA                              bool
	emaMomentum                         float64 // 0.99 where not set
	emaOverwrite                        int
	accumulate                          int
	lossScaleFactor                     float64
}

// commonOptions are the options that every optimizer takes.
var commonOptions = []string{
	"Name", "LearningRate", "LearningRateSchedule", "WeightDecay", "ExcludeFromWeightDecay",
	"ClipNorm", "ClipValue", "GlobalClipNorm", "UseEMA", "EMAMomentum", "EMAOverwriteFrequency", "GradientAccumulationSteps",
	"LossScaleFactor",
}

// check returns an error for options that exclude each other.
func (c common) check(kind string) error {
	set := 0
	for _, v := range []float64{c.clipNorm, c.clipValue, c.globalClipNorm} {
		if v > 0 {
			set++
		}
	}
	if set > 1 {
		return fmt.Errorf("%s: got several of ClipNorm, ClipValue and GlobalClipNorm, want at most one", kind)
	}
	return nil
}

// Name names the optimizer. The paths of its variables begin with the name.
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

// LearningRateSchedule sets a schedule of the learning rate. SetLearningRate is
// then an error.
func LearningRateSchedule(s Schedule) Option {
	return Option{Name: "LearningRateSchedule", Set: func(c *config) error {
		if s == nil {
			return fmt.Errorf("got nil, want a Schedule such as ExponentialDecay")
		}
		c.schedule = s
		return s.Check()
	}}
}

// InitialAccumulatorValue sets the first value of Adagrad's sums of squares: 0.1
// by default.
func InitialAccumulatorValue(v float64) Option {
	return notNegative("InitialAccumulatorValue", v, func(c *config) { c.initialAccumulator = v })
}

// Momentum sets the fraction, in [0, 1], of the last step that is added to the
// next: 0 by default.
func Momentum(m float64) Option {
	return fraction("Momentum", m, func(c *config) { c.momentum = m })
}

// Nesterov gives SGD Nesterov's momentum (Nesterov, 1983).
func Nesterov() Option { return option.New("Nesterov", func(c *config) { c.nesterov = true }) }

// Rho sets the discount of RMSprop's mean of squares: 0.9 by default.
func Rho(rho float64) Option { return fraction("Rho", rho, func(c *config) { c.rho = rho }) }

// Centered makes RMSprop divide by the estimated variance of the gradient.
func Centered() Option { return option.New("Centered", func(c *config) { c.centered = true }) }

// Epsilon sets the number that is added to a divisor so that it is not 0: 1e-7
// by default.
func Epsilon(e float64) Option {
	return notNegative("Epsilon", e, func(c *config) { c.epsilon = e })
}

// Beta1 sets the decay of Adam's first moment: 0.9 by default.
func Beta1(b float64) Option { return fraction("Beta1", b, func(c *config) { c.beta1 = b }) }

// Beta2 sets the decay of Adam's second moment: 0.999 by default.
func Beta2(b float64) Option { return fraction("Beta2", b, func(c *config) { c.beta2 = b }) }

// AMSGrad makes Adam divide by the largest second moment so far (Reddi et al.,
// 2018).
func AMSGrad() Option { return option.New("AMSGrad", func(c *config) { c.amsgrad = true }) }

// WeightDecay multiplies each weight by 1 - x·learning rate before its update. x
// is 0 by default, 0.004 for AdamW.
func WeightDecay(x float64) Option {
	return notNegative("WeightDecay", x, func(c *config) { c.common.weightDecay = x })
}

// ExcludeFromWeightDecay excludes variables whose names contain a match of one of
// the regular expressions, which are Python's, such as "bias".
func ExcludeFromWeightDecay(patterns ...string) Option {
	return Option{Name: "ExcludeFromWeightDecay", Set: func(c *config) error {
		for _, p := range patterns {
			re, err := pyregexp.Compile(p)
			if err != nil {
				return err
			}
			c.common.noDecay = append(c.common.noDecay, re)
		}
		return nil
	}}
}

// ClipNorm scales the gradient of each variable down to at most that norm.
func ClipNorm(norm float64) Option {
	return notNegative("ClipNorm", norm, func(c *config) { c.common.clipNorm = norm })
}

// ClipValue limits each element of a gradient to [-v, v].
func ClipValue(v float64) Option {
	return notNegative("ClipValue", v, func(c *config) { c.common.clipValue = v })
}

// GlobalClipNorm scales all gradients down by one factor, so that their joint
// norm is at most norm.
func GlobalClipNorm(norm float64) Option {
	return notNegative("GlobalClipNorm", norm, func(c *config) { c.common.globalClipNorm = norm })
}

// UseEMA keeps exponential moving averages of the weights, which replace the
// weights at the end of Fit.
func UseEMA() Option { return option.New("UseEMA", func(c *config) { c.common.useEMA = true }) }

// EMAMomentum sets the weight of the old value when UseEMA updates an average:
// 0.99 by default.
func EMAMomentum(m float64) Option {
	return fraction("EMAMomentum", m, func(c *config) { c.common.emaMomentum = m })
}

// EMAOverwriteFrequency makes UseEMA replace the weights by their averages at
// every n-th update.
func EMAOverwriteFrequency(n int) Option {
	return atLeast1("EMAOverwriteFrequency", n, func(c *config) { c.common.emaOverwrite = n })
}

// GradientAccumulationSteps updates the weights only at every n-th step, with
// the mean of the gradients since the last update. As in Keras, schedules of the
// learning rate count steps, and everything else counts updates.
func GradientAccumulationSteps(n int) Option {
	return atLeast1("GradientAccumulationSteps", n, func(c *config) { c.common.accumulate = n })
}

// fraction returns an option that is a number in [0, 1].
func fraction(name string, x float64, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("got %g, want a number in [0, 1]", x)
		}
		set(c)
		return nil
	}}
}

// notNegative returns an option that is a number of at least 0.
func notNegative(name string, x float64, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if !(x >= 0) {
			return fmt.Errorf("got %g, want a number not below 0", x)
		}
		set(c)
		return nil
	}}
}

// positive returns an option that is a finite number above 0.
func positive(name string, x float64, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("got %g, want a positive number", x)
		}
		set(c)
		return nil
	}}
}

// atLeast1 returns an option that is a positive integer.
func atLeast1(name string, n int, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number", n)
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

// ownOptions are the options of each class besides those that all have.
var ownOptions = map[string][]string{
	"SGD":     {"momentum", "nesterov"},
	"RMSprop": {"rho", "momentum", "epsilon", "centered"},
	"Adam":    {"beta_1", "beta_2", "epsilon", "amsgrad"},
	"AdamW":   {"beta_1", "beta_2", "epsilon", "amsgrad"},
	"Adagrad": {"initial_accumulator_value", "epsilon"},
}

// LossScaleConfig returns the options of a LossScaleOptimizer under the names of
// Keras' get_config, without the inner optimizer, which Config describes. It
// returns nil for other optimizers.
func (o *Optimizer) LossScaleConfig() map[string]any {
	if o.scaling == nil {
		return nil
	}
	c := o.scaling.config
	return map[string]any{"name": c.name, "initial_scale": c.initialScale, "dynamic_growth_steps": c.growthSteps}
}

// Config returns Keras' name of the class, such as Adam, and the options under
// the names of Keras' get_config; an option that is off is nil. class is empty
// for an optimizer made by New. learning_rate is the rate that the optimizer was
// made with, a float64, or a Schedule.
func (o *Optimizer) Config() (class string, config map[string]any) {
	c := o.config
	if c.kind == "" {
		return "", nil
	}
	unlessZero := func(x float64) any {
		if x == 0 {
			return nil
		}
		return x
	}
	momentum := c.common.emaMomentum
	if momentum == 0 {
		momentum = 0.99
	}
	config = map[string]any{
		"name":                        c.name,
		"learning_rate":               o.rate,
		"weight_decay":                unlessZero(c.common.weightDecay),
		"clipnorm":                    unlessZero(c.common.clipNorm),
		"global_clipnorm":             unlessZero(c.common.globalClipNorm),
		"clipvalue":                   unlessZero(c.common.clipValue),
		"use_ema":                     c.common.useEMA,
		"ema_momentum":                momentum,
		"ema_overwrite_frequency":     nil,
		"loss_scale_factor":           unlessZero(c.common.lossScaleFactor),
		"gradient_accumulation_steps": nil,
	}
	if o.config.schedule != nil {
		config["learning_rate"] = o.config.schedule
	}
	if c.common.emaOverwrite > 0 {
		config["ema_overwrite_frequency"] = c.common.emaOverwrite
	}
	if c.common.accumulate > 0 {
		config["gradient_accumulation_steps"] = c.common.accumulate
	}
	own := map[string]any{
		"momentum": c.momentum, "nesterov": c.nesterov, "rho": c.rho, "epsilon": c.epsilon, "centered": c.centered,
		"beta_1": c.beta1, "beta_2": c.beta2, "amsgrad": c.amsgrad, "initial_accumulator_value": c.initialAccumulator,
	}
	for _, name := range ownOptions[c.kind] {
		config[name] = own[name]
	}
	return c.kind, config
}
