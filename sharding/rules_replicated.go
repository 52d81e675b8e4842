package sharding

// This file defines the rules of ops that work along some dimensions and need
// these replicated: matrix decompositions, solvers, the fast Fourier transform,
// sort and top_k. All other dimensions pass through.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// replicatedTailRule returns an unfinished rule with a factor for each dimension of op's tensors.
// The last n dimensions must be replicated; the others pass through.
func replicatedTailRule(op *ir.Op, n int) *ruleBuilder {
	dims := op.Operands[0].Type.Dims
	return newRule(op).addPointwise(dims, func(d int) factor.Kind {
		if d >= len(dims)-n {
			return factor.NeedReplication
		}
		return factor.PassThrough
	})
}

// choleskyRule is the rule of cholesky: batch dimensions pass through, and the two dimensions of
// the matrices must be replicated.
func choleskyRule(op *ir.Op, _ bool) *factor.Rule { return replicatedTailRule(op, 2).build() }

// fftRule is the rule of fft: the transformed dimensions must be replicated. If the transform is
// between real and complex numbers, the last dimension changes its size, and nothing propagates
// along it.
func fftRule(op *ir.Op, _ bool) *factor.Rule {
	b := replicatedTailRule(op, len(op.Ints("fft_length")))
	in, out := op.Operands[0].Type.Dims, op.Results[0].Type.Dims
	if last := len(in) - 1; in[last] != out[last] {
		b.rule.Factors[len(b.rule.Factors)-1].Blocked = true
	}
	return b.build()
}

// triangularSolveRule is the rule of triangular_solve, which solves op(a)·x = b or x·op(a) = b. The
// factors are the batch, the rows and the columns of b, and the unknowns: x has these in place of
// the rows or columns of b. Only the batch passes through; the others must be replicated.
func triangularSolveRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	dims := op.Operands[1].Type.Dims
	rank := len(dims)
	row, col := rank-2, rank-1
	for d := range row {
		b.addToAll(d, dims[d], factor.PassThrough)
	}
	left := op.Bool("left_side")
	plain := op.Enum("transpose_a") == "NO_TRANSPOSE"
	// the dimension of a that is contracted with b's, and the other one, which x has
	contracted, kept := row, col
	if left != plain {
		contracted, kept = col, row
	}
	if left {
		b.factor([]int{contracted, row}, []int{noDim}, dims[row], factor.NeedReplication)
		b.factor([]int{noDim, col}, []int{col}, dims[col], factor.NeedReplication)
		b.factor([]int{kept, noDim}, []int{row}, dims[row], factor.NeedReplication)
	} else {
		b.factor([]int{noDim, row}, []int{row}, dims[row], factor.NeedReplication)
		b.factor([]int{contracted, col}, []int{noDim}, dims[col], factor.NeedReplication)
		b.factor([]int{kept, noDim}, []int{col}, dims[col], factor.NeedReplication)
	}
	return b.build()
}

// sortRule is the rule of sort: the sorted dimension must be replicated, and the others pass
// through. If all others have size 1, nothing propagates along the sorted one.
func sortRule(op *ir.Op, _ bool) *factor.Rule {
	dims := op.Operands[0].Type.Dims
	sorted := len(dims) - 1
	if op.Has("dimension") {
		sorted = (op.Int("dimension") + len(dims)) % max(1, len(dims))
	}
	return replicatedDimRule(op, dims, sorted, !hasOtherDim(dims, sorted))
}

// topKRule is the rule of top_k: the last dimension must be replicated, and nothing propagates
// along it. The others pass through.
func topKRule(op *ir.Op, _ bool) *factor.Rule {
	dims := op.Operands[0].Type.Dims
	return replicatedDimRule(op, dims, len(dims)-1, true)
}

// replicatedDimRule returns the rule in which all dimensions, of the sizes dims in every tensor,
// pass through except the one with the number replicated, which must be replicated. If blocked is
// true, nothing propagates along that one.
func replicatedDimRule(op *ir.Op, dims []int, replicated int, blocked bool) *factor.Rule {
	b := newRule(op).addPointwise(dims, func(d int) factor.Kind {
		if d == replicated {
			return factor.NeedReplication
		}
		return factor.PassThrough
	})
	if blocked && replicated < len(dims) {
		b.rule.Factors[replicated].Blocked = true
	}
	return b.build()
}

// hasOtherDim reports whether a dimension other than d has a size other than 1, as Shardy asks.
func hasOtherDim(dims []int, d int) bool {
	for i, size := range dims {
		if i != d && size != 1 {
			return true
		}
	}
	return false
}
