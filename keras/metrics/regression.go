package metrics

// This file holds metrics of regression that are not means of losses.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// epsilon is the value of Keras' backend.epsilon().
const epsilon = 1e-7

// RootMeanSquaredError is the square root of the mean squared error over all samples. Options:
// Name.
func RootMeanSquaredError(opts ...Option) *Metric {
	return newMetric("RootMeanSquaredError", opts, func(*noOptions) rule {
		r := meanOf(losses.MeanSquaredError().Call)
		r.result = func(s *State) *g.Node { return g.Sqrt(meanResult(s)) }
		return r
	})
}

// CosineSimilarity is the cosine of the angle between yTrue and yPred: 1 if they have the same
// direction. The loss CosineSimilarity is its negative. Options: Name, Axis.
func CosineSimilarity(opts ...Option) *Metric {
	return newMetric("CosineSimilarity", opts, func(o *axisOptions) rule {
		loss := losses.CosineSimilarity(losses.Axis(o.Axis...))
		return meanOf(func(yTrue, yPred *g.Node) *g.Node { return g.Neg(loss.Call(yTrue, yPred)) })
	})
}

// PearsonCorrelation is the correlation of yTrue and yPred along the axis, averaged over samples.
// Options: Name, Axis.
func PearsonCorrelation(opts ...Option) *Metric {
	return newMetric("PearsonCorrelation", opts, func(o *axisOptions) rule {
		return meanOf(func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = alike(yTrue, yPred)
			unit := func(x *g.Node) *g.Node {
				x = g.Sub(x, o.mean(x))
				centred := g.Sub(x, o.mean(x))
				return g.Div(x, g.Sqrt(o.mean(g.Mul(centred, centred))))
			}
			return g.ReduceMean(g.Mul(unit(yTrue), unit(yPred)), o.Axis...)
		})
	})
}

// ConcordanceCorrelation is the concordance correlation (Lin, 1989) of yTrue and yPred along the
// axis, averaged over samples, as Keras computes it. Options: Name, Axis.
func ConcordanceCorrelation(opts ...Option) *Metric {
	return newMetric("ConcordanceCorrelation", opts, func(o *axisOptions) rule {
		return meanOf(func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = alike(yTrue, yPred)
			meanTrue, meanPred := o.mean(yTrue), o.mean(yPred)
			variance := func(x, mean *g.Node) *g.Node {
				d := g.Sub(x, mean)
				d = g.Sub(d, o.mean(d))
				return o.mean(g.Mul(d, d))
			}
			apart := g.Sub(meanTrue, meanPred)
			norm := g.Add(g.Add(variance(yTrue, meanTrue), variance(yPred, meanPred)), g.Mul(apart, apart))
			covariance := g.Mul(g.Sub(yTrue, meanPred), g.Sub(yPred, meanPred))
			return g.ReduceMean(g.Div(g.MulScalar(covariance, 2), g.AddScalar(norm, epsilon)), o.Axis...)
		})
	})
}

// mean returns the mean along the axis of the options, broadcast to the shape of x.
func (o *axisOptions) mean(x *g.Node) *g.Node {
	return g.BroadcastToShape(g.ReduceAndKeep(x, g.ReduceMean, o.Axis...), x.Shape())
}

// alike returns the labels and the predictions in the type of the predictions and in one rank.
func alike(yTrue, yPred *g.Node) (*g.Node, *g.Node) {
	return losses.SameRank(g.ConvertDType(yTrue, yPred.DType()), yPred)
}

// R2Score is the coefficient of determination: 1 minus the sum of the squared errors divided by the
// sum of the squared distances of the labels from their mean. Predictions are (batch, outputs).
// Options: Name, ClassAggregation, NumRegressors.
func R2Score(opts ...Option) *Metric {
	return newMetric("R2Score", opts, (*r2Options).rule)
}

// rule returns the rule that computes R2Score, for predictions [batch, outputs].
func (o *r2Options) rule() rule {
	return rule{
		state: func(_, predictions []int) ([]StateVariable, error) {
			if len(predictions) != 2 {
				return nil, fmt.Errorf("predictions have shape %v, want (batch, outputs)", predictions)
			}
			outputs := predictions[1:]
			return []StateVariable{{Name: "num_samples"}, {Name: "squared_sum", Shape: outputs}, {Name: "sum", Shape: outputs},
				{Name: "residual", Shape: outputs}, {Name: "count", Shape: outputs}}, nil
		},
		update: func(u *Update) {
			y, p := alike(u.YTrue, u.YPred)
			w := like(y, 1)
			if u.SampleWeight != nil {
				w = losses.SpreadWeights(u.SampleWeight, y)
			}
			weighted, d := g.Mul(y, w), g.Sub(y, p)
			u.Add("sum", g.ReduceSum(weighted, 0))
			u.Add("squared_sum", g.ReduceSum(g.Mul(y, weighted), 0))
			u.Add("residual", g.ReduceSum(g.Mul(g.Mul(d, d), w), 0))
			u.Add("count", g.ReduceSum(w, 0))
			u.Add("num_samples", g.Scalar(y.Graph(), dtypes.Float32, float64(y.Shape().Size())))
		},
		result: o.result,
		numbers: func(predictions []int) int {
			if o.ClassAggregation != "" {
				return 1
			}
			return predictions[len(predictions)-1]
		},
	}
}

// result returns R2Score's value of the state s, over all batches so far: a scalar, or a number for
// each output if the option ClassAggregation is "". An infinite score counts as 0. The score is
// adjusted only if the labels have at least two more numbers, samples times outputs, than there are
// regressors.
func (o *r2Options) result(s *State) *g.Node {
	total := g.Sub(s.Get("squared_sum"), g.Mul(s.Get("sum"), g.Div(s.Get("sum"), s.Get("count"))))
	scores := g.OneMinus(g.Div(s.Get("residual"), total))
	infinite := g.Equal(g.Abs(scores), g.BroadcastToShape(g.Infinity(scores.Graph(), scores.DType(), 1), scores.Shape()))
	score := g.Where(infinite, g.ZerosLike(scores), scores)
	switch o.ClassAggregation {
	case "uniform_average":
		score = g.ReduceAllMean(score)
	case "variance_weighted_average":
		score = g.Div(g.ReduceAllSum(g.Mul(total, score)), g.ReduceAllSum(total))
	}
	if o.NumRegressors == 0 {
		return score
	}
	n := g.BroadcastToShape(s.Get("num_samples"), score.Shape())
	rest := g.AddScalar(n, -float64(o.NumRegressors)-1)
	adjusted := g.OneMinus(g.Div(g.Mul(g.OneMinus(score), g.AddScalar(n, -1)), rest))
	return g.Where(g.GreaterThan(rest, g.ZerosLike(rest)), adjusted, score)
}
