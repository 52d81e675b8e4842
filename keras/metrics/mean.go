package metrics

// This file holds the metrics that are running means and sums of one value of each sample:
// keras.metrics.MeanMetricWrapper.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/variable"
)

// meanState returns the variables of a running mean: total, the weighted sum, and count, the sum of
// the weights.
func meanState([]int, []int) ([]StateVariable, error) {
	return []StateVariable{{Name: "total"}, {Name: "count"}}, nil
}

// meanOf returns the rule of a metric that is the mean over all samples of the results of values.
func meanOf(values Func) rule {
	return rule{
		state:  meanState,
		update: func(u *Update) { u.addMean(values(u.YTrue, u.YPred), u.SampleWeight) },
		result: meanResult,
	}
}

// meanResult returns the mean of the state s: total divided by count, 0 without samples.
func meanResult(s *State) *g.Node { return losses.DivNoNaN(s.Get("total"), s.Get("count")) }

// ofValues returns the rule of a metric of that class, Mean or Sum, with this state and result: it
// takes values, so that Update panics.
func ofValues(class string, state func(labels, predictions []int) ([]StateVariable, error), result func(*State) *g.Node) rule {
	return rule{state: state, result: result, update: func(*Update) { panic(errValues(class)) }}
}

// Mean returns the metric that averages the values given to UpdateValues. As in Keras it takes no
// labels, so that Compile does not take it. Options: Name.
func Mean(opts ...Option) *Metric {
	return newMetric("Mean", opts, func(*noOptions) rule { return ofValues("Mean", meanState, meanResult) })
}

// Sum returns the metric that adds up the values given to UpdateValues. As in Keras it takes no
// labels, so that Compile does not take it. Options: Name.
func Sum(opts ...Option) *Metric {
	return newMetric("Sum", opts, func(*noOptions) rule {
		total := func([]int, []int) ([]StateVariable, error) { return []StateVariable{{Name: "total"}}, nil }
		return ofValues("Sum", total, func(s *State) *g.Node { return s.Get("total") })
	})
}

// UpdateValues adds values of shape (batch, …) to a Mean or a Sum. If a sample has several values,
// a Mean uses their mean and a Sum their sum. weights hold a weight for each sample, or are nil.
// The values are multiplied by them, and a Mean is then the weighted mean. A metric with another
// state panics.
func (m *Metric) UpdateValues(s *variable.StatelessScope, values, weights *g.Node) {
	u := &Update{State: State{m, s}}
	if m.class == "Sum" {
		u.addSum(values, weights)
	} else {
		u.addMean(values, weights)
	}
}

// addMean adds values to the state of a mean: their sum over samples, each weighted if weights is
// not nil, to total, and their number or the sum of the weights to count. If a sample has several
// values, their mean counts, and so does that of its weights.
func (u *Update) addMean(values, weights *g.Node) {
	values = g.ConvertDType(values, dtypes.Float32)
	if weights == nil {
		values = perSample(values, g.ReduceMean)
		u.Add("total", g.ReduceAllSum(values))
		u.Add("count", g.Scalar(values.Graph(), dtypes.Float32, float64(values.Shape().Size())))
		return
	}
	weights = losses.SpreadWeights(weights, values)
	u.Add("total", g.ReduceAllSum(perSample(g.Mul(values, weights), g.ReduceMean)))
	u.Add("count", g.ReduceAllSum(perSample(weights, g.ReduceMean)))
}

func (u *Update) addSum(values, weights *g.Node) {
	values = g.ConvertDType(values, dtypes.Float32)
	if weights != nil {
		values = g.Mul(values, losses.SpreadWeights(weights, values))
	}
	u.Add("total", g.ReduceAllSum(values))
}

// UpdateMean adds mean, a scalar that is the mean of n samples, to the metric, a Mean. A
// metric with another state panics.
func (m *Metric) UpdateMean(s *variable.StatelessScope, mean *g.Node, n int) {
	u := &Update{State: State{m, s}}
	u.Add("total", g.MulScalar(g.ConvertDType(mean, dtypes.Float32), float64(n)))
	u.Add("count", g.Scalar(mean.Graph(), dtypes.Float32, float64(n)))
}

// perSample combines, by reduce, the values of each sample over all dimensions but the first.
// Values with fewer than two dimensions stay as they are.
func perSample(values *g.Node, reduce func(*g.Node, ...int) *g.Node) *g.Node {
	if values.Rank() < 2 {
		return values
	}
	axes := make([]int, values.Rank()-1)
	for i := range axes {
		axes[i] = i + 1
	}
	return reduce(values, axes...)
}

// lossMetric returns the constructor of the metric class that averages the loss called lossName
// over samples. The fields of a T are the options of the loss that the metric takes.
func lossMetric[T any](class, lossName string) func(...Option) *Metric {
	return func(opts ...Option) *Metric {
		return newMetric(class, opts, func(o *T) rule {
			loss, err := losses.FromConfig(lossName, option.Config(o))
			if err != nil {
				return rule{err: err}
			}
			return rule{state: meanState, result: meanResult, update: func(u *Update) {
				values, mask := loss.Masked(u.YTrue, u.YPred)
				if u.SampleWeight != nil { // as in Keras, the mask counts only then
					u.SampleWeight = losses.ApplyMask(u.SampleWeight, mask, values, "sum")
				}
				u.addMean(values, u.SampleWeight)
			}}
		})
	}
}
