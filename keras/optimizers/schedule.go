package optimizers

// This file defines Schedule and the schedules of the learning rate:
// keras.optimizers.schedules.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/internal/constant"
)

// Schedule computes the learning rate of each step, such as CosineDecay.
type Schedule interface {
	// Rate returns the learning rate of a step. Both are float32 scalars; steps
	// count from 0.
	Rate(step *g.Node) *g.Node
	// Check returns an error if the schedule is not valid.
	Check() error
}

// RateAt returns the learning rate of s at a step, counted from 0, computed on the host. It returns
// the error of Check.
func RateAt(s Schedule, step int) (float64, error) {
	if err := s.Check(); err != nil {
		return 0, err
	}
	backend, err := gobackend.New("")
	if err != nil {
		return 0, err
	}
	defer backend.Finalize()
	rate, err := g.CallOnce(backend, func(x *g.Node) *g.Node { return s.Rate(x) }, float32(step))
	if err != nil {
		return 0, err
	}
	return float64(rate.Value().(float32)), nil
}

// ExponentialDecay is InitialLearningRate·DecayRate^(step/DecaySteps). With Staircase the exponent
// is rounded down: the learning rate falls every DecaySteps steps.
type ExponentialDecay struct {
	InitialLearningRate float64
	DecaySteps          int
	DecayRate           float64
	Staircase           bool
}

// Rate returns InitialLearningRate·DecayRate^(step/DecaySteps) of a step, a scalar from 0. With
// Staircase the exponent is rounded down.
func (d ExponentialDecay) Rate(step *g.Node) *g.Node {
	p := periods(step, d.DecaySteps, d.Staircase)
	return g.MulScalar(g.Pow(constant.Like(step, d.DecayRate), p), d.InitialLearningRate)
}

// Check returns an error if the initial rate is negative or not finite, or DecaySteps is not
// positive.
func (d ExponentialDecay) Check() error {
	return checkDecay("ExponentialDecay", d.InitialLearningRate, d.DecaySteps)
}

// InverseTimeDecay is InitialLearningRate/(1 + DecayRate·step/DecaySteps). With Staircase
// step/DecaySteps is rounded down.
type InverseTimeDecay struct {
	InitialLearningRate float64
	DecaySteps          int
	DecayRate           float64
	Staircase           bool
}

// Rate returns InitialLearningRate/(1 + DecayRate·step/DecaySteps) of a step, a scalar from 0. With
// Staircase step/DecaySteps is rounded down.
func (d InverseTimeDecay) Rate(step *g.Node) *g.Node {
	p := periods(step, d.DecaySteps, d.Staircase)
	return g.Div(constant.Like(step, d.InitialLearningRate), g.OnePlus(g.MulScalar(p, d.DecayRate)))
}

// Check returns an error if the initial rate is negative or not finite, or DecaySteps is not
// positive.
func (d InverseTimeDecay) Check() error {
	return checkDecay("InverseTimeDecay", d.InitialLearningRate, d.DecaySteps)
}

// PolynomialDecay falls from the initial to the end learning rate over DecaySteps steps:
// (initial-end)·(1-step/DecaySteps)^Power + end. With Cycle it divides by the smallest multiple of
// DecaySteps that is not below step.
type PolynomialDecay struct {
	InitialLearningRate float64
	DecaySteps          int
	EndLearningRate     float64 // Keras' default is 0.0001
	Power               float64 // 0 stands for 1, a straight line
	Cycle               bool
}

// Rate returns the learning rate at step, a scalar from 0: the formula of PolynomialDecay. After
// DecaySteps it stays at the end rate; with Cycle it rises and falls again, to the end rate at each
// multiple of DecaySteps.
func (d PolynomialDecay) Rate(step *g.Node) *g.Node {
	steps := constant.Like(step, float64(d.DecaySteps))
	if d.Cycle {
		steps = g.Mul(steps, g.Max(constant.Like(step, 1), g.Ceil(g.Div(step, steps))))
	} else {
		step = g.Min(step, steps)
	}
	power := d.Power
	if power == 0 {
		power = 1
	}
	left := g.Pow(g.OneMinus(g.Div(step, steps)), constant.Like(step, power))
	return g.AddScalar(g.MulScalar(left, d.InitialLearningRate-d.EndLearningRate), d.EndLearningRate)
}

// Check returns an error if the initial rate is negative or not finite, or DecaySteps is not
// positive.
func (d PolynomialDecay) Check() error {
	return checkDecay("PolynomialDecay", d.InitialLearningRate, d.DecaySteps)
}

// CosineDecay falls along half a cosine, in DecaySteps steps, from the initial rate to Alpha times
// it (Loshchilov and Hutter, 2017). With a WarmupTarget it first rises linearly from the initial
// rate to WarmupTarget in WarmupSteps steps, and then falls to Alpha times that. Without one it
// ignores WarmupSteps, as Keras does.
type CosineDecay struct {
	InitialLearningRate float64
	DecaySteps          int
	Alpha               float64
	WarmupTarget        float64
	WarmupSteps         int
}

