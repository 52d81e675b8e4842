package optimizers

// This file defines the options of optimizers: those of the update rules, which the doc comment of
// each optimizer names, and the common ones. Config returns them under Keras' names.

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/pyregexp"
	"github.com/gospmd/gospmd/internal/suggest"
)

// config holds the values of the options.
type config struct {
	kind, name                           string
	own                                  []string // the options besides the common ones
	learningRate, momentum, rho, epsilon float64
	beta1, beta2                         float64
	nesterov, centered, amsgrad          bool
	initialAccumulator                   float64
	initialScale                         float64
	growthSteps, warmupSteps             int
	schedule                             Schedule
	common                               common

	ratePower, l1, l2, l2Shrinkage, beta          float64 // of Ftrl
	beta2Decay, epsilon1, epsilon2, clipThreshold float64 // of Adafactor
	relativeStep                                  bool
	adamBeta1, adamBeta2, adamWeightDecay         float64 // of Muon
	adamLRRatio, muonA, muonB, muonC              float64
	excludeEmbeddings                             bool
	excludeLayers                                 []string
	nsSteps                                       int
	rmsRate                                       *float64
}

// Option configures an optimizer.
type Option struct{ setting }

// setting is what an option sets.
type setting = option.Option[config]

// common holds the values of the options that all optimizers have. An option with the value 0 is
// off.
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

// commonOptions lists the names of these options.
var commonOptions = []string{
	"Name", "LearningRate", "LearningRateSchedule", "WeightDecay", "ExcludeFromWeightDecay",
	"ClipNorm", "ClipValue", "GlobalClipNorm", "UseEMA", "EMAMomentum", "EMAOverwriteFrequency", "GradientAccumulationSteps",
	"LossScaleFactor",
}

// check fails if two of the options exclude each other.
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
	return Option{option.New("Name", func(c *config) { c.name = name })}
}

// LearningRate sets the learning rate: 0.001 by default, 0.01 for SGD.
func LearningRate(rate float64) Option {
	return Option{setting{Name: "LearningRate", Set: func(c *config) error {
		c.learningRate = rate
		return checkRate(rate)
	}}}
}

// LearningRateSchedule makes a schedule set the learning rate. SetLearningRate is then an error.
func LearningRateSchedule(s Schedule) Option {
	return Option{setting{Name: "LearningRateSchedule", Set: func(c *config) error {
		if s == nil {
			return fmt.Errorf("got nil, want a Schedule such as ExponentialDecay")
		}
		c.schedule = s
		return s.Check()
	}}}
}

