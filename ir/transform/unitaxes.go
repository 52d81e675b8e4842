package transform

// This file removes axes of size 1 from shardings.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// WithoutUnitAxes returns s without the axes of size 1, which shard nothing. The mesh keeps them. A
// closed dimension without other axes loses its priority, too. If s has no axis of size 1, the
// result is s itself.
//
//	mesh data=8,model=1: [{}, {"model"}]  =>  [{}, {}]
func WithoutUnitAxes(s *layout.Sharding) *layout.Sharding {
	isUnit := func(a mesh.AxisRef) bool { return s.Mesh.RefSize(a) == 1 }
	out := s.Clone()
	for i := range out.Dims {
		d := &out.Dims[i]
		d.Axes = slices.DeleteFunc(d.Axes, isUnit)
		if len(d.Axes) == 0 && !d.Open {
			d.Priority, d.P0 = 0, false
		}
	}
	out.Replicated = slices.DeleteFunc(out.Replicated, isUnit)
	out.Unreduced = slices.DeleteFunc(out.Unreduced, isUnit)
	if out.Equal(s) {
		return s
	}
	return out
}
