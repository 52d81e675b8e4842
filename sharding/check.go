package sharding

// This file checks the shardings that a program starts with.

import (
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// checkSharding returns everything that is wrong with s, which must not be nil, as a sharding of a
// value of type t: no mesh, a wrong rank, axes that the mesh does not have, sub-axes that do not
// divide their axis, axes used twice. It returns nil for a valid one, and for any on a maximal
// mesh.
func checkSharding(s *layout.Sharding, t ir.Type) error {
	if s.Mesh == nil {
		return fmt.Errorf("sharding %s has no mesh: give it one of the module's meshes", s)
	}
	if s.Mesh.IsMaximal() {
		return nil
	}
	if len(s.Dims) != t.Rank() {
		return fmt.Errorf("sharding %s has %d dimensions, the type %s has %d: give one axis list for each dimension",
			s, len(s.Dims), t, t.Rank())
	}
	var errs []error
	var seen mesh.AxisList
	check := func(where string, refs []mesh.AxisRef) {
		for _, r := range refs {
			if err := s.Mesh.CheckRef(r); err != nil {
				errs = append(errs, fmt.Errorf("sharding %s: %s: %w", s, where, err))
				continue
			}
			a := s.Mesh.SubAxis(r)
			for _, b := range seen {
				if a.Overlaps(b) {
					errs = append(errs, fmt.Errorf("sharding %s: %s uses axis %s, which is used before: an axis can split a tensor once", s, where, r))
				}
			}
			seen = append(seen, a)
		}
	}
	for d := range s.Dims {
		check(fmt.Sprintf("dimension %d", d), s.Dims[d].Axes)
	}
	check("replicated", s.Replicated)
	check("unreduced", s.Unreduced)
	return errors.Join(errs...)
}
