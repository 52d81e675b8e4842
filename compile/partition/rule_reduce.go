package partition

// This file partitions matrix products and reductions: each device sums what
// it has, and the parts are joined when the result is used.

import (
	"bytes"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// contraction: padding in the summed dimensions is zero on both sides, since
// no number times NaN is zero.
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

// reduction: with a body that is one op, each device reduces what it has,
// padding left out, and parts are joined later. Parts of any other body, such
// as that of argmax, are gathered and reduced once more.
var reduction = &factorRule{
	kinds:  reductionFactors,
	reduce: func(op *ir.Op) ir.OpKind { return joinOf(op) },
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		axes := p.reducedAxes(c)
		n := p.mesh.RefsSize(axes)
		if joinOf(c.op) != ir.OpUnregistered || n == 1 {
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
		kind := joinOf(c.op)
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

// joinOf returns the op that joins partial results of op, or OpUnregistered.
func joinOf(op *ir.Op) ir.OpKind {
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

// reducedAxes returns the axes that split factors of the kind Reduction.
func (p *partitioner) reducedAxes(c *strategy) []mesh.AxisRef {
	var out mesh.AxisList
	for f, axes := range c.axes {
		if c.rule.Factors[f].Kind == factor.Reduction {
			out = append(out, axes...)
		}
	}
	return p.mesh.Refs(out)
}

// onFirst returns v on the first device along axes, on the others what changes
// nothing when it is combined by kind: so v counts once where parts are joined.
func (p *partitioner) onFirst(kind ir.OpKind, v *ir.Value, axes []mesh.AxisRef) *ir.Value {
	switch kind {
	case ir.OpMaximum, ir.OpMinimum, ir.OpAnd, ir.OpOr:
		return v // may count as often as one likes
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

// neutralOf returns the scalar that changes nothing when the op's body combines
// it: for other bodies than one op the initial value, as StableHLO wants of it.
func (p *partitioner) neutralOf(op *ir.Op, init *ir.Value) *ir.Value {
	if kind, ok := ir.ReductionOf(op); ok {
		if neutral, ok := ir.ReductionInit(kind, init.Type.DType); ok {
			return p.Constant(neutral)
		}
	}
	return init
}

// reduceParts gathers the parts of a reduction from the devices along axes and
// reduces them by the op's own body.
func (p *partitioner) reduceParts(c *strategy, parts, inits []*ir.Value, axes []mesh.AxisRef) []*ir.Value {
	operands := make([]*ir.Value, 0, 2*len(parts))
	for _, v := range parts {
		operands = append(operands, p.allGather(p.reshape(v, append([]int{1}, v.Type.Dims...)), 0, axes))
	}
	return p.sameWith(c, c.op.Attrs.With("dimensions", ir.Ints{0}), append(operands, inits...))
}