// Rate returns the learning rate at step: with a WarmupTarget a linear rise, then a cosine down to
// Alpha times the highest rate, which stays.
func (d CosineDecay) Rate(step *g.Node) *g.Node {
	top, warm := d.InitialLearningRate, 0.0
	if d.WarmupTarget != 0 {
		top, warm = d.WarmupTarget, float64(d.WarmupSteps)
	}
	done := g.DivScalar(g.Min(g.AddScalar(step, -warm), constant.Like(step, float64(d.DecaySteps))), float64(d.DecaySteps))
	cosine := g.MulScalar(g.OnePlus(g.Cos(g.MulScalar(done, math.Pi))), 0.5)
	rate := g.MulScalar(g.AddScalar(g.MulScalar(cosine, 1-d.Alpha), d.Alpha), top)
	if warm == 0 {
		return rate
	}
	rising := g.AddScalar(g.MulScalar(step, (top-d.InitialLearningRate)/warm), d.InitialLearningRate)
	return g.Where(g.LessThan(step, constant.Like(step, warm)), rising, rate)
}

// Check returns an error if the initial rate is negative or not finite, DecaySteps is not positive,
// or WarmupSteps is negative.
func (d CosineDecay) Check() error {
	if d.WarmupSteps < 0 {
		return fmt.Errorf("CosineDecay: got WarmupSteps %d, want a number not below 0", d.WarmupSteps)
	}
	return checkDecay("CosineDecay", d.InitialLearningRate, d.DecaySteps)
}

// CosineDecayRestarts falls along half a cosine from the initial rate to Alpha times it, over
// FirstDecaySteps steps (Loshchilov and Hutter, 2017). Then it starts again and again. Each time
// takes TMul times as many steps as the time before, and its cosine is MMul times as high above
// Alpha times the initial rate.
type CosineDecayRestarts struct {
	InitialLearningRate float64
	FirstDecaySteps     int
	TMul                float64 // 0 stands for Keras' default, 2
	MMul                float64 // 0 stands for Keras' default, 1
	Alpha               float64
}

// Rate returns the learning rate at step, a scalar from 0: half a cosine in each period. A period
// is TMul times as long as the one before, and its cosine MMul times as high; all end at Alpha
// times the initial rate.
func (d CosineDecayRestarts) Rate(step *g.Node) *g.Node {
	t, m := cmp.Or(d.TMul, 2), cmp.Or(d.MMul, 1)
	done := periods(step, d.FirstDecaySteps, false)
	restarts := g.Floor(done)
	if t == 1 {
		done = g.Sub(done, restarts)
	} else {
		// Both logarithms are computed by one op: the quotient of equal ones must be 1.
		restarts = g.Floor(g.Div(g.Log(g.OneMinus(g.MulScalar(done, 1-t))), g.Log(constant.Like(step, t))))
		length := g.Pow(constant.Like(step, t), restarts) // of this time, in first ones
		done = g.Div(g.Sub(done, g.DivScalar(g.OneMinus(length), 1-t)), length)
	}
	cosine := g.MulScalar(g.OnePlus(g.Cos(g.MulScalar(done, math.Pi))), 0.5)
	top := g.Pow(constant.Like(step, m), restarts)
	return g.MulScalar(g.AddScalar(g.MulScalar(g.Mul(cosine, top), 1-d.Alpha), d.Alpha), d.InitialLearningRate)
}

// Check returns an error if the initial rate is negative or not finite, FirstDecaySteps is not
// positive, or TMul or MMul is negative.
func (d CosineDecayRestarts) Check() error {
	if d.TMul < 0 || d.MMul < 0 {
		return fmt.Errorf("CosineDecayRestarts: got TMul %g and MMul %g, want positive numbers", d.TMul, d.MMul)
	}
	return checkDecay("CosineDecayRestarts", d.InitialLearningRate, d.FirstDecaySteps)
}

// PiecewiseConstantDecay is Values[0] up to step Boundaries[0] inclusive, then Values[1], and so
// on. Values has one element more than Boundaries.
type PiecewiseConstantDecay struct {
	Boundaries []int
	Values     []float64
}

// Rate returns the value of the interval that step, a scalar, is in: Values[i] after
// Boundaries[i-1], up to Boundaries[i] inclusive, and the last value after all boundaries.
func (d PiecewiseConstantDecay) Rate(step *g.Node) *g.Node {
	rate := constant.Like(step, d.Values[0])
	for i, b := range d.Boundaries {
		rate = g.Where(g.GreaterThan(step, constant.Like(step, float64(b))), constant.Like(step, d.Values[i+1]), rate)
	}
	return rate
}

// Check returns an error unless there is at least one boundary, none is below the one before,
// Values has one element more, and all values are valid learning rates.
func (d PiecewiseConstantDecay) Check() error {
	if len(d.Boundaries) == 0 || len(d.Values) != len(d.Boundaries)+1 || !slices.IsSorted(d.Boundaries) {
		return fmt.Errorf("PiecewiseConstantDecay: got boundaries %v and values %v, want rising boundaries and one value more", d.Boundaries, d.Values)
	}
	for _, v := range d.Values {
		if err := checkRate(v); err != nil {
			return fmt.Errorf("PiecewiseConstantDecay: %w", err)
		}
	}
	return nil
}

// periods returns step/steps as float32, rounded down if staircase is true.
func periods(step *g.Node, steps int, staircase bool) *g.Node {
	p := g.DivScalar(g.ConvertDType(step, dtypes.Float32), float64(steps))
	if staircase {
		p = g.Floor(p)
	}
	return p
}

func checkDecay(kind string, initial float64, steps int) error {
	if steps < 1 {
		return fmt.Errorf("%s: got DecaySteps %d, want a positive number", kind, steps)
	}
	if err := checkRate(initial); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}
