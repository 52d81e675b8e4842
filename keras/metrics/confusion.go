package metrics

// This file holds the metrics that count true and false positives and negatives at
// thresholds.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// These are the names of the counts, which are variables of a metric's state.
const (
	truePositives  = "true_positives"
	falsePositives = "false_positives"
	trueNegatives  = "true_negatives"
	falseNegatives = "false_negatives"
)

// lowest is the threshold, and the value of other predictions, if TopK makes the k largest
// predictions positive. It is Keras' number.
const lowest = -1e10

// TruePositives is the number of positives that are predicted as positive: above a threshold, 0.5
// by default. Options: Name, Thresholds.
func TruePositives(opts ...Option) *Metric { return count("TruePositives", truePositives, opts) }

// FalsePositives is the number of negatives that are predicted as positive: above a threshold, 0.5
// by default. Options: Name, Thresholds.
func FalsePositives(opts ...Option) *Metric { return count("FalsePositives", falsePositives, opts) }

// TrueNegatives is the number of negatives that are predicted as negative: not above a threshold,
// 0.5 by default. Options: Name, Thresholds.
func TrueNegatives(opts ...Option) *Metric { return count("TrueNegatives", trueNegatives, opts) }

// FalseNegatives is the number of positives that are predicted as negative: not above a threshold,
// 0.5 by default. Options: Name, Thresholds.
func FalseNegatives(opts ...Option) *Metric { return count("FalseNegatives", falseNegatives, opts) }

func count(class, what string, opts []Option) *Metric {
	return newMetric(class, opts, func(o *countOptions) rule {
		return counts{names: []string{what}, thresholds: o.orHalf()}.rulePerThreshold(func(s *State) *g.Node { return s.Get(what) })
	})
}

// Precision is the share of true positives among the samples that are predicted as positive, 0 if
// there are none. The threshold is 0.5 by default. Options: Name, Thresholds, TopK, ClassID.
func Precision(opts ...Option) *Metric { return ratio("Precision", falsePositives, opts) }

// Recall is the share of the positives that are predicted as positive, 0 if there are no positives.
// The threshold is 0.5 by default. Options: Name, Thresholds, TopK, ClassID.
func Recall(opts ...Option) *Metric { return ratio("Recall", falseNegatives, opts) }

func ratio(class, missed string, opts []Option) *Metric {
	return newMetric(class, opts, func(o *ratioOptions) rule {
		c := counts{names: []string{truePositives, missed}, thresholds: o.orHalf(), topK: o.TopK, classID: o.ClassID}
		if o.Thresholds == nil && o.TopK != nil {
			c.thresholds = []float64{lowest}
		}
		return c.rulePerThreshold(func(s *State) *g.Node { return s.share(truePositives, missed) })
	})
}

// orHalf returns the thresholds of the option Thresholds, or 0.5 alone without it.
func (o *countOptions) orHalf() []float64 {
	if o.Thresholds != nil {
		return o.Thresholds
	}
	return []float64{0.5}
}

// share returns a/(a+b) of the counts with the names a and b, for each threshold; 0 where both
// counts are 0.
func (s *State) share(a, b string) *g.Node {
	return losses.DivNoNaN(s.Get(a), g.Add(s.Get(a), s.Get(b)))
}

// counts says what a metric counts: the kinds (true and false positives and negatives), the
// thresholds and the predictions.
type counts struct {
	names         []string // of the counts
	thresholds    []float64
	topK, classID *int // nil for all predictions and classes
	multiLabel    bool // count each label alone
	labelWeights  []float64
	numLabels     *int // what the user says is the number of labels; nil for nothing
}

// checkLabels returns an error if the predictions, of the given shape, have another number of
// labels than the options say.
func (c counts) checkLabels(predictions []int) error {
	if len(predictions) == 0 {
		return nil
	}
	switch n := predictions[len(predictions)-1]; {
	case c.numLabels != nil && *c.numLabels != n:
		return fmt.Errorf("predictions have shape %v, want %d labels, the number that NumLabels says", predictions, *c.numLabels)
	case c.labelWeights != nil && len(c.labelWeights) != n:
		return fmt.Errorf("predictions have shape %v, want %d labels, as many as LabelWeights has", predictions, len(c.labelWeights))
	}
	return nil
}

// rulePerThreshold returns the rule of a metric that counts as c says, and whose result has a
// number for each threshold. result computes it from the counts.
func (c counts) rulePerThreshold(result func(*State) *g.Node) rule {
	r := c.rule(result)
	r.numbers = func([]int) int { return len(c.thresholds) }
	return r
}

// rule returns the rule of a metric that counts predictions as c says: result computes it from the
// counts, a scalar if there is one threshold.
func (c counts) rule(result func(*State) *g.Node) rule {
	return rule{
		state: func(_, predictions []int) ([]StateVariable, error) {
			shape := []int{len(c.thresholds)}
			if c.multiLabel {
				if len(predictions) != 2 {
					return nil, fmt.Errorf("predictions have shape %v, want (batch, labels) with MultiLabel", predictions)
				}
				shape = append(shape, predictions[1])
			}
			if err := c.checkLabels(predictions); err != nil {
				return nil, err
			}
			var out []StateVariable
			for _, n := range c.names {
				out = append(out, StateVariable{Name: n, Shape: shape})
			}
			return out, nil
		},
		update: c.update,
		result: func(s *State) *g.Node {
			if r := result(s); r.Rank() == 0 || r.Shape().Size() > 1 {
				return r
			} else {
				return g.Reshape(r)
			}
		},
	}
}

