package constraints

// This file defines Constraint and the four of Keras.

import (
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/internal/tensorfunc"
)

// Constraint is a projection of a tensor: keras.constraints.Constraint.
type Constraint struct{ of tensorfunc.Func }

// Option configures a constraint on norms; there is one, Axis.
type Option struct{ given option.Given }

// Axis sets the dimensions that a norm is computed over, one or several. The default is 0, the
// inputs of a kernel.
func Axis(axis ...int) Option { return Option{option.Give("Axis", axis)} }

// New returns a constraint of your own: call returns the projected tensor.
func New(call func(x *g.Node) *g.Node) *Constraint { return &Constraint{tensorfunc.Of(call)} }

// MaxNorm returns the constraint that scales weights whose norm is above maxValue down to that
// norm. Options: Axis. A negative maxValue is an error of Get, and so of the layer.
func MaxNorm(maxValue float64, opts ...Option) *Constraint {
	return makeClass("MaxNorm", opts, option.Give("MaxValue", maxValue))
}

// MinMaxNorm returns the constraint that scales weights so that their norms are in [minValue,
// maxValue]. With a rate below 1 a norm moves only by that fraction of the distance. Options: Axis.
// Negative norms, and a rate that is not in [0, 1], are errors of Get, and so of the layer.
func MinMaxNorm(minValue, maxValue, rate float64, opts ...Option) *Constraint {
	return makeClass("MinMaxNorm", opts, option.Give("MinValue", minValue),
		option.Give("MaxValue", maxValue), option.Give("Rate", rate))
}

// UnitNorm returns the constraint that scales weights to norm 1. Options: Axis.
func UnitNorm(opts ...Option) *Constraint { return makeClass("UnitNorm", opts) }

// NonNeg returns the constraint that replaces negative weights by 0.
func NonNeg() *Constraint { return makeClass("NonNeg", nil) }

// Call returns x projected by the constraint, in the shape of x.
func (c *Constraint) Call(x *g.Node) *g.Node { return c.of.Call(x) }

// Config returns Keras' name of the class and its arguments; class is empty for a
// constraint made by New.
func (c *Constraint) Config() (class string, config map[string]any) { return c.of.Config() }

// Get returns the constraint of a name, such as "non_neg". It returns a *Constraint as it is, and
// nil for nil. An unknown name, a nil *Constraint, and one with wrong arguments, are errors.
func Get(constraint any) (*Constraint, error) { return classes.Get(constraint) }

// FromConfig returns the constraint of a class of Keras with the arguments of its config, as JSON
// has them. An unknown class and wrong arguments are errors.
func FromConfig(class string, config map[string]any) (*Constraint, error) {
	return classes.FromConfig(class, config)
}

// classes lists the constraints of Keras with their names.
var classes = tensorfunc.Table[Constraint]{
	Kind: "constraint", Example: "non_neg",
	Classes: []tensorfunc.Class{
		{Name: "MaxNorm", Alias: "max_norm", New: func() tensorfunc.Options { return &maxNorm{} }},
		{Name: "MinMaxNorm", Alias: "min_max_norm", New: func() tensorfunc.Options { return &minMaxNorm{} }},
		{Name: "NonNeg", Alias: "non_neg", New: func() tensorfunc.Options { return &nonNeg{} }},
		{Name: "UnitNorm", Alias: "unit_norm", New: func() tensorfunc.Options { return &unitNorm{} }},
	},
	Wrap:   func(f tensorfunc.Func) *Constraint { return &Constraint{f} },
	Unwrap: func(c *Constraint) *tensorfunc.Func { return &c.of },
}

// makeClass returns the constraint of the class of Keras, with these options. arguments are those
// of the constructor.
func makeClass(class string, opts []Option, arguments ...option.Given) *Constraint {
	for _, o := range opts {
		arguments = append(arguments, o.given)
	}
	return classes.Make(class, arguments...)
}

// epsilon is Keras' backend.epsilon: norms are divided by norm + epsilon.
const epsilon = 1e-7

// norms holds the option of the constraints on norms: Axis.
type norms struct {
	Axis option.Ints `option:"axis" default:"0"`
}

// of returns the Euclidean norms of x over the axes of the option, which have size 1 in the result.
func (o *norms) of(x *g.Node) *g.Node {
	return g.Sqrt(g.ReduceAndKeep(g.Mul(x, x), g.ReduceSum, o.Axis...))
}

// move scales x so that its norms move into [least, largest], by the fraction rate of the distance.
func (o *norms) move(x *g.Node, least, largest, rate float64) *g.Node {
	norms := o.of(x)
	bound := func(v float64) *g.Node { return g.Scalar(x.Graph(), x.DType(), v) }
	wanted := g.MulScalar(g.Clamp(bound(least), norms, bound(largest)), rate)
	if rate < 1 {
		wanted = g.Add(wanted, g.MulScalar(norms, 1-rate))
	}
	return g.Mul(x, g.BroadcastToShape(g.Div(wanted, g.AddScalar(norms, epsilon)), x.Shape()))
}

type maxNorm struct {
	MaxValue float64 `argument:"max_value" default:"2" want:"notNegative"`
	norms
}

func (o *maxNorm) Call(x *g.Node) *g.Node { return o.move(x, 0, o.MaxValue, 1) }

type minMaxNorm struct {
	MinValue float64 `argument:"min_value" want:"notNegative"`
	MaxValue float64 `argument:"max_value" default:"1" want:"notNegative"`
	Rate     float64 `argument:"rate" default:"1" want:"fraction"`
	norms
}

func (o *minMaxNorm) Call(x *g.Node) *g.Node { return o.move(x, o.MinValue, o.MaxValue, o.Rate) }

type unitNorm struct{ norms }

func (o *unitNorm) Call(x *g.Node) *g.Node {
	return g.Div(x, g.BroadcastToShape(g.AddScalar(o.of(x), epsilon), x.Shape()))
}

type nonNeg struct{}

func (o *nonNeg) Call(x *g.Node) *g.Node { return g.Max(x, g.ZerosLike(x)) }
