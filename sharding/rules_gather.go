package sharding

// This file defines the rules of gather and scatter.
//
// Both relate three tensors: the operand, the indices, and the slices, which
// are a gather's result or a scatter's updates. The slices have the batch
// dimensions of the indices and the window dimensions of the operand.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// gatherScatter is what the dimension numbers of both ops have in common.
type gatherScatter struct {
	operand, indices, slices []int // shapes
	indexVectorDim           int
	window                   []int // the slices' window dimensions
	dropped                  []int // the operand's dimensions that the slices lack
	operandBatch             []int // explicit batching dimensions …
	indicesBatch             []int // … and their counterparts
}

// batchDims calls visit for each batch dimension of the slices, with its
// counterpart in the indices and, for an explicit batching dimension, in the
// operand (else noDim).
func (g *gatherScatter) batchDims(visit func(operand, index, slice int)) {
	index := 0
	for s := range g.slices {
		if slices.Contains(g.window, s) {
			continue
		}
		if index == g.indexVectorDim {
			index++
		}
		operand := noDim
		if i := slices.Index(g.indicesBatch, index); i >= 0 {
			operand = g.operandBatch[i]
		}
		visit(operand, index, s)
		index++
	}
}

// windowDims calls visit for each dimension of the operand that is a window
// dimension of the slices.
func (g *gatherScatter) windowDims(visit func(operand, slice int)) {
	i := 0
	for d := range g.operand {
		if slices.Contains(g.dropped, d) || slices.Contains(g.operandBatch, d) {
			continue
		}
		visit(d, g.window[i])
		i++
	}
}

// gatherRule: windows that span a dimension, and batches, pass through. An
// operand's dimension of which single elements are picked may be split: each
// device looks up what it has, the rest is zero, and the parts are summed.
func gatherRule(op *ir.Op, _ bool) *Rule {
	dn := op.Gather()
	g := &gatherScatter{
		operand: op.Operands[0].Type.Dims, indices: op.Operands[1].Type.Dims, slices: op.Results[0].Type.Dims,
		indexVectorDim: dn.IndexVectorDim, window: dn.OffsetDims, dropped: dn.CollapsedSliceDims,
		operandBatch: dn.OperandBatchingDims, indicesBatch: dn.IndicesBatchingDims,
	}
	b := newRule(op)
	g.batchDims(func(operand, index, slice int) {
		b.factor([]int{operand, index}, []int{slice}, g.slices[slice], PassThrough)
	})
	g.windowDims(func(d, slice int) {
		switch size := g.operand[d]; {
		case g.slices[slice] == size:
			b.factor([]int{d}, []int{slice}, size, PassThrough)
		case g.slices[slice] == 1:
			b.factor([]int{d}, nil, size, Reduction)
			b.factor(nil, []int{slice}, 1, NeedReplication)
		default:
			b.factor([]int{d}, []int{slice}, size, NeedReplication).Blocked = true
		}
	})
	for _, d := range g.dropped {
		kind := Reduction
		if g.operand[d] == 1 {
			kind = NeedReplication
		}
		b.factor([]int{d}, nil, g.operand[d], kind)
	}
	if g.indexVectorDim < len(g.indices) {
		b.factor([]int{noDim, g.indexVectorDim}, nil, g.indices[g.indexVectorDim], NeedReplication)
	}
	return b.build()
}

// scatterRule: as gatherRule in the other direction. Updates may be split over
// their batch when the op's body is one whose parts a reduction can join.
func scatterRule(op *ir.Op, _ bool) *Rule {
	dn := op.Scatter()
	n := len(op.Results)
	g := &gatherScatter{
		operand: op.Operands[0].Type.Dims, indices: op.Operands[n].Type.Dims, slices: op.Operands[n+1].Type.Dims,
		indexVectorDim: dn.IndexVectorDim, window: dn.UpdateWindowDims, dropped: dn.InsertedWindowDims,
		operandBatch: dn.InputBatchingDims, indicesBatch: dn.ScatterIndicesBatchDims,
	}
	kind := NeedReplication
	if isReductionBody(op.Regions[0]) {
		kind = Reduction
	}
	b := newRule(op)
	operands := func(operand, index, slice int) []int {
		dims := slices.Repeat([]int{operand}, n)
		return append(append(dims, index), slices.Repeat([]int{slice}, n)...)
	}
	results := func(operand int) []int { return slices.Repeat([]int{operand}, n) }
	g.batchDims(func(operand, index, slice int) {
		k := kind
		if operand != noDim {
			k = PassThrough
		}
		b.factor(operands(operand, index, slice), results(operand), g.slices[slice], k)
	})
	g.windowDims(func(d, slice int) {
		if size := g.operand[d]; g.slices[slice] == size {
			b.factor(operands(d, noDim, slice), results(d), size, PassThrough)
			return
		}
		b.factor(operands(d, noDim, noDim), results(d), g.operand[d], NeedReplication)
		b.factor(operands(noDim, noDim, slice), nil, g.slices[slice], NeedReplication)
	})
	for _, d := range g.dropped {
		b.factor(operands(d, noDim, noDim), results(d), g.operand[d], PassThrough)
	}
	if g.indexVectorDim < len(g.indices) {
		b.factor(operands(noDim, g.indexVectorDim, noDim), nil, g.indices[g.indexVectorDim], NeedReplication)
	}
	return b.build()
}

// isJoinable reports whether op joins partial results of a reduction.
func isJoinable(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpAdd, ir.OpMultiply, ir.OpMaximum, ir.OpMinimum:
		return true
	case ir.OpAnd, ir.OpOr: // on bits of integers there is no collective
		return op.Results[0].Type.DType == dtypes.Bool
	}
	return false
}

// isReductionBody reports whether every value that the block returns is the
// same joinable op, applied to two arguments of the block.
func isReductionBody(body *ir.Block) bool {
	kind := ir.OpUnregistered
	for _, v := range body.Terminator().Operands {
		op := v.Def()
		if op == nil || !isJoinable(op) || kind != ir.OpUnregistered && op.Kind != kind {
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
