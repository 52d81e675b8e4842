package ir

// This file checks regions against the op they belong to: their arguments,
// what they return, and the scalar bodies of reductions.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
)

// regionTypes returns the types that region i of op returns.
func regionTypes(op *Op, i int) ([]Type, error) {
	last := op.Regions[i].Terminator()
	want := terminatorOf(op)
	if last == nil || last.Kind != want {
		return nil, fmt.Errorf("region %d does not end in %s", i, want)
	}
	return typesOf(last.Operands), nil
}

// terminatorOf returns the kind that ends the regions of op.
func terminatorOf(op *Op) OpKind {
	if op.Kind == OpManualComputation || op.Kind == OpNamedComputation {
		return OpSdyReturn
	}
	return OpReturn
}

// checkArgs verifies the types of the arguments of region i.
func checkArgs(op *Op, i int, want []Type) error {
	args := op.Regions[i].Args
	if len(args) != len(want) {
		return fmt.Errorf("region %d has %d arguments, want %d of types %s", i, len(args), len(want), typesText(want))
	}
	for k, a := range args {
		if !a.Type.Equal(want[k]) {
			return fmt.Errorf("argument %d of region %d has type %s, want %s", k, i, a.Type, want[k])
		}
	}
	return nil
}

// checkReturns verifies the types that region i returns.
func checkReturns(op *Op, i int, want []Type) error {
	got, err := regionTypes(op, i)
	if err != nil {
		return err
	}
	if !sameTypes(got, want) {
		return fmt.Errorf("region %d returns %s, want %s", i, typesText(got), typesText(want))
	}
	return nil
}

// reductionTypes checks region i as the body of a reduction over values with
// the element types of inputs and returns the element types it computes in:
//
//	(a₀, …, aₙ, b₀, …, bₙ) -> (r₀, …, rₙ)    aᵢ, bᵢ and rᵢ scalars of one type
//
// That type is the input's, or a wider one of the same class.
func reductionTypes(op *Op, i int, inputs []Type) ([]dtypes.DType, error) {
	returned, err := regionTypes(op, i)
	if err != nil {
		return nil, err
	}
	n := len(inputs)
	if len(returned) != n {
		return nil, fmt.Errorf("body returns %s, want %d scalars", typesText(returned), n)
	}
	want, out := make([]Type, 2*n), make([]dtypes.DType, n)
	for k, t := range returned {
		in := inputs[k].DType
		if t.Rank() != 0 || classOf(t.DType) != classOf(in) || bitWidth(t.DType) < bitWidth(in) {
			return nil, fmt.Errorf("body returns %s as result %d, want %s, the element type of the operand", t, k, Tensor(in))
		}
		want[k], want[n+k], out[k] = t, t, t.DType
	}
	return out, checkArgs(op, i, want)
}
