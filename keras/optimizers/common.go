package optimizers

// This file holds what all optimizers share beside their rules: clipping,
// weight decay, gradient accumulation, moving averages of the weights.

import (
	"fmt"
	"regexp"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
)

// common is what the common options set; 0 means off.
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

// check reports options that exclude each other.
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

// slots are the slots of the common options, which come before the rule's.
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

// WeightDecay takes the share x·learning rate off each weight before its
// update: 0 by default, 0.004 for AdamW.
func WeightDecay(x float64) Option {
	return notNegative("WeightDecay", x, func(c *config) { c.common.weightDecay = x })
}

// ExcludeFromWeightDecay keeps variables from decaying in whose names one of
// the regular expressions occurs, such as "bias".
func ExcludeFromWeightDecay(patterns ...string) Option {
	return Option{Name: "ExcludeFromWeightDecay", Set: func(c *config) error {
		for _, p := range patterns {
			re, err := regexp.Compile(p)
			if err != nil {
				return err
			}
			c.common.noDecay = append(c.common.noDecay, re)
		}
		return nil
	}}
}

// ClipNorm shortens the gradient of each variable to at most that norm.
func ClipNorm(norm float64) Option {
	return notNegative("ClipNorm", norm, func(c *config) { c.common.clipNorm = norm })
}

// ClipValue keeps each element of a gradient within [-v, v].
func ClipValue(v float64) Option {
	return notNegative("ClipValue", v, func(c *config) { c.common.clipValue = v })
}

// GlobalClipNorm shortens all gradients alike, such that the norm of all of
// them together is at most that.
func GlobalClipNorm(norm float64) Option {
	return notNegative("GlobalClipNorm", norm, func(c *config) { c.common.globalClipNorm = norm })
}

// UseEMA keeps exponential moving averages of the weights, which replace the
// weights at the end of Fit.
func UseEMA() Option { return option.New("UseEMA", func(c *config) { c.common.useEMA = true }) }

// EMAMomentum sets how slowly the averages of UseEMA follow: 0.99 by default.
func EMAMomentum(m float64) Option {
	return share("EMAMomentum", m, func(c *config) { c.common.emaMomentum = m })
}

// EMAOverwriteFrequency makes the averages of UseEMA replace the weights at
// every n-th update.
func EMAOverwriteFrequency(n int) Option {
	return atLeast1("EMAOverwriteFrequency", n, func(c *config) { c.common.emaOverwrite = n })
}

// GradientAccumulationSteps updates the weights at every n-th step only, from
// the mean of the gradients since the last update. Schedules of the learning
// rate count steps, all else counts updates, as in Keras.
func GradientAccumulationSteps(n int) Option {
	return atLeast1("GradientAccumulationSteps", n, func(c *config) { c.common.accumulate = n })
}

func atLeast1(name string, n int, set func(*config)) Option {
	return Option{Name: name, Set: func(c *config) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number", n)
		}
		set(c)
		return nil
	}}
}

// clip returns the gradients as clipping leaves them.
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

// decays reports whether weight decay applies to the variable of that name.
func (c common) decays(name string) bool {
	if c.weightDecay == 0 {
		return false
	}
	for _, re := range c.noDecay {
		if re.MatchString(name) {
			return false
		}
	}
	return true
}

func constant(like *g.Node, v float64) *g.Node { return g.Scalar(like.Graph(), like.DType(), v) }
