package ir

// This file holds the shape rules of gather and scatter. Both read the same
// picture: an indices tensor whose index_vector_dim holds start positions, and
// a window of operand dimensions at each of them.

import (
	"fmt"
	"slices"
)

// indexing is what gather and scatter have in common, under one set of names.
type indexing struct {
	operand, indices                []int // sizes
	dropped                         []int // collapsed_slice_dims, inserted_window_dims
	operandBatching, indicesBatch   []int
	indexMap                        []int
	indexVectorDim                  int
	droppedName, batchName, mapName string
	indicesBatchName                string
}

// check verifies the dimension numbers and returns the sizes of the dimensions
// that the indices span, index_vector_dim left out.
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

// combine puts window at the given positions and batch at the others.
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

// inferGather: (operand, start_indices).
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

// inferScatter: (N inputs, scatter_indices, N updates).
func inferScatter(op *Op) ([]Type, error) {
	n := len(op.Operands) / 2
	if len(op.Operands) != 2*n+1 {
		return nil, fmt.Errorf("has %d operands, want inputs, the indices, and as many updates as inputs", len(op.Operands))
	}
	inputs, indices, updates := typesOf(op.Operands[:n]), op.Operands[n].Type, typesOf(op.Operands[n+1:])
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
