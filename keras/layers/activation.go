package layers

// This file defines the activation layers: ReLU, LeakyReLU, PReLU, ELU, Softmax; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// activationClasses has the activation layers: by the name of the class in Keras, how a layer is
// made of its options.
var activationClasses = map[string]class{
	"ELU":       classOf(func(d declared, o *eluOptions) Layer { return &ElementwiseLayer{declared: d, of: o.elu} }),
	"LeakyReLU": classOf(func(d declared, o *slopeOptions) Layer { return &ElementwiseLayer{declared: d, of: o.leaky} }, NegativeSlope(0.3)),
	"PReLU":     classOf(func(d declared, o *preluOptions) Layer { return &PReLULayer{declared: d, opts: o} }),
	"ReLU":      classOf(func(d declared, o *reluOptions) Layer { return &ElementwiseLayer{declared: d, of: o.relu} }),
	"Softmax":   classOf(func(d declared, o *axisOptions) Layer { return &SoftmaxLayer{declared: d, opts: o} }),
}

// eluOptions holds the option of ELU: Alpha, the factor of exp(x)-1 for negative x; 1 by default.
type eluOptions struct {
	Alpha float64 `option:"alpha" default:"1" want:"notNegative"`
}

// slopeOptions holds the option of LeakyReLU, and of ReLU: NegativeSlope, the factor of negative
// numbers.
type slopeOptions struct {
	NegativeSlope float64 `option:"negative_slope" want:"notNegative"`
}

// reluOptions holds the options of ReLU: MaxValue (nil for no limit), NegativeSlope and Threshold.
type reluOptions struct {
	MaxValue *float64 `option:"max_value" want:"notNegative"`
	slopeOptions
	Threshold float64 `option:"threshold" want:"notNegative"`
}

// preluOptions holds the options of PReLU: the initializer, regularizer and constraint of its
// factors alpha, and SharedAxes, the dimensions that share a factor.
type preluOptions struct {
	Alpha      weightOptions `prefix:"alpha" default:"zeros"`
	SharedAxes []int         `option:"shared_axes"`
}

// ElementwiseLayer applies a fixed function without variables to each element: keras.layers.ReLU,
// LeakyReLU, ELU. The output has the input's shape.
type ElementwiseLayer struct {
	declared
	keepsMask
	of func(x *graph.Node) *graph.Node
}

// ReLU returns a layer that computes max(x, 0). With options, numbers above MaxValue become
// MaxValue, and numbers below Threshold become NegativeSlope·(x-Threshold). Options: Name,
// MaxValue, NegativeSlope, Threshold, DType.
func ReLU(opts ...Option) *ElementwiseLayer { return declare[*ElementwiseLayer]("ReLU", opts) }

// LeakyReLU returns a layer that multiplies negative numbers by NegativeSlope, 0.3 by default, and
// leaves the others. Options: Name, NegativeSlope, DType.
func LeakyReLU(opts ...Option) *ElementwiseLayer {
	return declare[*ElementwiseLayer]("LeakyReLU", opts)
}

// ELU returns a layer that computes Alpha·(exp(x)-1) of negative numbers and leaves the others.
// Options: Name, Alpha (1 by default), DType.
func ELU(opts ...Option) *ElementwiseLayer { return declare[*ElementwiseLayer]("ELU", opts) }

// NegativeSlope sets the factor of negative numbers in ReLU (0 by default) and LeakyReLU (0.3). A
// negative slope is an error.
func NegativeSlope(slope float64) Option { return set("NegativeSlope", slope) }

// MaxValue sets the largest output of ReLU; by default there is none. A negative number is an
// error.
func MaxValue(m float64) Option { return set("MaxValue", m) }

// Threshold sets the number t below which ReLU's output is NegativeSlope·(x-t): 0 by default. A
// negative number is an error.
func Threshold(t float64) Option { return set("Threshold", t) }

// Alpha sets the factor of exp(x)-1 for negative numbers in ELU: 1 by default. A negative number is
// an error.
func Alpha(alpha float64) Option { return set("Alpha", alpha) }

// Build returns an error unless there is one input.
func (l *ElementwiseLayer) Build(_ *Builder, inputs []Spec) error { return checkOne(inputs, 1) }

// Call returns one node: the function of the only input, in the layer's compute type.
func (l *ElementwiseLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.of(graph.ConvertDType(inputs[0], l.ComputeDType()))}
}

// above returns x where it is greater than number, and 0 elsewhere. Where x equals the number, the
// result and the gradient are 0.
func above(x *graph.Node, number float64) *graph.Node {
	return graph.Where(graph.GreaterThan(x, nodes.Like(x, number)), x, graph.ZerosLike(x))
}

func (o *slopeOptions) leaky(x *graph.Node) *graph.Node {
	return graph.Where(graph.GreaterOrEqual(x, graph.ZerosLike(x)), x, graph.MulScalar(x, o.NegativeSlope))
}

func (o *eluOptions) elu(x *graph.Node) *graph.Node {
	positive := graph.GreaterThan(x, graph.ZerosLike(x))
	negative := graph.Where(positive, graph.ZerosLike(x), x)
	return graph.Where(positive, x, graph.MulScalar(graph.Expm1(negative), o.Alpha))
}

