package losses

// This file defines Loss, how a loss is found by name, and the reduction.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
)

// Func computes the loss of each sample from labels and predictions of shape
// (batch, d1, …, dn): a tensor of shape (batch, d1, …, dn-1).
type Func func(yTrue, yPred *g.Node) *g.Node

// Loss is a named loss function. What is wrong with its options is kept and
// returned by Get.
type Loss struct {
	name string
	call Func
	err  error
}

// New returns a loss of your own.
func New(name string, call Func) *Loss { return &Loss{name: name, call: call} }

// Name returns the name, such as mean_squared_error.
func (l *Loss) Name() string { return l.name }

// Call returns the loss of each sample. As all code that builds GoMLX graphs
// it panics when shapes do not fit.
func (l *Loss) Call(yTrue, yPred *g.Node) *g.Node { return l.call(yTrue, yPred) }

// Reduce returns the scalar that is trained on: the sum of the values divided
// by their number, as Keras' sum_over_batch_size does.
func Reduce(values *g.Node) *g.Node {
	if values.Rank() == 0 {
		return values
	}
	return g.DivScalar(g.ReduceAllSum(values), float64(values.Shape().Size()))
}

// byName maps Keras' names, the functions' and the classes', to the losses.
var byName = map[string]func() *Loss{
	"mean_squared_error":              func() *Loss { return MeanSquaredError() },
	"MeanSquaredError":                func() *Loss { return MeanSquaredError() },
	"mse":                             func() *Loss { return MeanSquaredError() },
	"MSE":                             func() *Loss { return MeanSquaredError() },
	"mean_absolute_error":             func() *Loss { return MeanAbsoluteError() },
	"MeanAbsoluteError":               func() *Loss { return MeanAbsoluteError() },
	"mae":                             func() *Loss { return MeanAbsoluteError() },
	"MAE":                             func() *Loss { return MeanAbsoluteError() },
	"binary_crossentropy":             func() *Loss { return BinaryCrossentropy() },
	"BinaryCrossentropy":              func() *Loss { return BinaryCrossentropy() },
	"bce":                             func() *Loss { return BinaryCrossentropy() },
	"BCE":                             func() *Loss { return BinaryCrossentropy() },
	"categorical_crossentropy":        func() *Loss { return CategoricalCrossentropy() },
	"CategoricalCrossentropy":         func() *Loss { return CategoricalCrossentropy() },
	"sparse_categorical_crossentropy": func() *Loss { return SparseCategoricalCrossentropy() },
	"SparseCategoricalCrossentropy":   func() *Loss { return SparseCategoricalCrossentropy() },
}

// Get returns the loss of a name, such as "mse", with Keras' defaults; a *Loss
// as it is; and a Func as a loss named loss.
func Get(loss any) (*Loss, error) {
	switch l := loss.(type) {
	case *Loss:
		return l, l.err
	case Func:
		return New("loss", l), nil
	case func(yTrue, yPred *g.Node) *g.Node:
		return New("loss", l), nil
	case string:
		if makeLoss, ok := byName[l]; ok {
			return makeLoss(), nil
		}
		return nil, fmt.Errorf("unknown loss %q: want one of %s, or a losses.Loss",
			l, strings.Join(slices.Sorted(maps.Keys(byName)), ", "))
	default:
		return nil, fmt.Errorf("loss is a %T: want a name such as \"mse\", or a losses.Loss", loss)
	}
}

// config is what the options set.
type config struct {
	fromLogits     bool
	labelSmoothing float64
}

// Option configures a loss.
type Option = option.Option[config]

// FromLogits says that predictions are logits, not probabilities.
func FromLogits() Option { return option.New("FromLogits", func(c *config) { c.fromLogits = true }) }

// LabelSmoothing moves the share x, in [0, 1], of every label's weight to the
// uniform distribution over the classes.
func LabelSmoothing(x float64) Option {
	return Option{Name: "LabelSmoothing", Set: func(c *config) error {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("got %g, want a number in [0, 1]", x)
		}
		c.labelSmoothing = x
		return nil
	}}
}

func newLoss(name string, opts []Option, accepts []string, call func(config) Func) *Loss {
	var c config
	err := option.Apply(name, &c, opts, accepts...)
	return &Loss{name: name, call: call(c), err: err}
}
