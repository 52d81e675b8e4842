package ir

// This file holds the shape rules of ops that make, reshape and move data, and of gather and
// scatter. Gather and scatter see their tensors in the same way: a tensor of indices, whose
// dimension index_vector_dim holds start positions, and at each position a window over the operand.

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

// checkBroadcastInDim verifies that dimension i of the operand becomes dimension
// broadcast_dimensions[i] of the result, and has the same size there or the size 1.
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

// checkSameElements returns an error unless the types in and out, of operand 0 and the result, are
// tensors with the same element type.
func checkSameElements(in, out Type) error {
	if err := checkClass("operand 0", in, anyElement); err != nil {
		return err
	}
	if in.DType != out.DType {
		return fmt.Errorf("result has type %s, want the element type of the operand, %s", out, DTypeText(in.DType))
	}
	return nil
}

// checkBitcastConvert verifies the result type: both types are complex or neither is. If the widths
// of the elements differ, the tensor of the narrower elements has one more dimension, the last one.
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
	narrow, wide := in, out // narrow has the narrower elements
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

// inferDynamicSlice is the shape rule of dynamic_slice, whose operands are the tensor and a start
// index for each of its dimensions, integer scalars of one type. The result has the dimensions
// slice_sizes. Another number of indices or sizes, and a size above that of the tensor, are errors.
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

// inferDynamicUpdateSlice is the shape rule of dynamic_update_slice, whose operands are the tensor,
// the update and a start index for each dimension, integer scalars of one type. The result has the
// type of the tensor. An update of another element type or rank, or of a larger size, is an error.
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

// indexing holds the attributes that gather and scatter have in common, under one set of names.
type indexing struct {
	operand, indices                []int // shapes
	dropped                         []int // collapsed_slice_dims of gather, inserted_window_dims of scatter
	operandBatching, indicesBatch   []int
	indexMap                        []int
	indexVectorDim                  int
	droppedName, batchName, mapName string
	indicesBatchName                string
}

// check verifies the dimension numbers of a gather or a scatter. It returns the sizes of the
// dimensions of the indices, except index_vector_dim.
func (x *indexing) check() ([]int, error) {
	rank, indexRank := len(x.operand), len(x.indices)
	if x.indexVectorDim < 0 || x.indexVectorDim > indexRank {
		return nil, fmt.Errorf("index_vector_dim is %d, want 0 to %d, the rank of the indices", x.indexVectorDim, indexRank)
	}
	length := 1
	if x.indexVectorDim < indexRank {
		length = x.indices[x.indexVectorDim]
	}
	if len(x.indexMap) != length {
		return nil, fmt.Errorf("%s has %d entries, want %d, the length of an index vector", x.mapName, len(x.indexMap), length)
	}
	if err := checkDimList(x.droppedName+" and "+x.batchName, slices.Concat(x.dropped, x.operandBatching), rank); err != nil {
		return nil, err
	}
	if err := checkDimList(x.mapName+" and "+x.batchName, slices.Concat(x.indexMap, x.operandBatching), rank); err != nil {
		return nil, err
	}
	if err := checkSorted(x.droppedName, x.dropped); err != nil {
		return nil, err
	}
	if err := checkSorted(x.batchName, x.operandBatching); err != nil {
		return nil, err
	}
	if err := checkDimList(x.indicesBatchName, x.indicesBatch, indexRank); err != nil {
		return nil, err
	}
	if slices.Contains(x.indicesBatch, x.indexVectorDim) {
		return nil, fmt.Errorf("%s %v holds index_vector_dim %d", x.indicesBatchName, x.indicesBatch, x.indexVectorDim)
	}
	if len(x.operandBatching) != len(x.indicesBatch) {
		return nil, fmt.Errorf("%s has %d entries, %s has %d: want pairs", x.batchName, len(x.operandBatching), x.indicesBatchName, len(x.indicesBatch))
	}
	for i, d := range x.operandBatching {
		if a, b := x.operand[d], x.indices[x.indicesBatch[i]]; a != b {
			return nil, fmt.Errorf("operand batching dim %d has size %d, indices batching dim %d has size %d: want the same size", d, a, x.indicesBatch[i], b)
		}
	}
	return appendOthers(nil, x.indices, []int{x.indexVectorDim}, nil), nil
}

// combine returns a shape that has the sizes of window at the given positions and those of batch at
// the others.
func combine(batch, window, positions []int) []int {
	out := make([]int, len(batch)+len(window))
	for i := range out {
		if k := slices.Index(positions, i); k >= 0 {
			out[i] = window[k]
		} else {
			out[i], batch = batch[0], batch[1:]
		}
	}
	return out
}

