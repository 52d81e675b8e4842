package compile

// This file lists the shardings in a module, and implements pass mesh. The pass finds the mesh that
// the program is for, and checks that Options.Machine fits it.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// chooseMesh finds the mesh of all shardings in the module, and sets c.mesh. If nothing is sharded,
// it is the first mesh that the module lists; if there is none, it is the mesh of one device.
// chooseMesh puts it first in the module's list.
//
// It returns an error if shardings use two meshes, since no value could get from one to the other,
// and if Options.Machine does not fit the mesh. A mesh without axes is ignored; JAX lists one for
// values that are on no particular device.
func chooseMesh(c *compilation) error {
	var first string // the value whose sharding gave c.mesh
	for _, a := range annotationsOf(c.main()) {
		switch dm := a.sharding.Mesh; {
		case dm == nil || len(dm.Axes()) == 0:
		case c.mesh == nil:
			c.mesh, first = dm, a.subject
		case !c.mesh.Equal(dm):
			return fmt.Errorf("%q is laid out on mesh %s, but %q on mesh %s: a program has one mesh, so lay out both on the same",
				a.subject, dm, first, c.mesh)
		}
	}
	for _, nm := range c.module.Meshes {
		if c.mesh == nil || len(c.mesh.Axes()) == 0 {
			c.mesh = nm.Mesh
		}
	}
	if c.mesh == nil {
		one, err := mesh.New(nil, nil, nil)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		c.mesh = one
	}
	rank := func(nm ir.NamedMesh) int {
		if nm.Mesh.Equal(c.mesh) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(c.module.Meshes, func(a, b ir.NamedMesh) int { return rank(a) - rank(b) })
	if err := c.options.machine().Validate(c.mesh); err != nil {
		return fmt.Errorf("Options.Machine: %w", err)
	}
	return nil
}

// annotation is a sharding in the module, and what replaces it.
type annotation struct {
	subject  string // describes the sharded value, for messages
	boundary bool   // the value is an input or output
	sharding *layout.Sharding
	typ      ir.Type
	set      func(*layout.Sharding)
}

// annotationsOf returns all shardings in f: first those of parameters, then, in program order,
// those of constraint ops and of results of other ops, then those of results of f.
func annotationsOf(f *ir.Func) []annotation {
	var out []annotation
	for i, p := range f.Params() {
		if p.Sharding != nil {
			out = append(out, annotation{inputName(f, i), true, p.Sharding, p.Type, func(s *layout.Sharding) { p.Sharding = s }})
		}
	}
	f.Walk(func(op *ir.Op) {
		if sa, ok := op.Attrs.Get("sharding").(ir.ShardingAttr); ok && sa.Sharding != nil && len(op.Operands) == 1 {
			out = append(out, annotation{placeOf(op), false, sa.Sharding, op.Operands[0].Type, func(s *layout.Sharding) {
				op.Attrs = op.Attrs.With("sharding", ir.ShardingAttr{Sharding: s})
			}})
		}
		for _, r := range op.Results {
			if r.Sharding != nil {
				out = append(out, annotation{placeOf(op), false, r.Sharding, r.Type, func(s *layout.Sharding) { r.Sharding = s }})
			}
		}
	})
	for i := range f.Results {
		r := &f.Results[i]
		if r.Sharding != nil {
			out = append(out, annotation{outputName(f, i), true, r.Sharding, r.Type, func(s *layout.Sharding) { r.Sharding = s }})
		}
	}
	return out
}

// placeOf names an op for the user: by its layer path if it has one, and otherwise as op.Place does.
func placeOf(op *ir.Op) string {
	if op.Loc.Path != "" {
		return op.Loc.Path
	}
	return op.Place()
}