// settings holds the options of the update rules, and the common options that are numbers.
var settings = option.Table[config]{
	{Option: "Momentum", Key: "momentum", Field: func(c *config) any { return &c.momentum }, Check: option.Fraction},
	{Option: "Nesterov", Key: "nesterov", Field: func(c *config) any { return &c.nesterov }},
	{Option: "Rho", Key: "rho", Field: func(c *config) any { return &c.rho }, Check: option.Fraction},
	{Option: "Centered", Key: "centered", Field: func(c *config) any { return &c.centered }},
	{Option: "Epsilon", Key: "epsilon", Field: func(c *config) any { return &c.epsilon }, Check: option.NotNegative},
	{Option: "WarmupSteps", Key: "warmup_steps", Field: func(c *config) any { return &c.warmupSteps }, Check: option.NotNegative},
	{Option: "Beta1", Key: "beta_1", Field: func(c *config) any { return &c.beta1 }, Check: option.Fraction},
	{Option: "Beta2", Key: "beta_2", Field: func(c *config) any { return &c.beta2 }, Check: option.Fraction},
	{Option: "AMSGrad", Key: "amsgrad", Field: func(c *config) any { return &c.amsgrad }},
	{Option: "InitialAccumulatorValue", Key: "initial_accumulator_value", Field: func(c *config) any { return &c.initialAccumulator }, Check: option.NotNegative},
	{Option: "LearningRatePower", Key: "learning_rate_power", Field: func(c *config) any { return &c.ratePower }, Check: notPositive},
	{Option: "L1RegularizationStrength", Key: "l1_regularization_strength", Field: func(c *config) any { return &c.l1 }, Check: option.NotNegative},
	{Option: "L2RegularizationStrength", Key: "l2_regularization_strength", Field: func(c *config) any { return &c.l2 }, Check: option.NotNegative},
	{Option: "L2ShrinkageRegularizationStrength", Key: "l2_shrinkage_regularization_strength", Field: func(c *config) any { return &c.l2Shrinkage }, Check: option.NotNegative},
	{Option: "Beta", Key: "beta", Field: func(c *config) any { return &c.beta }, Check: option.NotNegative},
	{Option: "Beta2Decay", Key: "beta_2_decay", Field: func(c *config) any { return &c.beta2Decay }},
	{Option: "Epsilon1", Key: "epsilon_1", Field: func(c *config) any { return &c.epsilon1 }, Check: option.NotNegative},
	{Option: "Epsilon2", Key: "epsilon_2", Field: func(c *config) any { return &c.epsilon2 }, Check: option.NotNegative},
	{Option: "ClipThreshold", Key: "clip_threshold", Field: func(c *config) any { return &c.clipThreshold }, Check: option.Positive},
	{Option: "RelativeStep", Key: "relative_step", Field: func(c *config) any { return &c.relativeStep }},
	{Option: "AdamBeta1", Key: "adam_beta_1", Field: func(c *config) any { return &c.adamBeta1 }, Check: option.Fraction},
	{Option: "AdamBeta2", Key: "adam_beta_2", Field: func(c *config) any { return &c.adamBeta2 }, Check: option.Fraction},
	{Option: "AdamWeightDecay", Key: "adam_weight_decay", Field: func(c *config) any { return &c.adamWeightDecay }, Check: option.NotNegative},
	{Option: "AdamLRRatio", Key: "adam_lr_ratio", Field: func(c *config) any { return &c.adamLRRatio }, Check: option.NotNegative},
	{Option: "ExcludeLayers", Key: "exclude_layers", Field: func(c *config) any { return &c.excludeLayers }},
	{Option: "ExcludeEmbeddings", Key: "exclude_embeddings", Field: func(c *config) any { return &c.excludeEmbeddings }},
	{Option: "MuonA", Key: "muon_a", Field: func(c *config) any { return &c.muonA }},
	{Option: "MuonB", Key: "muon_b", Field: func(c *config) any { return &c.muonB }},
	{Option: "MuonC", Key: "muon_c", Field: func(c *config) any { return &c.muonC }},
	{Option: "NSSteps", Key: "ns_steps", Field: func(c *config) any { return &c.nsSteps }, Check: option.NotNegative},
	{Option: "RMSRate", Key: "rms_rate", Field: func(c *config) any { return &c.rmsRate }},

	{Option: "WeightDecay", Key: "weight_decay", Field: func(c *config) any { return &c.common.weightDecay }, Check: option.NotNegative},
	{Option: "ClipNorm", Key: "clipnorm", Field: func(c *config) any { return &c.common.clipNorm }, Check: option.NotNegative},
	{Option: "ClipValue", Key: "clipvalue", Field: func(c *config) any { return &c.common.clipValue }, Check: option.NotNegative},
	{Option: "GlobalClipNorm", Key: "global_clipnorm", Field: func(c *config) any { return &c.common.globalClipNorm }, Check: option.NotNegative},
	{Option: "UseEMA", Key: "use_ema", Field: func(c *config) any { return &c.common.useEMA }},
	{Option: "EMAMomentum", Key: "ema_momentum", Field: func(c *config) any { return &c.common.emaMomentum }, Check: option.Fraction},
	{Option: "EMAOverwriteFrequency", Key: "ema_overwrite_frequency", Field: func(c *config) any { return &c.common.emaOverwrite }, Check: option.Positive},
	{Option: "GradientAccumulationSteps", Key: "gradient_accumulation_steps", Field: func(c *config) any { return &c.common.accumulate }, Check: option.Positive},
	{Option: "LossScaleFactor", Key: "loss_scale_factor", Field: func(c *config) any { return &c.common.lossScaleFactor }, Check: option.Positive},
}

