package interp

// This file implements the ops whose indices are operands: dynamic slices, dynamic updates, gather
// and scatter. A start index out of bounds is clamped, except that scatter drops a window that is
// not within the bounds.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

// ints returns the elements of an integer tensor. Numbers greater than the largest int become that
// one.
func ints(t *Tensor) []int {
	wide := widen(t)
	out := make([]int, wide.Type.Size())
	if wide.Type.DType == dtypes.Uint64 {
		for i, v := range view[uint64](wide) {
			out[i] = int(min(v, 1<<63-1))
		}
		return out
	}
	as64 := wide
	if wide.Type.DType != dtypes.Int64 {
		as64 = New(wide.Type.WithDType(dtypes.Int64))
		conversions[conversion{wide.Type.DType, dtypes.Int64}](wide, as64)
	}
	for i, v := range view[int64](as64) {
		out[i] = int(v)
	}
	return out
}

// clampedStarts returns the scalars as start indices, clamped so that the box is within dims.
func clampedStarts(scalars []*Tensor, dims, box []int) []int {
	out := make([]int, len(dims))
	for i, t := range scalars {
		out[i] = max(0, min(ints(t)[0], dims[i]-box[i]))
	}
	return out
}

func runDynamicSlice(c *call) error {
	x, out, elem := c.in[0], c.newRaw(0), c.in[0].elem()
	from := rowmajor.Strides(x.Type.Dims, elem)
	at := rowmajor.Offset(clampedStarts(c.in[1:], x.Type.Dims, out.Type.Dims), from)
	rowmajor.CopyStrided(out.Data, 0, rowmajor.Strides(out.Type.Dims, elem), x.Data, at, from, out.Type.Dims, elem)
	return nil
}

func runDynamicUpdateSlice(c *call) error {
	x, update, elem := c.in[0], c.in[1], c.in[0].elem()
	out := c.newRaw(0)
	copy(out.Data, x.Data)
	to := rowmajor.Strides(x.Type.Dims, elem)
	at := rowmajor.Offset(clampedStarts(c.in[2:], x.Type.Dims, update.Type.Dims), to)
	rowmajor.CopyStrided(out.Data, at, to, update.Data, 0, rowmajor.Strides(update.Type.Dims, elem), update.Type.Dims, elem)
	return nil
}

// indexing holds the attributes and operands that gather and scatter share, with one set of names.
// Each index vector is the start of a window of the operand.
type indexing struct {
	operand, result         []int // sizes of dimensions; result is gather's result or scatter's update
	windowDims              []int // dimensions of the result that run over the window
	dropped                 []int // dimensions of the operand that windowDims leave out
	operandBatch, indexDims []int // pairs of dimensions of operand and indices
	indexMap                []int
	vectorDim               int
	indices                 []int // elements
	indicesShape            []int
	window                  []int // sizes for each dimension of the operand
}

// each calls visit for every index vector. start is the first element of the vector's window in the
// operand, not clamped, and place the window's first element in the result. Both are the same
// slices in every call, and visit may change them.
func (x *indexing) each(visit func(start, place []int)) {
	vectorLen := 1
	batchDims := slices.Clone(x.indicesShape)
	if x.vectorDim < len(batchDims) {
		vectorLen = batchDims[x.vectorDim]
		batchDims = slices.Delete(batchDims, x.vectorDim, x.vectorDim+1)
	}
	indexStrides := rowmajor.Strides(x.indicesShape, 1)
	vectorStride := 1
	if x.vectorDim < len(x.indicesShape) {
		vectorStride = indexStrides[x.vectorDim]
		indexStrides = slices.Delete(indexStrides, x.vectorDim, x.vectorDim+1)
	}
	var batchPlaces []int // the dimensions of the result that run over the vectors
	for d := range x.result {
		if !slices.Contains(x.windowDims, d) {
			batchPlaces = append(batchPlaces, d)
		}
	}
	start, place := make([]int, len(x.operand)), make([]int, len(x.result))
	rowmajor.Each(batchDims, func(batch []int) {
		clear(start)
		clear(place)
		at := rowmajor.Offset(batch, indexStrides)
		for k := range vectorLen {
			start[x.indexMap[k]] = x.indices[at+k*vectorStride]
		}
		for i, d := range x.operandBatch {
			b := x.indexDims[i]
			if b > x.vectorDim {
				b-- // batch does not contain the vector's dimension
			}
			start[d] = batch[b]
		}
		for i, d := range batchPlaces {
			place[d] = batch[i]
		}
		visit(start, place)
	})
}

// windowStrides returns, for each dimension of the window that the result has too, its stride in
// the operand, its stride in the result, and its size. elem is the stride of adjacent elements.
func (x *indexing) windowStrides(elem int) (operand, result, box []int) {
	own, other := rowmajor.Strides(x.operand, elem), rowmajor.Strides(x.result, elem)
	k := 0
	for d, size := range x.window {
		if slices.Contains(x.dropped, d) || slices.Contains(x.operandBatch, d) {
			continue
		}
		operand, result, box = append(operand, own[d]), append(result, other[x.windowDims[k]]), append(box, size)
		k++
	}
	return operand, result, box
}