// inferGather returns the type of a gather's result. Operands are operand and start_indices; what
// StableHLO does not allow is an error.
func inferGather(op *Op) ([]Type, error) {
	t, indices, d, sizes := op.Operands[0].Type, op.Operands[1].Type, op.Gather().DimensionNumbers(), op.Ints("slice_sizes")
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return nil, err
	}
	if err := checkOperandClass(op, 1, integer); err != nil {
		return nil, err
	}
	x := indexing{t.Dims, indices.Dims, d.CollapsedSliceDims, d.OperandBatchingDims, d.IndicesBatchingDims, d.StartIndexMap, d.IndexVectorDim,
		"collapsed_slice_dims", "operand_batching_dims", "start_index_map", "start_indices_batching_dims"}
	batch, err := x.check()
	if err != nil {
		return nil, err
	}
	if err := checkLen("slice_sizes", len(sizes), t.Rank(), "dimension of the operand"); err != nil {
		return nil, err
	}
	for i, s := range sizes {
		if s < 0 || s > t.Dims[i] {
			return nil, fmt.Errorf("slice size of dimension %d is %d, want 0 to %d, the size of the operand", i, s, t.Dims[i])
		}
		if s > 1 && (slices.Contains(d.CollapsedSliceDims, i) || slices.Contains(d.OperandBatchingDims, i)) {
			return nil, fmt.Errorf("slice size of dimension %d is %d, want at most 1 for a collapsed or batching dimension", i, s)
		}
	}
	window := appendOthers(nil, sizes, d.CollapsedSliceDims, d.OperandBatchingDims)
	if err := checkLen("offset_dims", len(d.OffsetDims), len(window), "dimension of the slice that is kept"); err != nil {
		return nil, err
	}
	if err := checkDimList("offset_dims", d.OffsetDims, len(batch)+len(window)); err != nil {
		return nil, err
	}
	if err := checkSorted("offset_dims", d.OffsetDims); err != nil {
		return nil, err
	}
	return []Type{t.WithDims(combine(batch, window, d.OffsetDims))}, nil
}

// inferScatter is the shape rule of scatter, whose operands are N inputs, the indices and N
// updates. The results have the dimensions of the inputs, and the element types that the body
// returns. Inputs or updates of different shapes, dimension numbers that do not fit, and a body
// that does not suit the inputs are errors.
func inferScatter(op *Op) ([]Type, error) {
	n := len(op.Operands) / 2
	if len(op.Operands) != 2*n+1 {
		return nil, fmt.Errorf("has %d operands, want inputs, the indices, and as many updates as inputs", len(op.Operands))
	}
	inputs, indices, updates := TypesOf(op.Operands[:n]), op.Operands[n].Type, TypesOf(op.Operands[n+1:])
	for i := range inputs {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
		if !slices.Equal(inputs[i].Dims, inputs[0].Dims) {
			return nil, fmt.Errorf("input %d has type %s, input 0 has type %s: want the same dimensions", i, inputs[i], inputs[0])
		}
		if updates[i].DType != inputs[i].DType || !slices.Equal(updates[i].Dims, updates[0].Dims) {
			return nil, fmt.Errorf("update %d has type %s, want %s", i, updates[i], updates[0].WithDType(inputs[i].DType))
		}
	}
	if err := checkOperandClass(op, n, integer); err != nil {
		return nil, err
	}
	if err := checkScatterDims(op.Scatter().ScatterDimensionNumbers(), inputs[0], indices, updates[0]); err != nil {
		return nil, err
	}
	elements, err := reductionTypes(op, 0, inputs)
	if err != nil {
		return nil, err
	}
	out := make([]Type, n)
	for i := range out {
		out[i] = inputs[i].WithDType(elements[i])
	}
	return out, nil
}

func checkScatterDims(d *ScatterDims, input, indices, update Type) error {
	x := indexing{input.Dims, indices.Dims, d.InsertedWindowDims, d.InputBatchingDims, d.ScatterIndicesBatchDims, d.ScatterDimsToOperandDims, d.IndexVectorDim,
		"inserted_window_dims", "input_batching_dims", "scatter_dims_to_operand_dims", "scatter_indices_batching_dims"}
	batch, err := x.check()
	if err != nil {
		return err
	}
	bounds := appendOthers(nil, input.Dims, d.InsertedWindowDims, d.InputBatchingDims)
	if err := checkLen("update_window_dims", len(d.UpdateWindowDims), len(bounds), "dimension of the input that is kept"); err != nil {
		return err
	}
	if err := checkDimList("update_window_dims", d.UpdateWindowDims, update.Rank()); err != nil {
		return err
	}
	if err := checkSorted("update_window_dims", d.UpdateWindowDims); err != nil {
		return err
	}
	if got, want := appendOthers(nil, update.Dims, d.UpdateWindowDims, nil), batch; !slices.Equal(got, want) {
		return fmt.Errorf("update %s has scatter dimensions of sizes %v, want %v as the indices %s say", update, got, want, indices)
	}
	for i, w := range d.UpdateWindowDims {
		if update.Dims[w] > bounds[i] {
			return fmt.Errorf("update window dim %d has size %d, want at most %d, the size of the input", w, update.Dims[w], bounds[i])
		}
	}
	return nil
}
