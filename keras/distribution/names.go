package distribution

// This file gives types of packages mesh and layout their place in Keras.

import (
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// DeviceMesh is a named grid of devices: keras.distribution.DeviceMesh.
type DeviceMesh = mesh.DeviceMesh

// TensorLayout says which mesh axis splits which dimension:
// keras.distribution.TensorLayout.
type TensorLayout = layout.TensorLayout

// LayoutMap finds the layout of a path: keras.distribution.LayoutMap.
type LayoutMap = layout.LayoutMap

// None is written for a dimension that no axis splits.
const None = layout.None

// NewTensorLayout returns a layout; see layout.NewTensorLayout.
func NewTensorLayout(axes []string, m *DeviceMesh) (*TensorLayout, error) {
	return layout.NewTensorLayout(axes, m)
}

// NewLayoutMap returns an empty map whose layouts are on m.
func NewLayoutMap(m *DeviceMesh) *LayoutMap { return layout.NewLayoutMap(m) }
