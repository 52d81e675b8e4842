package losses

// This file holds the options of losses, and describes losses under Keras' names.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/option"
)

// config holds the values of the options.
type config struct {
	name, reduction                                      string
	fromLogits, balancing, removeDiagonal                bool
	labelSmoothing, delta, alpha, beta, gamma, margin, q float64
	ignoreClass                                          *int
	axis                                                 []int // nil for all
}

// lastAxis is the default of Axis for most losses.
var lastAxis = []int{-1}

// Option configures a loss. A loss takes Name, Reduction, and the options that its doc
// comment names.
type Option = option.Option[config]

// settings are the options.
var settings = option.Table[config]{
	{Option: "Name", Key: "name", Field: func(c *config) any { return &c.name }},
	{Option: "Reduction", Key: "reduction", Field: func(c *config) any { return &c.reduction },
		Check: option.OneOf("sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none", "")},
	{Option: "FromLogits", Key: "from_logits", Field: func(c *config) any { return &c.fromLogits }},
	{Option: "LabelSmoothing", Key: "label_smoothing", Field: func(c *config) any { return &c.labelSmoothing }, Check: option.Fraction},
	{Option: "Axis", Key: "axis", Field: func(c *config) any { return &c.axis }, Single: true},
	{Option: "IgnoreClass", Key: "ignore_class", Field: func(c *config) any { return &c.ignoreClass }},
	{Option: "Delta", Key: "delta", Field: func(c *config) any { return &c.delta }, Check: option.Positive},
	{Option: "Alpha", Key: "alpha", Field: func(c *config) any { return &c.alpha }, Check: option.NotNegative},
	{Option: "Beta", Key: "beta", Field: func(c *config) any { return &c.beta }, Check: option.NotNegative},
	{Option: "Gamma", Key: "gamma", Field: func(c *config) any { return &c.gamma }, Check: option.NotNegative},
	{Option: "Margin", Key: "margin", Field: func(c *config) any { return &c.margin }, Check: option.NotNegative},
	{Option: "Q", Key: "q", Field: func(c *config) any { return &c.q }, Check: between0And1},
	{Option: "ApplyClassBalancing", Key: "apply_class_balancing", Field: func(c *config) any { return &c.balancing }},
	{Option: "RemoveDiagonal", Key: "remove_diagonal", Field: func(c *config) any { return &c.removeDiagonal }},
}

func between0And1(v any) error {
	if x := v.(float64); !(x > 0 && x < 1) {
		return fmt.Errorf("got %g, want a number between 0 and 1", x)
	}
	return nil
}

// Name names the loss.
func Name(name string) Option { return settings.With("Name", name) }

// Reduction sets how the losses of a batch become one number: "sum_over_batch_size" (the
// default: the sum divided by their number; "mean" is the same), "sum",
// "mean_with_sample_weight" (divided by the sum of the weights), or "none", which
// cannot be trained on.
func Reduction(reduction string) Option { return settings.With("Reduction", reduction) }

// FromLogits says that predictions are logits, not probabilities.
func FromLogits() Option { return settings.With("FromLogits", true) }

// LabelSmoothing replaces the fraction x, in [0, 1], of each label by the uniform
// distribution over the classes.
func LabelSmoothing(x float64) Option { return settings.With("LabelSmoothing", x) }

// Axis sets the dimension that a loss works along, -1 (the last one) by default; Dice
// and Tversky take several.
func Axis(axis ...int) Option { return settings.With("Axis", axis) }

// IgnoreClass leaves samples of that class out of SparseCategoricalCrossentropy.
func IgnoreClass(class int) Option { return settings.With("IgnoreClass", class) }

// Delta sets the error above which Huber is linear: 1 by default.
func Delta(d float64) Option { return settings.With("Delta", d) }

// Alpha sets the weight of the focal losses' positive class, or of Tversky's false
// positives.
func Alpha(x float64) Option { return settings.With("Alpha", x) }

// Beta sets the weight of Tversky's false negatives.
func Beta(x float64) Option { return settings.With("Beta", x) }

// Gamma sets the exponent of the focal losses, or the scale of Circle.
func Gamma(x float64) Option { return settings.With("Gamma", x) }

// Margin sets the relaxation of Circle: 0.4 by default.
func Margin(x float64) Option { return settings.With("Margin", x) }

// Q sets the exponent, between 0 and 1, of CategoricalGeneralizedCrossEntropy: 0.5 by
// default. The smaller, the more it is like the cross-entropy.
func Q(x float64) Option { return settings.With("Q", x) }

// ApplyClassBalancing makes BinaryFocalCrossentropy weigh the classes by Alpha.
func ApplyClassBalancing() Option { return settings.With("ApplyClassBalancing", true) }

// RemoveDiagonal sets whether Circle leaves out the pairs of a sample with itself; by
// default it does.
func RemoveDiagonal(remove bool) Option { return settings.With("RemoveDiagonal", remove) }

// Config returns Keras' name of the class, such as MeanSquaredError, and the
// options as Keras' get_config names them. class is empty for a loss made by
// New.
func (l *Loss) Config() (class string, config map[string]any) {
	if l.class == "" {
		return "", nil
	}
	return l.class, settings.Config(&l.options, l.accepts)
}

// Ignores reports whether the loss leaves out samples of a class, which may have any
// number, or has its classes along another dimension than the last.
func (l *Loss) Ignores() bool {
	return l.options.ignoreClass != nil || len(l.options.axis) > 0 && l.options.axis[0] != -1
}

// FromConfig returns the loss of a class of Keras with the options of its config, as
// JSON has them.
func FromConfig(class string, config map[string]any) (*Loss, error) {
	i := slices.IndexFunc(classes, func(c lossClass) bool { return c.class == class })
	if i < 0 {
		return nil, unknown(class)
	}
	opts, err := settings.Options(config, classes[i].make().accepts)
	if err != nil {
		return nil, fmt.Errorf("loss %s: %w", class, err)
	}
	return Get(classes[i].make(opts...))
}
