package partition

// This file builds local ops: the words that the rules are written in.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// builder appends ops to a block. What it cannot build is our own fault.
type builder struct {
	ir.Builder
	why string // the reason that collectives get
}

// reason sets why the next collectives are there.
func (b *builder) reason(why string) { b.why = why }

// emit appends op as it is.
func (b *builder) emit(op *ir.Op) *ir.Op {
	op.Loc = b.Loc
	if b.why != "" && op.Info().Is(ir.Collective|ir.OnMesh) {
		op.Attrs = op.Attrs.With("why", ir.String(b.why))
	}
	return b.Insert(op)
}

// op appends an op with one result, whose type follows from its operands.
func (b *builder) op(kind ir.OpKind, attrs ir.Attrs, operands ...*ir.Value) *ir.Value {
	op := ir.NewOp(kind, operands, attrs, nil)
	types, err := ir.Infer(op)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	for _, t := range types {
		op.AddResult(t)
	}
	return b.emit(op).Result()
}

// typed appends an op with one result of the given type.
func (b *builder) typed(kind ir.OpKind, attrs ir.Attrs, t ir.Type, operands ...*ir.Value) *ir.Value {
	return b.emit(ir.NewOp(kind, operands, attrs, []ir.Type{t})).Result()
}

// constant appends a literal.
func (b *builder) constant(d *ir.Dense) *ir.Value {
	return b.typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, d.Type)
}

// index appends the i32 scalar n.
func (b *builder) index(n int) *ir.Value { return b.constant(ir.Scalar(dtypes.Int32, float64(n))) }

// zero appends the scalar 0.
func (b *builder) zero(dtype dtypes.DType) *ir.Value { return b.constant(ir.Scalar(dtype, 0)) }

// axisIndex appends this device's linear coordinate along axes.
func (b *builder) axisIndex(axes []mesh.AxisRef) *ir.Value {
	return b.op(ir.OpSPMDAxisIndex, ir.Attrs{{Name: "axes", Value: ir.AxesAttr(axes)}})
}

// allGather joins the shards of dimension d that axes make.
func (p *partitioner) allGather(v *ir.Value, d int, axes []mesh.AxisRef) *ir.Value {
	if len(axes) == 0 {
		return v
	}
	dims := slices.Clone(v.Type.Dims)
	dims[d] *= p.mesh.RefsSize(axes)
	return p.typed(ir.OpSPMDAllGather, ir.Attrs{{Name: "dim", Value: ir.Int(d)}, {Name: "axes", Value: ir.AxesAttr(axes)}}, v.Type.WithDims(dims), v)
}

// times returns v·n for an i32 scalar v.
func (b *builder) times(v *ir.Value, n int) *ir.Value {
	if n == 1 {
		return v
	}
	return b.op(ir.OpMultiply, nil, v, b.index(n))
}

// plus returns v+n for an i32 scalar v.
func (b *builder) plus(v *ir.Value, n int) *ir.Value {
	if n == 0 {
		return v
	}
	return b.op(ir.OpAdd, nil, v, b.index(n))
}

// slice keeps the indices [start, limit) of dimension d.
func (b *builder) slice(v *ir.Value, d, start, limit int) *ir.Value {
	return b.stridedSlice(v, d, start, limit, 1)
}

// stridedSlice keeps every stride-th of the indices [start, limit).
func (b *builder) stridedSlice(v *ir.Value, d, start, limit, stride int) *ir.Value {
	if start == 0 && limit == v.Type.Dims[d] && stride == 1 {
		return v
	}
	starts, limits, strides := make(ir.Ints, v.Type.Rank()), ir.Ints(slices.Clone(v.Type.Dims)), ones(v.Type.Rank())
	starts[d], limits[d], strides[d] = start, limit, stride
	return b.op(ir.OpSlice, ir.Attrs{{Name: "start_indices", Value: starts}, {Name: "limit_indices", Value: limits}, {Name: "strides", Value: strides}}, v)
}

// pad puts low and high elements around dimension d.
func (b *builder) pad(v *ir.Value, d, low, high int, value *ir.Value) *ir.Value {
	return b.padInterior(v, d, low, high, 0, value)
}

// padInterior is pad with interior elements between any two.
func (b *builder) padInterior(v *ir.Value, d, low, high, interior int, value *ir.Value) *ir.Value {
	if low == 0 && high == 0 && interior == 0 {
		return v
	}
	rank := v.Type.Rank()
	lows, highs, interiors := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	lows[d], highs[d], interiors[d] = low, high, interior
	return b.op(ir.OpPad, ir.Attrs{{Name: "edge_padding_low", Value: lows}, {Name: "edge_padding_high", Value: highs}, {Name: "interior_padding", Value: interiors}}, v, value)
}

// dynamicSlice keeps size indices of dimension d, from the i32 scalar start.
func (b *builder) dynamicSlice(v *ir.Value, d int, start *ir.Value, size int) *ir.Value {
	starts := b.startsAt(v.Type.Rank(), d, start)
	sizes := ir.Ints(slices.Clone(v.Type.Dims))
	sizes[d] = size
	return b.op(ir.OpDynamicSlice, ir.Attrs{{Name: "slice_sizes", Value: sizes}}, append([]*ir.Value{v}, starts...)...)
}

// startsAt returns start indices that are 0 but in dimension d.
func (b *builder) startsAt(rank, d int, start *ir.Value) []*ir.Value {
	zero := b.index(0)
	out := slices.Repeat([]*ir.Value{zero}, rank)
	out[d] = start
	return out
}

// concatenate joins values along dimension d.
func (b *builder) concatenate(d int, vs ...*ir.Value) *ir.Value {
	if len(vs) == 1 {
		return vs[0]
	}
	return b.op(ir.OpConcatenate, ir.Attrs{{Name: "dimension", Value: ir.Int(d)}}, vs...)
}

// iota counts along dimension d of a tensor of those dimensions.
func (b *builder) iota(dtype dtypes.DType, dims []int, d int) *ir.Value {
	return b.typed(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(d)}}, ir.Tensor(dtype, dims...))
}

// broadcast repeats a scalar.
func (b *builder) broadcast(scalar *ir.Value, dims []int) *ir.Value {
	if len(dims) == 0 {
		return scalar
	}
	return b.typed(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints{}}}, scalar.Type.WithDims(dims), scalar)
}

// compare compares two tensors of the same type, integers or floats.
func (b *builder) compare(direction string, x, y *ir.Value) *ir.Value {
	return b.op(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(direction)}}, x, y)
}

// compareTo compares an i32 tensor with a number.
func (b *builder) compareTo(direction string, x *ir.Value, n int) *ir.Value {
	return b.compare(direction, x, b.constant(ir.Splat(x.Type, float64(n))))
}

// pick returns x where pred holds, else y.
func (b *builder) pick(pred, x, y *ir.Value) *ir.Value { return b.op(ir.OpSelect, nil, pred, x, y) }

// reshape gives v other dimensions.
func (b *builder) reshape(v *ir.Value, dims []int) *ir.Value {
	if slices.Equal(v.Type.Dims, dims) {
		return v
	}
	return b.typed(ir.OpReshape, nil, v.Type.WithDims(dims), v)
}

// convert gives v another element type.
func (b *builder) convert(v *ir.Value, dtype dtypes.DType) *ir.Value {
	if v.Type.DType == dtype {
		return v
	}
	return b.typed(ir.OpConvert, nil, v.Type.WithDType(dtype), v)
}

func ones(n int) ir.Ints {
	out := make(ir.Ints, n)
	for i := range out {
		out[i] = 1
	}
	return out
}
