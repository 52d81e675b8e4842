package metrics

// This file finds metrics by name.

import (
	"fmt"
	"slices"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/losses"
)

// classes are the metrics: Keras' name of the class, other names, and how to
// make one.
var classes = []struct {
	class string
	names []string
	make  func(name string) *Metric
}{
	{"BinaryAccuracy", []string{"binary_accuracy"}, mean(BinaryAccuracy)},
	{"BinaryCrossentropy", []string{"binary_crossentropy", "bce", "BCE"}, ofLoss(losses.BinaryCrossentropy())},
	{"CategoricalAccuracy", []string{"categorical_accuracy"}, mean(CategoricalAccuracy)},
	{"CategoricalCrossentropy", []string{"categorical_crossentropy"}, ofLoss(losses.CategoricalCrossentropy())},
	{"CategoricalHinge", []string{"categorical_hinge"}, ofLoss(losses.CategoricalHinge())},
	{"CosineSimilarity", []string{"cosine_similarity"}, mean(CosineSimilarity)},
	{"Hinge", []string{"hinge"}, ofLoss(losses.Hinge())},
	{"KLDivergence", []string{"kl_divergence"}, ofLoss(losses.KLDivergence())},
	{"LogCoshError", []string{"log_cosh_error"}, ofLoss(losses.LogCosh())},
	{"MeanAbsoluteError", []string{"mean_absolute_error", "mae", "MAE"}, ofLoss(losses.MeanAbsoluteError())},
	{"MeanAbsolutePercentageError", []string{"mean_absolute_percentage_error", "mape", "MAPE"}, ofLoss(losses.MeanAbsolutePercentageError())},
	{"MeanSquaredError", []string{"mean_squared_error", "mse", "MSE"}, ofLoss(losses.MeanSquaredError())},
	{"MeanSquaredLogarithmicError", []string{"mean_squared_logarithmic_error", "msle", "MSLE"}, ofLoss(losses.MeanSquaredLogarithmicError())},
	{"Poisson", []string{"poisson"}, ofLoss(losses.Poisson())},
	{"RootMeanSquaredError", []string{"root_mean_squared_error"}, RootMeanSquaredError},
	{"SparseCategoricalAccuracy", []string{"sparse_categorical_accuracy"}, mean(SparseCategoricalAccuracy)},
	{"SparseCategoricalCrossentropy", []string{"sparse_categorical_crossentropy"}, ofLoss(losses.SparseCategoricalCrossentropy())},
	{"SparseTopKCategoricalAccuracy", []string{"sparse_top_k_categorical_accuracy"}, mean(SparseTopKCategoricalAccuracy(5))},
	{"SquaredHinge", []string{"squared_hinge"}, ofLoss(losses.SquaredHinge())},
	{"TopKCategoricalAccuracy", []string{"top_k_categorical_accuracy"}, mean(TopKCategoricalAccuracy(5))},
}

func mean(values Func) func(name string) *Metric {
	return func(name string) *Metric { return New(name, values) }
}

func ofLoss(l *losses.Loss) func(name string) *Metric { return mean(l.Call) }

// Names returns the names that Get knows, sorted.
func Names() []string {
	names := []string{"acc", "accuracy"}
	for _, c := range classes {
		names = append(append(names, c.class), c.names...)
	}
	slices.Sort(names)
	return names
}

// Check returns the error that Get would, before shapes are known.
func Check(metric any) error {
	switch m := metric.(type) {
	case *Metric:
		return nil
	case string:
		if slices.Contains(Names(), m) {
			return nil
		}
		return fmt.Errorf("unknown metric %q%s: want one of %s, or a metrics.Metric",
			m, suggest.DidYouMean(m, Names()), strings.Join(Names(), ", "))
	default:
		return fmt.Errorf("metric is a %T: want a name such as \"accuracy\", or a metrics.Metric", metric)
	}
}

// Get returns a *Metric as it is, and the metric of a name. "accuracy" and
// "acc" become binary, categorical or sparse categorical accuracy by the
// shapes of labels and predictions, as in Keras.
func Get(metric any, yTrue, yPred []int) (*Metric, error) {
	if err := Check(metric); err != nil {
		return nil, err
	}
	if m, ok := metric.(*Metric); ok {
		return m, nil
	}
	name := metric.(string)
	for _, c := range classes {
		if name == c.class || slices.Contains(c.names, name) {
			return c.make(name), nil
		}
	}
	return New(name, accuracyFor(yTrue, yPred)), nil
}

// RootMeanSquaredError is the root of the mean squared error.
func RootMeanSquaredError(name string) *Metric {
	m := New(name, losses.MeanSquaredError().Call)
	m.finish = func(mean *g.Node) *g.Node { return g.Sqrt(mean) }
	return m
}

// CosineSimilarity is the cosine of the angle between yTrue and yPred: 1 where
// they point the same way. (The loss of that name is minus it.)
func CosineSimilarity(yTrue, yPred *g.Node) *g.Node {
	return g.Neg(losses.CosineSimilarity().Call(yTrue, yPred))
}

// accuracyFor chooses among the accuracies.
func accuracyFor(yTrue, yPred []int) Func {
	if len(yTrue) == 0 || len(yPred) == 0 {
		return CategoricalAccuracy
	}
	lastTrue, lastPred := yTrue[len(yTrue)-1], yPred[len(yPred)-1]
	switch {
	case lastPred == 1:
		return BinaryAccuracy
	case len(yTrue) < len(yPred) || lastTrue == 1:
		return SparseCategoricalAccuracy
	default:
		return CategoricalAccuracy
	}
}
