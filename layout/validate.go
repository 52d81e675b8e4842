package layout

// This file defines what makes a Sharding wrong.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/mesh"
)

// Validate returns every fault of s as the sharding of a tensor of the given
// rank; nil is right for any. The rules are those that Shardy's verifier has
// for TensorShardingAttr:
//
//   - there are as many dimension shardings as dimensions
//   - every axis is one of the mesh, or a proper sub-axis of one
//   - no axis is used twice, nor two that overlap, in all of dimensions,
//     replicated and unreduced axes
//   - no two neighbours could be written as one axis
//   - replicated and unreduced axes stand in the mesh's order
//   - a priority is not negative, and a closed dimension without axes has none
func (s *Sharding) Validate(rank int) error {
	if s == nil {
		return nil
	}
	v := validation{mesh: s.Mesh}
	if len(s.Dims) != rank {
		v.fault("it is for %d dimensions, the tensor has %d: give one dimension sharding for each", len(s.Dims), rank)
	}
	for i, d := range s.Dims {
		place := fmt.Sprintf("dim %d", i)
		v.axes(place, d.Axes)
		if d.Priority < 0 {
			v.fault("%s: priority %d is negative: 0 is the strongest", place, d.Priority)
		}
		if (d.Priority > 0 || d.P0) && len(d.Axes) == 0 && !d.Open {
			v.fault("%s: priority %d means nothing for a closed dimension without axes: leave it out", place, d.Priority)
		}
	}
	for _, l := range []struct {
		place string
		axes  []mesh.AxisRef
	}{{"replicated", s.Replicated}, {"unreduced", s.Unreduced}} {
		v.axes(l.place, l.axes)
		if !slices.IsSortedFunc(l.axes, s.Mesh.CompareRefs) {
			v.fault("%s: the axes %s must stand in the order of the mesh", l.place, AxesText(l.axes))
		}
	}
	if len(v.errs) == 0 {
		return nil
	}
	return fmt.Errorf("sharding %s on the mesh %s: %w", s, s.Mesh, errors.Join(v.errs...))
}

// validation collects faults and the axes seen so far.
type validation struct {
	mesh *mesh.DeviceMesh
	seen []placedAxis
	errs []error
}

type placedAxis struct {
	place string
	axis  mesh.AxisRef
}

func (v *validation) fault(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf(format, args...))
}

// axes checks one list of axes, each also against all lists before.
func (v *validation) axes(place string, axes []mesh.AxisRef) {
	for _, a := range axes {
		if err := v.mesh.CheckRef(a); err != nil {
			v.fault("%s: %w", place, err)
			continue
		}
		for _, other := range v.seen {
			switch {
			case a == other.axis:
				v.fault("%s: axis %s is used already by %s: an axis may be used once", place, AxesText([]mesh.AxisRef{a}), other.place)
			case a.Overlaps(other.axis):
				v.fault("%s: axis %s overlaps %s of %s: a part of an axis may be used once", place,
					AxesText([]mesh.AxisRef{a}), AxesText([]mesh.AxisRef{other.axis}), other.place)
			}
		}
		v.seen = append(v.seen, placedAxis{place, a})
	}
	if !v.mesh.IsMerged(axes) {
		v.fault("%s: %s: neighbouring sub-axes must be written as one, %s", place, AxesText(axes), AxesText(v.mesh.MergeRefs(axes)))
	}
}
