package optimizers

// This file defines the options of optimizers: the structs of the common ones and of those of each
// update rule, and the functions that set them. Config and FromConfig write and read them under
// Keras' names.

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/pyregexp"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Option configures an optimizer. An optimizer takes the options that its doc comment names, and
// the common ones: Name, LossScaleFactor, LearningRate, LearningRateSchedule, WeightDecay,
// ExcludeFromWeightDecay, ClipNorm, ClipValue, GlobalClipNorm, UseEMA, EMAMomentum,
// EMAOverwriteFrequency, GradientAccumulationSteps. A MultiOptimizer and a LossScaleOptimizer take
// only those that their comments name. Any other is an error, which Get returns.
type Option struct{ given }

// given is the name of an option and the value that it sets.
type given = option.Given

func set(name string, value any) Option { return Option{given{Name: name, Value: value}} }

// named holds the options that a MultiOptimizer has too: Name and LossScaleFactor (nil for none).
type named struct {
	Name            string   `option:"name"`
	LossScaleFactor *float64 `option:"loss_scale_factor" want:"positive"`
}

// common holds the options that all optimizers have. An option that is nil is off.
type common struct {
	named
	LearningRate              rateOption `option:"learning_rate" default:"0.001" names:"LearningRate LearningRateSchedule"`
	WeightDecay               *float64   `option:"weight_decay" want:"notNegative"`
	ExcludeFromWeightDecay    patterns   `option:""`
	ClipNorm                  *float64   `option:"clipnorm" want:"notNegative"`
	ClipValue                 *float64   `option:"clipvalue" want:"notNegative"`
	GlobalClipNorm            *float64   `option:"global_clipnorm" want:"notNegative"`
	UseEMA                    bool       `option:"use_ema"`
	EMAMomentum               float64    `option:"ema_momentum" default:"0.99" want:"fraction"`
	EMAOverwriteFrequency     *int       `option:"ema_overwrite_frequency" want:"positive"`
	GradientAccumulationSteps *int       `option:"gradient_accumulation_steps" want:"positive"`
}

