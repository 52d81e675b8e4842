package constraints

// This file defines Constraint, the four of Keras, and finds them by name.

import (
	"errors"
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
)

// Constraint projects a tensor: keras.constraints.Constraint.
type Constraint struct {
	class   string // Keras' name, empty for one of the user's own
	options config
	keys    []string // the names of its settings
	call    func(c *config, x *g.Node) *g.Node
	err     error
}

// config holds the arguments.
type config struct {
	least, largest, rate float64
	axis                 []int
}

// settings are the arguments.
var settings = option.Table[config]{
	{Option: "MinValue", Key: "min_value", Field: func(c *config) any { return &c.least }, Check: option.NotNegative},
	{Option: "MaxValue", Key: "max_value", Field: func(c *config) any { return &c.largest }, Check: option.NotNegative},
	{Option: "Rate", Key: "rate", Field: func(c *config) any { return &c.rate }, Check: option.Fraction},
	{Option: "Axis", Key: "axis", Field: func(c *config) any { return &c.axis }, Single: true},
}

// Option configures a constraint.
type Option = option.Option[config]

// Axis sets the dimensions that norms are taken along: 0, the inputs of a kernel, by default.
func Axis(axis ...int) Option { return settings.With("Axis", axis) }

// New returns a constraint of your own.
func New(call func(x *g.Node) *g.Node) *Constraint {
	return &Constraint{call: func(_ *config, x *g.Node) *g.Node { return call(x) }}
}

// MaxNorm scales down what has a norm above maxValue. Options: Axis.
func MaxNorm(maxValue float64, opts ...Option) *Constraint {
	return classes["MaxNorm"](append([]Option{settings.With("MaxValue", maxValue)}, opts...)...)
}

// MinMaxNorm moves norms into [minValue, maxValue], by the fraction rate of the way.
// Options: Axis.
func MinMaxNorm(minValue, maxValue, rate float64, opts ...Option) *Constraint {
	return classes["MinMaxNorm"](append([]Option{settings.With("MinValue", minValue), settings.With("MaxValue", maxValue), settings.With("Rate", rate)}, opts...)...)
}

// UnitNorm gives all the norm 1. Options: Axis.
func UnitNorm(opts ...Option) *Constraint { return classes["UnitNorm"](opts...) }

// NonNeg replaces negative weights by 0.
func NonNeg() *Constraint { return classes["NonNeg"]() }

// classes are the constraints by Keras' names.
var classes = map[string]func(...Option) *Constraint{
	"MaxNorm":    of("MaxNorm", config{largest: 2, rate: 1, axis: []int{0}}, withNorms, "MaxValue", "Axis"),
	"MinMaxNorm": of("MinMaxNorm", config{largest: 1, rate: 1, axis: []int{0}}, withNorms, "MinValue", "MaxValue", "Rate", "Axis"),
	"UnitNorm":   of("UnitNorm", config{least: 1, largest: 1, rate: 1, axis: []int{0}}, unit, "Axis"),
	"NonNeg":     of("NonNeg", config{}, func(_ *config, x *g.Node) *g.Node { return g.Max(x, g.ZerosLike(x)) }),
}

// byName are the names that Get knows.
var byName = map[string]string{
	"max_norm": "MaxNorm", "min_max_norm": "MinMaxNorm", "unit_norm": "UnitNorm", "non_neg": "NonNeg",
	"MaxNorm": "MaxNorm", "MinMaxNorm": "MinMaxNorm", "UnitNorm": "UnitNorm", "NonNeg": "NonNeg",
}

func of(class string, defaults config, call func(*config, *g.Node) *g.Node, keys ...string) func(...Option) *Constraint {
	return func(opts ...Option) *Constraint {
		c := &Constraint{class: class, options: defaults, keys: keys, call: call}
		c.err = option.Apply(class, &c.options, opts, keys...)
		return c
	}
}

// epsilon is Keras' backend.epsilon.
const epsilon = 1e-7

// Call returns the projected tensor.
func (c *Constraint) Call(x *g.Node) *g.Node { return c.call(&c.options, x) }

// norms returns the norms along the axes.
func (c *config) norms(x *g.Node) *g.Node {
	return g.Sqrt(g.ReduceAndKeep(g.Mul(x, x), g.ReduceSum, c.axis...))
}

// withNorms moves norms into a range.
func withNorms(c *config, x *g.Node) *g.Node {
	norms := c.norms(x)
	bound := func(v float64) *g.Node { return g.Scalar(x.Graph(), x.DType(), v) }
	wanted := g.MulScalar(g.Clamp(bound(c.least), norms, bound(c.largest)), c.rate)
	if c.rate < 1 {
		wanted = g.Add(wanted, g.MulScalar(norms, 1-c.rate))
	}
	return g.Mul(x, g.BroadcastToShape(g.Div(wanted, g.AddScalar(norms, epsilon)), x.Shape()))
}

// unit divides by the norms.
func unit(c *config, x *g.Node) *g.Node {
	return g.Div(x, g.BroadcastToShape(g.AddScalar(c.norms(x), epsilon), x.Shape()))
}

// Get returns a *Constraint as it is, or the one with that name, such as "non_neg"; nil
// for nil.
func Get(constraint any) (*Constraint, error) {
	switch c := constraint.(type) {
	case nil:
		return nil, nil
	case *Constraint:
		if c == nil {
			return nil, errors.New("the constraint is nil")
		}
		return c, c.err
	case string:
		if class, ok := byName[c]; ok {
			return classes[class](), nil
		}
		return nil, fmt.Errorf("unknown constraint %q: want max_norm, min_max_norm, non_neg, unit_norm, or a constraints.Constraint", c)
	}
	return nil, fmt.Errorf("constraint is a %T: want a name such as \"non_neg\", or a constraints.Constraint", constraint)
}

// Config returns Keras' name of the class and its arguments; class is empty for a
// constraint made by New.
func (c *Constraint) Config() (class string, config map[string]any) {
	return c.class, settings.Config(&c.options, c.keys)
}

// FromConfig returns the constraint of a class of Keras with the arguments of its config,
// as JSON has them.
func FromConfig(class string, config map[string]any) (*Constraint, error) {
	makeOne, ok := classes[class]
	if !ok {
		return nil, fmt.Errorf("unknown constraint %q", class)
	}
	opts, err := settings.Options(config, makeOne().keys)
	if err != nil {
		return nil, fmt.Errorf("constraint %s: %w", class, err)
	}
	return Get(makeOne(opts...))
}