// relu returns keras.activations.relu of x, element by element: x above Threshold, but at most
// MaxValue, and NegativeSlope·(x-Threshold) below Threshold.
func (o *reluOptions) relu(x *graph.Node) *graph.Node {
	if o.NegativeSlope != 0 && o.MaxValue == nil && o.Threshold == 0 {
		return o.leaky(x)
	}
	y := above(x, o.Threshold)
	if o.MaxValue != nil {
		y = graph.Where(graph.LessThan(y, nodes.Like(y, *o.MaxValue)), y, nodes.Like(y, *o.MaxValue))
	}
	if o.NegativeSlope == 0 {
		return y
	}
	negative := above(graph.AddScalar(graph.Neg(x), o.Threshold), 0)
	return graph.Sub(y, graph.MulScalar(negative, o.NegativeSlope))
}

// PReLULayer multiplies negative numbers by trained factors, one for each element of a sample, or
// one for all elements along the shared dimensions: keras.layers.PReLU (He et al., 2015).
type PReLULayer struct {
	declared
	keepsMask
	Alpha *variable.Variable // the factors, in the shape of a sample, with size 1 in shared dimensions
	opts  *preluOptions
}

// PReLU returns a layer that multiplies negative numbers by trained factors, one for each element
// of a sample unless SharedAxes says otherwise. Options: Name, AlphaInitializer, AlphaRegularizer,
// AlphaConstraint, SharedAxes, DType.
func PReLU(opts ...Option) *PReLULayer { return declare[*PReLULayer]("PReLU", opts) }

// AlphaInitializer sets the initializer of PReLU's factors, a name or an initializer: "zeros" by
// default.
func AlphaInitializer(init any) Option { return set("AlphaInitializer", init) }

// AlphaRegularizer adds a penalty on PReLU's factors to the loss. r is a name or a regularizer;
// there is none by default.
func AlphaRegularizer(r any) Option { return set("AlphaRegularizer", r) }

// AlphaConstraint projects PReLU's factors after each step of the optimizer. c is a name or a
// constraint; there is none by default.
func AlphaConstraint(c any) Option { return set("AlphaConstraint", c) }

// SharedAxes sets dimensions of the input, counted with the batch as 0. Elements along them share
// one factor of PReLU. By default none are shared. The batch, and a dimension that the input lacks,
// are errors.
func SharedAxes(axes ...int) Option { return set("SharedAxes", axes) }

// Build makes alpha, the factors of negative numbers: one for each element of a sample, or one for
// all along shared axes. Another number of inputs, an open size that is not shared, and a shared
// axis that is the batch or that the input lacks are errors.
func (l *PReLULayer) Build(b *Builder, inputs []Spec) (err error) {
	if err := checkOne(inputs, 2); err != nil {
		return err
	}
	shape := slices.Clone(inputs[0].Shape[1:])
	for _, axis := range l.opts.SharedAxes {
		if axis < 1 || axis > len(shape) {
			return fmt.Errorf("got shared axes %v for an input of shape %s, want dimensions after the batch", l.opts.SharedAxes, ShapeText(inputs[0].Shape))
		}
		shape[axis-1] = 1
	}
	l.Alpha, err = l.opts.Alpha.add(b, "alpha", shape, l.DType())
	return err
}

// Call returns the input with negative elements multiplied by alpha.
func (l *PReLULayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	alpha := graph.BroadcastToShape(graph.InsertAxes(c.Value(l.Alpha), 0), x.Shape())
	return []*graph.Node{graph.Sub(above(x, 0), graph.Mul(alpha, above(graph.Neg(x), 0)))}
}

// SoftmaxLayer computes softmax, positive values with a sum of 1: keras.layers.Softmax.
type SoftmaxLayer struct {
	declared
	opts *axisOptions
	keepsMask
}

// Softmax returns a layer that computes softmax over Axis: one dimension, or several together; the
// last by default. Options: Name, Axis, DType.
func Softmax(opts ...Option) *SoftmaxLayer { return declare[*SoftmaxLayer]("Softmax", opts) }

// Build returns an error unless there is one input, and the axes are different dimensions of it
// after the batch.
func (l *SoftmaxLayer) Build(_ *Builder, inputs []Spec) error {
	_, _, err := l.opts.resolve(inputs)
	return err
}

// Call returns the softmax of the input along the layer's axes, over the elements that the input's
// mask keeps; the others become 0. A mask of another rank is a panic.
func (l *SoftmaxLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	axes, _, err := l.opts.resolve([]Spec{{Shape: x.Shape().Dimensions}})
	if err != nil {
		panic(err)
	}
	mask := c.Mask(inputs[0])
	if mask != nil && mask.Rank() != x.Rank() {
		panic(fmt.Errorf("its input of %d dimensions has a mask of %d: want as many", x.Rank(), mask.Rank()))
	}
	if mask != nil {
		low := -1e9
		if x.DType().IsHalfPrecision() {
			low = -3e4
		}
		x = graph.Where(mask, x, nodes.Like(x, low))
	}
	top := graph.StopGradient(graph.ReduceAndKeep(x, graph.ReduceMax, axes...))
	e := graph.Exp(graph.Sub(x, graph.BroadcastToShape(top, x.Shape())))
	y := graph.Div(e, graph.BroadcastToShape(graph.ReduceAndKeep(e, graph.ReduceSum, axes...), x.Shape()))
	if mask != nil {
		y = graph.Where(mask, y, graph.ZerosLike(y))
	}
	return []*graph.Node{y}
}