// check returns an error if more than one of ClipNorm, ClipValue and GlobalClipNorm is above 0.
// kind begins the error.
func (c *common) check(kind string) error {
	n := 0
	for _, v := range []*float64{c.ClipNorm, c.ClipValue, c.GlobalClipNorm} {
		if orZero(v) > 0 {
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("%s: got several of ClipNorm, ClipValue and GlobalClipNorm, want at most one", kind)
	}
	return nil
}

// orZero returns the value of the option x, or 0 if x is nil, which is off.
func orZero[N int | float64](x *N) N {
	if x == nil {
		return 0
	}
	return *x
}

// rateOption is the value of an option that is a learning rate: a number, or a schedule.
type rateOption struct {
	number   float64
	schedule Schedule // nil for a number
}

// Assign sets the rate to v: a number that is finite and not negative, or a Schedule whose Check
// returns nil. Others are errors.
func (r *rateOption) Assign(v any) error {
	switch v := v.(type) {
	case Schedule:
		*r = rateOption{schedule: v}
		return v.Check()
	case float64:
		*r = rateOption{number: v}
		return checkRate(v)
	}
	return fmt.Errorf("got %s, want a number, or a Schedule such as ExponentialDecay", brief.Value(v))
}

// Read returns the number, a float64, or the Schedule, for the config.
func (r *rateOption) Read() any {
	if r.schedule != nil {
		return r.schedule
	}
	return r.number
}

// patterns is the value of ExcludeFromWeightDecay and of ExcludeLayers: regular expressions of
// variables, in Python's syntax.
type patterns struct {
	texts    []string
	compiled []*regexp.Regexp
}

// Assign appends the regular expressions in v, a list of texts. One that cannot be compiled is an
// error.
func (p *patterns) Assign(v any) error {
	var texts option.Texts
	if err := texts.Assign(v); err != nil {
		return err
	}
	for _, text := range texts {
		re, err := pyregexp.Compile(text)
		if err != nil {
			return err
		}
		p.texts, p.compiled = append(p.texts, text), append(p.compiled, re)
	}
	return nil
}

// Read returns the texts of the regular expressions, for the config.
func (p *patterns) Read() any { return append([]string{}, p.texts...) }

// match reports whether one of the regular expressions matches a part of the text.
func (p *patterns) match(text string) bool {
	return slices.ContainsFunc(p.compiled, func(re *regexp.Regexp) bool { return re.MatchString(text) })
}

// momentOptions holds the options of Nadam, Adamax and Lamb, which others of Adam's family have
// too: Beta1, Beta2 and Epsilon.
type momentOptions struct {
	Beta1   float64 `option:"beta_1" default:"0.9" want:"fraction"`
	Beta2   float64 `option:"beta_2" default:"0.999" want:"fraction"`
	Epsilon float64 `option:"epsilon" default:"1e-7" want:"notNegative"`
}

// adamOptions holds the options of Adam and AdamW: Beta1, Beta2, Epsilon and AMSGrad.
type adamOptions struct {
	momentOptions
	AMSGrad bool `option:"amsgrad"`
}

// scheduleFreeOptions holds the options of ScheduleFreeAdamW: Beta1, Beta2, Epsilon and
// WarmupSteps.
type scheduleFreeOptions struct {
	momentOptions
	WarmupSteps int `option:"warmup_steps" want:"notNegative"`
}

// lionOptions holds the options of Lion: Beta1 and Beta2.
type lionOptions struct {
	Beta1 float64 `option:"beta_1" default:"0.9" want:"fraction"`
	Beta2 float64 `option:"beta_2" default:"0.99" want:"fraction"`
}

// sgdOptions holds the options of SGD: Momentum and Nesterov.
type sgdOptions struct {
	Momentum float64 `option:"momentum" want:"fraction"`
	Nesterov bool    `option:"nesterov"`
}

// rmspropOptions holds the options of RMSprop: Rho, Momentum, Epsilon and Centered.
type rmspropOptions struct {
	Rho      float64 `option:"rho" default:"0.9" want:"fraction"`
	Momentum float64 `option:"momentum" want:"fraction"`
	Epsilon  float64 `option:"epsilon" default:"1e-7" want:"notNegative"`
	Centered bool    `option:"centered"`
}

// adadeltaOptions holds the options of Adadelta: Rho and Epsilon.
type adadeltaOptions struct {
	Rho     float64 `option:"rho" default:"0.95" want:"fraction"`
	Epsilon float64 `option:"epsilon" default:"1e-7" want:"notNegative"`
}

// adagradOptions holds the options of Adagrad: the first value of the accumulator, and Epsilon.
type adagradOptions struct {
	InitialAccumulatorValue float64 `option:"initial_accumulator_value" default:"0.1" want:"notNegative"`
	Epsilon                 float64 `option:"epsilon" default:"1e-7" want:"notNegative"`
}

// ftrlOptions holds the options of Ftrl: the power of the learning rate, the first value of the
// accumulator, the strengths of three penalties, and Beta.
type ftrlOptions struct {
	LearningRatePower                 float64 `option:"learning_rate_power" default:"-0.5" want:"notPositive"`
	InitialAccumulatorValue           float64 `option:"initial_accumulator_value" default:"0.1" want:"notNegative"`
	L1RegularizationStrength          float64 `option:"l1_regularization_strength" want:"notNegative"`
	L2RegularizationStrength          float64 `option:"l2_regularization_strength" want:"notNegative"`
	L2ShrinkageRegularizationStrength float64 `option:"l2_shrinkage_regularization_strength" want:"notNegative"`
	Beta                              float64 `option:"beta" want:"notNegative"`
}

// adafactorOptions holds the options of Adafactor: Beta2Decay, Epsilon1, Epsilon2, ClipThreshold
// and RelativeStep.
type adafactorOptions struct {
	Beta2Decay    float64 `option:"beta_2_decay" default:"-0.8"`
	Epsilon1      float64 `option:"epsilon_1" default:"1e-30" want:"notNegative"`
	Epsilon2      float64 `option:"epsilon_2" default:"0.001" want:"notNegative"`
	ClipThreshold float64 `option:"clip_threshold" default:"1" want:"positive"`
	RelativeStep  bool    `option:"relative_step" default:"true"`
}

// muonOptions holds the options of Muon: those of its AdamW, which variables that trains, and those
// of its own iteration.
type muonOptions struct {
	AdamBeta1         float64  `option:"adam_beta_1" default:"0.9" want:"fraction"`
	AdamBeta2         float64  `option:"adam_beta_2" default:"0.999" want:"fraction"`
	AdamWeightDecay   float64  `option:"adam_weight_decay" default:"0.004" want:"notNegative"`
	AdamLRRatio       float64  `option:"adam_lr_ratio" default:"1" want:"notNegative"`
	Epsilon           float64  `option:"epsilon" default:"1e-7" want:"notNegative"`
	ExcludeLayers     patterns `option:"exclude_layers" default:"[]"`
	ExcludeEmbeddings bool     `option:"exclude_embeddings" default:"true"`
	MuonA             float64  `option:"muon_a" default:"3.4445"`
	MuonB             float64  `option:"muon_b" default:"-4.775"`
	MuonC             float64  `option:"muon_c" default:"2.0315"`
	Momentum          float64  `option:"momentum" default:"0.95" want:"fraction"`
	NSSteps           int      `option:"ns_steps" default:"5" want:"notNegative"`
	Nesterov          bool     `option:"nesterov" default:"true"`
	RMSRate           *float64 `option:"rms_rate" default:"0.2"`
}

// scalingOptions holds the options of a LossScaleOptimizer: the first scale, after how many finite
// steps it doubles, and the name.
type scalingOptions struct {
	InitialScale       float64 `option:"initial_scale" default:"32768" want:"positive"`
	DynamicGrowthSteps int     `option:"dynamic_growth_steps" default:"2000" want:"positive"`
	Name               string  `option:"name" default:"loss_scale_optimizer"`
}

// Name names the optimizer; by default it is the name of its class in snake case, such as adam. The
// paths of its variables begin with the name.
func Name(name string) Option { return set("Name", name) }

// LearningRate sets the learning rate: 0.001 by default, 0.01 for SGD, and 0.0025 for
// ScheduleFreeAdamW. A number that is negative or not finite is an error.
func LearningRate(rate float64) Option { return set("LearningRate", rate) }

// LearningRateSchedule makes a schedule set the learning rate. SetLearningRate is then an error,
// and so is a schedule whose Check fails.
func LearningRateSchedule(s Schedule) Option { return set("LearningRateSchedule", s) }

// InitialAccumulatorValue sets the initial sum of squares of Adagrad and Ftrl: 0.1 by default. A
// negative number is an error.
func InitialAccumulatorValue(v float64) Option { return set("InitialAccumulatorValue", v) }

// Momentum sets the fraction of the last step that is added to the next one: 0 by default for SGD
// and RMSprop, and 0.95 for Muon. A number outside [0, 1] is an error.
func Momentum(m float64) Option { return set("Momentum", m) }

// Nesterov makes SGD and Muon use Nesterov's momentum (Nesterov, 1983). By default SGD does not,
// and Muon does. SGD without Momentum ignores it.
func Nesterov() Option { return set("Nesterov", true) }

// Rho sets the decay of the mean squares of RMSprop (0.9 by default) and Adadelta (0.95). A number
// outside [0, 1] is an error.
func Rho(rho float64) Option { return set("Rho", rho) }

// WarmupSteps sets the number of steps in which the learning rate of ScheduleFreeAdamW rises from
// 0: 0 by default. A negative number is an error.
func WarmupSteps(n int) Option { return set("WarmupSteps", n) }

// Centered makes RMSprop divide by the estimated variance of the gradient, in place of its mean
// square.
func Centered() Option { return set("Centered", true) }

// Epsilon sets the number that an optimizer adds to a divisor, so that it does not divide by 0:
// 1e-7 by default, and 1e-8 for ScheduleFreeAdamW. A negative number is an error.
func Epsilon(e float64) Option { return set("Epsilon", e) }

// Beta1 sets the decay of the first moment of Adam and its family: 0.9 by default. A number outside
// [0, 1] is an error.
func Beta1(b float64) Option { return set("Beta1", b) }

// Beta2 sets the decay of the second moment of Adam and its family: 0.999 by default, 0.99 for
// Lion. A number outside [0, 1] is an error.
func Beta2(b float64) Option { return set("Beta2", b) }

// AMSGrad makes Adam and AdamW divide by the root of the largest second moment so far (Reddi et
// al., 2018).
func AMSGrad() Option { return set("AMSGrad", true) }

// LearningRatePower sets the exponent of Ftrl's learning rate: -0.5 by default. A number above 0 is
// an error.
func LearningRatePower(x float64) Option { return set("LearningRatePower", x) }

// L1RegularizationStrength sets the factor of Ftrl's L1 penalty: 0 by default. A negative number is
// an error.
func L1RegularizationStrength(x float64) Option { return set("L1RegularizationStrength", x) }

// L2RegularizationStrength sets the factor of Ftrl's L2 penalty: 0 by default. A negative number is
// an error.
func L2RegularizationStrength(x float64) Option { return set("L2RegularizationStrength", x) }

// L2ShrinkageRegularizationStrength sets the factor of the L2 penalty that Ftrl adds to the
// gradient: 0 by default. A negative number is an error.
func L2ShrinkageRegularizationStrength(x float64) Option {
	return set("L2ShrinkageRegularizationStrength", x)
}

// Beta sets the beta of Ftrl's paper: 0 by default. A negative number is an error.
func Beta(x float64) Option { return set("Beta", x) }

// Beta2Decay sets the exponent x of Adafactor's decay of mean squares, 1 - stepˣ: -0.8 by default.
func Beta2Decay(x float64) Option { return set("Beta2Decay", x) }

// Epsilon1 sets the number that Adafactor adds to squared gradients: 1e-30 by default. A negative
// number is an error.
func Epsilon1(x float64) Option { return set("Epsilon1", x) }

// Epsilon2 sets the least root mean square of a variable that Adafactor multiplies the learning
// rate by: 0.001 by default. A negative number is an error.
func Epsilon2(x float64) Option { return set("Epsilon2", x) }

// ClipThreshold sets the largest root mean square of Adafactor's steps, before the learning rate: 1
// by default. A number that is not positive is an error.
func ClipThreshold(x float64) Option { return set("ClipThreshold", x) }

// RelativeStep sets relative_step in the config of Adafactor; true by default. It has no other
// effect, as in Keras: the learning rate is always limited to 1/√step.
func RelativeStep(relative bool) Option { return set("RelativeStep", relative) }

// AdamBeta1 sets Beta1 of the variables that Muon trains by AdamW: 0.9 by default. A number outside
// [0, 1] is an error.
func AdamBeta1(x float64) Option { return set("AdamBeta1", x) }

// AdamBeta2 sets Beta2 of the variables that Muon trains by AdamW: 0.999 by default. A number
// outside [0, 1] is an error.
func AdamBeta2(x float64) Option { return set("AdamBeta2", x) }

// AdamWeightDecay sets the weight decay of the variables that Muon trains by AdamW: 0.004 by
// default. A negative number is an error.
func AdamWeightDecay(x float64) Option { return set("AdamWeightDecay", x) }

// AdamLRRatio sets the learning rate of the variables that Muon trains by AdamW: x times Muon's
// learning rate. The default is 1. A negative number is an error.
func AdamLRRatio(x float64) Option { return set("AdamLRRatio", x) }

// ExcludeLayers makes Muon train by AdamW each variable whose path contains a match of one of the
// regular expressions; none by default. They have Python's syntax. A pattern that is not valid is
// an error.
func ExcludeLayers(patterns ...string) Option { return set("ExcludeLayers", patterns) }

// ExcludeEmbeddings sets whether Muon trains embeddings by AdamW; by default it does.
func ExcludeEmbeddings(exclude bool) Option { return set("ExcludeEmbeddings", exclude) }

// MuonA sets the first coefficient of Muon's iteration: 3.4445 by default.
func MuonA(x float64) Option { return set("MuonA", x) }

// MuonB sets the second coefficient of Muon's iteration: -4.775 by default.
func MuonB(x float64) Option { return set("MuonB", x) }

// MuonC sets the third coefficient of Muon's iteration: 2.0315 by default.
func MuonC(x float64) Option { return set("MuonC", x) }

// NSSteps sets the number of Newton-Schulz iterations of Muon: 5 by default. A negative number is
// an error.
func NSSteps(n int) Option { return set("NSSteps", n) }

// RMSRate sets the root mean square of Muon's steps, in learning rates: 0.2 by default, about that
// of Adam.
func RMSRate(x float64) Option { return set("RMSRate", x) }

// WeightDecay multiplies each weight by 1 - x·learning rate before its update. The default of x is
// 0, and 0.004 for AdamW and Muon. A negative number is an error.
func WeightDecay(x float64) Option { return set("WeightDecay", x) }

// ExcludeFromWeightDecay excludes from weight decay each variable whose name, not its path,
// contains a match of one of the regular expressions. They have Python's syntax; an example is
// "bias". A pattern that is not valid is an error.
func ExcludeFromWeightDecay(patterns ...string) Option {
	return set("ExcludeFromWeightDecay", patterns)
}

// ClipNorm scales down the gradient of each variable whose norm is above norm, to that norm. By
// default, and with 0, nothing is clipped. A negative number is an error, and so is one above 0
// beside one of ClipValue or GlobalClipNorm.
func ClipNorm(norm float64) Option { return set("ClipNorm", norm) }

// ClipValue limits each element of a gradient to [-v, v]. By default, and with 0, nothing is
// clipped. A negative number is an error, and so is one above 0 beside one of ClipNorm or
// GlobalClipNorm.
func ClipValue(v float64) Option { return set("ClipValue", v) }

// GlobalClipNorm scales all gradients down by one factor, so that their joint norm is at most norm.
// By default, and with 0, nothing is clipped. A negative number is an error, and so is one above 0
// beside one of ClipNorm or ClipValue.
func GlobalClipNorm(norm float64) Option { return set("GlobalClipNorm", norm) }

// UseEMA keeps exponential moving averages of the weights, which each step updates. At the end of
// Fit they replace the weights.
func UseEMA() Option { return set("UseEMA", true) }

// EMAMomentum sets the weight of the old value when UseEMA updates an average: 0.99 by default. A
// number outside [0, 1] is an error.
func EMAMomentum(m float64) Option { return set("EMAMomentum", m) }

// EMAOverwriteFrequency makes UseEMA replace the weights by their averages at every n-th update; by
// default only the end of Fit does. A number below 1 is an error.
func EMAOverwriteFrequency(n int) Option { return set("EMAOverwriteFrequency", n) }

// GradientAccumulationSteps makes the optimizer update the weights only at every n-th step, with
// the mean of the gradients since the last update. By default it does so at each step. As in Keras,
// schedules of the learning rate count steps, and everything else counts updates. A number below 1
// is an error.
func GradientAccumulationSteps(n int) Option { return set("GradientAccumulationSteps", n) }

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
	return option.Config(&o.scaling.scalingOptions)
}

