package sharding

// This file defines the rules of gather and scatter. See ir.Indexing for their dimensions.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// eachSliceDim visits the dimensions of the slices of a gather or scatter, in order. It calls batch
// with the arguments of EachBatch, and window with those of EachWindow.
func eachSliceDim(x *ir.Indexing, batch func(operand, index, slice int), window func(operand, slice int)) {
	visits := make([]func(), len(x.Slices))
	x.EachBatch(func(o, i, s int) { visits[s] = func() { batch(o, i, s) } })
	x.EachWindow(func(d, s int) { visits[s] = func() { window(d, s) } })
	for _, visit := range visits {
		visit()
	}
}

// gatherRule is the rule of gather: dimensions that windows cover in full, and batch dimensions,
// pass through. A dimension of the operand may be sharded if the gather reads single elements of
// it: each device reads its own elements, fills the others with zeros, and the results are reduced.
// If it reads larger parts of a dimension, nothing propagates along it.
func gatherRule(op *ir.Op, _ bool) *factor.Rule {
	g := op.Indexing()
	b := newRule(op)
	eachSliceDim(g, func(operand, index, slice int) {
		b.factor([]int{operand, index}, []int{slice}, g.Slices[slice], factor.PassThrough)
	}, func(d, slice int) {
		switch size := g.Operand[d]; {
		case g.Slices[slice] == size:
			b.factor([]int{d}, []int{slice}, size, factor.PassThrough)
		case g.Slices[slice] == 1:
			b.factor([]int{d}, nil, size, factor.Reduction)
			b.factor(nil, []int{slice}, 1, factor.NeedReplication)
		default:
			b.factor([]int{d}, []int{slice}, size, factor.NeedReplication).Blocked = true
		}
	})
	for _, d := range g.Dropped {
		kind := factor.Reduction
		if g.Operand[d] == 1 {
			kind = factor.NeedReplication
		}
		b.factor([]int{d}, nil, g.Operand[d], kind)
	}
	if g.VectorDim < len(g.Indices) {
		b.factor([]int{noDim, g.VectorDim}, nil, g.Indices[g.VectorDim], factor.NeedReplication)
	}
	return b.build()
}

// scatterRule is the rule of scatter. Dimensions of the operand pass through if windows cover them
// in full, if the updates do not have them, and if they are batching dimensions; others must be
// replicated. A batch dimension that the operand does not have may be sharded in the updates if the
// body is a reduction: then the results are partial.
func scatterRule(op *ir.Op, _ bool) *factor.Rule {
	g, n := op.Indexing(), len(op.Results)
	kind := factor.NeedReplication
	if isReductionBody(op.Regions[0]) {
		kind = factor.Reduction
	}
	b := newRule(op)
	operands := func(operand, index, slice int) []int {
		dims := slices.Repeat([]int{operand}, n)
		return append(append(dims, index), slices.Repeat([]int{slice}, n)...)
	}
	results := func(operand int) []int { return slices.Repeat([]int{operand}, n) }
	eachSliceDim(g, func(operand, index, slice int) {
		k := kind
		if operand != noDim {
			k = factor.PassThrough
		}
		b.factor(operands(operand, index, slice), results(operand), g.Slices[slice], k)
	}, func(d, slice int) {
		if size := g.Operand[d]; g.Slices[slice] == size {
			b.factor(operands(d, noDim, slice), results(d), size, factor.PassThrough)
			return
		}
		b.factor(operands(d, noDim, noDim), results(d), g.Operand[d], factor.NeedReplication)
		b.factor(operands(noDim, noDim, slice), nil, g.Slices[slice], factor.NeedReplication)
	})
	for _, d := range g.Dropped {
		b.factor(operands(d, noDim, noDim), results(d), g.Operand[d], factor.PassThrough)
	}
	if g.VectorDim < len(g.Indices) {
		b.factor(operands(noDim, g.VectorDim, noDim), nil, g.Indices[g.VectorDim], factor.NeedReplication)
	}
	return b.build()
}

// isReduction reports whether an all-reduce can combine partial results by op, which is in the body
// of a reduction: add, multiply, maximum, minimum, and for booleans and, or.
func isReduction(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpAdd, ir.OpMultiply, ir.OpMaximum, ir.OpMinimum:
		return true
	case ir.OpAnd, ir.OpOr: // for integers there is no such all-reduce
		return op.Results[0].Type.DType == dtypes.Bool
	}
	return false
}

// isReductionBody reports whether every value that the body returns is made by an isReduction op of
// the same kind, from two arguments of the body.
func isReductionBody(body *ir.Block) bool {
	kind := ir.OpUnregistered
	for _, v := range body.Terminator().Operands {
		op := v.Def()
		if op == nil || !isReduction(op) || kind != ir.OpUnregistered && op.Kind != kind {
			return false
		}
		for _, o := range op.Operands {
			if !o.IsArg() {
				return false
			}
		}
		kind = op.Kind
	}
	return kind != ir.OpUnregistered
}
