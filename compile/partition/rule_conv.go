package partition

// This file partitions convolutions: over the batch, the features, groups of
// features, the windows (with the borders of neighbours), and the places within
// a window, as in the gradient of a kernel.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// convFactors are the kinds of factors that a convolution may be split by.
var convFactors = []factor.Kind{factor.Reduction, factor.Permutation}

// convSlidings returns how the windows of a convolution slide along each
// spatial dimension.
func convSlidings(op *ir.Op) []sliding {
	o := op.Convolution()
	c, padding := o.DimensionNumbers(), o.Padding()
	out := make([]sliding, len(c.InputSpatial))
	for i := range out {
		out[i] = sliding{
			in: op.Operands[0].Type.Dims[c.InputSpatial[i]], out: op.Result().Type.Dims[c.OutputSpatial[i]],
			size:   op.Operands[1].Type.Dims[c.KernelSpatial[i]],
			stride: o.WindowStrides()[i], base: o.LHSDilation()[i], window: o.RHSDilation()[i],
			low: padding[i][0], high: padding[i][1],
		}
	}
	return out
}

// reversals returns which windows are reversed.
func reversals(op *ir.Op) []bool {
	if b, ok := op.Attrs.Get("window_reversal").(ir.Bools); ok {
		return b
	}
	return make([]bool, len(op.Convolution().DimensionNumbers().InputSpatial))
}

// convRule returns the factors of a convolution. positions says, for each
// spatial dimension, whether the places within a window are a factor with the
// input, else the windows are.
func convRule(op *ir.Op, positions []bool) *factor.Rule {
	c := op.Convolution().DimensionNumbers()
	in, kernel, out := op.Operands[0].Type.Dims, op.Operands[1].Type.Dims, op.Result().Type.Dims
	r := &factor.Rule{
		Operands: []factor.TensorMapping{make(factor.TensorMapping, len(in)), make(factor.TensorMapping, len(kernel))},
		Results:  []factor.TensorMapping{make(factor.TensorMapping, len(out))},
	}
	// add makes a factor the next minor part of a dimension of each tensor; -1
	// is none.
	add := func(size int, kind factor.Kind, i, k, o int) {
		f := len(r.Factors)
		r.Factors = append(r.Factors, factor.Factor{Size: size, Kind: kind})
		for _, t := range []struct {
			m factor.TensorMapping
			d int
		}{{r.Operands[0], i}, {r.Operands[1], k}, {r.Results[0], o}} {
			if t.d >= 0 {
				t.m[t.d] = append(t.m[t.d], f)
			}
		}
	}
	groups, batches := op.Convolution().FeatureGroupCount(), op.Convolution().BatchGroupCount()
	if groups > 1 {
		add(groups, factor.PassThrough, c.InputFeature, c.KernelOutputFeature, c.OutputFeature)
	}
	if batches > 1 {
		add(batches, factor.PassThrough, c.InputBatch, c.KernelOutputFeature, c.OutputFeature)
	}
	add(out[c.OutputBatch], factor.PassThrough, c.InputBatch, -1, c.OutputBatch)
	add(out[c.OutputFeature]/(groups*batches), factor.PassThrough, -1, c.KernelOutputFeature, c.OutputFeature)
	add(kernel[c.KernelInputFeature], factor.Reduction, c.InputFeature, c.KernelInputFeature, -1)
	for i, d := range c.InputSpatial {
		k, o := c.KernelSpatial[i], c.OutputSpatial[i]
		if positions[i] {
			add(kernel[k], factor.Reduction, d, k, -1)
			add(out[o], factor.NeedReplication, -1, -1, o)
			continue
		}
		add(out[o], factor.Permutation, d, -1, o)
		add(kernel[k], factor.NeedReplication, -1, k, -1)
	}
	return r
}

