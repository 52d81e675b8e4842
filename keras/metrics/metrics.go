package metrics

// This file defines Metric.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

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
