package trace

// This file records operations that address elements by computed indices.

import (
	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
)

// Gather collects slices; see StableHLO's gather. compute has no batching
// axes.
func (f *function) Gather(operand, startIndices compute.Value, indexVectorAxis int,
	offsetOutputAxes, collapsedSliceAxes, startIndexMap, sliceSizes []int, indicesAreSorted bool) (compute.Value, error) {
	e := f.begin("Gather")
	v, indices := e.value(operand), e.value(startIndices)
	return e.result(e.op(ir.OpGather, ir.Attrs{
		{Name: "dimension_numbers", Value: &ir.GatherDims{
			OffsetDims:         ints(offsetOutputAxes),
			CollapsedSliceDims: ints(collapsedSliceAxes),
			StartIndexMap:      ints(startIndexMap),
			IndexVectorDim:     indexVectorAxis,
		}},
		{Name: "slice_sizes", Value: ints(sliceSizes)},
		{Name: "indices_are_sorted", Value: ir.Bool(indicesAreSorted)},
	}, v, indices))
}

func (f *function) ScatterSum(operand, scatterIndices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, indicesAreSorted, uniqueIndices bool) (compute.Value, error) {
	return f.scatter("ScatterSum", reduceSum, operand, scatterIndices, updates, indexVectorAxis,
		updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes, indicesAreSorted, uniqueIndices)
}

func (f *function) ScatterMax(operand, scatterIndices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, indicesAreSorted, uniqueIndices bool) (compute.Value, error) {
	return f.scatter("ScatterMax", reduceMax, operand, scatterIndices, updates, indexVectorAxis,
		updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes, indicesAreSorted, uniqueIndices)
}

func (f *function) ScatterMin(operand, scatterIndices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, indicesAreSorted, uniqueIndices bool) (compute.Value, error) {
	return f.scatter("ScatterMin", reduceMin, operand, scatterIndices, updates, indexVectorAxis,
		updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes, indicesAreSorted, uniqueIndices)
}

// scatter combines updates into the operand; see StableHLO's scatter.
func (f *function) scatter(name string, combine reducer, operand, scatterIndices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, indicesAreSorted, uniqueIndices bool) (compute.Value, error) {
	e := f.begin(name)
	v, indices, u := e.value(operand), e.value(scatterIndices), e.value(updates)
	e.sameDType(v, u)
	if e.err != nil {
		return nil, e.err
	}
	body := e.reduceBody(combine, v.Type.DType)
	return e.result(first(e.ops(ir.OpScatter, ir.Attrs{
		{Name: "scatter_dimension_numbers", Value: &ir.ScatterDims{
			UpdateWindowDims:         ints(updateWindowAxes),
			InsertedWindowDims:       ints(insertedWindowAxes),
			ScatterDimsToOperandDims: ints(scatterAxesToOperandAxes),
			IndexVectorDim:           indexVectorAxis,
		}},
		{Name: "indices_are_sorted", Value: ir.Bool(indicesAreSorted)},
		{Name: "unique_indices", Value: ir.Bool(uniqueIndices)},
	}, []*ir.Block{body}, v, indices, u)))
}

// DynamicSlice takes a slice of fixed size at computed indices: a scalar for
// each axis, or all in one vector.
func (f *function) DynamicSlice(operand compute.Value, startIndices []compute.Value, sliceDims []int) (compute.Value, error) {
	e := f.begin("DynamicSlice")
	v := e.value(operand)
	starts := e.startIndices(v, startIndices)
	return e.result(e.op(ir.OpDynamicSlice, ir.Attrs{{Name: "slice_sizes", Value: ints(sliceDims)}}, append([]*ir.Value{v}, starts...)...))
}

// DynamicUpdateSlice overwrites a slice at computed indices, given as for
// DynamicSlice.
func (f *function) DynamicUpdateSlice(operand, update compute.Value, startIndices []compute.Value) (compute.Value, error) {
	e := f.begin("DynamicUpdateSlice")
	v, u := e.value(operand), e.value(update)
	e.sameDType(v, u)
	starts := e.startIndices(v, startIndices)
	return e.result(e.op(ir.OpDynamicUpdateSlice, nil, append([]*ir.Value{v, u}, starts...)...))
}

// startIndices returns one scalar for each axis of v.
func (e *emitter) startIndices(v *ir.Value, given []compute.Value) []*ir.Value {
	starts := e.values(given)
	if e.err != nil {
		return nil
	}
	if len(starts) != 1 || starts[0].Type.Rank() != 1 {
		if len(starts) != v.Type.Rank() {
			e.failf("got %d start indices for %s, want %d: one for each axis", len(starts), v.Type, v.Type.Rank())
		}
		return starts
	}
	vector := starts[0]
	if vector.Type.Dims[0] != v.Type.Rank() {
		e.failf("got start indices %s for %s, want %d: one for each axis", vector.Type, v.Type, v.Type.Rank())
	}
	starts = nil
	for i := range v.Type.Rank() {
		starts = append(starts, e.reshape(e.slice(vector, []int{i}, []int{i + 1}, []int{1})))
	}
	return starts
}

// first returns the first value, or nil if there is none.
func first(values []*ir.Value) *ir.Value {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}
