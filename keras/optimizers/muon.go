package optimizers

// This file holds Muon.

import (
	"math"
	"regexp"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// Muon orthogonalizes the momentum of matrices by Newton-Schulz iterations (Jordan et al., 2024).
// It trains three kinds of variables by AdamW: those that are not matrices, embeddings, and those
// that match ExcludeLayers. Options: LearningRate, AdamBeta1, AdamBeta2, AdamWeightDecay,
// AdamLRRatio, Epsilon, ExcludeLayers, ExcludeEmbeddings, MuonA, MuonB, MuonC, Momentum (0.95 by
// default), NSSteps, Nesterov (on by default), RMSRate, and the common ones; WeightDecay is 0.004
// by default.
func Muon(opts ...Option) *Optimizer {
	rms := 0.2
	c, err := configure("Muon", config{name: "muon", learningRate: 0.001, adamBeta1: 0.9, adamBeta2: 0.999, adamWeightDecay: 0.004, epsilon: 1e-7,
		excludeEmbeddings: true, muonA: 3.4445, muonB: -4.7750, muonC: 2.0315, adamLRRatio: 1, momentum: 0.95, nsSteps: 5, nesterov: true, rmsRate: &rms,
		common: common{weightDecay: 0.004}}, opts,
		"AdamBeta1", "AdamBeta2", "AdamWeightDecay", "AdamLRRatio", "Epsilon", "ExcludeLayers", "ExcludeEmbeddings", "MuonA", "MuonB", "MuonC",
		"Momentum", "NSSteps", "Nesterov", "RMSRate")
	slots := []slotGroup{{names: []string{"momentum", "velocity"}, dims: func(slot string, v *variable.Variable) ([]int, bool) {
		return nil, slot == "momentum" || c.byAdam(v)
	}}}
	o := c.optimizer(err, slots, func(u *Update) {
		if c.byAdam(u.variable) {
			rate := g.MulScalar(u.LearningRate, c.adamLRRatio)
			rate = g.Div(g.Mul(rate, g.Sqrt(g.OneMinus(power(c.adamBeta2, u.Step)))), g.OneMinus(power(c.adamBeta1, u.Step)))
			m := u.towards("momentum", u.Gradient, c.adamBeta1)
			v := u.towards("velocity", g.Mul(u.Gradient, u.Gradient), c.adamBeta2)
			u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(m, rate), g.AddScalar(g.Sqrt(v), c.epsilon))))
			return
		}
		old := u.Slot("momentum")
		m := u.SetSlot("momentum", g.Add(old, g.Add(u.Gradient, g.MulScalar(old, c.momentum-1))))
		if c.nesterov {
			m = g.Add(u.Gradient, g.MulScalar(m, c.momentum))
		}
		step := g.Mul(c.orthogonalized(m), u.LearningRate)
		if c.rmsRate != nil {
			step = g.MulScalar(g.MulScalar(step, math.Sqrt(float64(max(step.Shape().Dim(0), step.Shape().Dim(1))))), *c.rmsRate)
		}
		u.SetValue(g.Sub(u.Value(), step))
	})
	o.decay = func(v *variable.Variable) float64 {
		if c.byAdam(v) {
			return c.adamWeightDecay
		}
		return c.common.weightDecay
	}
	return o
}

// byAdam reports whether Muon trains a variable by AdamW.
func (c config) byAdam(v *variable.Variable) bool {
	if len(v.Shape()) != 2 || c.excludeEmbeddings && strings.Contains(strings.ToLower(v.Path()), "embedding") {
		return true
	}
	for _, pattern := range c.excludeLayers {
		if ok, err := regexp.MatchString(pattern, v.Path()); ok && err == nil {
			return true
		}
	}
	return false
}

// orthogonalized returns x with all its singular values replaced by about 1.
func (c config) orthogonalized(x *g.Node) *g.Node {
	tall := x.Shape().Dim(0) > x.Shape().Dim(1)
	if tall {
		x = g.Transpose(x, 0, 1)
	}
	norm := g.AddScalar(g.Sqrt(g.ReduceAllSum(g.Mul(x, x))), 1e-7)
	x = g.Div(x, g.BroadcastToShape(norm, x.Shape()))
	product := func(a, b *g.Node) *g.Node { return g.Dot(a, b).Product() }
	for range c.nsSteps {
		a := product(x, g.Transpose(x, 0, 1))
		b := g.Add(g.MulScalar(a, c.muonB), product(g.MulScalar(a, c.muonC), a))
		x = g.Add(g.MulScalar(x, c.muonA), product(b, x))
	}
	if tall {
		x = g.Transpose(x, 0, 1)
	}
	return x
}
