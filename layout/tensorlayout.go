package layout

// This file defines TensorLayout, the layout that users write.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/mesh"
)

// None stands for a dimension that no axis shards.
const None = ""

// TensorLayout says for each dimension of a tensor which mesh axis shards it:
// keras.distribution.TensorLayout. It is immutable.
type TensorLayout struct {
	axes []string
	mesh *mesh.DeviceMesh
}

// NewTensorLayout returns a layout with one dimension for each element of axes. An element is the
// name of an axis, None, or several names joined by + if these axes shard the dimension together,
// major first: "data+model".
//
// m may be nil: a LayoutMap then gives the layout its own mesh. Names are checked against the mesh
// only if there is one. The error reports everything that is wrong: names that the mesh does not
// have, names used twice, and a + without a name on both sides.
func NewTensorLayout(axes []string, m *mesh.DeviceMesh) (*TensorLayout, error) {
	l := &TensorLayout{axes: slices.Clone(axes), mesh: m}
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *TensorLayout) check() error {
	var errs []error
	usedBy := make(map[string]int)
	for dim := range l.axes {
		for _, name := range l.dimAxes(dim) {
			if name == "" {
				errs = append(errs, fmt.Errorf("layout %s: dim %d is %q, want axis names joined by +, such as \"data+model\"", l, dim, l.axes[dim]))
				continue
			}
			if first, used := usedBy[name]; used {
				errs = append(errs, fmt.Errorf("layout %s: axis %q shards dim %d and again dim %d: an axis may be used once", l, name, first, dim))
				continue
			}
			usedBy[name] = dim
			if l.mesh != nil {
				if err := l.mesh.CheckRef(mesh.FullAxis(name)); err != nil && strings.EqualFold(name, "none") {
					errs = append(errs, fmt.Errorf("layout %s: dim %d: %q is the name of no axis: write distribution.None, without quotes, for a dimension that no axis shards", l, dim, name))
				} else if err != nil {
					errs = append(errs, fmt.Errorf("layout %s: dim %d: %w: use one of these, or None", l, dim, err))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// dimAxes returns the names of the axes that shard dimension dim; nil if it is not sharded.
func (l *TensorLayout) dimAxes(dim int) []string {
	if l.axes[dim] == None {
		return nil
	}
	return strings.Split(l.axes[dim], "+")
}

// Axes returns the axes as NewTensorLayout was given them.
func (l *TensorLayout) Axes() []string { return slices.Clone(l.axes) }

// DeviceMesh returns the mesh, or nil if the layout has none yet.
func (l *TensorLayout) DeviceMesh() *mesh.DeviceMesh { return l.mesh }

// OnMesh returns the layout with the mesh m. It returns an error if the layout already has another
// mesh, as Keras' device_mesh setter does, or if m lacks an axis of the layout.
func (l *TensorLayout) OnMesh(m *mesh.DeviceMesh) (*TensorLayout, error) {
	if l.mesh == nil {
		return NewTensorLayout(l.axes, m)
	}
	if !l.mesh.Equal(m) {
		return nil, fmt.Errorf("layout %s is on the mesh %s, it cannot move to the mesh %s: make it without a mesh", l, l.mesh, m)
	}
	return l, nil
}

// Sharding returns the layout as the compiler's closed sharding of a tensor of the given rank. If
// the rank is larger than the layout, the remaining dimensions are replicated, as in Keras. A
// smaller rank, and axes without a mesh, are errors.
func (l *TensorLayout) Sharding(rank int) (*Sharding, error) {
	if len(l.axes) > rank {
		return nil, fmt.Errorf("layout %s is for %d dimensions, the tensor has %d: give at most one axis, or None, for each dimension", l, len(l.axes), rank)
	}
	s := Replicated(l.mesh, rank)
	for dim := range l.axes {
		names := l.dimAxes(dim)
		if len(names) > 0 && l.mesh == nil {
			return nil, fmt.Errorf("layout %s has no mesh: give NewTensorLayout one, or put the layout into a LayoutMap that has one", l)
		}
		if len(names) > 0 {
			s.Dims[dim].Axes = mesh.FullAxes(names...)
		}
	}
	return s, nil
}

// Equal reports whether both layouts have the same axes and mesh. nil is equal to nil only.
func (l *TensorLayout) Equal(o *TensorLayout) bool {
	if l == nil || o == nil {
		return l == o
	}
	return slices.Equal(l.axes, o.axes) && l.mesh.Equal(o.mesh)
}

// String returns the axes: (none, model). For nil it returns none.
func (l *TensorLayout) String() string {
	if l == nil {
		return "none"
	}
	parts := make([]string, len(l.axes))
	for i, a := range l.axes {
		if parts[i] = a; a == None {
			parts[i] = "none"
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
