package partition

// This file partitions the ops that read and update elements by index.
//
// A dimension may stay sharded although elements are looked up in it. Every device subtracts the
// start of its shard from the indices and looks up what the shard has; for other elements it
// returns the neutral element of the reduction that follows. So an embedding table is never
// gathered. A window of more than one element may extend beyond a shard. So the shard gets a border
// on both sides that is as wide as a window, and updates of the border are dropped.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/factor"
)

// lookup is the kind of factors that may be sharded, although devices then have partial results
// that a collective reduces.
var lookup = []factor.Kind{factor.Reduction}

// reducible holds the element types whose partial lookups a collective can add up.
var reducible = map[dtypes.DType]bool{
	dtypes.Bool: true, dtypes.Int8: true, dtypes.Int16: true, dtypes.Int32: true, dtypes.Int64: true,
	dtypes.Uint8: true, dtypes.Uint16: true, dtypes.Uint32: true, dtypes.Uint64: true,
	dtypes.Float16: true, dtypes.BFloat16: true, dtypes.Float32: true, dtypes.Float64: true,
	dtypes.Complex64: true, dtypes.Complex128: true,
}

// reduceLookups returns the kind of reduction that combines the lookups of op in a collective: or
// for booleans, else add.
func reduceLookups(op *ir.Op) ir.OpKind {
	if op.Result().Type.DType == dtypes.Bool {
		return ir.OpOr
	}
	return ir.OpAdd
}

// neutralScalar returns a scalar constant that the reduction of lookups (a sum, or an or of
// booleans) does not change by: zero.
func (p *partitioner) neutralScalar(dtype dtypes.DType) *ir.Value {
	neutral, _ := ir.ReductionInit(ir.OpAdd, dtype) // for booleans it is also neutral for OpOr
	return p.Constant(neutral)
}

// addBorder returns v with size neutral elements added on both sides of dimension d.
func (p *partitioner) addBorder(v *ir.Value, d, size int) *ir.Value {
	return p.pad(v, d, size, size, p.neutralScalar(v.Type.DType))
}

// start returns the index where a window of size elements begins in the device's shard, which has a
// border of size elements on both sides along dimension d. A window that does not reach into the
// shard is placed in a border. index is where the window begins in the global dimension, which has
// total elements: a scalar or a tensor, of any integer type.
func (p *partitioner) start(index *ir.Value, s *layout.Sharding, d, total, size int) *ir.Value {
	index = p.bound(index, total-size)
	local := localSize(s, d, total)
	first := p.times(p.SPMDAxisIndex(s.Dims[d].Axes), local)
	moved := p.Subtract(index, p.broadcast(first, index.Type.Dims))
	moved = p.Add(moved, p.Constant(ir.Splat(moved.Type, float64(size))))
	return p.clamp(moved, 0, local+size)
}

// singleElement returns where the element at index of the global dimension d is in the device's
// shard: its place, and whether the shard has it. If not, place is any valid position. total is the
// global size of the dimension.
func (p *partitioner) singleElement(index *ir.Value, s *layout.Sharding, d, total int) (place, has *ir.Value) {
	index = p.bound(index, total-1)
	local := localSize(s, d, total)
	first := p.times(p.SPMDAxisIndex(s.Dims[d].Axes), local)
	moved := p.Subtract(index, p.broadcast(first, index.Type.Dims))
	has = p.And(p.compareTo("GE", moved, 0), p.compareTo("LT", moved, local))
	return p.clamp(moved, 0, local-1), has
}

// conjunction returns the conjunction of a and b, or b if a is nil.
func (p *partitioner) conjunction(a, b *ir.Value) *ir.Value {
	if a == nil {
		return b
	}
	return p.And(a, b)
}

// bound returns index as i32, clamped to the range from 0 to high.
func (p *partitioner) bound(index *ir.Value, high int) *ir.Value {
	t := index.Type
	if limit, ok := largest[t.DType]; ok {
		high = min(high, limit)
	}
	return p.convert(p.clamp(index, 0, high), dtypes.Int32)
}

// largest holds the largest values of the integer types with fewer than 32 bits. Indexes of these
// types cannot count further.
var largest = map[dtypes.DType]int{
	dtypes.Int8: math.MaxInt8, dtypes.Uint8: math.MaxUint8, dtypes.Int16: math.MaxInt16, dtypes.Uint16: math.MaxUint16,
}

// clamp returns v clamped to the range from low to high.
func (p *partitioner) clamp(v *ir.Value, low, high int) *ir.Value {
	return p.Clamp(p.Constant(ir.Scalar(v.Type.DType, float64(low))), v, p.Constant(ir.Scalar(v.Type.DType, float64(high))))
}

