package partition

// This file builds the ops of a reshard plan.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// reshard builds the steps of a plan for v, and returns the last value, v itself for a plan without
// steps. reduce is the kind of op that combines partial results, such as add. A tensor without
// elements is moved without communication.
func (b *builder) reshard(v *ir.Value, plan reshard.Steps, reduce ir.OpKind) *ir.Value {
	why := b.why
	defer b.reason(why)
	for i, s := range plan {
		b.reason(why)
		if why != "" && slices.ContainsFunc(plan[i+1:], func(s reshard.Step) bool { return s.Kind.Communicates() || s.Kind == reshard.Slice }) {
			b.reason(InSteps(why)) // the result of this step is not yet the wanted one
		}
		if v.Type.Size() == 0 {
			v = b.broadcast(b.zero(v.Type.DType), s.After) // the tensor has no elements
			continue
		}
		v = reshardSteps[s.Kind](b, v, s, reduce)
		if !slices.Equal(v.Type.Dims, s.After) {
			panic(fmt.Sprintf("BUG: step %s gives %s", s, v.Type))
		}
	}
	return v
}

// InSteps returns the reason of a collective that is only one of several steps to a value. why says
// why the value is needed; it may be such a reason already, and stays as it is then.
func InSteps(why string) string {
	const mark = ", in steps"
	return strings.TrimSuffix(why, mark) + mark
}

// reshardSteps has, for each kind of step, the function that inserts its ops and returns the
// resharded v. reduce is the kind of reduction of partial sums.
var reshardSteps = [...]func(b *builder, v *ir.Value, s reshard.Step, reduce ir.OpKind) *ir.Value{
	reshard.Pad: func(b *builder, v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
		return b.pad(v, s.Dim, 0, s.After[s.Dim]-s.Before[s.Dim], b.zero(v.Type.DType))
	},
	reshard.Trim: func(b *builder, v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
		return b.slice(v, s.Dim, 0, s.After[s.Dim])
	},
	reshard.Slice: func(b *builder, v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
		n := s.After[s.Dim]
		return b.dynamicSlice(v, s.Dim, b.times(b.SPMDAxisIndex(s.Axes), n), n)
	},
	reshard.PadToOffset:           (*builder).padToOffset,
	reshard.ReplicatedToUnreduced: (*builder).replicatedToUnreduced,
	reshard.AllGather: func(b *builder, v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
		return b.gather(v, s.Dim, s.Axes, s.After)
	},
	reshard.AllToAll: func(b *builder, v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
		return b.SPMDAllToAll(v, s.To, s.Dim, s.Axes, v.Type.WithDims(s.After))
	},
	reshard.Permute: func(b *builder, v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
		return b.permute(v, s.Source, s.Target)
	},
	reshard.ReduceScatter: func(b *builder, v *ir.Value, s reshard.Step, reduce ir.OpKind) *ir.Value {
		return b.SPMDReduceScatter([]*ir.Value{v}, s.Dim, s.Axes, reductionName(reduce), []ir.Type{v.Type.WithDims(s.After)}).Result()
	},
	reshard.AllReduce: func(b *builder, v *ir.Value, s reshard.Step, reduce ir.OpKind) *ir.Value {
		return b.allReduce(v, s.Axes, reduce)
	},
	reshard.BitwiseAllReduce: (*builder).bitwiseAllReduce,
	reshard.HaloExchange:     (*builder).haloExchange,
	reshard.NeighbourGather:  (*builder).neighbourGather,
}

// reductionName returns the name that the attribute reduction of a collective has for kind. It
// panics if collectives cannot reduce by it.
func reductionName(kind ir.OpKind) string {
	name, ok := ir.ReductionName(kind)
	if !ok {
		panic(fmt.Sprintf("BUG: partial results reduced by %s", kind))
	}
	return string(name)
}

// permute returns v, the device's shard as in from, after the devices have exchanged shards so that
// they have those of to. If v is partial, a device's partial result counts as its shard in one more
// dimension, of size 1.
func (b *builder) permute(v *ir.Value, from, to *layout.Sharding) *ir.Value {
	dims := v.Type.Dims
	withSummands := func(s *layout.Sharding) *layout.Sharding {
		out := s.Clone()
		out.Dims = append([]layout.DimSharding{{Axes: s.Unreduced}}, out.Dims...)
		out.Unreduced = nil
		return out
	}
	if len(from.Unreduced) > 0 {
		from, to = withSummands(from), withSummands(to)
		v = b.reshape(v, append([]int{1}, dims...))
	}
	v = b.SPMDPermute(v, from, to)
	return b.reshape(v, dims)
}

// padToOffset returns v padded with zeros to the shape s.After, so that it is at its offset in the
// full dimension s.Dim: axis_index along s.Axes times its own size. A device whose offset is beyond
// the end holds only padding, and contributes zeros.
func (b *builder) padToOffset(v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
	zero := b.zero(v.Type.DType)
	start := b.times(b.SPMDAxisIndex(s.Axes), s.Before[s.Dim])
	masked := b.Select(b.compareTo("LT", start, s.After[s.Dim]), v, b.broadcast(zero, s.Before))
	return b.DynamicUpdateSlice(b.broadcast(zero, s.After), masked, b.startsAt(len(s.After), s.Dim, start))
}

// replicatedToUnreduced turns copies into partial results: it returns v on the first device along
// s.Axes, and the neutral element of reduce on the others. It panics if there is none.
func (b *builder) replicatedToUnreduced(v *ir.Value, s reshard.Step, reduce ir.OpKind) *ir.Value {
	neutral, ok := ir.ReductionInit(reduce, v.Type.DType)
	if !ok {
		panic(fmt.Sprintf("BUG: partial results of type %s reduced by %s", v.Type, reduce))
	}
	return b.Select(b.compareTo("EQ", b.SPMDAxisIndex(s.Axes), 0), v, b.broadcast(b.Constant(neutral), v.Type.Dims))
}

