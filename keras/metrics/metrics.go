package metrics

// This file defines Metric, the functions that metrics average, the
// accuracies among them, and Get, which finds metrics by name.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Func computes a value for each sample from labels and predictions.
type Func func(yTrue, yPred *g.Node) *g.Node

// Metric is the running mean of the values that a Func gives for each sample:
// keras.metrics.MeanMetricWrapper. Its totals are two float32 variables,
// NAME/total and NAME/count.
type Metric struct {
	name         string
	values       Func
	finish       func(mean *g.Node) *g.Node // computes the result from the mean; nil: it is the mean
	total, count *variable.Variable
}

// New returns a metric of your own: the mean of values over all samples.
func New(name string, values Func) *Metric { return &Metric{name: name, values: values} }

// Mean returns the metric that averages values given to UpdateValues.
func Mean(name string) *Metric { return New(name, nil) }

// Name returns the name under which the metric is shown.
func (m *Metric) Name() string { return m.name }

// SetName changes the name, before Build.
func (m *Metric) SetName(name string) { m.name = name }

// Build makes the totals, replicated on dm (nil: one device).
func (m *Metric) Build(dm *mesh.DeviceMesh) error {
	for _, v := range []struct {
		to   **variable.Variable
		name string
	}{{&m.total, "total"}, {&m.count, "count"}} {
		*v.to = variable.New(m.name+"/"+v.name, nil, dtypes.Float32, initializers.Zeros(), variable.NonTrainable(), variable.As(ir.RoleState))
		if dm != nil {
			if err := (*v.to).SetSharding(layout.Replicated(dm, 0)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Variables returns the totals. It is empty before Build.
func (m *Metric) Variables() []*variable.Variable {
	if m.total == nil {
		return nil
	}
	return []*variable.Variable{m.total, m.count}
}

// Values returns the value of each sample, of which the metric is the mean.
// Predictions of half precision are converted to float32.
func (m *Metric) Values(yTrue, yPred *g.Node) *g.Node { return m.values(yTrue, losses.Full(yPred)) }

// Update adds a batch to the totals. weights, unless nil, hold a weight for
// each sample.
func (m *Metric) Update(s *variable.StatelessScope, yTrue, yPred, weights *g.Node) {
	m.UpdateValues(s, m.Values(yTrue, yPred), weights)
}

// UpdateValues adds values of shape (batch, …) to the totals. The mean of a
// sample's values counts. weights, unless nil, hold a weight for each sample;
// the metric is then the weighted mean.
func (m *Metric) UpdateValues(s *variable.StatelessScope, values, weights *g.Node) {
	values = g.ConvertDType(values, dtypes.Float32)
	if weights == nil {
		values = perSample(values)
		m.add(s, g.ReduceAllSum(values), constant(values, float64(values.Shape().Size())))
		return
	}
	weights = losses.SpreadWeights(weights, values)
	m.add(s, g.ReduceAllSum(perSample(g.Mul(values, weights))), g.ReduceAllSum(perSample(weights)))
}

// perSample reduces values to their mean for each sample.
func perSample(values *g.Node) *g.Node {
	if values.Rank() < 2 {
		return values
	}
	axes := make([]int, values.Rank()-1)
	for i := range axes {
		axes[i] = i + 1
	}
	return g.ReduceMean(values, axes...)
}

// UpdateMean adds a scalar that is the mean over n samples.
func (m *Metric) UpdateMean(s *variable.StatelessScope, mean *g.Node, n int) {
	m.add(s, g.MulScalar(g.ConvertDType(mean, dtypes.Float32), float64(n)), constant(s.Value(m.count), float64(n)))
}

// add adds n values with the given sum to the totals.
func (m *Metric) add(s *variable.StatelessScope, sum, n *g.Node) {
	s.Assign(m.total, g.Add(s.Value(m.total), sum))
	s.Assign(m.count, g.Add(s.Value(m.count), n))
}

func constant(like *g.Node, v float64) *g.Node { return g.Scalar(like.Graph(), dtypes.Float32, v) }

// Result returns the current result. Before the first sample the mean is 0.
func (m *Metric) Result(s *variable.StatelessScope) *g.Node {
	count := s.Value(m.count)
	zero := g.ZerosLike(count)
	empty := g.Equal(count, zero)
	mean := g.Where(empty, zero, g.Div(s.Value(m.total), g.Where(empty, g.OnesLike(count), count)))
	if m.finish != nil {
		return m.finish(mean)
	}
	return mean
}

// classes are the metrics: Keras' name of the class, other names, and the
// constructor.
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

// mean returns the constructor of the metric that averages values.
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

// Check returns the error that Get would return; it needs no shapes.
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

// Get returns a *Metric as it is, or the metric with that name. As in Keras,
// "accuracy" and "acc" are binary, categorical or sparse categorical accuracy,
// depending on the shapes of labels and predictions.
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

// accuracyFor returns the accuracy for labels and predictions of these shapes.
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

// RootMeanSquaredError is the root of the mean squared error.
func RootMeanSquaredError(name string) *Metric {
	m := New(name, losses.MeanSquaredError().Call)
	m.finish = func(mean *g.Node) *g.Node { return g.Sqrt(mean) }
	return m
}

// CosineSimilarity is the cosine of the angle between yTrue and yPred: 1 if they
// have the same direction. The loss of that name is its negative.
func CosineSimilarity(yTrue, yPred *g.Node) *g.Node {
	return g.Neg(losses.CosineSimilarity().Call(yTrue, yPred))
}

// BinaryAccuracy is 1 where the label is 1 and the prediction is above 0.5, or
// the label is 0 and the prediction is at most 0.5.
func BinaryAccuracy(yTrue, yPred *g.Node) *g.Node { return BinaryAccuracyAt(0.5)(yTrue, yPred) }

// BinaryAccuracyAt is BinaryAccuracy with the given threshold instead of 0.5.
func BinaryAccuracyAt(threshold float64) Func {
	return func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = losses.SameRank(yTrue, yPred)
		limit := g.BroadcastToShape(g.Scalar(yPred.Graph(), yPred.DType(), threshold), yPred.Shape())
		return matches(yTrue, g.ConvertDType(g.GreaterThan(yPred, limit), yTrue.DType()))
	}
}

// Accuracy is 1 where a prediction equals the label.
func Accuracy(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = losses.SameRank(yTrue, yPred)
	return matches(g.ConvertDType(yTrue, yPred.DType()), yPred)
}

// TopKCategoricalAccuracy is 1 where the class of a one-hot label is among the k
// largest predictions.
func TopKCategoricalAccuracy(k int) Func {
	return func(yTrue, yPred *g.Node) *g.Node { return inTopK(g.ArgMax(yTrue, -1, dtypes.Int32), yPred, k) }
}

// SparseTopKCategoricalAccuracy is 1 where the class is among the k largest
// predictions. Labels are class numbers.
func SparseTopKCategoricalAccuracy(k int) Func {
	return func(yTrue, yPred *g.Node) *g.Node {
		if yTrue.Rank() == yPred.Rank() && yTrue.Shape().Dim(-1) == 1 {
			yTrue = g.Squeeze(yTrue, -1)
		}
		return inTopK(g.ConvertDType(yTrue, dtypes.Int32), yPred, k)
	}
}

// inTopK is 1 where fewer than k predictions are larger than that of the class.
// NaN counts as the smallest number.
func inTopK(class, yPred *g.Node, k int) *g.Node {
	oneHot := g.OneHot(class, yPred.Shape().Dim(-1), yPred.DType())
	chosen := g.GreaterThan(oneHot, g.ZerosLike(oneHot))
	own := g.ReduceAndKeep(g.Where(chosen, yPred, g.ZerosLike(yPred)), g.ReduceSum, -1)
	own = g.Where(g.Equal(own, own), own, g.BroadcastToShape(g.Infinity(yPred.Graph(), yPred.DType(), -1), own.Shape()))
	larger := g.ConvertDType(g.GreaterThan(yPred, g.BroadcastToShape(own, yPred.Shape())), dtypes.Int32)
	rank := g.ReduceSum(larger, -1)
	return g.ConvertDType(g.LessThan(rank, g.BroadcastToShape(g.Scalar(rank.Graph(), rank.DType(), k), rank.Shape())), dtypes.Float32)
}

// CategoricalAccuracy is 1 where the largest prediction is that of the class of a
// one-hot label.
func CategoricalAccuracy(yTrue, yPred *g.Node) *g.Node {
	return matches(g.ArgMax(yTrue, -1, dtypes.Int32), g.ArgMax(yPred, -1, dtypes.Int32))
}

// SparseCategoricalAccuracy is 1 where the largest prediction is that of the
// class. Labels are class numbers.
func SparseCategoricalAccuracy(yTrue, yPred *g.Node) *g.Node {
	if yTrue.Rank() == yPred.Rank() && yTrue.Shape().Dim(-1) == 1 {
		yTrue = g.Squeeze(yTrue, -1)
	}
	best := g.ArgMax(yPred, -1, dtypes.Int32)
	return matches(g.ConvertDType(yTrue, yPred.DType()), g.ConvertDType(best, yPred.DType()))
}

func matches(a, b *g.Node) *g.Node { return g.ConvertDType(g.Equal(a, b), dtypes.Float32) }
