package reshard

// This file cuts the axes of a mesh into atoms, the parts that a search moves
// about, and turns shardings into lists of atoms and back.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// label stands for an atom or, in a search that tells only sizes apart, for
// all atoms of one size.
type label = uint8

// maxLabels bounds the atoms of a mesh: the largest has 2^24 devices.
const maxLabels = 200

// atoms is a set of sub-axes, of which every layout in question is made.
type atoms struct {
	mesh  *mesh.DeviceMesh
	refs  []mesh.AxisRef // all in the form of a sub-axis, also whole axes
	sizes []int          // of the atoms of one complete cut of all axes
	// mixed is set where some atoms overlap, since an axis is cut in ways that
	// cannot be cut further into common parts: 6 into 2·3 and into 3·2.
	mixed bool
}

// part returns a, which may be a whole axis, in the form of a sub-axis.
func part(m *mesh.DeviceMesh, a mesh.AxisRef) mesh.AxisRef {
	if a.Sub {
		return a
	}
	return mesh.SubAxisRef(a.Name, 1, m.AxisSize(a.Name))
}

// whole undoes part.
func whole(m *mesh.DeviceMesh, a mesh.AxisRef) mesh.AxisRef {
	if a.Size == m.AxisSize(a.Name) {
		return mesh.FullAxis(a.Name)
	}
	return a
}

// usedRefs returns the sub-axes that the shardings are made of, of size 2 and
// more.
func usedRefs(list ...*layout.Sharding) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, s := range list {
		add := func(axes []mesh.AxisRef) {
			for _, a := range axes {
				if a = part(s.Mesh, a); a.Size > 1 {
					out = append(out, a)
				}
			}
		}
		for _, d := range s.Dims {
			add(d.Axes)
		}
		add(s.Unreduced)
	}
	return out
}

// primes cuts a into parts of prime size, the smallest first.
func primes(a mesh.AxisRef) []mesh.AxisRef {
	var out []mesh.AxisRef
	for p := 2; a.Size > 1; {
		if a.Size%p != 0 {
			p++
			continue
		}
		out = append(out, mesh.SubAxisRef(a.Name, a.Pre, p))
		a.Pre, a.Size = a.Pre*p, a.Size/p
	}
	return out
}

// primeAtoms cuts every axis of the mesh into parts of prime size, the
// smallest first. An axis that a sharding cuts otherwise gets all its parts of
// prime size.
func primeAtoms(m *mesh.DeviceMesh, used []mesh.AxisRef) *atoms {
	out := &atoms{mesh: m}
	for _, axis := range m.Axes() {
		chain := primes(mesh.SubAxisRef(axis.Name, 1, axis.Size))
		for _, p := range chain {
			out.sizes = append(out.sizes, p.Size)
		}
		if slices.ContainsFunc(used, func(a mesh.AxisRef) bool { return a.Name == axis.Name && !containsAll(chain, primes(a)) }) {
			chain, out.mixed = allParts(axis), true
		}
		out.refs = append(out.refs, chain...)
	}
	return out
}

func containsAll(list, wanted []mesh.AxisRef) bool {
	return !slices.ContainsFunc(wanted, func(a mesh.AxisRef) bool { return !slices.Contains(list, a) })
}

// allParts returns all sub-axes of prime size.
func allParts(axis mesh.Axis) []mesh.AxisRef {
	var out []mesh.AxisRef
	for pre := 1; pre < axis.Size; pre++ {
		if axis.Size%pre != 0 {
			continue
		}
		last := 0
		for _, p := range primes(mesh.SubAxisRef(axis.Name, 1, axis.Size/pre)) {
			if p.Size != last {
				out = append(out, mesh.SubAxisRef(axis.Name, pre, p.Size))
			}
			last = p.Size
		}
	}
	return out
}

// coarseAtoms cuts the used axes, or all, only where a sharding does. ok is
// false where those cuts leave no common parts.
func coarseAtoms(m *mesh.DeviceMesh, used []mesh.AxisRef, all bool) (_ *atoms, ok bool) {
	out := &atoms{mesh: m}
	for _, axis := range m.Axes() {
		var cuts []int
		for _, a := range used {
			if a.Name == axis.Name {
				cuts = append(cuts, a.Pre, a.Pre*a.Size)
			}
		}
		if len(cuts) == 0 && !all {
			continue
		}
		cuts = append(cuts, 1, axis.Size)
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		for i, c := range cuts[1:] {
			if c%cuts[i] != 0 {
				return nil, false
			}
			out.refs = append(out.refs, mesh.SubAxisRef(axis.Name, cuts[i], c/cuts[i]))
			out.sizes = append(out.sizes, c/cuts[i])
		}
	}
	return out, true
}

// labels returns the atoms that axes are made of.
func (a *atoms) labels(axes []mesh.AxisRef) []label {
	var out []label
	for _, ref := range axes {
		ref = part(a.mesh, ref)
		for ref.Size > 1 {
			i := a.first(ref)
			out = append(out, label(i))
			n := a.refs[i].Size
			ref.Pre, ref.Size = ref.Pre*n, ref.Size/n
		}
	}
	return out
}

// first returns the atom that ref starts with, the smallest where there are
// several.
func (a *atoms) first(ref mesh.AxisRef) int {
	best := -1
	for i, r := range a.refs {
		if r.Name == ref.Name && r.Pre == ref.Pre && ref.Size%r.Size == 0 && (best < 0 || r.Size < a.refs[best].Size) {
			best = i
		}
	}
	if best < 0 {
		panic("BUG: no atom starts axis " + ref.String())
	}
	return best
}

// axes undoes labels.
func (a *atoms) axes(list []label) []mesh.AxisRef {
	out := make([]mesh.AxisRef, len(list))
	for i, l := range list {
		out[i] = a.refs[l]
	}
	out = a.mesh.MergeRefs(out)
	for i := range out {
		out[i] = whole(a.mesh, out[i])
	}
	return out
}

// state returns the lists of a sharding.
func (a *atoms) state(s *layout.Sharding) state {
	out := make(state, len(s.Dims)+1)
	for d, dim := range s.Dims {
		out[d] = a.labels(dim.Axes)
	}
	rest := a.labels(s.Unreduced)
	slices.Sort(rest)
	out[len(s.Dims)] = rest
	return out
}

// sharding undoes state.
func (a *atoms) sharding(s state) *layout.Sharding {
	out := layout.Replicated(a.mesh, s.rank())
	for d := range out.Dims {
		if len(s[d]) > 0 {
			out.Dims[d].Axes = a.axes(s[d])
		}
	}
	if rest := s.rest(); len(rest) > 0 {
		out.Unreduced = a.axes(rest)
		slices.SortFunc(out.Unreduced, a.mesh.CompareRefs)
		out.Unreduced = a.mesh.MergeRefs(out.Unreduced)
	}
	return out
}
