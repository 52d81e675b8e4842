package losses

// This file defines Loss, its options and reduction, and Get, which finds losses
// by name.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Func computes the loss of each sample from labels and predictions of shape
// (batch, d1, …, dn): a tensor of shape (batch, d1, …, dn-1).
type Func func(yTrue, yPred *g.Node) *g.Node

// Loss is a named loss function. Get returns the error of a wrong option.
type Loss struct {
	name    string
	call    Func
	err     error
	options config   // for Config
	accepts []string // names of its options; nil for a loss of the user's own
}

// New returns a loss of your own.
func New(name string, call Func) *Loss { return &Loss{name: name, call: call} }

// plain returns a loss of Keras without options.
func plain(name string, call Func) *Loss { return &Loss{name: name, call: call, accepts: []string{}} }

// Name returns the name, such as mean_squared_error.
func (l *Loss) Name() string { return l.name }

// Call returns the loss of each sample. Predictions of half precision are
// converted to float32. Like all code that builds GoMLX graphs it panics if
// shapes do not fit.
func (l *Loss) Call(yTrue, yPred *g.Node) *g.Node { return l.call(yTrue, Full(yPred)) }

// Full converts numbers of half precision to float32.
func Full(x *g.Node) *g.Node {
	if x.DType().IsHalfPrecision() {
		return g.ConvertDType(x, dtypes.Float32)
	}
	return x
}

// Reduce returns the scalar that is trained on: the sum of the values divided
// by their number, as Keras' sum_over_batch_size does. Weights, unless nil,
// multiply the values; the sum is still divided by their number.
func Reduce(values, weights *g.Node) *g.Node {
	if weights != nil {
		values = g.Mul(values, SpreadWeights(weights, values))
	}
	if values.Rank() == 0 {
		return values
	}
	return g.DivScalar(g.ReduceAllSum(values), float64(values.Shape().Size()))
}

// SpreadWeights broadcasts sample weights to the shape of values, of which they
// have the first dimensions, and converts them to its type.
func SpreadWeights(weights, values *g.Node) *g.Node {
	weights = g.ConvertDType(weights, values.DType())
	if weights.Rank() == values.Rank()+1 && weights.Shape().Dim(-1) == 1 {
		weights = g.Squeeze(weights, -1)
	}
	dims := values.Shape().Dimensions
	if w := weights.Shape().Dimensions; len(w) > len(dims) || !slices.Equal(w, dims[:len(w)]) {
		panic(fmt.Errorf("sample weights have shape %v, losses %v: want one weight for each sample, or for each value", w, dims))
	}
	for weights.Rank() < values.Rank() {
		weights = g.InsertAxes(weights, -1)
	}
	return g.BroadcastToShape(weights, values.Shape())
}

// classes are the losses: Keras' name of the class, the names of the function,
// and the constructor.
var classes = []struct {
	class string
	names []string
	make  func(...Option) *Loss
}{
	{"BinaryCrossentropy", []string{"binary_crossentropy", "bce", "BCE"}, BinaryCrossentropy},
	{"CategoricalCrossentropy", []string{"categorical_crossentropy"}, CategoricalCrossentropy},
	{"CategoricalHinge", []string{"categorical_hinge"}, ignore(CategoricalHinge)},
	{"CosineSimilarity", []string{"cosine_similarity"}, ignore(CosineSimilarity)},
	{"Hinge", []string{"hinge"}, ignore(Hinge)},
	{"Huber", []string{"huber"}, Huber},
	{"KLDivergence", []string{"kl_divergence", "kld", "KLD"}, ignore(KLDivergence)},
	{"LogCosh", []string{"log_cosh", "logcosh"}, ignore(LogCosh)},
	{"MeanAbsoluteError", []string{"mean_absolute_error", "mae", "MAE"}, ignore(MeanAbsoluteError)},
	{"MeanAbsolutePercentageError", []string{"mean_absolute_percentage_error", "mape", "MAPE"}, ignore(MeanAbsolutePercentageError)},
	{"MeanSquaredError", []string{"mean_squared_error", "mse", "MSE"}, ignore(MeanSquaredError)},
	{"MeanSquaredLogarithmicError", []string{"mean_squared_logarithmic_error", "msle", "MSLE"}, ignore(MeanSquaredLogarithmicError)},
	{"Poisson", []string{"poisson"}, ignore(Poisson)},
	{"SparseCategoricalCrossentropy", []string{"sparse_categorical_crossentropy"}, SparseCategoricalCrossentropy},
	{"SquaredHinge", []string{"squared_hinge"}, ignore(SquaredHinge)},
}

