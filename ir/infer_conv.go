package ir

// This file holds the shape rule of convolution.

import (
	"fmt"
	"slices"
)

// inferConvolution follows the constraints of the StableHLO specification,
// convolution; the element type is that of lhs where nothing else is said.
func inferConvolution(op *Op) ([]Type, error) {
	lhs, rhs, d := op.Operands[0].Type, op.Operands[1].Type, op.Convolution().DimensionNumbers()
	for i := range op.Operands {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
	}
	if lhs.DType != rhs.DType {
		return nil, fmt.Errorf("lhs has type %s, rhs has type %s: want the same element type", lhs, rhs)
	}
	rank := lhs.Rank()
	if rhs.Rank() != rank || rank < 2 {
		return nil, fmt.Errorf("lhs has rank %d, rhs has rank %d: want the same rank, 2 or more", rank, rhs.Rank())
	}
	for _, role := range []struct {
		name    string
		a, b    int
		spatial []int
	}{
		{"input", d.InputBatch, d.InputFeature, d.InputSpatial},
		{"kernel", d.KernelInputFeature, d.KernelOutputFeature, d.KernelSpatial},
		{"output", d.OutputBatch, d.OutputFeature, d.OutputSpatial},
	} {
		all := append([]int{role.a, role.b}, role.spatial...)
		if err := checkDimList(role.name+" dimension numbers", all, rank); err != nil {
			return nil, err
		}
		if err := checkLen(role.name+" dimension numbers", len(all), rank, "dimension of the operands"); err != nil {
			return nil, err
		}
	}
	if err := checkConvGroups(op, d); err != nil {
		return nil, err
	}
	sizes := make([]int, len(d.KernelSpatial))
	for i, k := range d.KernelSpatial {
		sizes[i] = rhs.Dims[k]
	}
	if r := attrOf[Bools](op, "window_reversal"); len(r) != len(sizes) {
		return nil, checkLen("window_reversal", len(r), len(sizes), "window dimension")
	}
	dims := make([]int, rank)
	dims[d.OutputBatch] = lhs.Dims[d.InputBatch] / op.Int("batch_group_count")
	dims[d.OutputFeature] = rhs.Dims[d.KernelOutputFeature]
	if slices.Contains(sizes, 0) {
		return nil, fmt.Errorf("kernel %s has a spatial dimension of size 0, want at least 1", rhs)
	}
	window, err := windowOf(op, sizes, "window_strides", "lhs_dilation", "rhs_dilation", "padding")
	if err != nil {
		return nil, err
	}
	for i, w := range window {
		dims[d.OutputSpatial[i]] = w.count(lhs.Dims[d.InputSpatial[i]])
	}
	return []Type{lhs.WithDims(dims)}, nil
}

// checkConvGroups verifies that the features and the batch split into groups.
func checkConvGroups(op *Op, d *ConvDims) error {
	features, batches := op.Int("feature_group_count"), op.Int("batch_group_count")
	if features < 1 || batches < 1 || features > 1 && batches > 1 {
		return fmt.Errorf("feature_group_count is %d, batch_group_count is %d: want both at least 1 and one of them 1", features, batches)
	}
	lhs, rhs := op.Operands[0].Type.Dims, op.Operands[1].Type.Dims
	for _, c := range []struct {
		name        string
		size, count int
		by          string
	}{
		{"input batch", lhs[d.InputBatch], batches, "batch_group_count"},
		{"input feature", lhs[d.InputFeature], features, "feature_group_count"},
		{"kernel output feature", rhs[d.KernelOutputFeature], features, "feature_group_count"},
		{"kernel output feature", rhs[d.KernelOutputFeature], batches, "batch_group_count"},
	} {
		if c.size%c.count != 0 {
			return fmt.Errorf("%s dimension has size %d, want a multiple of %s %d", c.name, c.size, c.by, c.count)
		}
	}
	if got, want := rhs[d.KernelInputFeature], lhs[d.InputFeature]/features; got != want {
		return fmt.Errorf("kernel input feature dimension has size %d, want %d: input features %d / feature_group_count %d",
			got, want, lhs[d.InputFeature], features)
	}
	return nil
}
