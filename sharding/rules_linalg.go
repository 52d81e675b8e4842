package sharding

// This file defines the rules of matrix decompositions, solvers and the fast
// Fourier transform. All let the batch dimensions pass and want the others
// whole.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// lastWhole adds a factor for each dimension of op's tensors, of which the last
// n must be whole.
func lastWhole(op *ir.Op, n int) *ruleBuilder {
	dims := op.Operands[0].Type.Dims
	return newRule(op).pointwise(dims, func(d int) factor.Kind {
		if d >= len(dims)-n {
			return factor.NeedReplication
		}
		return factor.PassThrough
	})
}

// choleskyRule wants the matrices whole.
func choleskyRule(op *ir.Op, _ bool) *factor.Rule { return lastWhole(op, 2).build() }

// fftRule wants the transformed dimensions whole. A transform between real and
// complex numbers changes the last one's size: nothing passes there.
func fftRule(op *ir.Op, _ bool) *factor.Rule {
	b := lastWhole(op, len(op.Ints("fft_length")))
	in, out := op.Operands[0].Type.Dims, op.Results[0].Type.Dims
	if last := len(in) - 1; in[last] != out[last] {
		b.rule.Factors[len(b.rule.Factors)-1].Blocked = true
	}
	return b.build()
}

// triangularSolveRule: op(a)·x = b or x·op(a) = b. The factors are the batch,
// the rows and columns of b, and the unknowns that x has in place of one of
// them.
func triangularSolveRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	dims := op.Operands[1].Type.Dims
	rank := len(dims)
	row, col := rank-2, rank-1
	for d := range row {
		b.everywhere(d, dims[d], factor.PassThrough)
	}
	left := op.Bool("left_side")
	plain := op.Enum("transpose_a") == "NO_TRANSPOSE"
	// a's dimension that is summed with b's, and the one that x keeps.
	summed, kept := row, col
	if left != plain {
		summed, kept = col, row
	}
	if left {
		b.factor([]int{summed, row}, []int{noDim}, dims[row], factor.NeedReplication)
		b.factor([]int{noDim, col}, []int{col}, dims[col], factor.NeedReplication)
		b.factor([]int{kept, noDim}, []int{row}, dims[row], factor.NeedReplication)
	} else {
		b.factor([]int{noDim, row}, []int{row}, dims[row], factor.NeedReplication)
		b.factor([]int{summed, col}, []int{noDim}, dims[col], factor.NeedReplication)
		b.factor([]int{kept, noDim}, []int{col}, dims[col], factor.NeedReplication)
	}
	return b.build()
}