// ignore turns the constructor of a loss without options into one that accepts
// them.
func ignore(makeLoss func() *Loss) func(...Option) *Loss {
	return func(...Option) *Loss { return makeLoss() }
}

// Names returns the names that Get knows, sorted.
func Names() []string {
	var names []string
	for _, c := range classes {
		names = append(append(names, c.class), c.names...)
	}
	slices.Sort(names)
	return names
}

// Get returns the loss with that name, such as "mse", with Keras' defaults. It
// returns a *Loss as it is, and a Func as a loss with the name "loss".
func Get(loss any) (*Loss, error) {
	switch l := loss.(type) {
	case *Loss:
		return l, l.err
	case Func:
		return New("loss", l), nil
	case func(yTrue, yPred *g.Node) *g.Node:
		return New("loss", l), nil
	case string:
		for _, c := range classes {
			if l == c.class || slices.Contains(c.names, l) {
				return c.make(), nil
			}
		}
		return nil, fmt.Errorf("unknown loss %q%s: want one of %s, or a losses.Loss",
			l, suggest.DidYouMean(l, Names()), strings.Join(Names(), ", "))
	default:
		return nil, fmt.Errorf("loss is a %T: want a name such as \"mse\", or a losses.Loss", loss)
	}
}

// config holds the values of the options.
type config struct {
	fromLogits     bool
	labelSmoothing float64
	delta          float64
}

// Option configures a loss.
type Option = option.Option[config]

// FromLogits says that predictions are logits, not probabilities.
func FromLogits() Option { return option.New("FromLogits", func(c *config) { c.fromLogits = true }) }

// LabelSmoothing replaces the fraction x, in [0, 1], of each label by the uniform
// distribution over the classes.
func LabelSmoothing(x float64) Option {
	return Option{Name: "LabelSmoothing", Set: func(c *config) error {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("got %g, want a number in [0, 1]", x)
		}
		c.labelSmoothing = x
		return nil
	}}
}

// Delta sets the error from which on Huber is linear: 1 by default.
func Delta(d float64) Option {
	return Option{Name: "Delta", Set: func(c *config) error {
		if !(d > 0) {
			return fmt.Errorf("got %g, want a positive number", d)
		}
		c.delta = d
		return nil
	}}
}

func newLoss(name string, opts []Option, accepts []string, call func(config) Func) *Loss {
	c := config{delta: 1}
	err := option.Apply(name, &c, opts, accepts...)
	return &Loss{name: name, call: call(c), err: err, options: c, accepts: append([]string{}, accepts...)}
}

// Config returns Keras' name of the class, such as MeanSquaredError, and the
// options as Keras' get_config names them. class is empty for a loss made by
// New.
func (l *Loss) Config() (class string, config map[string]any) {
	if l.accepts == nil {
		return "", nil
	}
	for _, c := range classes {
		if slices.Contains(c.names, l.name) {
			class = c.class
		}
	}
	config = map[string]any{"name": l.name, "reduction": "sum_over_batch_size"}
	for _, o := range []struct {
		option, key string
		value       any
	}{
		{"FromLogits", "from_logits", l.options.fromLogits},
		{"LabelSmoothing", "label_smoothing", l.options.labelSmoothing},
		{"Delta", "delta", l.options.delta},
	} {
		if slices.Contains(l.accepts, o.option) {
			config[o.key] = o.value
		}
	}
	return class, config
}
