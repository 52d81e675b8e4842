package optimizers

// This file holds Muon.

import (
	"math"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// Muon orthogonalizes the momentum of matrices by Newton-Schulz iterations (Jordan et al., 2024).
// It trains three kinds of variables by AdamW: those that are not matrices, embeddings (unless
// ExcludeEmbeddings is false), and those that match ExcludeLayers. Options: LearningRate,
// AdamBeta1, AdamBeta2, AdamWeightDecay, AdamLRRatio, Epsilon, ExcludeLayers, ExcludeEmbeddings,
// MuonA, MuonB, MuonC, Momentum (0.95 by default), NSSteps, Nesterov (on by default), RMSRate, and
// the common ones; WeightDecay is 0.004 by default.
func Muon(opts ...Option) *Optimizer {
	o, c := declare[muonOptions]("Muon", opts, WeightDecay(0.004))
	slots := []slotGroup{{names: []string{"momentum", "velocity"}, dims: func(slot string, v *variable.Variable) ([]int, bool) {
		return nil, slot == "momentum" || c.byAdam(v)
	}}}
	o.withRule(slots, func(u *Update) {
		if c.byAdam(u.variable) {
			rate := g.MulScalar(u.LearningRate, c.AdamLRRatio)
			rate = g.Div(g.Mul(rate, g.Sqrt(g.OneMinus(power(c.AdamBeta2, u.Step)))), g.OneMinus(power(c.AdamBeta1, u.Step)))
			m := u.towards("momentum", u.Gradient, c.AdamBeta1)
			v := u.towards("velocity", g.Mul(u.Gradient, u.Gradient), c.AdamBeta2)
			u.SetValue(g.Sub(u.Value(), g.Div(g.Mul(m, rate), plus(g.Sqrt(v), c.Epsilon))))
			return
		}
		old := u.Slot("momentum")
		m := u.SetSlot("momentum", g.Add(old, g.Add(u.Gradient, g.MulScalar(old, c.Momentum-1))))
		if c.Nesterov {
			m = g.Add(u.Gradient, g.MulScalar(m, c.Momentum))
		}
		step := g.Mul(c.orthogonalized(m), u.LearningRate)
		if c.RMSRate != nil {
			step = g.MulScalar(g.MulScalar(step, math.Sqrt(float64(max(step.Shape().Dim(0), step.Shape().Dim(1))))), *c.RMSRate)
		}
		u.SetValue(g.Sub(u.Value(), step))
	})
	o.decay = func(v *variable.Variable) float64 {
		if c.byAdam(v) {
			return c.AdamWeightDecay
		}
		return orZero(o.common.WeightDecay)
	}
	return o
}

// byAdam reports whether Muon trains v by AdamW: v is no matrix, or its path matches ExcludeLayers,
// or contains "embedding" (in any case) with ExcludeEmbeddings.
func (c *muonOptions) byAdam(v *variable.Variable) bool {
	return len(v.Shape()) != 2 || c.ExcludeEmbeddings && strings.Contains(strings.ToLower(v.Path()), "embedding") ||
		c.ExcludeLayers.match(v.Path())
}

// orthogonalized returns the matrix x with all its singular values replaced by about 1, by NSSteps
// steps of Newton-Schulz.
func (c *muonOptions) orthogonalized(x *g.Node) *g.Node {
	tall := x.Shape().Dim(0) > x.Shape().Dim(1)
	if tall {
		x = g.Transpose(x, 0, 1)
	}
	norm := plus(g.Sqrt(g.ReduceAllSum(g.Mul(x, x))), 1e-7)
	x = g.Div(x, g.BroadcastToShape(norm, x.Shape()))
	product := func(a, b *g.Node) *g.Node { return g.Dot(a, b).Product() }
	for range c.NSSteps {
		a := product(x, g.Transpose(x, 0, 1))
		b := g.Add(g.MulScalar(a, c.MuonB), product(g.MulScalar(a, c.MuonC), a))
		x = g.Add(g.MulScalar(x, c.MuonA), product(b, x))
	}
	if tall {
		x = g.Transpose(x, 0, 1)
	}
	return x
}
