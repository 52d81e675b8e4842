package metrics

// This file holds the metrics of curves over thresholds: AUC, and metrics that maximize one rate
// (such as recall) where another is at least a given value.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// allCounts lists the counts that a curve needs.
var allCounts = []string{truePositives, falsePositives, trueNegatives, falseNegatives}

// SensitivityAtSpecificity is the best sensitivity where the specificity is at least the
// given one. Options: Name, NumThresholds, ClassID.
func SensitivityAtSpecificity(specificity float64, opts ...Option) *Metric {
	return atConstraint("SensitivityAtSpecificity")(withArguments(opts, Option{settings.With("Specificity", specificity)})...)
}

// SpecificityAtSensitivity is the best specificity where the sensitivity is at least the
// given one. Options: Name, NumThresholds, ClassID.
func SpecificityAtSensitivity(sensitivity float64, opts ...Option) *Metric {
	return atConstraint("SpecificityAtSensitivity")(withArguments(opts, Option{settings.With("Sensitivity", sensitivity)})...)
}

// PrecisionAtRecall is the best precision where the recall is at least the given one.
// Options: Name, NumThresholds, ClassID.
func PrecisionAtRecall(recall float64, opts ...Option) *Metric {
	return atConstraint("PrecisionAtRecall")(withArguments(opts, Option{settings.With("Recall", recall)})...)
}

// RecallAtPrecision is the best recall where the precision is at least the given one.
// Options: Name, NumThresholds, ClassID.
func RecallAtPrecision(precision float64, opts ...Option) *Metric {
	return atConstraint("RecallAtPrecision")(withArguments(opts, Option{settings.With("Precision", precision)})...)
}

// withArguments returns the arguments of a constructor followed by its options.
func withArguments(opts []Option, arguments ...Option) []Option { return append(arguments, opts...) }

// constraints describes each metric that maximizes one share where another is at least a bound: the
// option that gives the bound, and the two counts of each share.
var constraints = map[string]struct {
	option           string
	maximized, bound [2]string
}{
	"SensitivityAtSpecificity": {"Specificity", [2]string{truePositives, falseNegatives}, [2]string{trueNegatives, falsePositives}},
	"SpecificityAtSensitivity": {"Sensitivity", [2]string{trueNegatives, falsePositives}, [2]string{truePositives, falseNegatives}},
	"PrecisionAtRecall":        {"Recall", [2]string{truePositives, falsePositives}, [2]string{truePositives, falseNegatives}},
	"RecallAtPrecision":        {"Precision", [2]string{truePositives, falseNegatives}, [2]string{truePositives, falsePositives}},
}

func atConstraint(class string) func(...Option) *Metric {
	k := constraints[class]
	return func(opts ...Option) *Metric {
		return newMetric(class, config{numThresholds: 200}, opts, []string{k.option, "NumThresholds", "ClassID"},
			counting(allCounts, func(c *config) []float64 { return spread(c.numThresholds, 0) }, func(c *config, s *State) *g.Node {
				rate, bound := s.share(k.maximized[0], k.maximized[1]), s.share(k.bound[0], k.bound[1])
				return g.ReduceAllMax(g.Where(g.GreaterOrEqual(bound, like(bound, c.value)), rate, g.ZerosLike(rate)))
			}))
	}
}

// spread returns n thresholds, evenly distributed over [0, 1]. The first is -margin, the last
// 1+margin.
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

// AUC is the area under a curve over thresholds. Options: Name, NumThresholds, Curve,
// SummationMethod, Thresholds (instead of NumThresholds, between 0 and 1), MultiLabel,
// NumLabels, LabelWeights, FromLogits.
func AUC(opts ...Option) *Metric {
	r := counting(allCounts, (*config).curvePoints, auc)
	update := r.update
	r.update = func(c *config, u *Update) {
		if c.fromLogits {
			u.YPred = g.Sigmoid(u.YPred)
		}
		update(c, u)
	}
	m := newMetric("AUC", config{numThresholds: 200, curve: "ROC", summation: "interpolation"}, opts,
		[]string{"NumThresholds", "Curve", "SummationMethod", "Thresholds", "MultiLabel", "NumLabels", "LabelWeights", "FromLogits"}, r)
	c := &m.options
	if c.thresholds != nil {
		c.thresholds = slices.Sorted(slices.Values(c.thresholds))
		c.numThresholds = len(c.thresholds) + 2
	}
	switch {
	case m.err != nil:
	case c.numThresholds < 2:
		m.err = fmt.Errorf("AUC: NumThresholds: got %d, want at least 2", c.numThresholds)
	case c.numLabels != nil && !c.multiLabel:
		m.err = fmt.Errorf("AUC: got NumLabels without MultiLabel")
	}
	return m
}

// curvePoints returns the thresholds of an AUC.
func (c *config) curvePoints() []float64 {
	points := spread(c.numThresholds, epsilon)
	if c.thresholds != nil {
		copy(points[1:], c.thresholds)
	}
	return points
}

// auc returns the area under the curve, along the first axis of the counts.
func auc(c *config, s *State) *g.Node {
	n := c.numThresholds
	first := func(x *g.Node) *g.Node { return g.SliceAxis(x, 0, g.AxisRange(0, n-1)) }
	rest := func(x *g.Node) *g.Node { return g.SliceAxis(x, 0, g.AxisRange(1, n)) }
	var areas *g.Node
	if c.curve == "PR" && c.summation == "interpolation" {
		areas = interpolatedPR(s, first, rest)
	} else {
		x, y := c.curvePair(s)
		height := map[string]func(a, b *g.Node) *g.Node{
			"interpolation": func(a, b *g.Node) *g.Node { return g.DivScalar(g.Add(a, b), 2) }, "minoring": g.Min, "majoring": g.Max,
		}[c.summation]
		areas = g.Mul(g.Sub(first(x), rest(x)), height(first(y), rest(y)))
	}
	area := g.ReduceSum(areas, 0)
	switch {
	case !c.multiLabel:
		return area
	case c.labelWeights == nil:
		return g.ReduceAllMean(area)
	}
	w := g.ConvertDType(g.Const(area.Graph(), c.labelWeights), dtypes.Float32)
	return losses.DivNoNaN(g.ReduceAllSum(g.Mul(area, w)), g.ReduceAllSum(w))
}

// curvePair returns the coordinates of the curve's points.
func (c *config) curvePair(s *State) (x, y *g.Node) {
	recall := s.share(truePositives, falseNegatives)
	switch c.curve {
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
// interpolation of the counts (Davis and Goadrich, 2006).
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
