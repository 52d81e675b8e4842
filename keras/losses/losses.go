package losses

// This file defines Loss, and Get, which finds losses by name.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Func computes the loss of each sample. Labels and predictions have shape (batch, d1, …, dn), the
// result has shape (batch, d1, …, dn-1).
type Func func(yTrue, yPred *g.Node) *g.Node

// Loss is a named loss function. An error in its options is returned by Get.
type Loss struct {
	// Keras' name, empty for a loss of the user's own
	class   string
	call    func(yTrue, yPred *g.Node) (values, mask *g.Node) // mask is nil where all values count
	err     error
	common  common
	options any // a pointer to the struct of options of the class
}

// New returns a loss of your own: call returns the loss of each sample.
func New(name string, call Func) *Loss {
	l := &Loss{call: func(yTrue, yPred *g.Node) (*g.Node, *g.Node) { return call(yTrue, yPred), nil }}
	option.SetDefaults(&l.common)
	l.common.Name = name
	return l
}

// newLoss returns the loss of Keras' class with these options, which are the fields of a T. call
// makes its function from their values. An error in the options is kept in the loss.
func newLoss[T any](class string, opts []Option, call func(o *T) Func) *Loss {
	l, o := startLoss[T](class, opts)
	l.call = New("", call(o)).call
	return l
}

// startLoss returns a loss of Keras' class without its function, which the caller sets, and the
// struct of its options. An error in the options is kept in the loss.
func startLoss[T any](class string, opts []Option) (*Loss, *T) {
	o := new(T)
	l := &Loss{class: class, options: o}
	option.SetDefaults(&l.common)
	option.SetDefaults(o)
	l.common.Name = nameOf(class)
	l.err = option.Assign(class, opts, &l.common, o)
	return l, o
}

// alongOneAxis returns l, with an error if its option Axis is not one dimension.
func (l *Loss) alongOneAxis() *Loss {
	if axes := l.options.(interface{ axes() []int }).axes(); l.err == nil && len(axes) != 1 {
		l.err = fmt.Errorf("%s: Axis: got %v, want one dimension, that of the classes", l.class, axes)
	}
	return l
}

// plain returns the loss of Keras' class that computes call and has only the options Name and
// Reduction.
func plain(class string, opts []Option, call Func) *Loss {
	return newLoss(class, opts, func(*noOptions) Func { return call })
}

// Name returns the name of the loss, such as mean_squared_error: that of the option Name or of New,
// or else Keras' default.
func (l *Loss) Name() string { return l.common.Name }

// Call returns the loss of each sample. Predictions of half precision are
// converted to float32. Like all code that builds GoMLX graphs it panics if
// shapes do not fit, or if an option of the loss is wrong.
func (l *Loss) Call(yTrue, yPred *g.Node) *g.Node {
	values, _ := l.Masked(yTrue, yPred)
	return values
}

// Masked returns the loss of each sample, and a mask that is true for samples that count; it is nil
// if all count. Predictions of half precision are converted to float32. It panics if the labels'
// shape does not fit the predictions, or if an option of the loss is wrong.
func (l *Loss) Masked(yTrue, yPred *g.Node) (values, mask *g.Node) {
	if l.err != nil {
		panic(l.err)
	}
	if err := l.checkShapes(yTrue.Shape().Dimensions, yPred.Shape().Dimensions); err != nil {
		panic(err)
	}
	return l.call(yTrue, Full(yPred))
}

// Full converts values of half precision to float32; it returns others as they are.
func Full(x *g.Node) *g.Node {
	if x.DType().IsHalfPrecision() {
		return g.ConvertDType(x, dtypes.Float32)
	}
	return x
}

// lossClass describes a loss: Keras' name of the class, the names of the function, and the
// constructor. The first name of the function is the name of the loss.
type lossClass struct {
	class  string
	names  []string
	make   func(...Option) *Loss
	labels labelKind
}

// classes lists the losses of Keras. init fills it, because the constructors read it.
var classes []lossClass

