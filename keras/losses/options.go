package losses

// This file defines the options of losses. Config and FromConfig write and read them under Keras'
// names.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/option"
)

// Option configures a loss. A loss takes Name, Reduction, and the options that its doc
// comment names.
type Option struct{ given }

// given holds the name of an option and the value that it sets.
type given = option.Given

func set(name string, value any) Option { return Option{given{Name: name, Value: value}} }

// common holds the options that all losses have: Name and Reduction.
type common struct {
	Name      string `option:"name"`
	Reduction string `option:"reduction" default:"sum_over_batch_size" oneof:"sum_over_batch_size sum mean mean_with_sample_weight none ''"`
}

// noOptions is the struct of the options of losses that have only the common ones.
type noOptions struct{}

// axisOptions holds the option Axis, the dimension that a loss works along.
type axisOptions struct {
	Axis option.Ints `option:"axis" default:"-1"`
}

func (o *axisOptions) axes() []int { return o.Axis }

// logitOptions holds the option FromLogits: whether predictions are logits or probabilities.
type logitOptions struct {
	FromLogits bool `option:"from_logits"`
}

// entropyOptions holds the options of BinaryCrossentropy and CategoricalCrossentropy: FromLogits,
// LabelSmoothing and Axis.
type entropyOptions struct {
	logitOptions
	LabelSmoothing float64 `option:"label_smoothing" want:"fraction"`
	axisOptions
}

// sparseOptions holds the options of SparseCategoricalCrossentropy: FromLogits, IgnoreClass and
// Axis.
type sparseOptions struct {
	logitOptions
	IgnoreClass *int `option:"ignore_class"`
	axisOptions
}

func (o *sparseOptions) ignores() bool { return o.IgnoreClass != nil }

// focalOptions holds the options of CategoricalFocalCrossentropy: Alpha, Gamma and those of
// CategoricalCrossentropy.
type focalOptions struct {
	Alpha float64 `option:"alpha" default:"0.25" want:"notNegative"`
	Gamma float64 `option:"gamma" default:"2" want:"notNegative"`
	entropyOptions
}

// binaryFocalOptions holds the options of BinaryFocalCrossentropy: ApplyClassBalancing and those of
// CategoricalFocalCrossentropy.
type binaryFocalOptions struct {
	ApplyClassBalancing bool `option:"apply_class_balancing"`
	focalOptions
}

// generalizedOptions holds the option of CategoricalGeneralizedCrossEntropy: Q.
type generalizedOptions struct {
	Q exponent `option:"q" default:"0.5"`
}

// huberOptions holds the option of Huber: Delta.
type huberOptions struct {
	Delta float64 `option:"delta" default:"1" want:"positive"`
}

// overlapOptions holds the option of Dice: Axis.
type overlapOptions struct {
	Axis option.Ints `option:"axis"` // nil for all
}

func (o *overlapOptions) axes() []int { return o.Axis }

// tverskyOptions holds the options of Tversky: Alpha, Beta and Axis.
type tverskyOptions struct {
	Alpha float64 `option:"alpha" default:"0.5" want:"notNegative"`
	Beta  float64 `option:"beta" default:"0.5" want:"notNegative"`
	overlapOptions
}

// circleOptions holds the options of Circle: Gamma, Margin and RemoveDiagonal.
type circleOptions struct {
	Gamma          float64 `option:"gamma" default:"80" want:"notNegative"`
	Margin         float64 `option:"margin" default:"0.4" want:"notNegative"`
	RemoveDiagonal bool    `option:"remove_diagonal" default:"true"`
}

// exponent is the value of an option that is an exponent between 0 and 1.
type exponent float64

// Assign sets q to v. It fails if v is not a number between 0 and 1.
func (q *exponent) Assign(v any) error {
	x, ok := v.(float64)
	if !ok || !(x > 0 && x < 1) {
		return fmt.Errorf("got %v, want a number between 0 and 1", v)
	}
	*q = exponent(x)
	return nil
}

// Read returns the number, for the config.
func (q *exponent) Read() any { return float64(*q) }

// Name sets the name of the loss. The default is Keras', such as mean_squared_error.
func Name(name string) Option { return set("Name", name) }

// Reduction sets how the losses of a batch become one number. "sum_over_batch_size", the default,
// divides their sum by their number; "mean" does the same. "sum" adds them.
// "mean_with_sample_weight" divides the sum by the sum of the weights. "none" and "" keep each
// loss; a model cannot be trained with it. Others are errors.
func Reduction(reduction string) Option { return set("Reduction", reduction) }

