package optimizers

// This file defines the other optimizers of Adam's family, Lion, and optimizers that depend little
// on the learning rate.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/internal/constant"
	"github.com/gospmd/gospmd/keras/variable"
)

// power returns base to the power of the scalar n, as a scalar of n's type.
func power(base float64, n *g.Node) *g.Node { return g.Pow(constant.Like(n, base), n) }

// towards moves a slot by 1-beta of its distance to target: new = old + (1-beta)·(target-old). It
// sets and returns the new value.
func (u *Update) towards(slot string, target *g.Node, beta float64) *g.Node {
	old := u.Slot(slot)
	return u.SetSlot(slot, g.Add(old, g.MulScalar(g.Sub(target, old), 1-beta)))
}

// Nadam is Adam with Nesterov's momentum (Dozat, 2016). Options: LearningRate, Beta1,
// Beta2, Epsilon, and the common ones.
func Nadam(opts ...Option) *Optimizer {
	o, c := declare[momentOptions]("Nadam", opts)
	const product = "u_product"
	momentum := func(step *g.Node) *g.Node { // of a step
		return g.MulScalar(g.OneMinus(g.MulScalar(power(0.96, step), 0.5)), c.Beta1)
	}
	o.withRule([]slotGroup{{names: []string{"momentum", "velocity"}}}, func(u *Update) {
		next := momentum(g.OnePlus(u.Step))
		now := g.ConvertDType(u.scalars[product], u.Step.DType())
		m := u.towards("momentum", u.Gradient, c.Beta1)
		v := u.towards("velocity", g.Mul(u.Gradient, u.Gradient), c.Beta2)
		mean := g.Add(g.Div(g.Mul(m, next), g.OneMinus(g.Mul(now, next))),
			g.Div(g.Mul(u.Gradient, g.OneMinus(momentum(u.Step))), g.OneMinus(now)))
		scale := plus(g.Sqrt(g.Div(v, g.OneMinus(power(c.Beta2, u.Step)))), c.Epsilon)
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(mean, u.LearningRate), scale)))
	})
	o.scalars = []sharedScalar{{name: product, initial: 1, next: func(now, step *g.Node) *g.Node { return g.Mul(now, momentum(step)) }}}
	return o
}

// Adamax is Adam with a decaying maximum of the absolute gradient in place of the root of the mean
// square (Kingma and Ba, 2015). Options: LearningRate, Beta1, Beta2, Epsilon, and the common ones.
func Adamax(opts ...Option) *Optimizer {
	o, c := declare[momentOptions]("Adamax", opts)
	return o.withRule([]slotGroup{{names: []string{"momentum", "norm"}}}, func(u *Update) {
		m := u.towards("momentum", u.Gradient, c.Beta1)
		norm := u.SetSlot("norm", g.Max(g.MulScalar(u.Slot("norm"), c.Beta2), g.Abs(u.Gradient)))
		scale := g.Mul(plus(norm, c.Epsilon), g.OneMinus(power(c.Beta1, u.Step)))
		u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(m, u.LearningRate), scale)))
	})
}

// Lamb is Adam whose step for each variable is scaled to the norm of the variable (You et al.,
// 2020). Options: LearningRate, Beta1, Beta2, Epsilon, and the common ones.
func Lamb(opts ...Option) *Optimizer {
	o, c := declare[momentOptions]("Lamb", opts)
	return o.withRule([]slotGroup{{names: []string{"momentum", "velocity"}}}, func(u *Update) {
		m := u.towards("momentum", u.Gradient, c.Beta1)
		v := u.towards("velocity", g.Mul(u.Gradient, u.Gradient), c.Beta2)
		scale := plus(g.Sqrt(g.Div(v, g.OneMinus(power(c.Beta2, u.Step)))), c.Epsilon)
		step := g.Div(g.Div(m, g.OneMinus(power(c.Beta1, u.Step))), scale)
		norm := func(x *g.Node) *g.Node { return g.Sqrt(g.ReduceAllSum(g.Mul(x, x))) }
		weight, length := norm(u.Value()), norm(step)
		zero, one := g.ZerosLike(weight), g.OnesLike(weight)
		known := g.LogicalAnd(g.GreaterThan(weight, zero), g.GreaterThan(length, zero))
		ratio := g.Where(known, g.Div(weight, g.Where(known, length, one)), one)
		u.SetValue(g.Sub(u.Value(), g.Mul(step, g.Mul(ratio, u.LearningRate))))
	})
}

