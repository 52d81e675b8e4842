package ir

// This file verifies shardings: those of values and those in attributes.

import (
	"fmt"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// sharding verifies a sharding of a value of type t; nil says nothing.
func (v *verifier) sharding(op *Op, what string, i int, s *layout.Sharding, t Type) {
	if s == nil {
		return
	}
	if err := v.checkSharding(s, t); err != nil {
		v.fault(op, RuleSharding, "the sharding %s of %s %d %v", s, what, i, err)
	}
}

func (v *verifier) checkSharding(s *layout.Sharding, t Type) error {
	if s.Mesh == nil {
		return fmt.Errorf("has no mesh")
	}
	if v.mod.MeshName(s.Mesh) == "" {
		return fmt.Errorf("is on the mesh %s, which the module does not list: add it with AddMesh", s.Mesh)
	}
	if len(s.Dims) != t.Rank() {
		return fmt.Errorf("has rank %d, want %d for %s", len(s.Dims), t.Rank(), t)
	}
	v.used = v.used[:0]
	for d := range s.Dims {
		if s.Dims[d].Priority < 0 {
			return fmt.Errorf("has priority %d in dimension %d, want 0 or more", s.Dims[d].Priority, d)
		}
		if err := v.use(s.Mesh, s.Dims[d].Axes); err != nil {
			return err
		}
	}
	if err := v.use(s.Mesh, s.Replicated); err != nil {
		return err
	}
	return v.use(s.Mesh, s.Unreduced)
}

// use verifies axes of m and that none of them is among v.used yet.
func (v *verifier) use(m *mesh.DeviceMesh, axes []mesh.AxisRef) error {
	for _, a := range axes {
		if err := m.CheckRef(a); err != nil {
			return fmt.Errorf("is wrong: %w", err)
		}
		for _, o := range v.used {
			if a.Overlaps(o) {
				return fmt.Errorf("has axis %s twice: an axis may be used once", a)
			}
		}
		v.used = append(v.used, a)
	}
	return nil
}

// attrShardings verifies the shardings among the attributes of op: those of
// kind KindSharding are of its operand, those of kind KindShardings of each
// operand or, called out_shardings, of each result.
func (v *verifier) attrShardings(op *Op, info *OpInfo) {
	for i := range info.Attrs {
		spec := &info.Attrs[i]
		switch spec.Kind {
		case KindSharding:
			if a, ok := op.Attrs.Get(spec.Name).(ShardingAttr); ok {
				v.sharding(op, spec.Name+" of operand", 0, a.Sharding, op.Operands[0].Type)
			}
		case KindShardings:
			values := op.Operands
			if spec.Name == "out_shardings" {
				values = op.Results
			}
			list, _ := op.Attrs.Get(spec.Name).(ShardingsAttr)
			if list != nil && len(list) != len(values) {
				v.fault(op, RuleSharding, "attribute %s has %d shardings, want %d", spec.Name, len(list), len(values))
				continue
			}
			for k, s := range list {
				v.sharding(op, spec.Name, k, s, values[k].Type)
			}
		}
	}
}
