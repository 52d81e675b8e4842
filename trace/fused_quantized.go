package trace

// This file records FusedQuantizedDense and QuantizedEmbeddingLookup. The formats of GGML's blocks
// are in fused_ggml.go.

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// schemes has, for each scheme, the function that emits the floats of its integers, before they are
// scaled.
var schemes = map[compute.QuantizationScheme]func(e *emitter, w *ir.Value) *ir.Value{
	compute.QuantLinear: func(e *emitter, w *ir.Value) *ir.Value { return e.convert(w, dtypes.Float32) },
	compute.QuantNF4: func(e *emitter, w *ir.Value) *ir.Value {
		index := e.convert(w, dtypes.Int32)
		return e.lookup(compute.NF4LookupTable[:], e.binary(ir.OpAnd, index, e.scalar(dtypes.Int32, 15)))
	},
}

// FusedQuantizedDense implements compute.FusedOps: it records x times the dequantized weights, plus
// bias unless that is nil, and the activation. x is float32; weights are a matrix of any integer
// type. Other operands, a nil or unsupported q, and an unknown activation are errors. If the parts
// have just been recorded, it returns compute.ErrNotImplemented (refuseRepeated).
func (s fused) FusedQuantizedDense(x, weights, bias compute.Value, q *compute.Quantization, activation compute.ActivationType) (compute.Value, error) {
	e := s.f.begin("FusedQuantizedDense")
	v, w, b := e.value(x), e.value(weights), e.optional(bias)
	if e.err == nil && v.Type.DType != dtypes.Float32 {
		e.failf("x is %s, want float32", v.Type)
	}
	e.requireRank("weights", w, 2)
	e.demand(anyInt, w)
	if q == nil {
		e.failf("got no quantization of the weights")
	}
	e.refuseRepeated(ir.OpDotGeneral, v, w)
	if e.err != nil {
		return nil, e.err
	}
	if q.Scheme == compute.QuantGGML {
		return e.result(e.dense(v, e.fromBlocks(w, q), 1, b, activation))
	}
	return e.result(e.dense(v, e.dequantize(w, q), 0, b, activation))
}

// dequantize emits the weights w, [K, N], as floats of the same shape, and returns them; nil after
// an error. q has a scale, and perhaps an offset, for each row and each block of BlockSize columns.
// A scheme other than schemes, a quantization without scales, with another block axis or no block
// size, and zero points of NF4 fail e.
func (e *emitter) dequantize(w *ir.Value, q *compute.Quantization) *ir.Value {
	float, scale, offset := schemes[q.Scheme], e.optional(q.Scale), e.optional(q.ZeroPoint)
	switch {
	case e.err != nil:
		return nil
	case float == nil:
		e.failf("got quantization scheme %d, which package compute does not name", q.Scheme)
	case scale == nil:
		e.failf("the quantization %s has no scales", q.Scheme)
	case offset != nil && q.Scheme == compute.QuantNF4:
		e.failf("got zero points, which the quantization %s does not have", q.Scheme)
	case q.BlockAxis != 1:
		e.failf("got block axis %d, want 1: the columns of the weights", q.BlockAxis)
	case q.BlockSize < 1:
		e.failf("got block size %d, want at least 1", q.BlockSize)
	}
	if e.err != nil {
		return nil
	}
	out := e.binary(ir.OpMultiply, float(e, w), e.perColumn("scales", scale, w, q.BlockSize))
	if offset != nil {
		out = e.binary(ir.OpAdd, out, e.perColumn("zero points", offset, w, q.BlockSize))
	}
	return out
}

// perColumn returns v, numbers of blocks [K, blocks] of size columns each, repeated for each column
// of the weights w, [K, N]. what names v in the error if it has another shape.
func (e *emitter) perColumn(what string, v, w *ir.Value, size int) *ir.Value {
	rows, columns := w.Type.Dims[0], w.Type.Dims[1]
	blocks := (columns + size - 1) / size
	if want := ir.Tensor(dtypes.Float32, rows, blocks); e.err == nil && !v.Type.Equal(want) {
		e.failf("%s are %s, want %s", what, v.Type, want)
	}
	if e.err != nil {
		return nil
	}
	t := v.Type.WithDims([]int{rows, blocks, size})
	v = e.opWithType(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints{0, 1}}}, t, v)
	v = e.reshape(v, rows, blocks*size)
	if blocks*size > columns {
		v = e.slice(v, []int{0, 0}, []int{rows, columns}, []int{1, 1})
	}
	return v
}

// lookup returns the floats that table has at the elements of index, which are int32, with the
// shape of index.
func (e *emitter) lookup(table []float32, index *ir.Value) *ir.Value {
	values := e.literal(dtypes.Float32, []int{len(table)}, table)
	if e.err != nil {
		return nil
	}
	return e.gather(values, index, &ir.GatherDims{
		CollapsedSliceDims: ir.Ints{0},
		StartIndexMap:      ir.Ints{0},
		IndexVectorDim:     index.Type.Rank(),
	}, ir.Ints{1}, false)
}

// QuantizedEmbeddingLookup implements compute.FusedOps: it records the rows of data, GGML blocks,
// at the indices, as floats. The result has the axes of indices except the last, which has size 1,
// and then the columns. An index out of range counts as the nearest one. Errors are: data that is
// no matrix, indices with another last axis, and a quantization other than GGML. If the parts have
// just been recorded, it returns compute.ErrNotImplemented (refuseRepeated).
func (s fused) QuantizedEmbeddingLookup(data, indices compute.Value, q *compute.Quantization) (compute.Value, error) {
	e := s.f.begin("QuantizedEmbeddingLookup")
	table, index := e.value(data), e.value(indices)
	e.requireRank("data", table, 2)
	e.demand(anyInt, index)
	if q == nil || q.Scheme != compute.QuantGGML {
		e.failf("got quantization %v, want the scheme %s", q, compute.QuantGGML)
	}
	e.refuseRepeated(ir.OpGather, table, index)
	if e.err != nil {
		return nil, e.err
	}
	last := index.Type.Rank() - 1
	if last < 0 || index.Type.Dims[last] != 1 {
		e.failf("indices are %s, want size 1 in the last axis", index.Type)
		return nil, e.err
	}
	batch := index.Type.Dims[:last:last]
	rows := e.gather(table, index, &ir.GatherDims{
		OffsetDims:         ir.Ints{last},
		CollapsedSliceDims: ir.Ints{0},
		StartIndexMap:      ir.Ints{0},
		IndexVectorDim:     last,
	}, ir.Ints{1, table.Type.Dims[1]}, false)
	if e.err != nil {
		return nil, e.err
	}
	n := index.Type.Size()
	out := e.fromBlocks(e.reshape(rows, n, table.Type.Dims[1]), q)
	if e.err != nil {
		return nil, e.err
	}
	return e.result(e.reshape(out, append(batch, out.Type.Dims[1])...))
}