// Config returns Keras' name of the class, such as Adam, and the options under the names of Keras'
// get_config. An option that is off is nil. class is empty for an optimizer made by New.
// learning_rate is a Schedule, or a float64: the learning rate that the optimizer was made with, or
// that SetLearningRate set before Build. The config of a MultiOptimizer does not have its
// OptimizerMap.
func (o *Optimizer) Config() (class string, config map[string]any) {
	switch {
	case o.class == "":
		return "", nil
	case o.multi != nil:
		return o.class, option.Config(&o.common.named)
	}
	return o.class, option.Config(&o.common, o.options)
}

// FromConfig returns the optimizer of a class of Keras with the options of its config, as decoded
// from JSON; learning_rate may be a Schedule. Unknown classes and options are errors.
func FromConfig(class string, config map[string]any) (*Optimizer, error) {
	makeOptimizer, ok := byName[strings.ToLower(class)]
	if !ok || makeOptimizer().class != class {
		return nil, fmt.Errorf("the optimizer %s is not known here%s: known are %s", class, suggest.DidYouMean(class, Classes()), strings.Join(Classes(), ", "))
	}
	opts, err := option.FromConfig(config, set, &common{}, makeOptimizer().options)
	if err != nil {
		return nil, fmt.Errorf("optimizer %s: %w", class, err)
	}
	return Get(makeOptimizer(opts...))
}

// Classes returns the names of the optimizers' classes, as Keras writes them, in alphabetical
// order.
func Classes() []string {
	var names []string
	for _, makeOptimizer := range byName {
		names = append(names, makeOptimizer().class)
	}
	slices.Sort(names)
	return names
}
