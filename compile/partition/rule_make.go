package partition

// This file partitions the ops that make tensors of nothing: each device makes
// its own part.

import (
	"github.com/gospmd/gospmd/ir"
)

// remade says that make can make v in any layout.
func (p *partitioner) remade(v *ir.Value, make func(s *spec) *ir.Value) {
	p.tensors[v] = &tensor{typ: v.Type, loc: p.Loc, remake: make}
}

// literal: the shard of equal elements is a smaller literal, that of others is
// cut out.
func (p *partitioner) literal(op *ir.Op) error {
	d, t := op.Literal(), op.Result().Type
	p.remade(op.Result(), func(s *spec) *ir.Value {
		if d.Splat || t.Size() == 0 {
			return p.constant(&ir.Dense{Type: p.localType(t, s), Splat: d.Splat, Data: d.Data})
		}
		v := p.constant(d)
		for dim := range t.Dims {
			if axes := s.axes(dim); len(axes) > 0 {
				v = p.cut(v, dim, axes)
			}
		}
		return v
	})
	return nil
}

// count: an iota along a split dimension starts at the shard's first index.
func (p *partitioner) count(op *ir.Op) error {
	t, d := op.Result().Type, op.Int("iota_dimension")
	p.remade(op.Result(), func(s *spec) *ir.Value {
		local := p.localType(t, s)
		if len(s.axes(d)) == 0 {
			return p.iota(t.DType, local.Dims, d)
		}
		return p.convert(p.globalIndex(local.Dims, s, d), t.DType)
	})
	return nil
}
