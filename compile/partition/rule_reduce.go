package partition

// This file partitions matrix products and reductions: each device sums over its shard, and the
// partial sums are reduced when the result is used.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// contraction partitions a matrix product. It sets padding in the summed dimensions of both
// operands to zero: in one operand is not enough, because zero times NaN is NaN.
var contraction = &factorRule{
	kinds:  reductionFactors,
	reduce: func(*ir.Op) ir.OpKind { return ir.OpAdd },
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		summed := [2][]int{{c.op.Operands[0].Type.Rank() - 1}, {0}}
		if c.op.Kind == ir.OpDotGeneral {
			summed = [2][]int{c.op.DotGeneral().DotDimensionNumbers().LHSContracting, c.op.DotGeneral().DotDimensionNumbers().RHSContracting}
		}
		masked := make([]*ir.Value, 2)
		for i, v := range operands {
			masked[i] = p.mask(v, c.operands[i], c.op.Operands[i].Type.Dims, summed[i], func() *ir.Value { return p.zero(v.Type.DType) })
		}
		return p.buildLocal(c, masked)
	},
}

// reduction partitions a reduce: each device reduces its shard without padding. If the initial
// values are neutral and the body is one op, the partial results are reduced when they are used.
// Otherwise they are gathered at once and combined by the body.
var reduction = &factorRule{
	kinds:  reductionFactors,
	reduce: deferredReduction,
	may: func(op *ir.Op, r *factor.Rule, f, _ int) bool {
		if r.Factors[f].Kind != factor.Reduction {
			return true
		}
		return hasNeutral(op) || isChoice(op) && isOutermost(op, r, f)
	},
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		axes := p.reducedAxes(c)
		n := p.mesh.RefsSize(axes)
		if c.reduce != ir.OpUnregistered || n == 1 {
			return total
		}
		for i, r := range c.op.Results {
			total.add(p.sends(axes, (n-1)*p.localType(r.Type, c.results[i]).Bytes()))
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		axes := p.reducedAxes(c)
		if len(axes) == 0 {
			return p.buildLocal(c, operands)
		}
		list := startsNeutral(c.op)
		if list == nil {
			return p.reduceFlagged(c, operands, axes)
		}
		masked := slices.Clone(operands)
		for i, neutral := range list {
			masked[i] = p.maskReduced(c, i, operands[i], neutral)
		}
		parts := p.buildLocal(c, masked)
		if c.reduce != ir.OpUnregistered {
			return parts
		}
		inits := p.widen(operands[len(list):], parts)
		return p.buildLocalWith(c, c.op.Attrs.With("dimensions", ir.Ints{0}), append(p.partsOf(parts, axes), inits...))
	},
}

// deferredReduction returns the op that reduces the partial results of op, a reduce, when they are
// used. It returns OpUnregistered if they must be combined at once.
func deferredReduction(op *ir.Op) ir.OpKind {
	if startsNeutral(op) == nil {
		return ir.OpUnregistered
	}
	return reductionOf(op)
}

// isOutermost reports whether factor f of r is in the first of the dimensions that op, a reduce,
// reduces. The elements of a shard are then next to each other in the order of all elements.
func isOutermost(op *ir.Op, r *factor.Rule, f int) bool {
	first := slices.Min(op.Reduce().Dimensions())
	return slices.Contains(r.Operands[0][first], f)
}

// maskReduced returns v, the shard of operand i in strategy c of a reduce, with padding replaced by
// neutral in the dimensions that the op reduces; v itself if there is no padding.
func (p *partitioner) maskReduced(c *strategy, i int, v *ir.Value, neutral *ir.Dense) *ir.Value {
	return p.mask(v, c.operands[i], c.op.Operands[i].Type.Dims, c.op.Reduce().Dimensions(), func() *ir.Value { return p.Constant(neutral) })
}

