package fit

// This file makes the candidate meshes, and puts modules on meshes.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// Meshes returns all meshes of n devices with these axes, with sizes of 1, too. Those with the
// largest first axis come first. No axes, and names that mesh.New refuses, are errors.
func Meshes(axes []string, n int) ([]*mesh.DeviceMesh, error) {
	if len(axes) == 0 {
		return nil, fmt.Errorf("fit: meshes of %d devices without axes: name the axes, such as data and model", n)
	}
	var out []*mesh.DeviceMesh
	for _, shape := range shapes(n, len(axes)) {
		dm, err := mesh.New(shape, axes, nil)
		if err != nil {
			return nil, fmt.Errorf("fit: %w", err)
		}
		out = append(out, dm)
	}
	return out, nil
}

// shapes returns all lists of k positive numbers whose product is n, those with the largest first
// number first.
func shapes(n, k int) [][]int {
	if k == 1 {
		return [][]int{{n}}
	}
	var out [][]int
	for first := n; first >= 1; first-- {
		if n%first != 0 {
			continue
		}
		for _, rest := range shapes(n/first, k-1) {
			out = append(out, append([]int{first}, rest...))
		}
	}
	return out
}

// ParseMeshes reads candidate meshes. In "2x4,8x1" they are shapes with the given axes;
// "data=2,model=4" is one mesh; and "all" stands for all meshes of n devices with the axes. Only
// "all" uses n. Shapes without axes, or with another number of sizes than axes, are errors.
func ParseMeshes(text string, axes []string, n int) ([]*mesh.DeviceMesh, error) {
	switch {
	case text == "all":
		return Meshes(axes, n)
	case strings.Contains(text, "="):
		dm, err := mesh.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("fit: %w", err)
		}
		return []*mesh.DeviceMesh{dm}, nil
	case len(axes) == 0:
		return nil, fmt.Errorf("fit: the meshes %q have no axes, and neither has the program: name them, such as data=2,model=4", text)
	}
	var out []*mesh.DeviceMesh
	for _, s := range strings.Split(text, ",") {
		shape, err := mesh.ParseShape(s, len(axes))
		if err != nil {
			return nil, fmt.Errorf("fit: mesh %q of the axes %s: %w", s, strings.Join(axes, ", "), err)
		}
		dm, err := mesh.New(shape, axes, nil)
		if err != nil {
			return nil, fmt.Errorf("fit: mesh %q: %w", s, err)
		}
		out = append(out, dm)
	}
	return out, nil
}

// Axes returns the names of the axes of m's first mesh that has axes; nil if none has.
func Axes(m *ir.Module) []string {
	for _, nm := range m.Meshes {
		if len(nm.Mesh.Axes()) > 0 {
			return nm.Mesh.AxisNames()
		}
	}
	return nil
}

// OnMesh returns a Build that puts a copy of m on a mesh, and then calls annotate to annotate the
// copy further. annotate may be nil. m is not changed.
func OnMesh(m *ir.Module, annotate func(*ir.Module) error) Build {
	return func(dm *mesh.DeviceMesh) (*ir.Module, error) {
		c := m.Clone()
		if err := sharding.Remesh(c, dm); err != nil {
			return nil, err
		}
		if annotate != nil {
			if err := annotate(c); err != nil {
				return nil, err
			}
		}
		return c, nil
	}
}
