package partition

// This file interns shardings: equal ones are the same *layout.Sharding, and can be compared as
// pointers.

import (
	"encoding/binary"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// interner holds the interned shardings on one mesh.
type interner struct {
	mesh *mesh.DeviceMesh
	// All three maps hold interned shardings. The key of normal is the normal form of the axes, the
	// key of asked is the form in which they were asked for, and the key of stated is the address
	// of a sharding in the module.
	normal map[string]*layout.Sharding
	asked  map[string]*layout.Sharding
	stated map[*layout.Sharding]*layout.Sharding
	// lists maps a sharding to its axes by number, and unprojected maps axes by number to their
	// sharding.
	lists       map[*layout.Sharding][]mesh.AxisList
	unprojected map[string]*layout.Sharding
	key         []byte // memory for the key of a look-up
}

func newInterner(m *mesh.DeviceMesh) interner {
	return interner{
		mesh:   m,
		normal: map[string]*layout.Sharding{},
		asked:  map[string]*layout.Sharding{},
		stated: map[*layout.Sharding]*layout.Sharding{},
		lists:  map[*layout.Sharding][]mesh.AxisList{}, unprojected: map[string]*layout.Sharding{},
	}
}

// intern returns the one sharding object whose dimension d is sharded by axes[d], and that is
// unreduced over the unreduced axes. Equal requests get the same pointer.
func (in *interner) intern(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef) *layout.Sharding {
	// Most shardings are asked for in the same form again.
	if old, ok := in.asked[string(in.writeKey(axes, unreduced))]; ok {
		return old
	}
	words := string(in.key)
	out := in.internNormalized(axes, unreduced)
	in.asked[words] = out
	return out
}

// internNormalized returns the interned sharding with these axes of each dimension and these
// unreduced axes. It finds it by its normal form, in which neighbouring sub-axes are merged and
// unreduced axes are in the order of the mesh, and makes it if it is new.
func (in *interner) internNormalized(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef) *layout.Sharding {
	s := &layout.Sharding{Mesh: in.mesh, Dims: make([]layout.DimSharding, len(axes))}
	for d := range axes {
		s.Dims[d].Axes = in.mesh.MergeRefs(axes[d])
	}
	unreduced = slices.Clone(unreduced)
	slices.SortFunc(unreduced, in.mesh.CompareRefs)
	s.Unreduced = in.mesh.MergeRefs(unreduced)
	key := string(in.writeKey(dimAxes(s), s.Unreduced))
	if old, ok := in.normal[key]; ok {
		return old
	}
	in.normal[key] = s
	return s
}

// writeKey writes the key of the given axes to in.key, and returns it. The next call overwrites it.
func (in *interner) writeKey(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef) []byte {
	in.key = appendAxes(in.key[:0], unreduced)
	for _, list := range axes {
		in.key = appendAxes(in.key, list)
	}
	return in.key
}

// appendAxes appends axes to a key, and an end, and returns the longer key.
func appendAxes(key []byte, axes []mesh.AxisRef) []byte {
	for _, a := range axes {
		key = append(append(key, a.Name...), 0)
		if a.Sub {
			key = binary.AppendUvarint(binary.AppendUvarint(append(key, 1), uint64(a.Pre)), uint64(a.Size))
		}
	}
	return append(key, 2)
}

// replicatedSharding returns the interned replicated sharding of a tensor of that rank.
func (in *interner) replicatedSharding(rank int) *layout.Sharding {
	return in.intern(make([][]mesh.AxisRef, rank), nil)
}

// dropUnreduced returns s without unreduced axes.
func (in *interner) dropUnreduced(s *layout.Sharding) *layout.Sharding {
	if !isPartial(s) {
		return s
	}
	return in.intern(dimAxes(s), nil)
}

// fromModule returns the interned form of s, a sharding in the module; the replicated one if it is
// nil. It drops the parts that only steer propagation, axes of size 1, and the unreduced axes:
// these only allow the partitioner to leave a sum unreduced, which it does anyway.
func (in *interner) fromModule(s *layout.Sharding, rank int) *layout.Sharding {
	if s == nil {
		return in.replicatedSharding(rank)
	}
	if known, ok := in.stated[s]; ok {
		return known
	}
	axes := make([][]mesh.AxisRef, rank)
	for d := range axes {
		axes[d] = slices.DeleteFunc(slices.Clone(s.Dims[d].Axes), func(a mesh.AxisRef) bool { return in.mesh.RefSize(a) == 1 })
	}
	out := in.intern(axes, nil)
	in.stated[s] = out
	return out
}

// dimAxes returns the axes of each dimension of s.
func dimAxes(s *layout.Sharding) [][]mesh.AxisRef {
	out := make([][]mesh.AxisRef, len(s.Dims))
	for d := range s.Dims {
		out[d] = s.Dims[d].Axes
	}
	return out
}

// isPartial reports whether s is unreduced over some axes, so that devices hold partial results.
func isPartial(s *layout.Sharding) bool { return len(s.Unreduced) > 0 }

// localSize returns how many elements of dimension d, which has the given size, each device holds,
// including padding.
func localSize(s *layout.Sharding, d, size int) int {
	n := s.DimShards(d)
	return (size + n - 1) / n
}

// isUneven reports whether a device holds padding in dimension d, which has the given size.
func isUneven(s *layout.Sharding, d, size int) bool { return size%s.DimShards(d) != 0 }
