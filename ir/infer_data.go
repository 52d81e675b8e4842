package ir

// This file holds the shape rules of ops that make, shape and move data.

import (
	"fmt"
	"slices"
)

func inferConstant(op *Op) ([]Type, error) {
	d := op.Literal()
	if err := d.check(); err != nil {
		return nil, err
	}
	return []Type{d.Type}, nil
}

func checkIota(op *Op) error {
	t := op.Results[0].Type
	if err := checkClass("result", t, numeric); err != nil {
		return err
	}
	return checkDim("iota_dimension", op.Int("iota_dimension"), t.Rank())
}

// checkBroadcastInDim: dimension i of the operand becomes dimension
// broadcast_dimensions[i] of the result, of the same size unless it is 1.
func checkBroadcastInDim(op *Op) error {
	in, out, to := op.Operands[0].Type, op.Results[0].Type, op.Ints("broadcast_dimensions")
	if err := checkSameElements(in, out); err != nil {
		return err
	}
	if err := checkLen("broadcast_dimensions", len(to), in.Rank(), "dimension of the operand"); err != nil {
		return err
	}
	if err := checkDimList("broadcast_dimensions", to, out.Rank()); err != nil {
		return err
	}
	for i, d := range to {
		if in.Dims[i] != 1 && in.Dims[i] != out.Dims[d] {
			return fmt.Errorf("dimension %d of the operand %s has size %d, dimension %d of the result %s has size %d: want the same size, or 1 in the operand",
				i, in, in.Dims[i], d, out, out.Dims[d])
		}
	}
	return nil
}

func checkReshape(op *Op) error {
	in, out := op.Operands[0].Type, op.Results[0].Type
	if err := checkSameElements(in, out); err != nil {
		return err
	}
	if in.Size() != out.Size() {
		return fmt.Errorf("operand %s has %d elements, result %s has %d: want the same number", in, in.Size(), out, out.Size())
	}
	return nil
}

// checkSameElements verifies that both are tensors of one element type.
func checkSameElements(in, out Type) error {
	if err := checkClass("operand 0", in, anyElement); err != nil {
		return err
	}
	if in.DType != out.DType {
		return fmt.Errorf("result has type %s, want the element type of the operand, %s", out, DTypeText(in.DType))
	}
	return nil
}

// checkBitcastConvert: elements of another width add or take a last dimension.
func checkBitcastConvert(op *Op) error {
	in, out := op.Operands[0].Type, op.Results[0].Type
	if err := checkClass("operand 0", in, anyElement); err != nil {
		return err
	}
	if err := checkClass("result", out, anyElement); err != nil {
		return err
	}
	if in.DType.IsComplex() != out.DType.IsComplex() {
		return fmt.Errorf("operand has type %s, result has type %s: want both complex or neither", in, out)
	}
	narrow, wide := in, out // by the width of elements
	if bitWidth(in.DType) > bitWidth(out.DType) {
		narrow, wide = out, in
	}
	ratio := bitWidth(wide.DType) / bitWidth(narrow.DType)
	want := slices.Clone(wide.Dims)
	if ratio > 1 {
		want = append(want, ratio)
	}
	if !slices.Equal(narrow.Dims, want) {
		return fmt.Errorf("operand has type %s, result has type %s: want %s opposite %s", in, out, narrow.WithDims(want), wide)
	}
	return nil
}

func inferTranspose(op *Op) ([]Type, error) {
	t, perm := op.Operands[0].Type, op.Ints("permutation")
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	if err := checkLen("permutation", len(perm), t.Rank(), "dimension of the operand"); err != nil {
		return nil, err
	}
	if err := checkDimList("permutation", perm, t.Rank()); err != nil {
		return nil, err
	}
	dims := make([]int, len(perm))
	for i, p := range perm {
		dims[i] = t.Dims[p]
	}
	return []Type{t.WithDims(dims)}, nil
}

