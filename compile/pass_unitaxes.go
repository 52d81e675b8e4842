package compile

// This file implements unit_axes, which removes axes of size 1 from layouts.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// unitAxes removes axes of size 1 from all annotated shardings:
//
//	mesh data=8,model=1: %w [{}, {"model"}]    =>    %w [{}, {}]
//
// The mesh itself keeps them.
func unitAxes(f *ir.Func) {
	for _, p := range annotationsOf(f) {
		s := p.sharding.Clone()
		unit := func(a mesh.AxisRef) bool { return s.Mesh.RefSize(a) == 1 }
		for i := range s.Dims {
			s.Dims[i].Axes = slices.DeleteFunc(s.Dims[i].Axes, unit)
		}
		s.Replicated = slices.DeleteFunc(s.Replicated, unit)
		s.Unreduced = slices.DeleteFunc(s.Unreduced, unit)
		p.set(s)
	}
}
