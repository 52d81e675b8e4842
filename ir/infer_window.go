package ir

// This file holds the shape rules of reductions, sorting and top_k, and of the ops
// that slide a window: reduce_window, select_and_scatter and convolution.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// inputsAndInits checks the operands of reduce and reduce_window: inputs of the same dimensions,
// and then a scalar of the element type of each. It returns the types of the inputs. Other operands
// are an error.
func inputsAndInits(op *Op) ([]Type, error) {
	n := len(op.Operands) / 2
	if len(op.Operands) != 2*n {
		return nil, fmt.Errorf("has %d operands, want inputs and as many initial values", len(op.Operands))
	}
	types := TypesOf(op.Operands[:n])
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

// inferSort is the shape rule of sort: the results have the types of the operands, which must have
// the same dimensions. The comparator must take two elements of each operand, those of the first
// operand, then those of the second, and so on, and return a boolean. The dimension may count from
// the back. Anything else is an error.
func inferSort(op *Op) ([]Type, error) {
	types := TypesOf(op.Operands)
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

// inferTopK is the shape rule of top_k: the results are the k largest elements along the last
// dimension, and their indices as i32. A scalar, complex numbers, and a k that is negative or above
// the size of the dimension are errors.
func inferTopK(op *Op) ([]Type, error) {
	t, k := op.Operands[0].Type, op.Int("k")
	if err := checkOperandClass(op, 0, boolean|integer|floating); err != nil {
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

// windowDim says how a window moves along one dimension.
type windowDim struct {
	size, stride, low, high, baseDilation, windowDilation int
}

// count returns the number of positions that the window has in a dimension of the given size, with
// padding and dilations; 0 if the window does not fit.
func (w windowDim) count(size int) int {
	padded := w.low + dilatedSize(size, w.baseDilation) + w.high
	window := dilatedSize(w.size, w.windowDilation)
	if padded <= 0 || window > padded {
		return 0
	}
	return (padded-window)/w.stride + 1
}

// dilatedSize returns the size of n elements with factor-1 holes between each two neighbours; 0 for
// none.
func dilatedSize(n, factor int) int {
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

// windowOf returns the dimensions of a window of these sizes. strides, base, window and padding are
// the names of the attributes of op that hold its strides, base dilations, window dilations and
// padding. An empty name of strides or dilations means that all are 1; padding must have a name. It
// returns an error if a list has another length than sizes, if a row of the padding has not two
// numbers, or if windowDim.check refuses a figure.
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

// inferSelectAndScatter is the shape rule of select_and_scatter, whose operands are operand, source
// and init_value. The result has the dimensions of operand, and the element type that the scatter
// body returns. A source that has not the shape that reduce_window with the same window makes of
// operand is an error, and so is a region that does not suit the operands.
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

// inferConvolution is the shape rule of convolution. The element type that it returns is that of
// lhs; the op may have another one, which Check allows. What the constraints of the StableHLO
// specification rule out is an error.
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

// checkConvGroups verifies the group counts of a convolution: they are positive, one of them is 1,
// and they divide the dimensions that they split. The kernel must have as many input features as
// one group of the input.
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
