package partition

// This file converts between the shardings of an op's tensors and the axes that shard its factors.

import (
	"encoding/binary"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// project returns the axes for each factor of r that follow from s, the sharding of a tensor with
// the mapping m. Axes that do not divide a factor are left out, as in Rule.Project.
func (p *partitioner) project(r *factor.Rule, m factor.TensorMapping, s *layout.Sharding) factor.AxesPerFactor {
	lists := p.axisLists(s)
	return r.Project(m, func(d int) mesh.AxisList { return lists[d] })
}

// axisLists returns the axes of each dimension of s as sub-axes by number. It computes them once
// for each sharding.
func (p *partitioner) axisLists(s *layout.Sharding) []mesh.AxisList {
	lists, ok := p.lists[s]
	if !ok {
		lists = make([]mesh.AxisList, len(s.Dims))
		for d := range lists {
			lists[d] = p.mesh.AxisList(s.Dims[d].Axes)
		}
		p.lists[s] = lists
	}
	return lists
}

// unproject returns the interned sharding of a tensor with the mapping m, of rule r, that follows
// from a, the axes of the factors, and that is unreduced over the axes unreduced.
func (p *partitioner) unproject(r *factor.Rule, m factor.TensorMapping, a factor.AxesPerFactor, unreduced mesh.AxisList) *layout.Sharding {
	lists := r.Unproject(m, a)
	p.key = appendList(p.key[:0], unreduced)
	for _, list := range lists {
		p.key = appendList(p.key, list)
	}
	if s, ok := p.unprojected[string(p.key)]; ok {
		return s
	}
	key := string(p.key)
	axes := make([][]mesh.AxisRef, len(lists))
	for d, list := range lists {
		axes[d] = p.mesh.Refs(list)
	}
	s := p.intern(axes, p.mesh.Refs(unreduced))
	p.unprojected[key] = s
	return s
}

// appendList appends axes to key, and an end, and returns the longer key.
func appendList(key []byte, axes mesh.AxisList) []byte {
	for _, a := range axes {
		key = binary.AppendUvarint(key, uint64(a.Axis)+1)
		key = binary.AppendUvarint(key, uint64(a.Pre))
		key = binary.AppendUvarint(key, uint64(a.Size))
	}
	return append(key, 0)
}
