package metrics

// This file holds the metrics of curves over thresholds: AUC, and metrics that maximize one rate
// (such as recall) where another is at least a given value.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// allCounts lists the names of the counts that a curve needs: all four.
var allCounts = []string{truePositives, falsePositives, trueNegatives, falseNegatives}

// SensitivityAtSpecificity is the best sensitivity over the thresholds where the specificity is at
// least the given one, 0 if there are none. A number outside [0, 1] is an error. Options: Name,
// NumThresholds, ClassID.
func SensitivityAtSpecificity(specificity float64, opts ...Option) *Metric {
	return sensitivityAtSpecificityWith(withArguments(opts, set("Specificity", specificity))...)
}

// SpecificityAtSensitivity is the best specificity over the thresholds where the sensitivity is at
// least the given one, 0 if there are none. A number outside [0, 1] is an error. Options: Name,
// NumThresholds, ClassID.
func SpecificityAtSensitivity(sensitivity float64, opts ...Option) *Metric {
	return specificityAtSensitivityWith(withArguments(opts, set("Sensitivity", sensitivity))...)
}

// PrecisionAtRecall is the best precision over the thresholds where the recall is at least the
// given one, 0 if there are none. A number outside [0, 1] is an error. Options: Name,
// NumThresholds, ClassID.
func PrecisionAtRecall(recall float64, opts ...Option) *Metric {
	return precisionAtRecallWith(withArguments(opts, set("Recall", recall))...)
}

// RecallAtPrecision is the best recall over the thresholds where the precision is at least the
// given one, 0 if there are none. A number outside [0, 1] is an error. Options: Name,
// NumThresholds, ClassID.
func RecallAtPrecision(precision float64, opts ...Option) *Metric {
	return recallAtPrecisionWith(withArguments(opts, set("Precision", precision))...)
}

// withArguments returns one list of options: first the arguments of a constructor, which are
// options too, then its options.
func withArguments(opts []Option, arguments ...Option) []Option { return append(arguments, opts...) }

// share is a rate made of two counts: of divided by the sum of of and rest. Both are names of the
// state's variables.
type share struct{ of, rest string }

// These are the rates that are maximized or bounded, as pairs of counts.
var (
	sensitivity = share{truePositives, falseNegatives} // recall
	specificity = share{trueNegatives, falsePositives}
	precision   = share{truePositives, falsePositives}
)

func sensitivityAtSpecificityWith(opts ...Option) *Metric {
	return newMetric("SensitivityAtSpecificity", opts, func(o *struct {
		Specificity float64 `argument:"specificity" want:"fraction"`
		boundOptions
	}) rule {
		return o.rule(sensitivity, specificity, o.Specificity)
	})
}

func specificityAtSensitivityWith(opts ...Option) *Metric {
	return newMetric("SpecificityAtSensitivity", opts, func(o *struct {
		Sensitivity float64 `argument:"sensitivity" want:"fraction"`
		boundOptions
	}) rule {
		return o.rule(specificity, sensitivity, o.Sensitivity)
	})
}

func precisionAtRecallWith(opts ...Option) *Metric {
	return newMetric("PrecisionAtRecall", opts, func(o *struct {
		Recall float64 `argument:"recall" want:"fraction"`
		boundOptions
	}) rule {
		return o.rule(precision, sensitivity, o.Recall)
	})
}

func recallAtPrecisionWith(opts ...Option) *Metric {
	return newMetric("RecallAtPrecision", opts, func(o *struct {
		Precision float64 `argument:"precision" want:"fraction"`
		boundOptions
	}) rule {
		return o.rule(sensitivity, precision, o.Precision)
	})
}

// rule returns the definition of a metric. Its result is the largest value of the rate maximized
// over the thresholds where the rate bounded is at least bound, or 0 if there is none.
func (o *boundOptions) rule(maximized, bounded share, bound float64) rule {
	c := counts{names: allCounts, thresholds: spread(o.NumThresholds, 0), classID: o.ClassID}
	return c.rule(func(s *State) *g.Node {
		rate, other := s.share(maximized.of, maximized.rest), s.share(bounded.of, bounded.rest)
		return g.ReduceAllMax(g.Where(g.GreaterOrEqual(other, like(other, bound)), rate, g.ZerosLike(rate)))
	})
}

// spread returns n thresholds, evenly distributed over [0, 1]. The first is -margin, the last
// 1+margin. For n = 1 it is 0.5 alone.
func spread(n int, margin float64) []float64 {
	if n == 1 {
		return []float64{0.5}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i) / float64(n-1)
	}
	out[0], out[n-1] = -margin, 1+margin
	return out
}

// AUC is the area under a curve over thresholds, that of the ROC by default. Options: Name,
// NumThresholds, Curve, SummationMethod, Thresholds (instead of NumThresholds, between 0 and 1),
// MultiLabel, NumLabels, LabelWeights, FromLogits.
func AUC(opts ...Option) *Metric { return newMetric("AUC", opts, (*aucOptions).rule) }