func notPositive(v any) error {
	if x := v.(float64); !(x <= 0) {
		return fmt.Errorf("got %g, want a number not above 0", x)
	}
	return nil
}

// InitialAccumulatorValue sets the initial sum of squares of Adagrad and Ftrl: 0.1 by default.
func InitialAccumulatorValue(v float64) Option {
	return Option{settings.With("InitialAccumulatorValue", v)}
}

// Momentum sets the fraction of the last step, in [0, 1], that is added to the next one: 0 by
// default.
func Momentum(m float64) Option { return Option{settings.With("Momentum", m)} }

// Nesterov makes SGD and Muon use Nesterov's momentum (Nesterov, 1983).
func Nesterov() Option { return Option{settings.With("Nesterov", true)} }

// Rho sets the decay of the mean squares of RMSprop (0.9 by default) and Adadelta (0.95).
func Rho(rho float64) Option { return Option{settings.With("Rho", rho)} }

// WarmupSteps sets the number of steps in which the learning rate of ScheduleFreeAdamW rises from
// 0.
func WarmupSteps(n int) Option { return Option{settings.With("WarmupSteps", n)} }

// Centered makes RMSprop divide by the estimated variance of the gradient.
func Centered() Option { return Option{settings.With("Centered", true)} }

// Epsilon sets the number that an optimizer adds to a divisor, so that it does not divide by 0:
// 1e-7 by default.
func Epsilon(e float64) Option { return Option{settings.With("Epsilon", e)} }

// Beta1 sets the decay of the first moment of Adam and its family: 0.9 by default.
func Beta1(b float64) Option { return Option{settings.With("Beta1", b)} }

// Beta2 sets the decay of the second moment of Adam and its family: 0.999 by default, 0.99 for
// Lion.
func Beta2(b float64) Option { return Option{settings.With("Beta2", b)} }

// AMSGrad makes Adam divide by the largest second moment so far (Reddi et al.,
// 2018).
func AMSGrad() Option { return Option{settings.With("AMSGrad", true)} }

// LearningRatePower sets the exponent, at most 0, of Ftrl's learning rate: -0.5 by default.
func LearningRatePower(x float64) Option { return Option{settings.With("LearningRatePower", x)} }

// L1RegularizationStrength sets the factor of Ftrl's L1 penalty: 0 by default.
func L1RegularizationStrength(x float64) Option {
	return Option{settings.With("L1RegularizationStrength", x)}
}

// L2RegularizationStrength sets the factor of Ftrl's L2 penalty: 0 by default.
func L2RegularizationStrength(x float64) Option {
	return Option{settings.With("L2RegularizationStrength", x)}
}

// L2ShrinkageRegularizationStrength sets the factor of the L2 penalty that Ftrl adds to the
// gradient: 0 by default.
func L2ShrinkageRegularizationStrength(x float64) Option {
	return Option{settings.With("L2ShrinkageRegularizationStrength", x)}
}

// Beta sets the beta of Ftrl's paper: 0 by default.
func Beta(x float64) Option { return Option{settings.With("Beta", x)} }

// Beta2Decay sets the exponent x of Adafactor's decay of mean squares, 1 - stepˣ: -0.8 by default.
func Beta2Decay(x float64) Option { return Option{settings.With("Beta2Decay", x)} }

// Epsilon1 sets the number that Adafactor adds to squared gradients: 1e-30 by default.
func Epsilon1(x float64) Option { return Option{settings.With("Epsilon1", x)} }

// Epsilon2 sets the least root mean square of a variable that Adafactor multiplies the learning
// rate by: 0.001 by default.
func Epsilon2(x float64) Option { return Option{settings.With("Epsilon2", x)} }