// update adds to the state u the counts that c names, of true or false positives or negatives of a
// batch, weighted by the weights of samples and labels. Their shape is [thresholds], or with
// MultiLabel [thresholds, labels].
func (c counts) update(u *Update) {
	yPred, yTrue := losses.SameRank(g.ConvertDType(u.YPred, dtypes.Float32), g.ConvertDType(u.YTrue, dtypes.Float32))
	weights := like(yPred, 1)
	if c.topK != nil {
		yPred = onlyTop(yPred, *c.topK)
	}
	if c.classID != nil {
		one := g.AxisRange(*c.classID, *c.classID+1)
		yTrue, yPred, weights = g.SliceAxis(yTrue, -1, one), g.SliceAxis(yPred, -1, one), g.SliceAxis(weights, -1, one)
	}
	if u.SampleWeight != nil {
		weights = losses.SpreadWeights(u.SampleWeight, yPred)
	}
	if c.labelWeights != nil && !c.multiLabel {
		weights = g.Mul(weights, c.spreadLabelWeights(yPred))
	}
	yes := g.ConvertDType(g.NotEqual(yTrue, g.ZerosLike(yTrue)), dtypes.Float32)
	rows, labels := yPred.Shape().Size(), 1
	if c.multiLabel {
		rows, labels = yPred.Shape().Dim(0), yPred.Shape().Dim(1)
	}
	flat := func(x *g.Node) *g.Node { return g.Reshape(x, rows, labels) }
	above := above(flat(yPred), c.thresholds)
	sums := func(x *g.Node) (above_, all *g.Node) {
		x = flat(x)
		all = g.ReduceSum(x, 0)
		spread := g.BroadcastToShape(g.InsertAxes(x, 1), above.Shape())
		return g.ReduceSum(g.Mul(spread, above), 0), all
	}
	tp, positives := sums(g.Mul(yes, weights))
	fp, negatives := sums(g.Mul(g.OneMinus(yes), weights))
	rest := func(all, part *g.Node) *g.Node {
		return g.Sub(g.BroadcastToShape(g.InsertAxes(all, 0), part.Shape()), part)
	}
	for _, name := range c.names {
		n := map[string]func() *g.Node{
			truePositives:  func() *g.Node { return tp },
			falsePositives: func() *g.Node { return fp },
			trueNegatives:  func() *g.Node { return rest(negatives, fp) },
			falseNegatives: func() *g.Node { return rest(positives, tp) },
		}[name]()
		if !c.multiLabel {
			n = g.Squeeze(n, -1)
		}
		u.Add(name, n)
	}
}

// spreadLabelWeights returns the weights of the labels (option LabelWeights), broadcast to the
// shape of the predictions.
func (c counts) spreadLabelWeights(yPred *g.Node) *g.Node {
	w := g.ConvertDType(g.Const(yPred.Graph(), c.labelWeights), dtypes.Float32)
	for w.Rank() < yPred.Rank() {
		w = g.InsertAxes(w, 0)
	}
	return g.BroadcastToShape(w, yPred.Shape())
}

// above returns 1 where a prediction is above a threshold, else 0. p has shape (rows, labels), the
// result (rows, thresholds, labels). If the thresholds are evenly distributed over [0, 1], it sorts
// predictions into buckets, as Keras does.
func above(p *g.Node, thresholds []float64) *g.Node {
	rows, labels, n := p.Shape().Dim(0), p.Shape().Dim(1), len(thresholds)
	spread := func(x *g.Node) *g.Node { return g.BroadcastToDims(g.InsertAxes(x, 1), rows, n, labels) }
	if !evenly(thresholds) {
		limits := g.Reshape(g.ConvertDType(g.Const(p.Graph(), thresholds), dtypes.Float32), 1, n, 1)
		return g.ConvertDType(g.GreaterThan(spread(p), g.BroadcastToDims(limits, rows, n, labels)), dtypes.Float32)
	}
	p = g.Clamp(g.Scalar(p.Graph(), dtypes.Float32, 0), p, g.Scalar(p.Graph(), dtypes.Float32, 1))
	bucket := g.AddScalar(g.Ceil(g.MulScalar(p, float64(n-1))), -1)
	if thresholds[0] < 0 { // all predictions are above the first one
		bucket = g.Max(bucket, g.ZerosLike(bucket))
	}
	b := spread(bucket)
	return g.ConvertDType(g.GreaterOrEqual(b, g.Iota(p.Graph(), b.Shape(), 1)), dtypes.Float32)
}

// evenly reports whether the thresholds, at least three, are evenly distributed over [0, 1], up to
// rounding.
func evenly(thresholds []float64) bool {
	n := len(thresholds)
	for i, t := range thresholds {
		even := float64(i) / float64(n-1)
		if math.Abs(t-even) > epsilon*1.0001+1e-5*even {
			return false
		}
	}
	return n >= 3
}

// onlyTop returns p with all but the k largest predictions of each row replaced by the constant
// lowest. Of equal predictions it keeps the first.
func onlyTop(p *g.Node, k int) *g.Node {
	n := p.Shape().Dim(-1)
	dims := append(append([]int{}, p.Shape().Dimensions...), n)
	own := g.BroadcastToDims(g.InsertAxes(p, -1), dims...)
	other := g.BroadcastToDims(g.InsertAxes(p, -2), dims...)
	index := other.Shape().Clone()
	index.DType = dtypes.Int32
	earlier := g.LessThan(g.Iota(p.Graph(), index, len(dims)-1), g.Iota(p.Graph(), index, len(dims)-2))
	before := g.LogicalOr(g.GreaterThan(other, own), g.LogicalAnd(g.Equal(other, own), earlier))
	rank := g.ReduceSum(g.ConvertDType(before, dtypes.Int32), -1)
	return g.Where(g.LessThan(rank, like(rank, float64(k))), p, like(p, lowest))
}