// dynamicSliced partitions a dynamic_slice. It shards dimensions that the slice covers in full.
// Along other dimensions every device looks up the elements in its shard.
var dynamicSliced = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		return slicingRule(op, op.Operands[0].Type.Dims, op.DynamicSlice().SliceSizes())
	},
	kinds:  lookup,
	reduce: reduceLookups,
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		v, s := operands[0], c.operands[0]
		starts := slices.Clone(operands[1:])
		sizes := ir.Ints(slices.Clone(c.op.DynamicSlice().SliceSizes()))
		// a mask: the shard has the element in each sharded dimension that the slice has size 1 in;
		// nil: there is no such dimension
		var all *ir.Value
		for d, total := range c.op.Operands[0].Type.Dims {
			if len(s.Dims[d].Axes) == 0 {
				starts[d] = p.bound(starts[d], total-sizes[d])
				continue
			}
			if sizes[d] == total { // the index is clamped to 0
				starts[d], sizes[d] = p.index(0), v.Type.Dims[d]
				continue
			}
			if sizes[d] == 1 {
				place, has := p.singleElement(starts[d], s, d, total)
				starts[d], all = place, p.conjunction(all, has)
				continue
			}
			starts[d] = p.start(starts[d], s, d, total, sizes[d])
			v = p.addBorder(v, d, sizes[d])
		}
		out := p.buildLocalWith(c, ir.Attrs{{Name: "slice_sizes", Value: sizes}}, append([]*ir.Value{v}, starts...))
		if all != nil {
			return []*ir.Value{p.Select(all, out[0], p.broadcast(p.neutralScalar(v.Type.DType), out[0].Type.Dims))}
		}
		return out
	},
}

// slicingRule returns the rule of the dynamic slice op, with the given sizes of a tensor of the
// dimensions dims. A dimension that it covers in full passes through. One that it covers only in
// part has two factors: one in the operand, a Reduction if collectives can add up the element type,
// and another one in the result, which must be replicated.
func slicingRule(op *ir.Op, dims, sizes []int) *factor.Rule {
	r := &factor.Rule{Operands: make([]factor.TensorMapping, len(op.Operands)), Results: []factor.TensorMapping{nil}}
	add := func(size int, kind factor.Kind) []int {
		r.Factors = append(r.Factors, factor.Factor{Size: size, Kind: kind})
		return []int{len(r.Factors) - 1}
	}
	for d, total := range dims {
		if sizes[d] == total {
			f := add(total, factor.PassThrough)
			r.Operands[0], r.Results[0] = append(r.Operands[0], f), append(r.Results[0], f)
			continue
		}
		kind := factor.Reduction
		if !reducible[op.Result().Type.DType] {
			kind = factor.NeedReplication
		}
		r.Operands[0] = append(r.Operands[0], add(total, kind))
		r.Results[0] = append(r.Results[0], add(sizes[d], factor.NeedReplication))
	}
	return r
}

// dynamicUpdated partitions a dynamic_update_slice: every device updates its shard of the operand.
// In dimensions that the update covers only in part, the update is replicated.
var dynamicUpdated = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		r := &factor.Rule{Operands: make([]factor.TensorMapping, len(op.Operands)), Results: []factor.TensorMapping{nil}}
		for d, total := range op.Operands[0].Type.Dims {
			f := []int{len(r.Factors)}
			r.Factors = append(r.Factors, factor.Factor{Size: total})
			r.Operands[0], r.Results[0] = append(r.Operands[0], f), append(r.Results[0], f)
			if size := op.Operands[1].Type.Dims[d]; size != total {
				f = []int{len(r.Factors)}
				r.Factors = append(r.Factors, factor.Factor{Size: size, Kind: factor.NeedReplication})
			}
			r.Operands[1] = append(r.Operands[1], f)
		}
		return r
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		v, update, s := operands[0], operands[1], c.operands[0]
		starts := slices.Clone(operands[2:])
		var bordered []int
		// a mask: the shard has the element in each sharded dimension that the update has size 1
		// in; nil: there is no such dimension
		var all *ir.Value
		for d, total := range c.op.Operands[0].Type.Dims {
			size := c.op.Operands[1].Type.Dims[d]
			switch {
			case len(s.Dims[d].Axes) == 0:
				starts[d] = p.bound(starts[d], total-size)
			case size == total:
				starts[d] = p.index(0)
			case size == 1:
				place, has := p.singleElement(starts[d], s, d, total)
				starts[d], all = place, p.conjunction(all, has)
			default:
				starts[d] = p.start(starts[d], s, d, total, size)
				v = p.addBorder(v, d, size)
				bordered = append(bordered, d)
			}
		}
		if all != nil {
			old := p.DynamicSlice(v, starts, update.Type.Dims)
			update = p.Select(all, update, old)
		}
		out := p.DynamicUpdateSlice(v, update, starts)
		for _, d := range bordered {
			size := update.Type.Dims[d]
			out = p.slice(out, d, size, out.Type.Dims[d]-size)
		}
		return []*ir.Value{out}
	},
}