// ClipThreshold sets the largest root mean square of Adafactor's steps, before the learning rate: 1
// by default.
func ClipThreshold(x float64) Option { return Option{settings.With("ClipThreshold", x)} }

// RelativeStep sets relative_step in the config of Adafactor; true by default. It has no other
// effect, as in Keras: the learning rate is always limited to 1/√step.
func RelativeStep(relative bool) Option { return Option{settings.With("RelativeStep", relative)} }

// AdamBeta1 sets Beta1 of the variables that Muon trains by AdamW: 0.9 by default.
func AdamBeta1(x float64) Option { return Option{settings.With("AdamBeta1", x)} }

// AdamBeta2 sets Beta2 of the variables that Muon trains by AdamW: 0.999 by default.
func AdamBeta2(x float64) Option { return Option{settings.With("AdamBeta2", x)} }

// AdamWeightDecay sets the weight decay of the variables that Muon trains by AdamW: 0.004 by
// default.
func AdamWeightDecay(x float64) Option { return Option{settings.With("AdamWeightDecay", x)} }

// AdamLRRatio sets the learning rate of the variables that Muon trains by AdamW: x times Muon's
// learning rate. The default is 1.
func AdamLRRatio(x float64) Option { return Option{settings.With("AdamLRRatio", x)} }

// ExcludeLayers makes Muon train by AdamW each variable whose path contains a match of one of the
// regular expressions.
func ExcludeLayers(patterns ...string) Option {
	return Option{settings.With("ExcludeLayers", patterns)}
}

// ExcludeEmbeddings sets whether Muon trains embeddings by AdamW; by default it does.
func ExcludeEmbeddings(exclude bool) Option {
	return Option{settings.With("ExcludeEmbeddings", exclude)}
}

// MuonA sets the first coefficient of Muon's iteration: 3.4445 by default.
func MuonA(x float64) Option { return Option{settings.With("MuonA", x)} }

// MuonB sets the second coefficient of Muon's iteration: -4.775 by default.
func MuonB(x float64) Option { return Option{settings.With("MuonB", x)} }

// MuonC sets the third coefficient of Muon's iteration: 2.0315 by default.
func MuonC(x float64) Option { return Option{settings.With("MuonC", x)} }

// NSSteps sets the number of Newton-Schulz iterations of Muon: 5 by default.
func NSSteps(n int) Option { return Option{settings.With("NSSteps", n)} }

// RMSRate sets the root mean square of Muon's steps, in learning rates: 0.2 by default, about that
// of Adam.
func RMSRate(x float64) Option { return Option{settings.With("RMSRate", x)} }

// WeightDecay multiplies each weight by 1 - x·learning rate before its update. The default of x is
// 0, for AdamW 0.004.
func WeightDecay(x float64) Option { return Option{settings.With("WeightDecay", x)} }

// ExcludeFromWeightDecay excludes from weight decay each variable whose name contains a match of
// one of the regular expressions. They have Python's syntax; an example is "bias".
func ExcludeFromWeightDecay(patterns ...string) Option {
	return Option{setting{Name: "ExcludeFromWeightDecay", Set: func(c *config) error {
		for _, p := range patterns {
			re, err := pyregexp.Compile(p)
			if err != nil {
				return err
			}
			c.common.noDecay = append(c.common.noDecay, re)
		}
		return nil
	}}}
}

// ClipNorm scales down the gradient of each variable whose norm is above the given one.
func ClipNorm(norm float64) Option { return Option{settings.With("ClipNorm", norm)} }

// ClipValue limits each element of a gradient to [-v, v].
func ClipValue(v float64) Option { return Option{settings.With("ClipValue", v)} }

// GlobalClipNorm scales all gradients down by one factor, so that their joint
// norm is at most norm.
func GlobalClipNorm(norm float64) Option { return Option{settings.With("GlobalClipNorm", norm)} }