// rule returns the rule that computes an AUC with the options o. It sorts o.Thresholds and sets
// o.NumThresholds by them. Options that contradict each other are the rule's error.
func (o *aucOptions) rule() rule {
	points := spread(o.NumThresholds, epsilon)
	if o.Thresholds != nil {
		o.Thresholds = slices.Sorted(slices.Values(o.Thresholds))
		o.NumThresholds = len(o.Thresholds) + 2
		points = spread(o.NumThresholds, epsilon)
		copy(points[1:], o.Thresholds)
	}
	switch {
	case o.NumThresholds < 2:
		return rule{err: fmt.Errorf("NumThresholds: got %d, want at least 2", o.NumThresholds)}
	case o.NumLabels != nil && !o.MultiLabel:
		return rule{err: errors.New("got NumLabels without MultiLabel")}
	}
	c := counts{names: allCounts, thresholds: points, multiLabel: o.MultiLabel, labelWeights: o.LabelWeights, numLabels: o.NumLabels}
	r := c.rule(o.area)
	r.update = func(u *Update) {
		if o.FromLogits {
			u.YPred = g.Sigmoid(u.YPred)
		}
		c.update(u)
	}
	return r
}

// area returns the area under the curve, a scalar. Points of the curve are along the first axis of
// the counts. With MultiLabel it is the mean of the labels' areas, weighted by LabelWeights.
func (o *aucOptions) area(s *State) *g.Node {
	n := o.NumThresholds
	first := func(x *g.Node) *g.Node { return g.SliceAxis(x, 0, g.AxisRange(0, n-1)) }
	rest := func(x *g.Node) *g.Node { return g.SliceAxis(x, 0, g.AxisRange(1, n)) }
	var areas *g.Node
	if o.Curve == "PR" && o.SummationMethod == "interpolation" {
		areas = interpolatedPR(s, first, rest)
	} else {
		x, y := o.curvePair(s)
		height := map[string]func(a, b *g.Node) *g.Node{
			"interpolation": func(a, b *g.Node) *g.Node { return g.DivScalar(g.Add(a, b), 2) }, "minoring": g.Min, "majoring": g.Max,
		}[o.SummationMethod]
		areas = g.Mul(g.Sub(first(x), rest(x)), height(first(y), rest(y)))
	}
	area := g.ReduceSum(areas, 0)
	switch {
	case !o.MultiLabel:
		return area
	case o.LabelWeights == nil:
		return g.ReduceAllMean(area)
	}
	w := g.ConvertDType(g.Const(area.Graph(), o.LabelWeights), dtypes.Float32)
	return losses.DivNoNaN(g.ReduceAllSum(g.Mul(area, w)), g.ReduceAllSum(w))
}

// curvePair returns the coordinates of the curve's points, one for each threshold: of the ROC,
// precision-recall or gain curve.
func (o *aucOptions) curvePair(s *State) (x, y *g.Node) {
	recall := s.share(truePositives, falseNegatives)
	switch o.Curve {
	case "ROC":
		return s.share(falsePositives, trueNegatives), recall
	case "PR":
		return recall, s.share(truePositives, falsePositives)
	}
	tp := s.Get(truePositives)
	scale := losses.DivNoNaN(g.Add(tp, s.Get(falseNegatives)), g.Add(s.Get(trueNegatives), s.Get(falsePositives)))
	gain := func(missed string) *g.Node { return g.OneMinus(g.Mul(scale, losses.DivNoNaN(s.Get(missed), tp))) }
	none := g.Equal(tp, g.ZerosLike(tp))
	recallGain := g.Where(none, g.ZerosLike(tp), gain(falseNegatives))
	return g.Max(recallGain, g.ZerosLike(tp)), g.Where(none, g.OnesLike(tp), gain(falsePositives))
}

// interpolatedPR returns the area under the precision-recall curve between each two points, by
// interpolation of the counts (Davis and Goadrich, 2006). first leaves out the last threshold,
// along the first axis of a count, and rest the first one.
func interpolatedPR(s *State, first, rest func(*g.Node) *g.Node) *g.Node {
	tp := s.Get(truePositives)
	p := g.Add(tp, s.Get(falsePositives))
	notNegative := func(x *g.Node) *g.Node { return g.Max(x, g.ZerosLike(x)) }
	dtp := g.Sub(first(tp), rest(tp))
	slope := losses.DivNoNaN(dtp, notNegative(g.Sub(first(p), rest(p))))
	intercept := g.Sub(rest(tp), g.Mul(slope, rest(p)))
	zero := g.ZerosLike(rest(p))
	both := g.LogicalAnd(g.GreaterThan(first(p), zero), g.GreaterThan(rest(p), zero))
	ratio := g.Where(both, losses.DivNoNaN(first(p), notNegative(rest(p))), g.OnesLike(zero))
	part := g.Mul(slope, g.Add(dtp, g.Mul(intercept, g.Log(ratio))))
	return losses.DivNoNaN(part, notNegative(g.Add(rest(tp), rest(s.Get(falseNegatives)))))
}