// bitwiseAllReduce returns the sum of v, results of padToOffset, over s.Axes. For each element at
// most one device has a value that is not zero. Floats are summed as the integers with the same
// bits: a sum of floats would turn -0 into 0. Booleans are combined by or, and complex numbers part
// by part.
func (b *builder) bitwiseAllReduce(v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
	t := v.Type
	if t.DType.IsComplex() {
		re := b.bitwiseAllReduce(b.Real(v), s, 0)
		return b.Complex(re, b.bitwiseAllReduce(b.Imag(v), s, 0))
	}
	reduce := ir.OpAdd
	if t.DType == dtypes.Bool {
		reduce = ir.OpOr
	}
	bits, float := bitsOf[t.DType.Bits()], t.DType.IsFloat()
	if float {
		v = b.BitcastConvert(v, t.WithDType(bits))
	}
	v = b.allReduce(v, s.Axes, reduce)
	if float {
		v = b.BitcastConvert(v, t)
	}
	return v
}

// bitsOf maps a number of bits to the unsigned integer type of that width.
var bitsOf = map[int]dtypes.DType{4: dtypes.Uint4, 8: dtypes.Uint8, 16: dtypes.Uint16, 32: dtypes.Uint32, 64: dtypes.Uint64}

// haloExchange concatenates v, the device's block of dimension s.Dim, with the nearest elements of
// its neighbours along s.Axes, and returns the new block, sliced out of the result. See
// reshard.Halo.
func (b *builder) haloExchange(v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
	blocks := s.Halo()
	own := b.slice(v, s.Dim, 0, blocks.Own())
	var pieces []*ir.Value
	for _, p := range blocks.Pieces() {
		pieces = append(pieces, b.SPMDShift(b.slice(v, s.Dim, p.Start, p.Limit), s.Axes, p.Offset))
	}
	if blocks.Grows() {
		v = b.concatenate(s.Dim, append([]*ir.Value{own}, pieces...)...)
		v = b.pad(v, s.Dim, 0, blocks.Length()-v.Type.Dims[s.Dim], b.zero(v.Type.DType))
	} else {
		v = b.concatenate(s.Dim, append(pieces, own)...)
	}
	if blocks.Length() == blocks.To {
		return v // all elements are in the first block
	}
	base, stride := blocks.Start()
	return b.dynamicSlice(v, s.Dim, b.plus(b.times(b.SPMDAxisIndex(s.Axes), stride), base), blocks.To)
}

// neighbourGather returns the new block of v after the step s, built from the blocks of one
// neighbour after the other.
func (b *builder) neighbourGather(v *ir.Value, s reshard.Step, _ ir.OpKind) *ir.Value {
	own := b.SPMDAxisIndex(s.Axes)
	out, _ := b.takeFrom(v, own, s)
	for _, o := range s.Offsets() {
		taken, inside := b.takeFrom(b.SPMDShift(v, s.Axes, o), b.plus(own, o), s)
		out = b.Select(inside, taken, out)
	}
	return out
}

// takeFrom returns the elements of the new block that are in block, and a mask that says which
// these are. number is the index of the block's device along the axes.
func (b *builder) takeFrom(block, number *ir.Value, s reshard.Step) (taken, inside *ir.Value) {
	var dims []int
	starts := map[int]*ir.Value{} // by dimension: where the new block starts in the old one
	for d := len(s.Before) - 1; d >= 0; d-- {
		from, to := s.Source.Dims[d].Axes, s.Target.Dims[d].Axes
		if slices.Equal(from, to) {
			continue
		}
		dims = append(dims, d)
		starts[d] = b.times(b.SPMDAxisIndex(to), s.After[d])
		if len(from) > 0 {
			n := b.index(s.Source.DimShards(d))
			digit := b.Remainder(number, n)
			number = b.Divide(number, n)
			starts[d] = b.Subtract(starts[d], b.times(digit, s.Before[d]))
		}
	}
	// Dimensions that shrink come first, so that intermediate values are small.
	slices.SortStableFunc(dims, func(x, y int) int { return cmp.Compare(s.After[x]*s.Before[y], s.After[y]*s.Before[x]) })
	taken = block
	for _, d := range dims {
		at := b.Add(b.iota(dtypes.Int32, []int{s.After[d]}, 0), b.broadcast(starts[d], []int{s.After[d]}))
		in := b.And(b.compareTo("GE", at, 0), b.compareTo("LT", at, s.Before[d]))
		in = b.BroadcastInDim(in, ir.Ints{d}, ir.Tensor(dtypes.Bool, s.After...))
		if inside != nil {
			in = b.And(inside, in)
		}
		inside = in
		taken = b.take(taken, d, at)
	}
	return taken, inside
}

// take returns v with dimension d replaced by the indices at of it, a vector: a gather of whole
// slices. Indices outside of the dimension are clamped.
func (b *builder) take(v *ir.Value, d int, at *ir.Value) *ir.Value {
	sizes := slices.Clone(v.Type.Dims)
	sizes[d] = 1
	var kept []int
	for e := range v.Type.Dims {
		if e != d {
			kept = append(kept, e)
		}
	}
	dims := &ir.GatherDims{OffsetDims: kept, CollapsedSliceDims: []int{d}, StartIndexMap: []int{d}, IndexVectorDim: 1}
	return b.Gather(v, at, dims, sizes)
}
