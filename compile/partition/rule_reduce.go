package partition

// This file partitions matrix products and reductions: each device sums its
// shard, and the partial sums are reduced when the result is used.

import (
	"bytes"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// contraction sets padding in the summed dimensions to zero on both sides: zero on
// one side is not enough, since zero times NaN is NaN.
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
			masked[i] = p.masked(v, c.operands[i], c.op.Operands[i].Type.Dims, summed[i], func() *ir.Value { return p.zero(v.Type.DType) })
		}
		return p.same(c, masked)
	},
}

// reduction lets each device reduce its shard, without padding. If the body is one
// op, the partial results are reduced later; those of any other body, such as that
// of argmax, are gathered and reduced by the body.
var reduction = &factorRule{
	kinds:  reductionFactors,
	reduce: func(op *ir.Op) ir.OpKind { return reductionOf(op) },
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		axes := p.reducedAxes(c)
		n := p.mesh.RefsSize(axes)
		if reductionOf(c.op) != ir.OpUnregistered || n == 1 {
			return total
		}
		for i, r := range c.op.Results {
			total.add(p.sends(axes, (n-1)*p.localType(r.Type, c.results[i]).Bytes()))
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		n := len(operands) / 2
		inputs, inits := operands[:n], operands[n:]
		axes := p.reducedAxes(c)
		if len(axes) == 0 {
			return p.same(c, operands)
		}
		kind := reductionOf(c.op)
		masked := slices.Clone(operands)
		if kind != ir.OpUnregistered {
			masked[1] = p.onFirst(kind, inits[0], axes)
		}
		for i, v := range inputs {
			neutral := func() *ir.Value { return p.neutralOf(c.op, inits[i]) }
			masked[i] = p.masked(v, c.operands[i], c.op.Operands[i].Type.Dims, c.op.Reduce().Dimensions(), neutral)
			if kind == ir.OpUnregistered {
				masked[n+i] = neutral() // the initial value counts once, at the end
			}
		}
		parts := p.same(c, masked)
		if kind != ir.OpUnregistered {
			return parts
		}
		return p.reduceParts(c, parts, inits, axes)
	},
}

// reductionOf returns the op that reduces partial results of op, or
// OpUnregistered.
func reductionOf(op *ir.Op) ir.OpKind {
	kind, ok := ir.ReductionOf(op)
	if !ok {
		return ir.OpUnregistered
	}
	if _, ok := ir.ReductionName(kind); !ok {
		return ir.OpUnregistered
	}
	for _, r := range op.Results {
		if _, ok := ir.ReductionInit(kind, r.Type.DType); !ok || !collective(kind, r.Type.DType) {
			return ir.OpUnregistered
		}
	}
	return kind
}

// collective reports whether engines have collectives that combine by kind:
// the bitwise ones they have for booleans only, and those have no others.
func collective(kind ir.OpKind, dtype dtypes.DType) bool {
	switch kind {
	case ir.OpAnd, ir.OpOr:
		return dtype == dtypes.Bool
	case ir.OpXor:
		return false
	}
	return dtype != dtypes.Bool
}

// reducedAxes returns the axes that shard factors of the kind Reduction.
func (p *partitioner) reducedAxes(c *strategy) []mesh.AxisRef {
	var out mesh.AxisList
	for f, axes := range c.axes {
		if c.rule.Factors[f].Kind == factor.Reduction {
			out = append(out, axes...)
		}
	}
	return p.mesh.Refs(out)
}

// onFirst returns v on the first device along axes, on the others the neutral
// element of kind, so that v counts once when partial results are reduced.
func (p *partitioner) onFirst(kind ir.OpKind, v *ir.Value, axes []mesh.AxisRef) *ir.Value {
	switch kind {
	case ir.OpMaximum, ir.OpMinimum, ir.OpAnd, ir.OpOr:
		return v // may count any number of times
	}
	neutral, _ := ir.ReductionInit(kind, v.Type.DType)
	if def := v.Def(); def != nil && def.Kind == ir.OpConstant && isUniform(def.Literal(), neutral) {
		return v
	}
	first := p.compareTo("EQ", p.SPMDAxisIndex(axes), 0)
	return p.Select(first, v, p.broadcast(p.Constant(neutral), v.Type.Dims))
}

// isUniform reports whether d is a splat, or a scalar, of the same bits as
// scalar.
func isUniform(d, scalar *ir.Dense) bool { return bytes.Equal(d.Data, scalar.Data) }

// neutralOf returns the neutral element of the op's body: the initial value if the
// body is more than one op, since StableHLO demands that the value is neutral.
func (p *partitioner) neutralOf(op *ir.Op, init *ir.Value) *ir.Value {
	if kind, ok := ir.ReductionOf(op); ok {
		if neutral, ok := ir.ReductionInit(kind, init.Type.DType); ok {
			return p.Constant(neutral)
		}
	}
	return init
}

// reduceParts gathers the partial results of a reduction from the devices along
// axes and reduces them by the op's own body.
func (p *partitioner) reduceParts(c *strategy, parts, inits []*ir.Value, axes []mesh.AxisRef) []*ir.Value {
	operands := make([]*ir.Value, 0, 2*len(parts))
	for _, v := range parts {
		operands = append(operands, p.allGather(p.reshape(v, append([]int{1}, v.Type.Dims...)), 0, axes))
	}
	return p.sameWith(c, c.op.Attrs.With("dimensions", ir.Ints{0}), append(operands, inits...))
}
