package regularizers

// This file defines Regularizer and the four of Keras.

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/internal/tensorfunc"
)

// Regularizer is a penalty on a tensor: keras.regularizers.Regularizer.
type Regularizer struct{ of tensorfunc.Func }

// New returns a regularizer of your own: call returns the penalty, a scalar.
func New(call func(x *g.Node) *g.Node) *Regularizer { return &Regularizer{tensorfunc.Of(call)} }

// L1 returns the regularizer l1 · Σ|x|. A negative l1 is an error of Get, and so of the layer.
func L1(l1 float64) *Regularizer { return classes.Make("L1", option.Give("L1", l1)) }

// L2 returns the regularizer l2 · Σx². A negative l2 is an error of Get, and so of the layer.
func L2(l2 float64) *Regularizer { return classes.Make("L2", option.Give("L2", l2)) }

// L1L2 returns the regularizer l1 · Σ|x| + l2 · Σx². Negative numbers are errors of Get, and so of
// the layer.
func L1L2(l1, l2 float64) *Regularizer {
	return classes.Make("L1L2", option.Give("L1", l1), option.Give("L2", l2))
}

// OrthogonalRegularizer is factor times the mean of |cos| of the angles between the rows of a
// matrix (mode "rows"), or between its columns (mode "columns"). A single row or column gives NaN,
// as in Keras. Its Call panics for a tensor that is no matrix. A negative factor and other modes
// are errors of Get, and so of the layer.
func OrthogonalRegularizer(factor float64, mode string) *Regularizer {
	return classes.Make("OrthogonalRegularizer", option.Give("Factor", factor), option.Give("Mode", mode))
}

// Call returns the penalty on x, a scalar.
func (r *Regularizer) Call(x *g.Node) *g.Node { return r.of.Call(x) }

// Config returns Keras' name of the class and its arguments; class is empty for a
// regularizer made by New.
func (r *Regularizer) Config() (class string, config map[string]any) { return r.of.Config() }

// Get returns the regularizer of a name, such as "l2". It returns a *Regularizer as it is, and nil
// for nil. An unknown name, a nil *Regularizer, and one with wrong arguments, such as L1(-1), are
// errors.
func Get(regularizer any) (*Regularizer, error) { return classes.Get(regularizer) }

// FromConfig returns the regularizer of a class of Keras with the arguments of its config, as JSON
// has them. An unknown class and wrong arguments are errors.
func FromConfig(class string, config map[string]any) (*Regularizer, error) {
	return classes.FromConfig(class, config)
}

// classes lists the regularizers of Keras with their names.
var classes = tensorfunc.Table[Regularizer]{
	Kind: "regularizer", Example: "l2",
	Classes: []tensorfunc.Class{
		{Name: "L1", Alias: "l1", New: func() tensorfunc.Options { return &l1{} }},
		{Name: "L2", Alias: "l2", New: func() tensorfunc.Options { return &l2{} }},
		{Name: "L1L2", Alias: "l1_l2", New: func() tensorfunc.Options { return &l1l2{} }},
		{Name: "OrthogonalRegularizer", Alias: "orthogonal_regularizer", New: func() tensorfunc.Options { return &orthogonal{} }},
	},
	Wrap:   func(f tensorfunc.Func) *Regularizer { return &Regularizer{f} },
	Unwrap: func(r *Regularizer) *tensorfunc.Func { return &r.of },
}

type l1 struct {
	L1 float64 `argument:"l1" default:"0.01" want:"notNegative"`
}

func (o *l1) Call(x *g.Node) *g.Node { return sizes(x, o.L1, 0) }

type l2 struct {
	L2 float64 `argument:"l2" default:"0.01" want:"notNegative"`
}

func (o *l2) Call(x *g.Node) *g.Node { return sizes(x, 0, o.L2) }

type l1l2 struct {
	L1 float64 `argument:"l1" want:"notNegative"`
	L2 float64 `argument:"l2" want:"notNegative"`
}

func (o *l1l2) Call(x *g.Node) *g.Node { return sizes(x, o.L1, o.L2) }

// sizes returns l1 · Σ|x| + l2 · Σx², a scalar.
func sizes(x *g.Node, l1, l2 float64) *g.Node {
	sum := g.ScalarZero(x.Graph(), x.DType())
	if l1 > 0 {
		sum = g.Add(sum, g.MulScalar(g.ReduceAllSum(g.Abs(x)), l1))
	}
	if l2 > 0 {
		sum = g.Add(sum, g.MulScalar(g.ReduceAllSum(g.Mul(x, x)), l2))
	}
	return sum
}

type orthogonal struct {
	Factor float64 `argument:"factor" default:"0.01" want:"notNegative"`
	Mode   string  `argument:"mode" default:"rows" oneof:"rows columns"`
}

func (o *orthogonal) Call(x *g.Node) *g.Node {
	if x.Rank() != 2 {
		panic(fmt.Errorf("OrthogonalRegularizer: got a tensor of shape %v, want a matrix", x.Shape().Dimensions))
	}
	if o.Mode == "columns" {
		x = g.Transpose(x, 0, 1)
	}
	n := x.Shape().Dim(0)
	square := g.ReduceAndKeep(g.Mul(x, x), g.ReduceSum, -1)
	least := g.BroadcastToShape(g.Scalar(x.Graph(), x.DType(), 1e-14), square.Shape())
	unit := g.Mul(x, g.BroadcastToShape(g.Rsqrt(g.Max(square, least)), x.Shape()))
	cosines := g.Dot(unit, g.Transpose(unit, 0, 1)).Product()
	others := g.OneMinus(g.ConvertDType(g.Diagonal(x.Graph(), n), x.DType()))
	return g.MulScalar(g.ReduceAllSum(g.Abs(g.Mul(cosines, others))), 0.5*o.Factor/(float64(n)*float64(n-1)/2))
}
