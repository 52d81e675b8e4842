package partition

// This file keeps padding out of results.
//
// A device holds ⌈d/n⌉ of a dimension of size d that is split into n shards;
// what lies beyond d is padding, and holds anything. An op that lets elements
// of a dimension meet must not see it.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// masked returns v, a shard of a tensor of those dimensions laid out as s,
// with the padding in the listed dimensions replaced by the scalar that fill
// makes.
func (p *partitioner) masked(v *ir.Value, s *layout.Sharding, dims []int, in []int, fill func() *ir.Value) *ir.Value {
	var inside *ir.Value
	for _, d := range in {
		if !isUneven(s, d, dims[d]) {
			continue
		}
		ok := p.compareTo("LT", p.globalIndex(v.Type.Dims, s, d), dims[d])
		if inside == nil {
			inside = ok
		} else {
			inside = p.And(inside, ok)
		}
	}
	if inside == nil {
		return v
	}
	return p.pickScalar(inside, v, fill())
}

// pickScalar returns v where pred holds, else the scalar.
func (p *partitioner) pickScalar(pred, v, scalar *ir.Value) *ir.Value {
	return p.Select(pred, v, p.broadcast(scalar, v.Type.Dims))
}

// globalIndex returns, for each element of a shard of the given dimensions,
// its index along dimension d of the whole tensor, as i32.
func (p *partitioner) globalIndex(local []int, s *layout.Sharding, d int) *ir.Value {
	index := p.iota(dtypes.Int32, local, d)
	if len(s.Dims[d].Axes) == 0 {
		return index
	}
	start := p.times(p.SPMDAxisIndex(s.Dims[d].Axes), local[d])
	return p.Add(index, p.broadcast(start, local))
}