func init() {
	classes = []lossClass{
		{"BinaryCrossentropy", []string{"binary_crossentropy", "bce", "BCE"}, BinaryCrossentropy, likePredictions},
		{"BinaryFocalCrossentropy", []string{"binary_focal_crossentropy"}, BinaryFocalCrossentropy, likePredictions},
		{"CTC", []string{"ctc"}, CTC, sequences},
		{"CategoricalCrossentropy", []string{"categorical_crossentropy"}, CategoricalCrossentropy, likePredictions},
		{"CategoricalFocalCrossentropy", []string{"categorical_focal_crossentropy"}, CategoricalFocalCrossentropy, likePredictions},
		{"CategoricalGeneralizedCrossEntropy", []string{"categorical_generalized_cross_entropy"}, CategoricalGeneralizedCrossEntropy, classNumbers},
		{"CategoricalHinge", []string{"categorical_hinge"}, CategoricalHinge, likePredictions},
		{"Circle", []string{"circle"}, Circle, oneClass},
		{"CosineSimilarity", []string{"cosine_similarity"}, CosineSimilarity, likePredictions},
		{"Dice", []string{"dice"}, Dice, likePredictions},
		{"Hinge", []string{"hinge"}, Hinge, likePredictions},
		{"Huber", []string{"huber"}, Huber, likePredictions},
		{"KLDivergence", []string{"kl_divergence", "kld", "KLD"}, KLDivergence, likePredictions},
		{"LogCosh", []string{"log_cosh", "logcosh"}, LogCosh, likePredictions},
		{"MeanAbsoluteError", []string{"mean_absolute_error", "mae", "MAE"}, MeanAbsoluteError, likePredictions},
		{"MeanAbsolutePercentageError", []string{"mean_absolute_percentage_error", "mape", "MAPE"}, MeanAbsolutePercentageError, likePredictions},
		{"MeanSquaredError", []string{"mean_squared_error", "mse", "MSE"}, MeanSquaredError, likePredictions},
		{"MeanSquaredLogarithmicError", []string{"mean_squared_logarithmic_error", "msle", "MSLE"}, MeanSquaredLogarithmicError, likePredictions},
		{"Poisson", []string{"poisson"}, Poisson, likePredictions},
		{"SparseCategoricalCrossentropy", []string{"sparse_categorical_crossentropy"}, SparseCategoricalCrossentropy, classNumbers},
		{"SquaredHinge", []string{"squared_hinge"}, SquaredHinge, likePredictions},
		{"Tversky", []string{"tversky"}, Tversky, likePredictions},
	}
}

// nameOf returns the default name of the losses of a class, such as mean_squared_error; an unknown
// class is its own name.
func nameOf(class string) string {
	for _, c := range classes {
		if c.class == class {
			return c.names[0]
		}
	}
	return class
}

// Names returns the names of losses that Get accepts, sorted.
func Names() []string {
	names := []string{"ce", "crossentropy"}
	for _, c := range classes {
		names = append(append(names, c.class), c.names...)
	}
	slices.Sort(names)
	return names
}

func unknown(name string) error {
	return fmt.Errorf("unknown loss %q: want a losses.Loss, a function or a name of losses.Names%s", name, suggest.Closest(name, Names(), ""))
}

// Get returns the loss of a name, such as "mse", with Keras' defaults. "crossentropy" is the
// cross-entropy that fits the shapes of labels and predictions. Get returns a *Loss as it is, and a
// Func as a loss with the name "loss". Unknown names, wrong options of a *Loss, a nil *Loss and
// other types are errors.
func Get(loss any) (*Loss, error) {
	switch l := loss.(type) {
	case *Loss:
		if err := made.Check("the loss", l, "make one such as losses.MeanSquaredError(), or give a name such as \"mse\""); err != nil {
			return nil, err
		}
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
		if l == "crossentropy" || l == "ce" {
			return crossentropy(), nil
		}
		return nil, unknown(l)
	default:
		return nil, fmt.Errorf("loss is a %T: want a name such as \"mse\", or a losses.Loss", loss)
	}
}