// convolved chooses for each spatial dimension what is split by where the
// operands lie: a kernel that is split there is that of a gradient.
func (p *partitioner) convolve(op *ir.Op) error {
	c := op.Convolution().DimensionNumbers()
	positions := make([]bool, len(c.KernelSpatial))
	p.visible(p.tensor(op.Operands[1]), func(kernel shardedCopy) {
		for i, k := range c.KernelSpatial {
			positions[i] = positions[i] || len(kernel.sharding.Dims[k].Axes) > 0
		}
	})
	rule := *convolution
	rule.factors = func(op *ir.Op) *factor.Rule { return convRule(op, positions) }
	return p.byFactors(op, &rule)
}

// spatial returns which spatial dimension factor f runs along, and whether f
// is the places within a window; i is -1 for other factors.
func spatial(op *ir.Op, r *factor.Rule, f int) (i int, positions bool) {
	c := op.Convolution().DimensionNumbers()
	for i, d := range c.InputSpatial {
		if slices.Contains(r.Operands[0][d], f) {
			return i, r.Factors[f].Kind == factor.Reduction
		}
	}
	return -1, false
}

// convPart returns what a device has to do along spatial dimension i; ok is
// false where nothing is split.
func convPart(p *partitioner, c *strategy, i int) (out part, ok bool) {
	d := c.op.Convolution().DimensionNumbers().InputSpatial[i]
	axes := c.operands[0].Dims[d].Axes
	if len(axes) == 0 {
		return part{}, false
	}
	n, s := p.mesh.RefsSize(axes), convSlidings(c.op)[i]
	if len(c.operands[1].Dims[c.op.Convolution().DimensionNumbers().KernelSpatial[i]].Axes) > 0 {
		return s.positions(n, reversals(c.op)[i])
	}
	return s.windows(n)
}

var convolution = &factorRule{
	kinds:  convFactors,
	reduce: func(*ir.Op) ir.OpKind { return ir.OpAdd },
	may: func(op *ir.Op, r *factor.Rule, f, n int) bool {
		i, positions := spatial(op, r, f)
		if i < 0 {
			return true
		}
		s := convSlidings(op)[i]
		ok := false
		if positions {
			_, ok = s.positions(n, reversals(op)[i])
		} else {
			_, ok = s.windows(n)
		}
		return ok
	},
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for i, d := range c.op.Convolution().DimensionNumbers().InputSpatial {
			if w, ok := convPart(p, c, i); ok {
				total.add(p.traffic(w.fetch, c.operands[0].Dims[d].Axes, rowBytes(c.op.Operands[0].Type, c.operands[0], d)))
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		dims := c.op.Convolution().DimensionNumbers()
		v, kernel := operands[0], operands[1]
		zero := func() *ir.Value { return p.zero(v.Type.DType) }
		if len(c.operands[1].Dims[dims.KernelInputFeature].Axes) > 0 {
			v = p.masked(v, c.operands[0], c.op.Operands[0].Type.Dims, []int{dims.InputFeature}, zero)
			kernel = p.masked(kernel, c.operands[1], c.op.Operands[1].Type.Dims, []int{dims.KernelInputFeature}, zero)
		}
		padding := slices.Clone(c.op.Convolution().Padding())
		for i, d := range dims.InputSpatial {
			if w, ok := convPart(p, c, i); ok {
				v = p.fetchFilled(v, d, c.operands[0].Dims[d].Axes, w.fetch, c.op.Operands[0].Type.Dims[d], zero())
				padding[i] = []int{w.low, w.high}
			}
		}
		attrs := c.op.Attrs.With("padding", ir.IntMatrix(padding, 2))
		for _, name := range []string{"feature_group_count", "batch_group_count"} {
			if n := c.op.Int(name); n > 1 { // of either kind, the groups are factor 0
				attrs = attrs.With(name, ir.Int(n/c.axes[0].Size()))
			}
		}
		return p.sameWith(c, attrs, []*ir.Value{v, kernel})
	},
}
