package partition

// This file defines the builder of local ops, with helpers for the rules.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// builder is an ir.Builder that sets the attribute why of each collective to the reason it exists.
type builder struct {
	*ir.Builder
	why string // reason for the next collectives
}

// newBuilder returns a builder at the end of block, without a reason, whose ops have the location
// loc. block may be nil until the builder is used.
func newBuilder(block *ir.Block, loc ir.Location) *builder {
	b := &builder{Builder: ir.NewBuilder(block)}
	b.Loc, b.OnInsert = loc, b.stateReason
	return b
}

// reason sets why as the reason of the collectives that the builder makes from now on.
func (b *builder) reason(why string) { b.why = why }

// stateReason sets the attribute why of op to the builder's reason, if there is one and op is a
// collective of per-device programs.
func (b *builder) stateReason(op *ir.Op) {
	if b.why != "" && op.Info().Is(ir.Collective|ir.OnMesh) {
		op.Attrs = op.Attrs.With("why", ir.String(b.why))
	}
}

// index appends the i32 scalar n, and returns it.
func (b *builder) index(n int) *ir.Value { return b.Constant(ir.Scalar(dtypes.Int32, float64(n))) }

// zero appends the scalar 0 of that element type, and returns it.
func (b *builder) zero(dtype dtypes.DType) *ir.Value { return b.Constant(ir.Scalar(dtype, 0)) }

// allGather appends an all_gather of v, which joins the shards of dimension d along axes, and
// returns its result: dimension d then has as many times more elements as the axes have devices.
// Without axes it returns v.
func (p *partitioner) allGather(v *ir.Value, d int, axes []mesh.AxisRef) *ir.Value {
	if len(axes) == 0 {
		return v
	}
	dims := slices.Clone(v.Type.Dims)
	dims[d] *= p.mesh.RefsSize(axes)
	return p.gather(v, d, axes, dims)
}

// gather appends an all_gather of v along dimension d over axes, and returns its result, which has
// the given dimensions.
func (b *builder) gather(v *ir.Value, d int, axes []mesh.AxisRef, dims []int) *ir.Value {
	return b.SPMDAllGather([]*ir.Value{v}, d, axes, []ir.Type{v.Type.WithDims(dims)}).Result()
}

// allReduce appends an all_reduce of v over axes by the op kind, and returns its result.
func (b *builder) allReduce(v *ir.Value, axes []mesh.AxisRef, kind ir.OpKind) *ir.Value {
	return b.SPMDAllReduce([]*ir.Value{v}, axes, reductionName(kind)).Result()
}

// times returns v·n for an i32 scalar v, v itself if n is 1.
func (b *builder) times(v *ir.Value, n int) *ir.Value {
	if n == 1 {
		return v
	}
	return b.Multiply(v, b.index(n))
}

// plus returns v+n for an i32 scalar v, v itself if n is 0.
func (b *builder) plus(v *ir.Value, n int) *ir.Value {
	if n == 0 {
		return v
	}
	return b.Add(v, b.index(n))
}

// slice returns the part of v with the indices [start, limit) of dimension d.
func (b *builder) slice(v *ir.Value, d, start, limit int) *ir.Value {
	return b.stridedSlice(v, d, start, limit, 1)
}

// stridedSlice returns the indices start, start+stride, … below limit of dimension d of v; v itself
// if these are all.
func (b *builder) stridedSlice(v *ir.Value, d, start, limit, stride int) *ir.Value {
	if start == 0 && limit == v.Type.Dims[d] && stride == 1 {
		return v
	}
	starts, limits, strides := make([]int, v.Type.Rank()), slices.Clone(v.Type.Dims), ones(v.Type.Rank())
	starts[d], limits[d], strides[d] = start, limit, stride
	return b.Slice(v, starts, limits, strides)
}

// pad returns v with low elements added before dimension d and high elements after it, all equal to
// the scalar value; v itself if both are 0. Negative numbers remove elements.
func (b *builder) pad(v *ir.Value, d, low, high int, value *ir.Value) *ir.Value {
	return b.padInterior(v, d, low, high, 0, value)
}

