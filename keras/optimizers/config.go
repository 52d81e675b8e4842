package optimizers

// This file describes optimizers, for files.

// The options of each class beside those that all have.
var ownOptions = map[string][]string{
	"SGD":     {"momentum", "nesterov"},
	"RMSprop": {"rho", "momentum", "epsilon", "centered"},
	"Adam":    {"beta_1", "beta_2", "epsilon", "amsgrad"},
	"AdamW":   {"beta_1", "beta_2", "epsilon", "amsgrad"},
	"Adagrad": {"initial_accumulator_value", "epsilon"},
}

// LossScaleConfig returns the options of a LossScaleOptimizer, as Keras'
// get_config names them, but for the inner optimizer, which Config describes;
// nil for an optimizer that is none.
func (o *Optimizer) LossScaleConfig() map[string]any {
	if o.scaling == nil {
		return nil
	}
	c := o.scaling.config
	return map[string]any{"name": c.name, "initial_scale": c.initialScale, "dynamic_growth_steps": c.growthSteps}
}

// Config returns Keras' name of the class, such as Adam, and the options as
// Keras' get_config names them: nil for one that is off. class is empty for an
// optimizer made by New. learning_rate is the rate that the optimizer was made
// with, a float64, or a Schedule.
func (o *Optimizer) Config() (class string, config map[string]any) {
	c := o.made
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
	if o.schedule != nil {
		config["learning_rate"] = o.schedule
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
