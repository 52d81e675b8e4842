package ir

// This file holds the shape rules of ops that slide a window: reduce_window,
// select_and_scatter and, in infer_conv.go, convolution.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
)

// windowDim is how a window moves along one dimension.
type windowDim struct {
	size, stride, low, high, baseDilation, windowDilation int
}

// count returns how many times the window fits into a dimension.
func (w windowDim) count(size int) int {
	padded := w.low + dilated(size, w.baseDilation) + w.high
	window := dilated(w.size, w.windowDilation)
	if padded <= 0 || window > padded {
		return 0
	}
	return (padded-window)/w.stride + 1
}

// dilated returns the extent of n elements with factor-1 holes between them.
func dilated(n, factor int) int {
	if n == 0 {
		return 0
	}
	return (n-1)*factor + 1
}

func (w windowDim) check(dim int) error {
	for _, v := range []struct {
		name  string
		value int
	}{{"window size", w.size}, {"stride", w.stride}, {"base dilation", w.baseDilation}, {"window dilation", w.windowDilation}} {
		if v.value < 1 {
			return fmt.Errorf("%s of dimension %d is %d, want at least 1", v.name, dim, v.value)
		}
	}
	return nil
}

// windowOf reads a window: its sizes and the names of the attributes with its
// strides, dilations and padding; an empty name stands for all ones.
func windowOf(op *Op, sizes []int, strides, base, window, padding string) ([]windowDim, error) {
	rank := len(sizes)
	ints := func(name string) ([]int, error) {
		if name == "" {
			ones := make([]int, rank)
			for i := range ones {
				ones[i] = 1
			}
			return ones, nil
		}
		list := op.Ints(name)
		return list, checkLen(name, len(list), rank, "window dimension")
	}
	s, err := ints(strides)
	if err != nil {
		return nil, err
	}
	b, err := ints(base)
	if err != nil {
		return nil, err
	}
	w, err := ints(window)
	if err != nil {
		return nil, err
	}
	p := op.Matrix(padding)
	if err := checkLen(padding, len(p), rank, "window dimension"); err != nil {
		return nil, err
	}
	out := make([]windowDim, rank)
	for i := range out {
		if len(p[i]) != 2 {
			return nil, fmt.Errorf("%s has %d columns, want 2: low and high", padding, len(p[i]))
		}
		out[i] = windowDim{sizes[i], s[i], p[i][0], p[i][1], b[i], w[i]}
		if err := out[i].check(i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func inferReduceWindow(op *Op) ([]Type, error) {
	types, err := inputsAndInits(op)
	if err != nil {
		return nil, err
	}
	sizes := op.Ints("window_dimensions")
	if err := checkLen("window_dimensions", len(sizes), types[0].Rank(), "dimension of the operands"); err != nil {
		return nil, err
	}
	window, err := windowOf(op, sizes, "window_strides", "base_dilations", "window_dilations", "padding")
	if err != nil {
		return nil, err
	}
	elements, err := reductionTypes(op, 0, types)
	if err != nil {
		return nil, err
	}
	dims := make([]int, len(window))
	for i, w := range window {
		dims[i] = w.count(types[0].Dims[i])
	}
	out := make([]Type, len(types))
	for i := range out {
		out[i] = Tensor(elements[i], dims...)
	}
	return out, nil
}

// inferSelectAndScatter: (operand, source, init_value); source has the shape
// that reduce_window with the same window would make of operand.
func inferSelectAndScatter(op *Op) ([]Type, error) {
	t, source := op.Operands[0].Type, op.Operands[1].Type
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	if err := checkScalar(op, 2, t.DType); err != nil {
		return nil, fmt.Errorf("initial value: %w", err)
	}
	sizes := op.Ints("window_dimensions")
	if err := checkLen("window_dimensions", len(sizes), t.Rank(), "dimension of the operand"); err != nil {
		return nil, err
	}
	window, err := windowOf(op, sizes, "window_strides", "", "", "padding")
	if err != nil {
		return nil, err
	}
	want := t.WithDims(make([]int, t.Rank()))
	for i, w := range window {
		want.Dims[i] = w.count(t.Dims[i])
	}
	if !source.Equal(want) {
		return nil, fmt.Errorf("source has type %s, want %s: one element for each place of the window", source, want)
	}
	element := Tensor(t.DType)
	if err := checkArgs(op, 0, []Type{element, element}); err != nil {
		return nil, err
	}
	if err := checkReturns(op, 0, []Type{Tensor(dtypes.Bool)}); err != nil {
		return nil, err
	}
	elements, err := reductionTypes(op, 1, []Type{t})
	if err != nil {
		return nil, err
	}
	return []Type{t.WithDType(elements[0])}, nil
}
