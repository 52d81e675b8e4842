package sharding

// This file completes the shardings that propagation leaves open.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Complete gives every value and function result of m a closed sharding on the module's mesh, the
// first one that has axes. An open dimension is closed with the axes that it has. A value without a
// sharding becomes replicated, and a result without one gets that of the returned value. Priorities
// and replicated axes, which only steer propagation, are dropped. Tokens, and values in scalar
// bodies such as those of reductions, keep no sharding.
//
// A module without a mesh gets the mesh of one device. Complete returns an error if a value is
// sharded on another mesh that has axes; the error names the value.
func Complete(m *ir.Module) error {
	c := &completer{mesh: mainMesh(m)}
	if c.mesh == nil {
		c.mesh = m.AddMesh("mesh", oneDevice())
	}
	for _, f := range m.Funcs {
		for _, p := range f.Params() {
			c.value(p, "parameter "+p.Name)
		}
		c.block(f.Body)
		for i := range f.Results {
			r := &f.Results[i]
			if r.Sharding == nil {
				r.Sharding = f.Returned()[i].Sharding
			}
			r.Sharding = c.closeSharding(r.Sharding, r.Type, fmt.Sprintf("result %d", i))
		}
		if c.err != nil {
			return fmt.Errorf("sharding: function %s: %w", f.Name, c.err)
		}
	}
	return nil
}

// mainMesh returns the first mesh of m that has axes. If none has, it returns the first mesh, or
// nil if there is no mesh.
func mainMesh(m *ir.Module) *mesh.DeviceMesh {
	for _, nm := range m.Meshes {
		if len(nm.Mesh.Axes()) > 0 {
			return nm.Mesh
		}
	}
	if len(m.Meshes) > 0 {
		return m.Meshes[0].Mesh
	}
	return nil
}

func oneDevice() *mesh.DeviceMesh {
	m, err := mesh.New(nil, nil, nil)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return m
}

// completer closes shardings; err is its first error.
type completer struct {
	mesh *mesh.DeviceMesh
	err  error
}

func (c *completer) block(b *ir.Block) {
	for op := range b.Ops() {
		for _, v := range op.Results {
			c.value(v, op.FullName())
			sdy.StoreOpSharding(v)
		}
		c.lists(op)
		if op.Info().Is(ir.ScalarBody) {
			continue
		}
		for _, r := range op.Regions {
			for _, a := range r.Args {
				c.value(a, "an argument of "+op.FullName())
			}
			c.block(r)
		}
	}
}

// lists closes the shardings in the attributes of a manual or named computation, which list those
// of its operands and results.
func (c *completer) lists(op *ir.Op) {
	for _, spec := range op.Info().Attrs {
		list, ok := op.Attrs.Get(spec.Name).(ir.ShardingsAttr)
		if !ok || spec.Kind != ir.KindShardings {
			continue
		}
		list = slices.Clone(list)
		for i, v := range sdy.TargetsOf(op, spec.Name) {
			if i < len(list) && !v.Type.IsToken() {
				list[i] = c.closeSharding(list[i], v.Type, spec.Name+" of "+op.FullName())
			}
		}
		op.Attrs = op.Attrs.With(spec.Name, list)
	}
}

func (c *completer) value(v *ir.Value, what string) {
	if !v.Type.IsToken() {
		v.Sharding = c.closeSharding(v.Sharding, v.Type, what)
	}
}

// closeSharding returns s, a sharding of a value of type t, with all dimensions closed; for nil, or
// a mesh without axes, it returns a replicated sharding. A sharding on another mesh is the
// completer's error, in which what names the value.
func (c *completer) closeSharding(s *layout.Sharding, t ir.Type, what string) *layout.Sharding {
	if s == nil || len(s.Mesh.Axes()) == 0 {
		return layout.Replicated(c.mesh, t.Rank())
	}
	if !s.Mesh.Equal(c.mesh) {
		if c.err == nil {
			c.err = fmt.Errorf("%s of type %s is sharded on mesh %s, but the program runs on mesh %s: put all layouts on one mesh", what, t, s.Mesh, c.mesh)
		}
		return s
	}
	out := layout.Replicated(c.mesh, t.Rank())
	for d := range s.Dims {
		out.Dims[d].Axes = s.Dims[d].Axes
	}
	out.Unreduced = s.Unreduced
	return out
}