func inferSlice(op *Op) ([]Type, error) {
	t := op.Operands[0].Type
	starts, limits, strides := op.Ints("start_indices"), op.Ints("limit_indices"), op.Ints("strides")
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	for _, list := range []struct {
		name string
		ints []int
	}{{"start_indices", starts}, {"limit_indices", limits}, {"strides", strides}} {
		if err := checkLen(list.name, len(list.ints), t.Rank(), "dimension of the operand"); err != nil {
			return nil, err
		}
	}
	dims := make([]int, t.Rank())
	for i, size := range t.Dims {
		if starts[i] < 0 || starts[i] > limits[i] || limits[i] > size {
			return nil, fmt.Errorf("dimension %d of size %d is cut from %d to %d: want 0 <= start <= limit <= %d", i, size, starts[i], limits[i], size)
		}
		if strides[i] < 1 {
			return nil, fmt.Errorf("stride of dimension %d is %d, want at least 1", i, strides[i])
		}
		dims[i] = (limits[i] - starts[i] + strides[i] - 1) / strides[i]
	}
	return []Type{t.WithDims(dims)}, nil
}

func inferPad(op *Op) ([]Type, error) {
	t := op.Operands[0].Type
	low, high, interior := op.Ints("edge_padding_low"), op.Ints("edge_padding_high"), op.Ints("interior_padding")
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	if err := checkScalar(op, 1, t.DType); err != nil {
		return nil, err
	}
	for _, list := range []struct {
		name string
		ints []int
	}{{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}} {
		if err := checkLen(list.name, len(list.ints), t.Rank(), "dimension of the operand"); err != nil {
			return nil, err
		}
	}
	dims := make([]int, t.Rank())
	for i, size := range t.Dims {
		if interior[i] < 0 {
			return nil, fmt.Errorf("interior padding of dimension %d is %d, want at least 0", i, interior[i])
		}
		dims[i] = low[i] + size + max(size-1, 0)*interior[i] + high[i]
		if dims[i] < 0 {
			return nil, fmt.Errorf("padding cuts %d elements from dimension %d, which has only %d", size-dims[i], i, size)
		}
	}
	return []Type{t.WithDims(dims)}, nil
}

func inferConcatenate(op *Op) ([]Type, error) {
	t, dim := op.Operands[0].Type, op.Int("dimension")
	if err := checkDim("dimension", dim, t.Rank()); err != nil {
		return nil, err
	}
	dims := slices.Clone(t.Dims)
	dims[dim] = 0
	for i, v := range op.Operands {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
		o := v.Type
		if o.DType != t.DType || o.Rank() != t.Rank() {
			return nil, fmt.Errorf("operand %d has type %s, operand 0 has type %s: want the same element type and rank", i, o, t)
		}
		for d := range dims {
			if d != dim && o.Dims[d] != t.Dims[d] {
				return nil, fmt.Errorf("operand %d has size %d in dimension %d, operand 0 has size %d: only dimension %d may differ", i, o.Dims[d], d, t.Dims[d], dim)
			}
		}
		dims[dim] += o.Dims[dim]
	}
	return []Type{t.WithDims(dims)}, nil
}

func inferReverse(op *Op) ([]Type, error) {
	t := op.Operands[0].Type
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	if err := checkDimList("dimensions", op.Ints("dimensions"), t.Rank()); err != nil {
		return nil, err
	}
	return []Type{t}, nil
}

// inferDynamicSlice: (operand, one start index for each dimension).
func inferDynamicSlice(op *Op) ([]Type, error) {
	t, sizes := op.Operands[0].Type, op.Ints("slice_sizes")
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	if err := checkIndices(op, 1, t.Rank()); err != nil {
		return nil, err
	}
	if err := checkLen("slice_sizes", len(sizes), t.Rank(), "dimension of the operand"); err != nil {
		return nil, err
	}
	for i, s := range sizes {
		if s < 0 || s > t.Dims[i] {
			return nil, fmt.Errorf("slice size of dimension %d is %d, want 0 to %d, the size of the operand", i, s, t.Dims[i])
		}
	}
	return []Type{t.WithDims(sizes)}, nil
}

// inferDynamicUpdateSlice: (operand, update, one start index for each
// dimension).
func inferDynamicUpdateSlice(op *Op) ([]Type, error) {
	t, u := op.Operands[0].Type, op.Operands[1].Type
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	if u.DType != t.DType || u.Rank() != t.Rank() {
		return nil, fmt.Errorf("update has type %s, want the element type and rank of the operand, %s", u, t)
	}
	for i, s := range u.Dims {
		if s > t.Dims[i] {
			return nil, fmt.Errorf("update has size %d in dimension %d, want at most %d, the size of the operand", s, i, t.Dims[i])
		}
	}
	if err := checkIndices(op, 2, t.Rank()); err != nil {
		return nil, err
	}
	return []Type{t}, nil
}
