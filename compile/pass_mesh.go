package compile

// This file implements mesh, which finds the mesh that the program is for.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// chooseMesh finds the mesh that all layouts in the module name; without any
// layout, the first mesh that the module lists; without a mesh, one device. It
// puts that mesh first in the module's list.
//
// A module may not use two: no value could go from one to the other. A mesh
// without axes, which JAX lists for values that lie nowhere in particular,
// does not count.
func chooseMesh(u *unit) error {
	var where string
	for _, p := range pinsOf(u.main()) {
		switch dm := p.sharding.Mesh; {
		case dm == nil || len(dm.Axes()) == 0:
		case u.mesh == nil:
			u.mesh, where = dm, p.subject
		case !u.mesh.Equal(dm):
			return fmt.Errorf("%q is laid out on mesh %s, but %q on mesh %s: a program has one mesh, so lay out both on the same",
				p.subject, dm, where, u.mesh)
		}
	}
	for _, nm := range u.m.Meshes {
		if u.mesh == nil || len(u.mesh.Axes()) == 0 {
			u.mesh = nm.Mesh
		}
	}
	if u.mesh == nil {
		one, err := mesh.New(nil, nil, nil)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		u.mesh = one
	}
	slices.SortStableFunc(u.m.Meshes, func(a, b ir.NamedMesh) int {
		return pick(a.Mesh.Equal(u.mesh), 0, 1) - pick(b.Mesh.Equal(u.mesh), 0, 1)
	})
	return nil
}

// pin is a layout that the module states.
type pin struct {
	subject  string // what it is of, for messages
	port     bool   // an input's or output's
	sharding *layout.Sharding
	typ      ir.Type
	set      func(*layout.Sharding)
}

// pinsOf returns all layouts that f states: of parameters, of results, of
// constraint ops and of ops' results.
func pinsOf(f *ir.Func) []pin {
	var pins []pin
	for i, p := range f.Params() {
		if p.Sharding != nil {
			pins = append(pins, pin{inputName(f, i), true, p.Sharding, p.Type, func(s *layout.Sharding) { p.Sharding = s }})
		}
	}
	f.Walk(func(op *ir.Op) {
		if sa, ok := op.Attrs.Get("sharding").(ir.ShardingAttr); ok && sa.Sharding != nil && len(op.Operands) == 1 {
			pins = append(pins, pin{placeOf(op), false, sa.Sharding, op.Operands[0].Type, func(s *layout.Sharding) {
				op.Attrs = op.Attrs.With("sharding", ir.ShardingAttr{Sharding: s})
			}})
		}
		for _, r := range op.Results {
			if r.Sharding != nil {
				pins = append(pins, pin{placeOf(op), false, r.Sharding, r.Type, func(s *layout.Sharding) { r.Sharding = s }})
			}
		}
	})
	for i := range f.Results {
		r := &f.Results[i]
		if r.Sharding != nil {
			pins = append(pins, pin{outputName(f, i), true, r.Sharding, r.Type, func(s *layout.Sharding) { r.Sharding = s }})
		}
	}
	return pins
}

// placeOf names an op for the user: by its layer path where it has one.
func placeOf(op *ir.Op) string {
	if op.Loc.Path != "" {
		return op.Loc.Path
	}
	return op.FullName() + " at " + op.Loc.String()
}

// inputName returns the name of parameter i.
func inputName(f *ir.Func, i int) string {
	if name := f.Params()[i].Name; name != "" {
		return name
	}
	return fmt.Sprintf("arg%d", i)
}

// outputName returns the name of result i.
func outputName(f *ir.Func, i int) string {
	if name := f.Results[i].Name; name != "" {
		return name
	}
	return fmt.Sprintf("result%d", i)
}
