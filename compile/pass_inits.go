package compile

// This file implements inits, which removes initial values from reductions.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// inits makes reductions start from the neutral element, and combines the initial value with the
// result:
//
//	%1 = reduce(%0 init: %c) add        %z = constant -0.0
//	                                =>  %s = reduce(%0 init: %z) add
//	                                    %1 = add %s, (broadcast %c)
//
// So the initial value counts exactly once, in three cases: each device reduces a part; a window
// reaches beyond its operand; or XLA, which ignores the initial value of a reduction over
// dimensions of size 1, compiles the program. A reduction of several tensors, each by one op,
// becomes one reduction for each tensor. If a body has no neutral element, only reductions over
// dimensions of size 1 are replaced: by the body.
func inits(f *ir.Func) {
	var found []*ir.Op
	f.Walk(func(op *ir.Op) {
		switch op.Kind {
		case ir.OpReduce, ir.OpReduceWindow, ir.OpSelectAndScatter:
			found = append(found, op)
		}
	})
	for _, op := range found {
		if !takeOutInits(op) {
			applyOnce(op)
		}
	}
}

// takeOutInits makes op, a reduction, start from neutral elements: it combines the results with the
// old initial values, the last operands, behind it. If op has several results, it becomes one
// reduction for each. takeOutInits returns false, and does nothing, if the body has no neutral
// elements.
func takeOutInits(op *ir.Op) bool {
	kinds, ok := ir.ReductionsOf(op)
	if !ok || len(kinds) != len(op.Results) {
		return false
	}
	first := len(op.Operands) - len(kinds)
	for i, kind := range kinds {
		if _, ok := ir.ReductionInit(kind, op.Operands[first+i].Type.DType); !ok {
			return false
		}
	}
	if len(kinds) > 1 {
		for i, one := range splitReduction(op, kinds) {
			takeOut(one, kinds[i])
		}
		return true
	}
	takeOut(op, kinds[0])
	return true
}

// splitReduction replaces op, which reduces several tensors, tensor i by kinds[i], by one reduction
// for each tensor, and returns these in order. Collectives can only reduce these further, and XLA
// does not take floats of two sizes in one reduction.
func splitReduction(op *ir.Op, kinds []ir.OpKind) []*ir.Op {
	out := make([]*ir.Op, len(kinds))
	for i, kind := range kinds {
		r := op.Results[i]
		operands := []*ir.Value{op.Operands[i], op.Operands[len(kinds)+i]}
		out[i] = ir.NewOp(op.Kind, operands, op.Attrs.Without(sharding.RuleAttr), []ir.Type{r.Type}, ir.ReductionBody(kind, r.Type.DType))
		out[i].Loc = op.Loc
		out[i].InsertBefore(op)
		out[i].Result().Sharding = r.Sharding
		r.ReplaceAllUsesWith(out[i].Result())
	}
	op.Erase()
	return out
}

// takeOut makes op, a reduction of one tensor by kind, start from the neutral element of kind. It
// combines the old initial value with the result by an op behind it.
func takeOut(op *ir.Op, kind ir.OpKind) {
	at := len(op.Operands) - 1
	init := op.Operands[at]
	if d := literal(init); d == nil || !ir.IsReductionInit(kind, d) {
		neutral, _ := ir.ReductionInit(kind, init.Type.DType)
		b := ir.Builder{Loc: op.Loc}
		op.SetOperand(at, b.Before(op).Constant(neutral))
		combineAfter(op, op.Result(), init, kind)
	}
}

// combineAfter combines r, a result of op, element by element with a scalar, by an op of the kind
// right after op. Users of r use the combination.
func combineAfter(op *ir.Op, r, scalar *ir.Value, kind ir.OpKind) {
	b := ir.Builder{Loc: op.Loc}
	b.After(op)
	if scalar.Type.DType != r.Type.DType { // the body may compute in a wider type than that of the result
		scalar = b.Convert(scalar, ir.Tensor(r.Type.DType))
	}
	if r.Type.Rank() > 0 {
		scalar = b.BroadcastInDim(scalar, []int{}, r.Type)
	}
	all := b.OpWithTypes(kind, nil, []ir.Type{r.Type}, r, scalar).Result()
	all.Sharding, all.Origins = r.Sharding, r.Origins
	r.Sharding, r.Origins = nil, nil
	r.ReplaceUsesIf(all, func(u ir.Use) bool { return u.Op != all.Def() })
}

// applyOnce replaces a reduction over dimensions of size 1 by its body, applied to the initial
// values and the operands:
//
//	%1 = reduce(%0 init: %c) f across [0]    =>    %1 = f (broadcast %c), (reshape %0)
//
// It returns false, and does nothing, if a reduced dimension has another size, or if the body has
// other than element-wise ops.
func applyOnce(op *ir.Op) bool {
	if op.Kind != ir.OpReduce || !isOnScalars(op.Regions[0]) {
		return false
	}
	for _, d := range op.Reduce().Dimensions() {
		if op.Operands[0].Type.Dims[d] != 1 {
			return false
		}
	}
	b, by := ir.Builder{Loc: op.Loc}, ir.Cloner{}
	b.Before(op)
	region, dims, n := op.Regions[0], op.Results[0].Type.Dims, len(op.Results)
	for i, a := range region.Args { // the first half of the arguments are the initial values
		v := op.Operands[(n+i)%(2*n)]
		if v.Type.DType != a.Type.DType { // the body may compute in a wider type than that of the operands
			v = b.Convert(v, v.Type.WithDType(a.Type.DType))
		}
		if i < n {
			by[a] = b.BroadcastInDim(v, []int{}, a.Type.WithDims(dims))
		} else {
			by[a] = b.Reshape(v, a.Type.WithDims(dims))
		}
	}
	for inner := range region.Body() {
		r := inner.Result()
		if inner.Kind == ir.OpConstant {
			by[r] = b.Constant(&ir.Dense{Type: r.Type.WithDims(dims), Splat: true, Data: inner.Literal().Data})
			continue
		}
		by[r] = b.OpWithTypes(inner.Kind, inner.Attrs, []ir.Type{r.Type.WithDims(dims)}, by.Values(inner.Operands)...).Result()
	}
	for i, v := range region.Terminator().Operands {
		op.Results[i].ReplaceAllUsesWith(annotateAs(&b, by.Value(v), op.Results[i].Sharding))
	}
	op.Erase()
	return true
}

// isOnScalars reports whether all ops of a body are constants or element-wise with one result, and
// use only values that the body defines.
func isOnScalars(body *ir.Block) bool {
	for op := range body.Ops() {
		switch {
		case op.Info().Is(ir.Terminator), op.Kind == ir.OpConstant:
		case !op.Info().Is(ir.Elementwise) || len(op.Regions) > 0 || len(op.Results) != 1:
			return false
		}
		for _, v := range op.Operands {
			if v.Block() != body {
				return false
			}
		}
	}
	return true
}