// ScheduleFreeAdamW is AdamW without a schedule of the learning rate: it averages the weights of
// all steps instead (Defazio et al., 2024). The variables hold points between the average and the
// latest weights. Options: LearningRate (0.0025 by default), Beta1, Beta2, Epsilon (1e-8 by
// default), WarmupSteps, and the common ones.
func ScheduleFreeAdamW(opts ...Option) *Optimizer {
	o, c := declare[scheduleFreeOptions]("ScheduleFreeAdamW", opts, LearningRate(0.0025), Epsilon(1e-8))
	return o.withRule([]slotGroup{{names: []string{"momentum", "velocity"}}}, func(u *Update) {
		rate := u.LearningRate
		if c.WarmupSteps > 0 {
			rate = g.Mul(rate, g.Min(g.DivScalar(u.Step, float64(c.WarmupSteps)), g.OnesLike(u.Step)))
		}
		latest := u.Slot("momentum") // which begins as the variable
		latest = g.Where(g.BroadcastToShape(g.Equal(u.Step, g.OnesLike(u.Step)), shapes.Make(dtypes.Bool, latest.Shape().Dimensions...)), u.before, latest)
		average := g.DivScalar(g.Sub(u.Value(), g.MulScalar(latest, 1-c.Beta1)), c.Beta1)
		v := u.towards("velocity", g.Mul(u.Gradient, u.Gradient), c.Beta2)
		scale := plus(g.Sqrt(g.Div(v, g.OneMinus(power(c.Beta2, u.Step)))), c.Epsilon)
		latest = u.SetSlot("momentum", g.Sub(latest, g.Div(g.Mul(u.Gradient, rate), scale)))
		weight := g.Reciprocal(u.Step)
		average = g.Add(g.Mul(average, g.OneMinus(weight)), g.Mul(latest, weight))
		u.SetValue(g.Add(g.MulScalar(latest, 1-c.Beta1), g.MulScalar(average, c.Beta1)))
	})
}

// Lion moves each weight by the learning rate, in the direction given by the sign of the momentum
// (Chen et al., 2023). Options: LearningRate, Beta1, Beta2 (0.99 by default), and the common ones.
func Lion(opts ...Option) *Optimizer {
	o, c := declare[lionOptions]("Lion", opts)
	return o.withRule([]slotGroup{{names: []string{"momentum"}}}, func(u *Update) {
		mix := func(beta float64) *g.Node {
			return g.Add(g.MulScalar(u.Slot("momentum"), beta), g.MulScalar(u.Gradient, 1-beta))
		}
		u.SetValue(g.Sub(u.Value(), g.Mul(g.Sign(mix(c.Beta1)), u.LearningRate)))
		u.SetSlot("momentum", mix(c.Beta2))
	})
}

// Adadelta scales the gradient by the root mean square of past steps divided by that of past
// gradients (Zeiler, 2012). Options: LearningRate, Rho (0.95 by default), Epsilon, and the common
// ones.
func Adadelta(opts ...Option) *Optimizer {
	o, c := declare[adadeltaOptions]("Adadelta", opts)
	return o.withRule([]slotGroup{{names: []string{"accumulated_grad", "accumulated_delta_var"}}}, func(u *Update) {
		mean := func(slot string, x *g.Node) *g.Node {
			return u.SetSlot(slot, g.Add(g.MulScalar(u.Slot(slot), c.Rho), g.MulScalar(g.Mul(x, x), 1-c.Rho)))
		}
		root := func(x *g.Node) *g.Node { return g.Sqrt(plus(x, c.Epsilon)) }
		before := root(u.Slot("accumulated_delta_var"))
		step := g.Neg(g.Div(g.Mul(before, u.Gradient), root(mean("accumulated_grad", u.Gradient))))
		mean("accumulated_delta_var", step)
		u.SetValue(g.Add(u.Value(), g.Mul(step, u.LearningRate)))
	})
}

