package partition

// This file partitions the ops that make tensors of nothing: each device makes
// its own part.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// literal: the shard of equal elements is a smaller literal, that of others is
// cut out.
func (p *partitioner) literal(op *ir.Op) error {
	d, t := op.Literal(), op.Result().Type
	p.defineRematerialized(op.Result(), func(s *layout.Sharding) *ir.Value {
		if d.Splat || t.Size() == 0 {
			return p.Constant(&ir.Dense{Type: p.localType(t, s), Splat: d.Splat, Data: d.Data})
		}
		v := p.Constant(d)
		for dim := range t.Dims {
			if axes := s.Dims[dim].Axes; len(axes) > 0 {
				v = p.localShard(v, dim, axes)
			}
		}
		return v
	})
	return nil
}

// count: an iota along a split dimension starts at the shard's first index.
func (p *partitioner) count(op *ir.Op) error {
	t, d := op.Result().Type, op.Iota().IotaDimension()
	p.defineRematerialized(op.Result(), func(s *layout.Sharding) *ir.Value {
		local := p.localType(t, s)
		if len(s.Dims[d].Axes) == 0 {
			return p.iota(t.DType, local.Dims, d)
		}
		return p.convert(p.globalIndex(local.Dims, s, d), t.DType)
	})
	return nil
}
