package suggest

// This file lists the shardings that a tensor may have.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// maxLayouts decides which shardings are listed for a class. If its rank and the axes of the mesh
// allow at most maxLayouts shardings, fitting or not, all that fit are listed. Otherwise only those
// are that eachChange makes of the class's own sharding; these may be more than maxLayouts.
const maxLayouts = 32

// layoutsFor returns all shardings of a class by full axes that fit it, except its own. If there
// are more than maxLayouts, it returns only those that eachChange makes of its own. Axes that shard
// one dimension are in the order of the mesh.
func layoutsFor(dm *mesh.DeviceMesh, c *class) []*layout.Sharding {
	var axes []mesh.Axis
	all := 1
	for _, a := range dm.Axes() {
		if a.Size > 1 {
			axes = append(axes, a)
			all = min(all*(c.rank()+1), maxLayouts+1)
		}
	}
	var out []*layout.Sharding
	add := func(s *layout.Sharding) {
		known := func(t *layout.Sharding) bool { return t.SameLayout(s) }
		if fits(s, c.dims()) && !(c.sharding() != nil && known(c.sharding())) && !slices.ContainsFunc(out, known) {
			out = append(out, s)
		}
	}
	if all <= maxLayouts {
		eachLayout(dm, c.rank(), axes, add)
	} else {
		eachChange(ownLayout(dm, c), axes, add)
	}
	return out
}

// ownLayout returns a sharding of c with only the axes of its annotation; replicated if it has
// none.
func ownLayout(dm *mesh.DeviceMesh, c *class) *layout.Sharding {
	s := layout.Replicated(dm, c.rank())
	if c.sharding() != nil {
		for d := range s.Dims {
			s.Dims[d].Axes = c.sharding().Dims[d].Axes
		}
	}
	return s
}

// eachLayout calls visit for all shardings on dm of a tensor of that rank in which each of the axes
// shards one dimension or none, among them the replicated one. Axes that shard one dimension are in
// the order of axes.
func eachLayout(dm *mesh.DeviceMesh, rank int, axes []mesh.Axis, visit func(*layout.Sharding)) {
	at := make([]int, len(axes)) // the dimension that each axis shards; rank stands for none
	for {
		s := layout.Replicated(dm, rank)
		for i, a := range axes {
			if at[i] < rank {
				s.Dims[at[i]].Axes = append(s.Dims[at[i]].Axes, mesh.FullAxis(a.Name))
			}
		}
		visit(s)
		i := 0
		for ; i < len(at) && at[i] == rank; i++ {
			at[i] = 0
		}
		if i == len(at) {
			return
		}
		at[i]++
	}
}

// eachChange calls visit for the replicated sharding, for each sharding that differs from s in one
// of the axes, and for each in which two dimensions of s are exchanged. An axis is removed, comes
// last in a dimension, or replaces those of a dimension. eachChange may visit a sharding several
// times, and s too.
func eachChange(s *layout.Sharding, axes []mesh.Axis, visit func(*layout.Sharding)) {
	visit(layout.Replicated(s.Mesh, len(s.Dims)))
	for _, axis := range axes {
		a := mesh.FullAxis(axis.Name)
		without := withoutAxis(s, a)
		visit(without)
		for d := range s.Dims {
			with := without.Clone()
			with.Dims[d].Axes = append(slices.Clone(with.Dims[d].Axes), a)
			visit(with)
			if len(without.Dims[d].Axes) > 0 { // replaces the axes that are there
				alone := without.Clone()
				alone.Dims[d].Axes = []mesh.AxisRef{a}
				visit(alone)
			}
		}
	}
	for d := range s.Dims {
		for e := range d {
			swapped := s.Clone()
			swapped.Dims[d].Axes, swapped.Dims[e].Axes = s.Dims[e].Axes, s.Dims[d].Axes
			visit(swapped)
		}
	}
}

// withoutAxis returns a copy of s whose dimensions are not sharded by the axis a, or by an axis
// that overlaps it.
func withoutAxis(s *layout.Sharding, a mesh.AxisRef) *layout.Sharding {
	out := s.Clone()
	for d := range out.Dims {
		out.Dims[d].Axes = slices.DeleteFunc(slices.Clone(out.Dims[d].Axes), a.Overlaps)
	}
	return out
}

// fits reports whether every device holds a part of a tensor with the sizes dims, and a rule can
// express the sharding. A rule cannot express sub-axes.
func fits(s *layout.Sharding, dims []int) bool {
	for d := range s.Dims {
		if s.DimShards(d) > dims[d] || slices.ContainsFunc(s.Dims[d].Axes, func(a mesh.AxisRef) bool { return a.Sub }) {
			return false
		}
	}
	return len(s.Dims) == len(dims)
}

// axesOf returns the axes of each dimension of s in the form that layout rules have: names joined
// by +, "" for none.
func axesOf(s *layout.Sharding) []string {
	out := make([]string, len(s.Dims))
	for d := range s.Dims {
		var names []string
		for _, a := range s.Dims[d].Axes {
			names = append(names, a.Name)
		}
		out[d] = strings.Join(names, "+")
	}
	return out
}
