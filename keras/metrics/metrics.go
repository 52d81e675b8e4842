package metrics

// This file defines Metric and how a metric is found by name.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Func gives a value for each sample from labels and predictions.
type Func func(yTrue, yPred *g.Node) *g.Node

// Metric is the running mean of the values that a Func gives for each sample:
// keras.metrics.MeanMetricWrapper. Its totals are two float32 variables,
// NAME/total and NAME/count.
type Metric struct {
	name         string
	values       Func
	total, count *variable.Variable
}

// New returns a metric of your own: the mean of the values over all samples.
func New(name string, values Func) *Metric { return &Metric{name: name, values: values} }

// Mean returns the metric that averages values given to UpdateValues.
func Mean(name string) *Metric { return New(name, nil) }

// Name returns the name under which the metric is shown.
func (m *Metric) Name() string { return m.name }

// Build makes the totals, replicated on dm (nil: one device).
func (m *Metric) Build(dm *mesh.DeviceMesh) error {
	for _, v := range []struct {
		to   **variable.Variable
		name string
	}{{&m.total, "total"}, {&m.count, "count"}} {
		*v.to = variable.New(m.name+"/"+v.name, nil, dtypes.Float32, initializers.Zeros(), variable.NonTrainable(), variable.As(compile.RoleState))
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
func (m *Metric) Values(yTrue, yPred *g.Node) *g.Node { return m.values(yTrue, yPred) }

// Update adds a batch to the totals.
func (m *Metric) Update(s *variable.StatelessScope, yTrue, yPred *g.Node) {
	m.UpdateValues(s, m.values(yTrue, yPred))
}

// UpdateValues adds values of shape (batch, …) to the totals; those of one
// sample count as their mean.
func (m *Metric) UpdateValues(s *variable.StatelessScope, values *g.Node) {
	values = g.ConvertDType(values, dtypes.Float32)
	if values.Rank() > 1 {
		axes := make([]int, values.Rank()-1)
		for i := range axes {
			axes[i] = i + 1
		}
		values = g.ReduceMean(values, axes...)
	}
	n := float64(values.Shape().Size())
	m.add(s, g.ReduceAllSum(values), n)
}

// UpdateMean adds a scalar that is the mean over n samples.
func (m *Metric) UpdateMean(s *variable.StatelessScope, mean *g.Node, n int) {
	m.add(s, g.MulScalar(g.ConvertDType(mean, dtypes.Float32), float64(n)), float64(n))
}

func (m *Metric) add(s *variable.StatelessScope, sum *g.Node, n float64) {
	s.Assign(m.total, g.Add(s.Value(m.total), sum))
	s.Assign(m.count, g.AddScalar(s.Value(m.count), n))
}

// Result returns the current mean, 0 before the first sample.
func (m *Metric) Result(s *variable.StatelessScope) *g.Node {
	count := s.Value(m.count)
	zero := g.ZerosLike(count)
	empty := g.Equal(count, zero)
	return g.Where(empty, zero, g.Div(s.Value(m.total), g.Where(empty, g.OnesLike(count), count)))
}

// byName maps Keras' names to the metrics, but for accuracy, whose meaning
// depends on shapes.
var byName = map[string]Func{
	"accuracy":                        nil,
	"acc":                             nil,
	"binary_accuracy":                 BinaryAccuracy,
	"BinaryAccuracy":                  BinaryAccuracy,
	"categorical_accuracy":            CategoricalAccuracy,
	"CategoricalAccuracy":             CategoricalAccuracy,
	"sparse_categorical_accuracy":     SparseCategoricalAccuracy,
	"SparseCategoricalAccuracy":       SparseCategoricalAccuracy,
	"mean_squared_error":              losses.MeanSquaredError().Call,
	"MeanSquaredError":                losses.MeanSquaredError().Call,
	"mse":                             losses.MeanSquaredError().Call,
	"MSE":                             losses.MeanSquaredError().Call,
	"mean_absolute_error":             losses.MeanAbsoluteError().Call,
	"MeanAbsoluteError":               losses.MeanAbsoluteError().Call,
	"mae":                             losses.MeanAbsoluteError().Call,
	"MAE":                             losses.MeanAbsoluteError().Call,
	"binary_crossentropy":             losses.BinaryCrossentropy().Call,
	"BinaryCrossentropy":              losses.BinaryCrossentropy().Call,
	"categorical_crossentropy":        losses.CategoricalCrossentropy().Call,
	"CategoricalCrossentropy":         losses.CategoricalCrossentropy().Call,
	"sparse_categorical_crossentropy": losses.SparseCategoricalCrossentropy().Call,
	"SparseCategoricalCrossentropy":   losses.SparseCategoricalCrossentropy().Call,
}

// Check returns the error that Get would, before shapes are known.
func Check(metric any) error {
	switch m := metric.(type) {
	case *Metric:
		return nil
	case string:
		if _, ok := byName[m]; ok {
			return nil
		}
		return fmt.Errorf("unknown metric %q: want one of %s, or a metrics.Metric",
			m, strings.Join(slices.Sorted(maps.Keys(byName)), ", "))
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
	values := byName[name]
	if values == nil {
		values = accuracyFor(yTrue, yPred)
	}
	return New(name, values), nil
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