func runGather(c *call) error {
	x, out, d := c.in[0], c.newRaw(0), c.op.Gather().DimensionNumbers()
	g := &indexing{
		operand: x.Type.Dims, result: out.Type.Dims, windowDims: d.OffsetDims, dropped: d.CollapsedSliceDims,
		operandBatch: d.OperandBatchingDims, indexDims: d.IndicesBatchingDims, indexMap: d.StartIndexMap, vectorDim: d.IndexVectorDim,
		indices: ints(c.in[1]), indicesShape: c.in[1].Type.Dims, window: c.op.Gather().SliceSizes(),
	}
	if len(out.Data) == 0 {
		return nil
	}
	elem := x.elem()
	from, to, box := g.windowStrides(elem)
	operand, result := rowmajor.Strides(x.Type.Dims, elem), rowmajor.Strides(out.Type.Dims, elem)
	g.each(func(start, place []int) {
		for i := range start {
			start[i] = max(0, min(start[i], g.operand[i]-g.window[i]))
		}
		rowmajor.CopyStrided(out.Data, rowmajor.Offset(place, result), to, x.Data, rowmajor.Offset(start, operand), from, box, elem)
	})
	return nil
}

// runScatter combines updates with the inputs in the order of the indices. A
// window that is partly out of bounds is dropped.
func runScatter(c *call) error {
	n := len(c.out)
	d := c.op.Scatter().ScatterDimensionNumbers()
	inputs, updates := c.in[:n], c.in[n+1:]
	window := make([]int, inputs[0].Type.Rank())
	k := 0
	for i := range window {
		window[i] = 1
		if !slices.Contains(d.InsertedWindowDims, i) && !slices.Contains(d.InputBatchingDims, i) {
			window[i] = updates[0].Type.Dims[d.UpdateWindowDims[k]]
			k++
		}
	}
	s := &indexing{
		operand: inputs[0].Type.Dims, result: updates[0].Type.Dims, windowDims: d.UpdateWindowDims, dropped: d.InsertedWindowDims,
		operandBatch: d.InputBatchingDims, indexDims: d.ScatterIndicesBatchDims, indexMap: d.ScatterDimsToOperandDims, vectorDim: d.IndexVectorDim,
		indices: ints(c.in[n]), indicesShape: c.in[n].Type.Dims, window: window,
	}
	combine, finish, err := c.scatterCombiner(inputs, updates)
	if err != nil {
		return err
	}
	to, from, box := s.windowStrides(1)
	operand, result := rowmajor.Strides(s.operand, 1), rowmajor.Strides(s.result, 1)
	var failed error
	s.each(func(start, place []int) {
		for i := range start {
			if start[i] < 0 || start[i] > s.operand[i]-s.window[i] {
				return
			}
		}
		dst, src := rowmajor.Offset(start, operand), rowmajor.Offset(place, result)
		rowmajor.Each(box, func(index []int) {
			if failed == nil {
				failed = combine(dst+rowmajor.Offset(index, to), src+rowmajor.Offset(index, from))
			}
		})
	})
	finish()
	return failed
}

// scatterCombiner returns two functions for the results of a scatter: combine combines element src
// of the updates into element dst of the results, and finish, called at the end, stores them.
// Simple reductions have a fast form; other bodies are interpreted.
func (c *call) scatterCombiner(inputs, updates []*Tensor) (combine func(dst, src int) error, finish func(), err error) {
	finish = func() {}
	if len(inputs) == 1 {
		if kind, ok := ir.ReductionOf(c.op); ok {
			x, u := widen(inputs[0]), widen(updates[0])
			if f := combiner(kind, x.Type.DType); f != nil {
				out := &Tensor{x.Type, append(Alloc(len(x.Data))[:0], x.Data...)}
				add := f(out, u)
				finish = func() { c.set(0, narrow(out, c.op.Results[0].Type.DType)) }
				return func(dst, src int) error { add(dst, src); return nil }, finish, nil
			}
		}
	}
	for i, x := range inputs {
		t, err := convertTo(x, c.op.Results[i].Type.DType)
		if err != nil {
			return nil, nil, err
		}
		copy(c.newRaw(i).Data, t.Data)
		if updates[i], err = convertTo(updates[i], c.op.Results[i].Type.DType); err != nil {
			return nil, nil, err
		}
	}
	if replaces(c.op.Regions[0]) {
		return func(dst, src int) error {
			for i := range inputs {
				setElement(c.out[i], dst, element(updates[i], src))
			}
			return nil
		}, finish, nil
	}
	body, args := c.body(0), make([]*Tensor, 2*len(inputs))
	return func(dst, src int) error {
		for i := range inputs {
			args[i], args[len(inputs)+i] = element(c.out[i], dst), element(updates[i], src)
		}
		return c.update(body, args, dst)
	}, finish, nil
}

// replaces reports whether a scatter body returns the updates unchanged.
func replaces(b *ir.Block) bool {
	return b.Len() == 1 && slices.Equal(b.First().Operands, b.Args[len(b.Args)/2:])
}
