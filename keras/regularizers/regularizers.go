package regularizers

// This file defines Regularizer, the four of Keras, and finds them by name.

import (
	"errors"
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
)

// Regularizer is a penalty on a tensor: keras.regularizers.Regularizer.
type Regularizer struct {
	class   string // Keras' name, empty for one of the user's own
	options config
	keys    []string // the names of its settings
	call    func(c *config, x *g.Node) *g.Node
	err     error
}

// config holds the arguments.
type config struct {
	l1, l2, factor float64
	mode           string
}

// settings are the arguments.
var settings = option.Table[config]{
	{Option: "L1", Key: "l1", Field: func(c *config) any { return &c.l1 }, Check: option.NotNegative},
	{Option: "L2", Key: "l2", Field: func(c *config) any { return &c.l2 }, Check: option.NotNegative},
	{Option: "Factor", Key: "factor", Field: func(c *config) any { return &c.factor }, Check: option.NotNegative},
	{Option: "Mode", Key: "mode", Field: func(c *config) any { return &c.mode }, Check: option.OneOf("rows", "columns")},
}

// New returns a regularizer of your own.
func New(call func(x *g.Node) *g.Node) *Regularizer {
	return &Regularizer{call: func(_ *config, x *g.Node) *g.Node { return call(x) }}
}

// L1 is l1 · Σ|x|.
func L1(l1 float64) *Regularizer { return classes["L1"](settings.With("L1", l1)) }

// L2 is l2 · Σx².
func L2(l2 float64) *Regularizer { return classes["L2"](settings.With("L2", l2)) }

// L1L2 is the sum of both.
func L1L2(l1, l2 float64) *Regularizer {
	return classes["L1L2"](settings.With("L1", l1), settings.With("L2", l2))
}

// OrthogonalRegularizer is factor · the mean of |cos| of the angles between the rows, or
// the columns, of a matrix; mode is "rows" or "columns".
func OrthogonalRegularizer(factor float64, mode string) *Regularizer {
	return classes["OrthogonalRegularizer"](settings.With("Factor", factor), settings.With("Mode", mode))
}

// classes are the regularizers by Keras' names.
var classes = map[string]func(...option.Option[config]) *Regularizer{
	"L1":                    of("L1", config{l1: 0.01}, sizes, "L1"),
	"L2":                    of("L2", config{l2: 0.01}, sizes, "L2"),
	"L1L2":                  of("L1L2", config{}, sizes, "L1", "L2"),
	"OrthogonalRegularizer": of("OrthogonalRegularizer", config{factor: 0.01, mode: "rows"}, angles, "Factor", "Mode"),
}

// byName are the names that Get knows.
var byName = map[string]string{
	"l1": "L1", "l2": "L2", "l1_l2": "L1L2", "L1": "L1", "L2": "L2", "L1L2": "L1L2",
	"orthogonal_regularizer": "OrthogonalRegularizer", "OrthogonalRegularizer": "OrthogonalRegularizer",
}

func of(class string, defaults config, call func(*config, *g.Node) *g.Node, keys ...string) func(...option.Option[config]) *Regularizer {
	return func(opts ...option.Option[config]) *Regularizer {
		r := &Regularizer{class: class, options: defaults, keys: keys, call: call}
		r.err = option.Apply(class, &r.options, opts, keys...)
		return r
	}
}

// Call returns the penalty, a scalar.
func (r *Regularizer) Call(x *g.Node) *g.Node { return r.call(&r.options, x) }

// sizes is l1 · Σ|x| + l2 · Σx².
func sizes(c *config, x *g.Node) *g.Node {
	sum := g.ScalarZero(x.Graph(), x.DType())
	if c.l1 > 0 {
		sum = g.Add(sum, g.MulScalar(g.ReduceAllSum(g.Abs(x)), c.l1))
	}
	if c.l2 > 0 {
		sum = g.Add(sum, g.MulScalar(g.ReduceAllSum(g.Mul(x, x)), c.l2))
	}
	return sum
}

// angles is the penalty of OrthogonalRegularizer.
func angles(c *config, x *g.Node) *g.Node {
	if x.Rank() != 2 {
		panic(fmt.Errorf("OrthogonalRegularizer: got a tensor of shape %v, want a matrix", x.Shape().Dimensions))
	}
	if c.mode == "columns" {
		x = g.Transpose(x, 0, 1)
	}
	n := x.Shape().Dim(0)
	square := g.ReduceAndKeep(g.Mul(x, x), g.ReduceSum, -1)
	least := g.BroadcastToShape(g.Scalar(x.Graph(), x.DType(), 1e-14), square.Shape())
	unit := g.Mul(x, g.BroadcastToShape(g.Rsqrt(g.Max(square, least)), x.Shape()))
	cosines := g.Dot(unit, g.Transpose(unit, 0, 1)).Product()
	others := g.OneMinus(g.ConvertDType(g.Diagonal(x.Graph(), n), x.DType()))
	return g.MulScalar(g.ReduceAllSum(g.Abs(g.Mul(cosines, others))), 0.5*c.factor/(float64(n)*float64(n-1)/2))
}

// Get returns a *Regularizer as it is, or the one with that name, such as "l2"; nil for
// nil.
func Get(regularizer any) (*Regularizer, error) {
	switch r := regularizer.(type) {
	case nil:
		return nil, nil
	case *Regularizer:
		if r == nil {
			return nil, errors.New("the regularizer is nil")
		}
		return r, r.err
	case string:
		if class, ok := byName[r]; ok {
			return classes[class](), nil
		}
		return nil, fmt.Errorf("unknown regularizer %q: want l1, l2, l1_l2, orthogonal_regularizer, or a regularizers.Regularizer", r)
	}
	return nil, fmt.Errorf("regularizer is a %T: want a name such as \"l2\", or a regularizers.Regularizer", regularizer)
}

// Config returns Keras' name of the class and its arguments; class is empty for a
// regularizer made by New.
func (r *Regularizer) Config() (class string, config map[string]any) {
	return r.class, settings.Config(&r.options, r.keys)
}

// FromConfig returns the regularizer of a class of Keras with the arguments of its
// config, as JSON has them.
func FromConfig(class string, config map[string]any) (*Regularizer, error) {
	makeOne, ok := classes[class]
	if !ok {
		return nil, fmt.Errorf("unknown regularizer %q", class)
	}
	opts, err := settings.Options(config, makeOne().keys)
	if err != nil {
		return nil, fmt.Errorf("regularizer %s: %w", class, err)
	}
	return Get(makeOne(opts...))
}
