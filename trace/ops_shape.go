package trace

// This file records operations that make, reshape and move data, including those with computed
// indices.

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
)

// Iota returns a tensor of the given shape whose elements are their index along iotaAxis, which may
// count from the back. An axis out of range, and a shape that cannot be recorded (typeOf), are
// errors.
func (f *function) Iota(shape shapes.Shape, iotaAxis int) (compute.Value, error) {
	e := f.begin("Iota")
	t := e.typeOf(shape)
	return e.result(e.iota(t, e.axis(iotaAxis, t.Rank())))
}

func (e *emitter) iota(t ir.Type, axis int) *ir.Value {
	return e.opWithType(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(axis)}}, t)
}

// BroadcastInDim records x broadcast to outputShape: axis i of x becomes the axis broadcastAxes[i]
// of the output. The element type stays that of x. Sizes must be equal, or 1 in x; the axes must
// increase, and there must be one for each axis of x. All else is an error.
func (f *function) BroadcastInDim(x compute.Value, outputShape shapes.Shape, broadcastAxes []int) (compute.Value, error) {
	e := f.begin("BroadcastInDim")
	v, t := e.value(x), e.typeOf(outputShape)
	if e.err != nil {
		return nil, e.err
	}
	if len(broadcastAxes) != v.Type.Rank() {
		e.failf("got %d broadcast axes for %s, want one for each of its %d axes", len(broadcastAxes), v.Type, v.Type.Rank())
		return nil, e.err
	}
	for i, axis := range broadcastAxes {
		switch {
		case axis < 0 || axis >= t.Rank():
			e.failf("broadcast axis %d is out of range for the output shape %s", axis, t)
		case i > 0 && axis <= broadcastAxes[i-1]:
			e.failf("broadcast axes %v do not increase: transpose first", broadcastAxes)
		case v.Type.Dims[i] != 1 && v.Type.Dims[i] != t.Dims[axis]:
			e.failf("cannot broadcast %s to %s: axis %d of size %d goes to axis %d of size %d: sizes must be equal, or 1",
				v.Type, t, i, v.Type.Dims[i], axis, t.Dims[axis])
		}
	}
	t.DType = v.Type.DType
	return e.result(e.opWithType(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ints(broadcastAxes)}}, t, v))
}

// Reshape records x with other dimensions; the elements keep their row-major order. Negative
// dimensions, and another number of elements, are errors.
func (f *function) Reshape(x compute.Value, dimensions ...int) (compute.Value, error) {
	e := f.begin("Reshape")
	v := e.value(x)
	for _, d := range dimensions {
		if d < 0 {
			e.failf("got dimensions %v: sizes must be known and not negative", dimensions)
		}
	}
	if e.err != nil {
		return nil, e.err
	}
	t := v.Type.WithDims(slices.Clone(dimensions))
	if t.Size() != v.Type.Size() {
		e.failf("cannot reshape %s to %v: %d elements do not make %d", v.Type, dimensions, v.Type.Size(), t.Size())
	}
	return e.result(e.reshape(v, t.Dims...))
}

func (e *emitter) reshape(v *ir.Value, dims ...int) *ir.Value {
	if e.err != nil || slices.Equal(v.Type.Dims, dims) {
		return v
	}
	return e.opWithType(ir.OpReshape, nil, v.Type.WithDims(dims), v)
}

// Transpose returns x with its axes in another order: axis permutation[i] of x is the axis i of the
// result. Anything but a permutation of all axes, counted from the front, is an error.
func (f *function) Transpose(x compute.Value, permutation ...int) (compute.Value, error) {
	e := f.begin("Transpose")
	return e.result(e.transpose(e.value(x), permutation...))
}

func (e *emitter) transpose(v *ir.Value, permutation ...int) *ir.Value {
	return e.op(ir.OpTranspose, ir.Attrs{{Name: "permutation", Value: ints(permutation)}}, v)
}

// Reverse returns x with the order of the elements along the axes reversed; without axes, x itself.
// Negative axes count from the back. An axis out of range, or given twice, is an error.
func (f *function) Reverse(x compute.Value, axes ...int) (compute.Value, error) {
	e := f.begin("Reverse")
	v := e.value(x)
	if e.err != nil || len(axes) == 0 {
		return e.result(v)
	}
	dims := ints(axes)
	for i, a := range axes {
		dims[i] = e.axis(a, v.Type.Rank())
	}
	return e.result(e.op(ir.OpReverse, ir.Attrs{{Name: "dimensions", Value: dims}}, v))
}

