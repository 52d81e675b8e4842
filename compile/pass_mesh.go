package compile

// This file implements mesh, which finds the mesh that the program is for.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// chooseMesh finds the mesh that all layouts in the module name; without any
// layout, the first mesh that the module lists; without a mesh, one device.
// It changes nothing. Meshes of a single device beside it are ignored.
//
// A module may not name two: no value could go from one to the other.
func chooseMesh(u *unit) error {
	var where string
	consider := func(s *layout.Sharding, format string, args ...any) error {
		if s == nil || s.Mesh == nil || s.Mesh.Size() == 1 && u.mesh != nil {
			return nil
		}
		if u.mesh == nil || u.mesh.Size() == 1 {
			u.mesh, where = s.Mesh, fmt.Sprintf(format, args...)
			return nil
		}
		if !u.mesh.Equal(s.Mesh) {
			return fmt.Errorf("%s is laid out on mesh %s, but %s on mesh %s: a program has one mesh, so lay out both on the same",
				fmt.Sprintf(format, args...), s.Mesh, where, u.mesh)
		}
		return nil
	}
	for _, p := range pinsOf(u.main()) {
		if err := consider(p.sharding, "%s", p.subject); err != nil {
			return err
		}
	}
	for _, nm := range u.m.Meshes {
		if u.mesh == nil || u.mesh.Size() == 1 && where == "" {
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
