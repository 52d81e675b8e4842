package sharding

// This file records where each axis of a sharding came from.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// propagationEdge records that axes came to a dimension of a tensor.
type propagationEdge struct {
	dim  int
	axes []mesh.AxisRef
	// the op through which the axes came; nil: a function's result, a group or an annotation
	via   *ir.Op
	from  *tensor // the tensor from which the axes came; nil: they are annotated here
	at    int     // the dimension of that tensor
	step  int     // the number of steps that had run by then
	round priorityRound
}

// priorityRound is a round of propagation: a user priority, and in it a round of opPriorities.
type priorityRound struct{ user, op int }

// allDims stands for all dimensions in an edge that gave a tensor its whole sharding, as a sharding
// group does.
const allDims = -1

// recordAnnotation records, as the origin of t's axes, that they are those of its annotation.
func (t *tensor) recordAnnotation() {
	for d, dim := range t.sharding.Dims {
		if len(dim.Axes) > 0 {
			t.incoming = append(t.incoming, propagationEdge{dim: d, axes: dim.Axes})
		}
	}
}

// appendAxes appends to out the axes of every factor of every tensor in p. They are stored before a
// step, to find out afterwards which tensor had them first.
func appendAxes(out []mesh.AxisList, p *factor.Projection) []mesh.AxisList {
	for t := range p.Tensors {
		for f := range p.Tensors[t].Factors {
			out = append(out, p.Tensors[t].Factors[f].Axes)
		}
	}
	return out
}

// note appends to t.incoming an edge for each list of axes that step s has added to tensor i, which
// is t. before has the axes before the step, as appendAxes returns them, and p those after it. The
// edge comes from the first other tensor of slots that had all axes of the factor before; if there
// is none, nothing is recorded.
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
				t.incoming = append(t.incoming, propagationEdge{
					dim: d, axes: p.Mesh.Refs(now.TrimPrefix(old)),
					via: s.op, from: slots[j].tensor, at: p.Rule.Mapping(j).DimOf(f),
					step: g.applied, round: g.round,
				})
				break
			}
		}
	}
}

// firstEdge returns the first edge that gave dimension d the mesh axis of a, or any part of that
// axis; nil if there is none. An edge for all dimensions counts.
func (t *tensor) firstEdge(d int, a mesh.AxisRef) *propagationEdge {
	for i := range t.incoming {
		e := &t.incoming[i]
		if e.dim == allDims || e.dim == d && slices.ContainsFunc(e.axes, func(b mesh.AxisRef) bool { return b.Name == a.Name }) {
			return e
		}
	}
	return nil
}

// lastEdge returns the last edge that gave axes to dimension d, or to all dimensions; nil if there
// is none.
func (t *tensor) lastEdge(d int) *propagationEdge {
	for i := len(t.incoming) - 1; i >= 0; i-- {
		if e := &t.incoming[i]; e.dim == d || e.dim == allDims {
			return e
		}
	}
	return nil
}