// Concatenate joins the operands along an axis, which may count from the back. It returns a single
// operand as it is. Errors are: no operands, different element types, an axis out of range, and
// different sizes of another axis.
func (f *function) Concatenate(axis int, operands ...compute.Value) (compute.Value, error) {
	e := f.begin("Concatenate")
	values := e.values(operands)
	if len(values) == 0 {
		e.failf("got no operands, want at least one")
	}
	if e.err != nil || len(values) == 1 {
		return e.result(first(values))
	}
	e.requireSameDType(values...)
	return e.result(e.concatenate(e.axis(axis, values[0].Type.Rank()), values...))
}

func (e *emitter) concatenate(axis int, values ...*ir.Value) *ir.Value {
	return e.op(ir.OpConcatenate, ir.Attrs{{Name: "dimension", Value: ir.Int(axis)}}, values...)
}

// Slice returns the elements from starts to before limits, one of each for every axis; strides are
// the steps, 1 if there are none. A limit of shapes.DynamicDim stands for the end of the axis.
// Lists of another length, limits outside of x or below their start, and strides below 1 are
// errors.
func (f *function) Slice(x compute.Value, starts, limits, strides []int) (compute.Value, error) {
	e := f.begin("Slice")
	v := e.value(x)
	if e.err != nil {
		return nil, e.err
	}
	rank := v.Type.Rank()
	if len(starts) != rank || len(limits) != rank || len(strides) != rank && len(strides) != 0 {
		e.failf("got %d starts, %d limits and %d strides for %s, want %d of each (or no strides)",
			len(starts), len(limits), len(strides), v.Type, rank)
		return nil, e.err
	}
	ends := ints(limits)
	for i, l := range ends {
		if l == shapes.DynamicDim {
			ends[i] = v.Type.Dims[i]
		}
	}
	return e.result(e.slice(v, starts, ends, orFill(strides, rank, 1)))
}

func (e *emitter) slice(v *ir.Value, starts, limits, strides []int) *ir.Value {
	return e.op(ir.OpSlice, ir.Attrs{
		{Name: "start_indices", Value: ints(starts)},
		{Name: "limit_indices", Value: ints(limits)},
		{Name: "strides", Value: ints(strides)},
	}, v)
}

// Pad returns x with fillValue added around and between its elements, on each axis as axesConfig
// says; it may be shorter than x has axes. Negative amounts at the edges remove elements. A scalar
// is returned as it is. Errors are: a fillValue of another element type or that is no scalar,
// paddings for more axes than x has, negative interior padding, and removing more elements than
// there are.
func (f *function) Pad(x, fillValue compute.Value, axesConfig ...compute.PadAxis) (compute.Value, error) {
	e := f.begin("Pad")
	v, fill := e.value(x), e.value(fillValue)
	e.requireSameDType(v, fill)
	if e.err != nil {
		return nil, e.err
	}
	rank := v.Type.Rank()
	if len(axesConfig) > rank {
		e.failf("got paddings for %d axes, but %s has %d", len(axesConfig), v.Type, rank)
		return nil, e.err
	}
	if rank == 0 {
		return v, nil
	}
	low, high, interior := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	for i, p := range axesConfig {
		low[i], high[i], interior[i] = p.Start, p.End, p.Interior
	}
	return e.result(e.op(ir.OpPad, ir.Attrs{
		{Name: "edge_padding_low", Value: low},
		{Name: "edge_padding_high", Value: high},
		{Name: "interior_padding", Value: interior},
	}, v, fill))
}

// Bitcast returns the bits of the operand as elements of another type. A smaller element type adds
// a last axis, a larger one removes the last axis, which must have as many elements as make one.
// Another last axis, and booleans, are errors.
func (f *function) Bitcast(operand compute.Value, targetDType dtypes.DType) (compute.Value, error) {
	e := f.begin("Bitcast")
	return e.result(e.bitcast(e.value(operand), targetDType))
}

func (e *emitter) bitcast(v *ir.Value, targetDType dtypes.DType) *ir.Value {
	if e.err != nil {
		return nil
	}
	from, to, dims := v.Type.DType.Bits(), targetDType.Bits(), slices.Clone(v.Type.Dims)
	switch {
	case from == 0 || to == 0 || v.Type.DType == dtypes.Bool || targetDType == dtypes.Bool:
		e.failf("cannot reinterpret %s as %s", v.Type, targetDType)
	case from > to:
		dims = append(dims, from/to)
	case from < to && (len(dims) == 0 || dims[len(dims)-1] != to/from):
		e.failf("cannot reinterpret %s as %s: its last axis must have size %d", v.Type, targetDType, to/from)
	case from < to:
		dims = dims[:len(dims)-1]
	}
	if (to < 8 || from < 8) && e.err == nil {
		v = e.barrier([]*ir.Value{v})[0] // XLA's constant folding of this op is wrong: openxla/xla#38964
	}
	return e.opWithType(ir.OpBitcastConvert, nil, ir.Tensor(targetDType, dims...), v)
}

