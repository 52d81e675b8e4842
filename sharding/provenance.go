package sharding

// This file records where each axis came from.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// hop says that axes came onto a dimension of a tensor.
type hop struct {
	dim  int
	axes []mesh.AxisRef
	via  *ir.Op  // the op they travelled through; nil: a function's result, a group or a pin
	from *tensor // where they came from; nil: they were pinned here
	at   int     // the dimension there
	step int     // how many steps had run by then
	turn turn    // in which round
}

// turn is a round of propagation: user priorities from 0 on, and in each of
// them the rounds of opPriorities.
type turn struct{ user, op int }

// wholeTensor marks a hop that brought all dimensions, as a sharding group does.
const wholeTensor = -1

// pin records the shardings that the program gave t.
func (t *tensor) pin() {
	for d, dim := range t.sharding.Dims {
		if len(dim.Axes) > 0 {
			t.hops = append(t.hops, hop{dim: d, axes: dim.Axes})
		}
	}
}

// axesOfAll returns the axes of every factor in every tensor before a step, to
// tell afterwards who had them first.
func axesOfAll(p *factor.Projection) []mesh.AxisList {
	n := len(p.Rule.Factors)
	out := make([]mesh.AxisList, len(p.Tensors)*n)
	for t := range p.Tensors {
		for f := range n {
			out[t*n+f] = p.Tensors[t].Factors[f].Axes
		}
	}
	return out
}

// note records what the step has added to tensor i, and from which slot.
func (t *tensor) note(p *factor.Projection, i int, before []mesh.AxisList, slots []*slot, s *step, g *graph) {
	n := len(p.Rule.Factors)
	for d, factors := range p.Rule.Mapping(i) {
		for _, f := range factors {
			now, old := p.Tensors[i].Factors[f].Axes, before[i*n+f]
			if len(now) == 0 || slices.Equal(now, old) {
				continue
			}
			for j := range slots {
				if had := before[j*n+f]; j == i || !p.Tensors[j].Factors[f].Present || !now.IsPrefixOf(had) {
					continue
				}
				t.hops = append(t.hops, hop{
					dim: d, axes: p.Mesh.Refs(now.TrimPrefix(old)),
					via: s.op, from: slots[j].tensor, at: p.Rule.Mapping(j).DimOf(f),
					step: g.applied, turn: g.turn,
				})
				break
			}
		}
	}
}

// hopOf returns the first hop that brought a part of a to dimension d.
func (t *tensor) hopOf(d int, a mesh.AxisRef) *hop {
	for i := range t.hops {
		h := &t.hops[i]
		if h.dim == wholeTensor || h.dim == d && slices.ContainsFunc(h.axes, func(b mesh.AxisRef) bool { return b.Name == a.Name }) {
			return h
		}
	}
	return nil
}
