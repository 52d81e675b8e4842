package ir

// This file holds the shape rules of reduce, sort and top_k.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// inputsAndInits splits the operands of reduce and reduce_window, N inputs of
// one shape and then N scalars, and checks both.
func inputsAndInits(op *Op) ([]Type, error) {
	n := len(op.Operands) / 2
	if len(op.Operands) != 2*n {
		return nil, fmt.Errorf("has %d operands, want inputs and as many initial values", len(op.Operands))
	}
	types := typesOf(op.Operands[:n])
	for i, t := range types {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
		if !slices.Equal(t.Dims, types[0].Dims) {
			return nil, fmt.Errorf("operand %d has type %s, operand 0 has type %s: want the same dimensions", i, t, types[0])
		}
		if err := checkScalar(op, n+i, t.DType); err != nil {
			return nil, fmt.Errorf("initial value: %w", err)
		}
	}
	return types, nil
}

func inferReduce(op *Op) ([]Type, error) {
	types, err := inputsAndInits(op)
	if err != nil {
		return nil, err
	}
	dims := op.Ints("dimensions")
	if err := checkDimList("dimensions", dims, types[0].Rank()); err != nil {
		return nil, err
	}
	elements, err := reductionTypes(op, 0, types)
	if err != nil {
		return nil, err
	}
	kept := appendOthers(make([]int, 0, types[0].Rank()), types[0].Dims, dims, nil)
	out := make([]Type, len(types))
	for i := range out {
		out[i] = Tensor(elements[i], kept...)
	}
	return out, nil
}

// inferSort: the comparator takes the left and right element of each operand
// in turn.
func inferSort(op *Op) ([]Type, error) {
	types := typesOf(op.Operands)
	args := make([]Type, 0, 2*len(types))
	for i, t := range types {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
		if !slices.Equal(t.Dims, types[0].Dims) {
			return nil, fmt.Errorf("operand %d has type %s, operand 0 has type %s: want the same dimensions", i, t, types[0])
		}
		args = append(args, Tensor(t.DType), Tensor(t.DType))
	}
	if d, rank := op.Int("dimension"), types[0].Rank(); d < -rank || d >= rank {
		return nil, fmt.Errorf("dimension is %d, want %d to %d for rank %d", d, -rank, rank-1, rank)
	}
	if err := checkArgs(op, 0, args); err != nil {
		return nil, err
	}
	return types, checkReturns(op, 0, []Type{Tensor(dtypes.Bool)})
}

// inferTopK: the k largest along the last dimension, and where they are.
func inferTopK(op *Op) ([]Type, error) {
	t, k := op.Operands[0].Type, op.Int("k")
	if err := checkOperandClass(op, 0, integer|floating); err != nil {
		return nil, err
	}
	if t.Rank() == 0 {
		return nil, fmt.Errorf("operand has type %s, want rank 1 or more", t)
	}
	if last := t.Dims[t.Rank()-1]; k < 0 || k > last {
		return nil, fmt.Errorf("k is %d, want 0 to %d, the size of the last dimension of %s", k, last, t)
	}
	dims := slices.Clone(t.Dims)
	dims[len(dims)-1] = k
	return []Type{t.WithDims(dims), Tensor(dtypes.Int32, dims...)}, nil
}