func ints(s []int) ir.Ints { return append(make(ir.Ints, 0, len(s)), s...) }

// The operation that returns a shape as a value is for dynamic shapes only.

func (f *function) DynamicDimensionSize(compute.Value, int) (compute.Value, error) {
	return f.refuseDynamic("DynamicDimensionSize")
}

func (f *function) DynamicShape(compute.Value) (compute.Value, error) {
	return f.refuseDynamic("DynamicShape")
}

func (f *function) DynamicReshape(compute.Value, ...compute.DynamicDimensionSpec) (compute.Value, error) {
	return f.refuseDynamic("DynamicReshape")
}

func (f *function) refuseDynamic(name string) (compute.Value, error) {
	e := f.begin(name)
	e.failf("dynamic shapes are not supported: gospmd compiles for fixed shapes, so record once for each size")
	return nil, e.err
}

// Gather returns slices of the operand, which begin at startIndices: see StableHLO's gather, whose
// conditions must hold; otherwise it returns an error. Package compute has no batching axes.
func (f *function) Gather(operand, startIndices compute.Value, indexVectorAxis int,
	offsetOutputAxes, collapsedSliceAxes, startIndexMap, sliceSizes []int, indicesAreSorted bool) (compute.Value, error) {
	e := f.begin("Gather")
	v, indices := e.value(operand), e.value(startIndices)
	return e.result(e.gather(v, indices, &ir.GatherDims{
		OffsetDims:         ints(offsetOutputAxes),
		CollapsedSliceDims: ints(collapsedSliceAxes),
		StartIndexMap:      ints(startIndexMap),
		IndexVectorDim:     indexVectorAxis,
	}, ints(sliceSizes), indicesAreSorted))
}

// gather emits a gather of slices of x at indices, by the dimension numbers dims; sizes are those
// of a slice, and sorted says that the indices are.
func (e *emitter) gather(x, indices *ir.Value, dims *ir.GatherDims, sizes ir.Ints, sorted bool) *ir.Value {
	return e.op(ir.OpGather, ir.Attrs{
		{Name: "dimension_numbers", Value: dims},
		{Name: "slice_sizes", Value: sizes},
		{Name: "indices_are_sorted", Value: ir.Bool(sorted)},
	}, x, indices)
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

// scatter returns the operand with the updates combined into slices of it by combine; the slices
// begin at scatterIndices: see StableHLO's scatter, whose conditions must hold; otherwise it
// returns an error. name is the operation in errors.
func (f *function) scatter(name string, combine reducer, operand, scatterIndices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, indicesAreSorted, uniqueIndices bool) (compute.Value, error) {
	e := f.begin(name)
	v, indices, u := e.value(operand), e.value(scatterIndices), e.value(updates)
	e.requireSameDType(v, u)
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

// DynamicSlice returns a slice of the sizes sliceDims at computed indices, which are clamped to the
// operand. The indices are one integer scalar for each axis, or one vector. Another number of
// indices or sizes, and a size larger than the operand's, are errors.
func (f *function) DynamicSlice(operand compute.Value, startIndices []compute.Value, sliceDims []int) (compute.Value, error) {
	e := f.begin("DynamicSlice")
	v := e.value(operand)
	starts := e.startIndices(v, startIndices)
	return e.result(e.op(ir.OpDynamicSlice, ir.Attrs{{Name: "slice_sizes", Value: ints(sliceDims)}}, append([]*ir.Value{v}, starts...)...))
}

// DynamicUpdateSlice returns the operand with a slice replaced by update. The slice begins at
// startIndices, which have the form of DynamicSlice's. Another element type or rank of update, a
// larger size, and another number of indices are errors.
func (f *function) DynamicUpdateSlice(operand, update compute.Value, startIndices []compute.Value) (compute.Value, error) {
	e := f.begin("DynamicUpdateSlice")
	v, u := e.value(operand), e.value(update)
	e.requireSameDType(v, u)
	starts := e.startIndices(v, startIndices)
	return e.result(e.op(ir.OpDynamicUpdateSlice, nil, append([]*ir.Value{v, u}, starts...)...))
}

// startIndices returns the start indices of a slice of v, one scalar for each axis. given has such
// scalars, or one vector of them. Another number fails e.
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
