package partition

// This file interns shardings: equal ones are the same *layout.Sharding, so that
// they are compared as pointers.

import (
	"encoding/binary"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// interner holds the shardings on one mesh.
type interner struct {
	mesh *mesh.DeviceMesh
	// All three maps hold interned shardings. The key of normal is the normal form, the key of
	// asked is the form in which the sharding was asked for, and the key of stated is the address
	// of a sharding that the module states.
	normal map[string]*layout.Sharding
	asked  map[string]*layout.Sharding
	stated map[*layout.Sharding]*layout.Sharding
	// lists are their axes by number, unprojected the shardings by those.
	lists       map[*layout.Sharding][]mesh.AxisList
	unprojected map[string]*layout.Sharding
	key         []byte // of the last look-up
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

// intern returns the sharding that shards dimension d by axes[d] and is
// partial over the unreduced axes.
func (in *interner) intern(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef) *layout.Sharding {
	// Most are asked for in the same words again.
	if old, ok := in.asked[string(in.writeKey(axes, unreduced))]; ok {
		return old
	}
	words := string(in.key)
	out := in.internNormalized(axes, unreduced)
	in.asked[words] = out
	return out
}

// internNormalized is intern by the normal form: neighbouring parts of an axis are
// one.
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

// writeKey writes the key of the given axes to in.key.
func (in *interner) writeKey(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef) []byte {
	in.key = appendAxes(in.key[:0], unreduced)
	for _, list := range axes {
		in.key = appendAxes(in.key, list)
	}
	return in.key
}

// appendAxes appends axes to a key.
func appendAxes(key []byte, axes []mesh.AxisRef) []byte {
	for _, a := range axes {
		key = append(append(key, a.Name...), 0)
		if a.Sub {
			key = binary.AppendUvarint(binary.AppendUvarint(append(key, 1), uint64(a.Pre)), uint64(a.Size))
		}
	}
	return append(key, 2)
}

// replicatedSharding returns the sharding of a tensor that no axis shards.
func (in *interner) replicatedSharding(rank int) *layout.Sharding {
	return in.intern(make([][]mesh.AxisRef, rank), nil)
}

// dropUnreduced returns s with nothing unreduced.
func (in *interner) dropUnreduced(s *layout.Sharding) *layout.Sharding {
	if !isPartial(s) {
		return s
	}
	return in.intern(dimAxes(s), nil)
}

// fromModule returns the interned form of s, a sharding that a module states. It drops the parts
// that only steer propagation, and the unreduced axes. Unreduced axes permit the partitioner to
// leave a sum unreduced, and it does that anyway.
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

// isPartial reports whether s is unreduced over some axes: the devices along
// them hold partial results.
func isPartial(s *layout.Sharding) bool { return len(s.Unreduced) > 0 }

// localSize returns how many elements each device holds of dimension d of s,
// which has the given size; padding counts.
func localSize(s *layout.Sharding, d, size int) int {
	n := s.DimShards(d)
	return (size + n - 1) / n
}

// isUneven reports whether a device holds padding in dimension d of that size.
func isUneven(s *layout.Sharding, d, size int) bool { return size%s.DimShards(d) != 0 }