// reduceFlagged reduces the shards, the first half of operands, by the body of c.op without the
// initial values, the second half. Flags mark which elements exist. It gathers the results along
// axes, and reduces these with the initial values. It returns the results of this second reduction.
func (p *partitioner) reduceFlagged(c *strategy, operands []*ir.Value, axes []mesh.AxisRef) []*ir.Value {
	n := len(operands) / 2
	inputs, inits := operands[:n], operands[n:]
	flags := p.maskReduced(c, 0, p.flags(inputs[0].Type.Dims), ir.Scalar(dtypes.Bool, 0))
	dims := p.localType(c.op.Results[0].Type, c.results[0]).Dims
	parts, has := p.combineFlagged(c.op, c.op.Attrs, inputs, flags, inits, false, dims)
	// Parts may have a wider type than the inputs; the initial values then get it, too.
	inits, attrs := p.widen(inits, parts), c.op.Attrs.With("dimensions", ir.Ints{0})
	if !p.isUnevenIn(c, c.op.Reduce().Dimensions()) { // every device has elements
		return p.buildLocalWith(c, attrs, append(p.partsOf(parts, axes), inits...))
	}
	all := p.partsOf(append(slices.Clone(parts), has), axes)
	results, _ := p.combineFlagged(c.op, attrs, all[:n], all[n], inits, true, dims)
	return results
}

// isUnevenIn reports whether shards of the first operand of strategy c have padding in one of the
// dimensions in dims.
func (p *partitioner) isUnevenIn(c *strategy, dims []int) bool {
	return slices.ContainsFunc(dims, func(d int) bool { return isUneven(c.operands[0], d, c.op.Operands[0].Type.Dims[d]) })
}

// widen returns scalars converted to the element types of values.
func (p *partitioner) widen(scalars, values []*ir.Value) []*ir.Value {
	out := slices.Clone(scalars)
	for i, v := range values {
		out[i] = p.convert(scalars[i], v.Type.DType)
	}
	return out
}

// partsOf gathers each value in parts from the devices along axes, in a new first dimension, and
// returns the gathered values in their order.
func (p *partitioner) partsOf(parts []*ir.Value, axes []mesh.AxisRef) []*ir.Value {
	out := make([]*ir.Value, len(parts))
	for i, v := range parts {
		out[i] = p.allGather(p.reshape(v, append([]int{1}, v.Type.Dims...)), 0, axes)
	}
	return out
}

// reductionOf returns the op that reduces partial results of op. It is OpUnregistered if the body
// is no such op, or if for the element types there is no neutral element or no collective that
// reduces by it.
func reductionOf(op *ir.Op) ir.OpKind {
	kind, ok := ir.ReductionOf(op)
	if !ok {
		return ir.OpUnregistered
	}
	if _, ok := ir.ReductionName(kind); !ok {
		return ir.OpUnregistered
	}
	for _, r := range op.Results {
		if _, ok := ir.ReductionInit(kind, r.Type.DType); !ok || !hasCollective(kind, r.Type.DType) {
			return ir.OpUnregistered
		}
	}
	return kind
}

// hasCollective reports whether engines have collectives that combine elements of dtype by kind.
// They have and and or only for booleans, and for booleans no others. They have xor for no type.
func hasCollective(kind ir.OpKind, dtype dtypes.DType) bool {
	switch kind {
	case ir.OpAnd, ir.OpOr:
		return dtype == dtypes.Bool
	case ir.OpXor:
		return false
	}
	return dtype != dtypes.Bool
}

// reducedAxes returns the axes that shard Reduction factors in the strategy c, factor by factor;
// none if there are none.
func (p *partitioner) reducedAxes(c *strategy) []mesh.AxisRef {
	var out mesh.AxisList
	for f, axes := range c.axes {
		if c.rule.Factors[f].Kind == factor.Reduction {
			out = append(out, axes...)
		}
	}
	return p.mesh.Refs(out)
}

// keepOnFirst returns v on the first device along axes, and the neutral element of kind on the
// others, so that a reduction over axes counts v once. It returns v unchanged where counting it
// several times makes no difference, as for a maximum.
func (p *partitioner) keepOnFirst(kind ir.OpKind, v *ir.Value, axes []mesh.AxisRef) *ir.Value {
	switch kind {
	case ir.OpMaximum, ir.OpMinimum, ir.OpAnd, ir.OpOr:
		return v // v may be combined any number of times
	}
	if d := literal(v); d != nil && ir.IsReductionInit(kind, d) {
		return v
	}
	neutral, _ := ir.ReductionInit(kind, v.Type.DType)
	first := p.compareTo("EQ", p.SPMDAxisIndex(axes), 0)
	return p.Select(first, v, p.broadcast(p.Constant(neutral), v.Type.Dims))
}