// FromLogits says that the predictions that a cross-entropy or a focal loss gets are logits.
// Without it they are probabilities.
func FromLogits() Option { return set("FromLogits", true) }

// LabelSmoothing makes a cross-entropy of one-hot labels, or a focal loss, replace the fraction x
// of each label by the uniform distribution over the classes; in the binary ones by 1/2. It is 0 by
// default. A number outside [0, 1] is an error.
func LabelSmoothing(x float64) Option { return set("LabelSmoothing", x) }

// Axis sets the dimension of the classes for cross-entropies and focal losses, the one that the
// binary ones average over, or that of the vectors for CosineSimilarity: -1 (the last one) by
// default. Dice and Tversky sum over all dimensions by default. The categorical losses take just
// one dimension, the others may be given several; none stands for all.
func Axis(axis ...int) Option { return set("Axis", axis) }

// IgnoreClass makes SparseCategoricalCrossentropy ignore the samples whose label is this class. By
// default all samples count.
func IgnoreClass(class int) Option { return set("IgnoreClass", class) }

// Delta sets the absolute error above which Huber is linear: 1 by default. A number that is not
// positive is an error.
func Delta(d float64) Option { return set("Delta", d) }

// Alpha sets the factor of all classes in CategoricalFocalCrossentropy, and the weight of the
// positive class in BinaryFocalCrossentropy, only with ApplyClassBalancing: 0.25 by default. In
// Tversky it is the weight of yTrue·(1-yPred), 0.5 by default. A negative number is an error.
func Alpha(x float64) Option { return set("Alpha", x) }

// Beta sets the weight of yPred·(1-yTrue) in Tversky: 0.5 by default. A negative number is an
// error.
func Beta(x float64) Option { return set("Beta", x) }

// Gamma sets the exponent of the focal losses, 2 by default, or the scale of Circle, 80 by default.
// A negative number is an error.
func Gamma(x float64) Option { return set("Gamma", x) }

// Margin sets the relaxation of Circle: 0.4 by default. A negative number is an error.
func Margin(x float64) Option { return set("Margin", x) }

// Q sets the exponent of CategoricalGeneralizedCrossEntropy: 0.5 by default. Near 0 the loss is
// like the cross-entropy. A number that is not above 0 and below 1 is an error.
func Q(x float64) Option { return set("Q", x) }

// ApplyClassBalancing makes BinaryFocalCrossentropy weigh the classes by Alpha. Without it, Alpha
// has no effect there.
func ApplyClassBalancing() Option { return set("ApplyClassBalancing", true) }

// RemoveDiagonal sets whether Circle leaves out the pairs of a sample with itself; by
// default it does.
func RemoveDiagonal(remove bool) Option { return set("RemoveDiagonal", remove) }

// Config returns Keras' name of the class, such as MeanSquaredError, and the
// options as Keras' get_config names them. class is empty for a loss made by
// New.
func (l *Loss) Config() (class string, config map[string]any) {
	if l.class == "" {
		return "", nil
	}
	return l.class, option.Config(&l.common, l.options)
}

// Ignores reports whether the loss ignores the samples of a class (which may be a number out of the
// range of the classes), or has the classes along another dimension than the last. Checks of class
// numbers must then be left out.
func (l *Loss) Ignores() bool {
	s, ok := l.options.(interface{ ignores() bool })
	return l.otherAxis() || ok && s.ignores()
}

// otherAxis reports whether the option Axis of the loss is another dimension than the last.
func (l *Loss) otherAxis() bool { return l.axis() != -1 }

// axis returns the first dimension of the option Axis; -1, the last one, for a loss without it.
func (l *Loss) axis() int {
	if a, ok := l.options.(interface{ axes() []int }); ok && len(a.axes()) > 0 {
		return a.axes()[0]
	}
	return -1
}

// FromConfig returns the loss of a class of Keras with the options of its config, as JSON has them.
// An unknown class and an unknown option are errors.
func FromConfig(class string, config map[string]any) (*Loss, error) {
	i := slices.IndexFunc(classes, func(c lossClass) bool { return c.class == class })
	if i < 0 {
		return nil, unknown(class)
	}
	opts, err := option.FromConfig(config, set, &common{}, classes[i].make().options)
	if err != nil {
		return nil, fmt.Errorf("loss %s: %w", class, err)
	}
	return Get(classes[i].make(opts...))
}