// Ftrl is "follow the regularized leader" (McMahan et al., 2013). Options: LearningRate,
// LearningRatePower, InitialAccumulatorValue, L1RegularizationStrength, L2RegularizationStrength,
// L2ShrinkageRegularizationStrength, Beta, and the common ones.
func Ftrl(opts ...Option) *Optimizer {
	o, c := declare[ftrlOptions]("Ftrl", opts)
	slots := []slotGroup{{names: []string{"accumulator", "linear"}, initial: map[string]float64{"accumulator": c.InitialAccumulatorValue}}}
	return o.withRule(slots, func(u *Update) {
		x, old := u.Value(), u.Slot("accumulator")
		sum := g.Add(old, g.Mul(u.Gradient, u.Gradient))
		root := func(x *g.Node) *g.Node { return g.Pow(x, constant.Like(x, -c.LearningRatePower)) }
		gradient := g.Add(u.Gradient, g.MulScalar(x, 2*c.L2ShrinkageRegularizationStrength))
		linear := g.Add(u.Slot("linear"), g.Sub(gradient, g.Mul(g.Div(g.Sub(root(sum), root(old)), u.LearningRate), x)))
		l2 := g.AddScalar(g.MulScalar(g.Reciprocal(u.LearningRate), c.Beta/2), c.L2RegularizationStrength)
		quadratic := g.Add(g.Div(root(sum), u.LearningRate), g.MulScalar(l2, 2))
		clipped := g.Clamp(constant.Like(linear, -c.L1RegularizationStrength), linear, constant.Like(linear, c.L1RegularizationStrength))
		u.SetSlot("linear", linear)
		u.SetSlot("accumulator", sum)
		u.SetValue(g.Div(g.Sub(clipped, linear), quadratic))
	})
}

// Adafactor estimates the squared gradient of a matrix from the means of its rows and of its
// columns (Shazeer and Stern, 2018). As in Keras, the slot velocity holds the estimate in the shape
// of the variable, so that it does not save memory. Options: LearningRate, Beta2Decay, Epsilon1,
// Epsilon2, ClipThreshold, RelativeStep, and the common ones.
func Adafactor(opts ...Option) *Optimizer {
	o, c := declare[adafactorOptions]("Adafactor", opts)
	slots := []slotGroup{{names: []string{"row", "column", "velocity"}, dims: factored}}
	return o.withRule(slots, func(u *Update) {
		x := u.Value()
		bound := g.Reciprocal(g.Sqrt(u.Step))
		rms := func(x *g.Node) *g.Node { return g.Sqrt(g.ReduceAllMean(g.Mul(x, x))) }
		size := rms(x)
		rate := g.Mul(g.Max(size, constant.Like(size, c.Epsilon2)), g.Min(u.LearningRate, bound))
		square := plus(g.Mul(u.Gradient, u.Gradient), c.Epsilon1)
		old := g.OneMinus(g.Pow(u.Step, constant.Like(u.Step, c.Beta2Decay)))
		mean := func(slot string, target *g.Node) *g.Node {
			return u.SetSlot(slot, g.Add(g.Mul(u.Slot(slot), old), g.Mul(target, g.OneMinus(old))))
		}
		var v *g.Node
		if x.Rank() < 2 {
			v = mean("velocity", square)
		} else {
			row, column := mean("row", g.ReduceMean(square, -1)), mean("column", g.ReduceMean(square, -2))
			share := g.Div(row, g.BroadcastToShape(g.ReduceAndKeep(row, g.ReduceMean, -1), row.Shape()))
			v = u.SetSlot("velocity", g.Mul(g.BroadcastToShape(g.InsertAxes(share, -1), x.Shape()), g.BroadcastToShape(g.InsertAxes(column, -2), x.Shape())))
		}
		step := g.Div(u.Gradient, g.Sqrt(v))
		length := g.DivScalar(rms(step), c.ClipThreshold)
		step = g.Div(step, g.Max(length, g.OnesLike(length)))
		u.SetValue(g.Sub(x, g.Mul(step, rate)))
	})
}

// factored returns, for a slot of Adafactor, the dimensions of the variable v that the slot does
// not have: the last one for row, the last but one for column, the only one of a vector for both,
// and none for velocity and of scalars. wanted is always true. The slots row and column of a
// variable of rank below 2 are scalars. They are unused, but Keras' files have them.
func factored(slot string, v *variable.Variable) (without []int, wanted bool) {
	rank := len(v.Shape())
	switch {
	case slot == "velocity" || rank == 0:
		return nil, true
	case rank == 1:
		return []int{0}, true
	case slot == "row":
		return []int{rank - 1}, true
	}
	return []int{rank - 2}, true
}