// padInterior is pad, and also adds interior elements between each two neighbours along dimension
// d. It returns v itself if all three numbers are 0.
func (b *builder) padInterior(v *ir.Value, d, low, high, interior int, value *ir.Value) *ir.Value {
	if low == 0 && high == 0 && interior == 0 {
		return v
	}
	rank := v.Type.Rank()
	lows, highs, interiors := make([]int, rank), make([]int, rank), make([]int, rank)
	lows[d], highs[d], interiors[d] = low, high, interior
	return b.Pad(v, value, lows, highs, interiors)
}

// dynamicSlice returns the size indices of dimension d of v that begin at start, an i32 scalar,
// which is clamped.
func (b *builder) dynamicSlice(v *ir.Value, d int, start *ir.Value, size int) *ir.Value {
	starts := b.startsAt(v.Type.Rank(), d, start)
	sizes := slices.Clone(v.Type.Dims)
	sizes[d] = size
	return b.DynamicSlice(v, starts, sizes)
}

// startsAt returns start indices for a tensor of the given rank: start in dimension d, 0 in the
// others.
func (b *builder) startsAt(rank, d int, start *ir.Value) []*ir.Value {
	zero := b.index(0)
	out := slices.Repeat([]*ir.Value{zero}, rank)
	out[d] = start
	return out
}

// concatenate returns the values vs joined along dimension d; a single value as it is.
func (b *builder) concatenate(d int, vs ...*ir.Value) *ir.Value {
	if len(vs) == 1 {
		return vs[0]
	}
	return b.Concatenate(vs, d)
}

// iota returns a tensor with the given dimensions whose elements are their index along dimension d.
func (b *builder) iota(dtype dtypes.DType, dims []int, d int) *ir.Value {
	return b.Iota(d, ir.Tensor(dtype, dims...))
}

// broadcast returns a tensor with the given dimensions in which scalar is repeated in all elements;
// scalar itself for no dimensions.
func (b *builder) broadcast(scalar *ir.Value, dims []int) *ir.Value {
	if len(dims) == 0 {
		return scalar
	}
	return b.BroadcastInDim(scalar, []int{}, scalar.Type.WithDims(dims))
}

// compareTo returns, as booleans, how the elements of an i32 tensor compare with n: direction is
// that of the op compare, such as "LT".
func (b *builder) compareTo(direction string, x *ir.Value, n int) *ir.Value {
	return b.Compare(x, b.Constant(ir.Splat(x.Type, float64(n))), direction)
}

// reshape returns v with the dimensions dims, which have as many elements; v itself if it has
// these.
func (b *builder) reshape(v *ir.Value, dims []int) *ir.Value {
	if slices.Equal(v.Type.Dims, dims) {
		return v
	}
	return b.Reshape(v, v.Type.WithDims(dims))
}

// convert returns v converted to the element type dtype; v itself if it has that type.
func (b *builder) convert(v *ir.Value, dtype dtypes.DType) *ir.Value {
	if v.Type.DType == dtype {
		return v
	}
	return b.Convert(v, v.Type.WithDType(dtype))
}

func ones(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// expansion builds global ops that replace one op. It sets the shardings of their results, because
// propagation has not seen these ops.
type expansion struct {
	*builder
}

// expand replaces op by simpler ops: build makes them with the expansion, and returns the values
// that replace op's results, one for each. expand then partitions the new ops, and returns the
// error of one of them.
func (p *partitioner) expand(op *ir.Op, build func(e *expansion) []*ir.Value) error {
	block := &ir.Block{}
	defer block.Clear() // its ops use values of the program
	results := build(&expansion{newBuilder(block, op.Loc)})
	if err := p.ops(block.Ops()); err != nil {
		return err
	}
	for i, r := range op.Results {
		p.alias(r, results[i])
	}
	return nil
}

// withSharding sets the sharding of v, and returns v.
func withSharding(v *ir.Value, s *layout.Sharding) *ir.Value {
	v.Sharding = s
	return v
}
