package randprog

// This file makes ops that steer propagation, and those that are only worth it there.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// makeConstraint returns a function that makes sharding constraints or reshards, whichever kind
// says, of a random value with a random layout.
func makeConstraint(kind ir.OpKind) func(g *generator) *ir.Op {
	return func(g *generator) *ir.Op {
		x := g.any(allTypes, 1, 4)
		s := g.looseLayout(g.mesh, x.Type.Rank())
		return g.typed(kind, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, g.bound[x], []ir.Type{x.Type}, x)
	}
}

func makePropagationBarrier(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	direction := pick(g, []string{"NONE", "FORWARD", "BACKWARD"})
	return g.typed(ir.OpPropagationBarrier, ir.Attrs{{Name: "allowed_direction", Value: ir.Enum(direction)}}, g.bound[x], []ir.Type{x.Type}, x)
}

// makeGroup puts two values into a sharding group, and returns the op of the second. All groups are
// of one type, since they may come to share a value. It returns nil inside of blocks, and if there
// are no two such values.
func makeGroup(g *generator) *ir.Op {
	if g.depth > 0 {
		return nil
	}
	x := g.any(allTypes, 1, 4)
	y := g.find(func(v *ir.Value) bool { return v != x && v.Type.Equal(x.Type) })
	if y == nil || g.grouped != nil && !g.grouped.Equal(x.Type) {
		return nil
	}
	g.grouped = &x.Type
	id := ir.NamedAttr{Name: "group_id", Value: ir.Int(g.rng.IntN(3))}
	g.typed(ir.OpShardingGroup, ir.Attrs{id}, 0, nil, x)
	return g.typed(ir.OpShardingGroup, ir.Attrs{id}, 0, nil, y)
}

// makeUsedConstant makes a constant with two users: a broadcast scalar, or a whole tensor and its
// tanh.
func makeUsedConstant(g *generator) *ir.Op {
	x := g.any(floats, 1, 4)
	t := []ir.Type{x.Type}
	var c, w *ir.Value
	if g.rng.IntN(2) == 0 {
		scalar := g.constant(ir.Splat(ir.Tensor(x.Type.DType), 0))
		c = g.typed(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints{}}}, 8, t, scalar).Result()
		w = c
	} else {
		c = g.constant(ir.Splat(x.Type, 2))
		w = g.typed(ir.OpTanh, nil, inexact, t, c).Result()
	}
	g.typed(ir.OpAdd, nil, inexact, t, x, w)
	return g.typed(ir.OpMultiply, nil, inexact, t, w, pick(g, []*ir.Value{c, g.tensor(x.Type)}))
}

// makeOpaqueCall calls an unknown target: without a rule, or with one on two operands.
func makeOpaqueCall(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	operands := []*ir.Value{x}
	attrs := ir.Attrs{{Name: "call_target_name", Value: ir.String("opaque")}, {Name: "has_side_effect", Value: ir.Bool(g.rng.IntN(2) == 0)}}
	if g.rng.IntN(2) == 0 {
		operands = append(operands, g.any([]dtypes.DType{dtypes.Float32, x.Type.DType}, 1, 4))
		attrs = append(attrs, ruleAttr(g.opaqueRule(operands[0].Type, operands[1].Type)))
	}
	return g.typed(ir.OpCustomCall, attrs, inexact, []ir.Type{x.Type}, operands...)
}

// opaqueRule returns a rule for an op of one operand of each type and a result of the first. Its
// dimensions have up to two factors each; the second operand shares some of them.
func (g *generator) opaqueRule(first, second ir.Type) *factor.Rule {
	r := &factor.Rule{Custom: true}
	mapping := func(t ir.Type, shared int) factor.TensorMapping {
		m := factor.TensorMapping{}
		for _, size := range t.Dims {
			f := slices.IndexFunc(r.Factors[:shared], func(f factor.Factor) bool { return f.Size == size })
			if f >= 0 && m.DimOf(f) < 0 && g.rng.IntN(3) > 0 {
				m = append(m, []int{f})
				continue
			}
			parts := []int{size}
			if g.rng.IntN(2) == 0 && size%2 == 0 && size > 2 {
				parts = []int{size / 2, 2}
			}
			var factors []int
			for _, part := range parts {
				factors = append(factors, len(r.Factors))
				r.Factors = append(r.Factors, factor.Factor{Size: part})
			}
			m = append(m, factors)
		}
		return m
	}
	a := mapping(first, 0)
	inResult := len(r.Factors)
	r.Operands, r.Results = []factor.TensorMapping{a, mapping(second, inResult)}, []factor.TensorMapping{a}
	kind := pick(g, []factor.Kind{factor.Reduction, factor.NeedReplication, factor.Permutation})
	for f := range r.Factors {
		r.Factors[f].Blocked = g.rng.IntN(8) == 0
		if g.rng.IntN(6) == 0 && (kind != factor.Reduction || f >= inResult) {
			r.Factors[f].Kind = kind
		}
	}
	return r
}
