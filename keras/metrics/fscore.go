package metrics

// This file holds the F scores.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// F1Score is the harmonic mean of precision and recall. Labels are one-hot; both they and the
// predictions are (batch, classes). It has a number for each class unless Average is set. Options:
// Name, Average, Threshold.
func F1Score(opts ...Option) *Metric {
	return newMetric("F1Score", opts, func(o *scoreOptions) rule { return o.rule(1) })
}

// FBetaScore is F1Score in which recall counts Beta (1 by default) times as much as precision.
// Options: Name, Average, Beta, Threshold.
func FBetaScore(opts ...Option) *Metric {
	return newMetric("FBetaScore", opts, func(o *betaOptions) rule { return o.rule(o.Beta) })
}

// labelCounts is the name of a variable of the state: the sum of the labels of each class.
const labelCounts = "intermediate_weights"

// rule returns the rule that computes an F score, in which recall counts beta times as much as
// precision, for labels and predictions [batch, classes].
func (o *scoreOptions) rule(beta float64) rule {
	return rule{
		state: func(labels, predictions []int) ([]StateVariable, error) {
			if len(predictions) != 2 || len(labels) != 2 {
				return nil, fmt.Errorf("labels have shape %v, predictions %v: want (batch, classes)", labels, predictions)
			}
			var shape []int
			if o.Average != "micro" {
				shape = predictions[1:]
			}
			var out []StateVariable
			for _, name := range []string{truePositives, falsePositives, falseNegatives, labelCounts} {
				out = append(out, StateVariable{Name: name, Shape: shape})
			}
			return out, nil
		},
		numbers: func(predictions []int) int {
			if o.Average != "" {
				return 1
			}
			return predictions[len(predictions)-1]
		},
		update: func(u *Update) {
			yTrue, yPred := g.ConvertDType(u.YTrue, dtypes.Float32), g.ConvertDType(u.YPred, dtypes.Float32)
			var positive *g.Node
			if o.Threshold == nil {
				largest := g.BroadcastToShape(g.ReduceAndKeep(yPred, g.ReduceMax, -1), yPred.Shape())
				positive = g.LogicalAnd(g.GreaterOrEqual(yPred, largest), g.GreaterThan(g.Abs(yPred), like(yPred, 1e-9)))
			} else {
				positive = g.GreaterThan(yPred, like(yPred, *o.Threshold))
			}
			p := g.ConvertDType(positive, dtypes.Float32)
			sum := func(x *g.Node) *g.Node {
				if u.SampleWeight != nil {
					x = g.Mul(x, losses.SpreadWeights(u.SampleWeight, x))
				}
				if o.Average == "micro" {
					return g.ReduceAllSum(x)
				}
				return g.ReduceSum(x, 0)
			}
			u.Add(truePositives, sum(g.Mul(p, yTrue)))
			u.Add(falsePositives, sum(g.Mul(p, g.OneMinus(yTrue))))
			u.Add(falseNegatives, sum(g.Mul(g.OneMinus(p), yTrue)))
			u.Add(labelCounts, sum(yTrue))
		},
		result: func(s *State) *g.Node {
			tp := s.Get(truePositives)
			share := func(missed string) *g.Node { return g.Div(tp, g.AddScalar(g.Add(tp, s.Get(missed)), epsilon)) }
			precision, recall := share(falsePositives), share(falseNegatives)
			square := beta * beta
			sum := g.AddScalar(g.Add(g.MulScalar(precision, square), recall), epsilon)
			score := g.MulScalar(g.Div(g.Mul(precision, recall), sum), 1+square)
			switch o.Average {
			case "":
				return score
			case "weighted":
				w := s.Get(labelCounts)
				return g.ReduceAllSum(g.Mul(score, g.Div(w, g.BroadcastToShape(g.AddScalar(g.ReduceAllSum(w), epsilon), w.Shape()))))
			}
			return g.ReduceAllMean(score)
		},
	}
}