// UseEMA keeps exponential moving averages of the weights. At the end of Fit they replace the
// weights.
func UseEMA() Option { return Option{settings.With("UseEMA", true)} }

// EMAMomentum sets the weight of the old value when UseEMA updates an average:
// 0.99 by default.
func EMAMomentum(m float64) Option { return Option{settings.With("EMAMomentum", m)} }

// EMAOverwriteFrequency makes UseEMA replace the weights by their averages at
// every n-th update.
func EMAOverwriteFrequency(n int) Option { return Option{settings.With("EMAOverwriteFrequency", n)} }

// GradientAccumulationSteps makes the optimizer update the weights only at every n-th step, with
// the mean of the gradients since the last update. As in Keras, schedules of the learning rate
// count steps, and everything else counts updates.
func GradientAccumulationSteps(n int) Option {
	return Option{settings.With("GradientAccumulationSteps", n)}
}

// positive returns an option that sets x. If x is not finite or not above 0, the option is an
// error.
func positive(name string, x float64, set func(*config)) Option {
	return Option{setting{Name: name, Set: func(c *config) error {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("got %g, want a positive number", x)
		}
		set(c)
		return nil
	}}}
}

// atLeast1 returns an option that sets n. If n is below 1, the option is an error.
func atLeast1(name string, n int, set func(*config)) Option {
	return Option{setting{Name: name, Set: func(c *config) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number", n)
		}
		set(c)
		return nil
	}}}
}

func checkRate(rate float64) error {
	if math.IsNaN(rate) || math.IsInf(rate, 0) || rate < 0 {
		return fmt.Errorf("got learning rate %g, want a finite number not below 0", rate)
	}
	return nil
}

// LossScaleConfig returns the options of a LossScaleOptimizer under the names of Keras' get_config,
// without the inner optimizer: Config describes that. It returns nil for other optimizers.
func (o *Optimizer) LossScaleConfig() map[string]any {
	if o.scaling == nil {
		return nil
	}
	c := o.scaling.config
	return map[string]any{"name": c.name, "initial_scale": c.initialScale, "dynamic_growth_steps": c.growthSteps}
}

// Config returns Keras' name of the class, such as Adam, and the options under the names of Keras'
// get_config. An option that is off is nil. class is empty for an optimizer made by New.
// learning_rate is the learning rate that the optimizer was made with, a float64, or a Schedule.
// The config of a MultiOptimizer does not have its OptimizerMap.
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
	if o.multi != nil {
		return c.kind, map[string]any{"name": c.name, "loss_scale_factor": unlessZero(c.common.lossScaleFactor)}
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
	maps.Copy(config, settings.Config(&c, c.own))
	return c.kind, config
}

// FromConfig returns the optimizer of a class of Keras with the options of its config, as decoded
// from JSON. The further options set learning_rate and name.
func FromConfig(class string, config map[string]any, further ...Option) (*Optimizer, error) {
	makeOptimizer, ok := byName[strings.ToLower(class)]
	if !ok || makeOptimizer().config.kind != class {
		return nil, fmt.Errorf("the optimizer %s is not known here%s: known are %s", class, suggest.DidYouMean(class, Classes()), strings.Join(Classes(), ", "))
	}
	given := make(map[string]any)
	for key, v := range config {
		if v != nil { // None is off
			given[key] = v
		}
	}
	set, err := settings.Options(given, slices.Concat(makeOptimizer().config.own, commonOptions))
	if err != nil {
		return nil, fmt.Errorf("optimizer %s: %w", class, err)
	}
	opts := slices.Clone(further)
	for _, o := range set {
		opts = append(opts, Option{o})
	}
	return Get(makeOptimizer(opts...))
}

// Classes returns the names of the optimizers' classes, sorted.
func Classes() []string {
	var names []string
	for _, makeOptimizer := range byName {
		names = append(names, makeOptimizer().config.kind)
	}
	slices.Sort(names)
	return names
}
