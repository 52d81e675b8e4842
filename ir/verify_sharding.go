package ir

// This file verifies shardings: those of values and those in attributes.

import "github.com/gospmd/gospmd/layout"

// sharding verifies a sharding of a value of type t; nil says nothing.
func (v *verifier) sharding(op *Op, what string, i int, s *layout.Sharding, t Type) {
	switch {
	case s == nil:
	case s.Mesh == nil:
		v.fault(op, RuleSharding, "%s %d: the sharding has no mesh", what, i)
	case v.mod.MeshName(s.Mesh) == "":
		v.fault(op, RuleSharding, "%s %d: the sharding %s is on the mesh %s, which the module does not list: add it with AddMesh", what, i, s, s.Mesh)
	case isPlain(s, t.Rank()):
	default:
		if err := s.Validate(t.Rank()); err != nil {
			v.fault(op, RuleSharding, "%s %d: %v", what, i, err)
		}
	}
}

// isPlain reports whether s is one of the many valid shardings that need no
// closer look: whole axes, each of them once, on the dimensions only.
func isPlain(s *layout.Sharding, rank int) bool {
	if len(s.Dims) != rank || len(s.Replicated) > 0 || len(s.Unreduced) > 0 {
		return false
	}
	used := uint64(0)
	for i := range s.Dims {
		if s.Dims[i].Priority != 0 {
			return false
		}
		for _, a := range s.Dims[i].Axes {
			axis := s.Mesh.AxisIndex(a.Name)
			if a.Sub || axis < 0 || axis >= 64 || used>>axis&1 != 0 {
				return false
			}
			used |= 1 << axis
		}
	}
	return true
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
				v.sharding(op, spec.Name+", operand", 0, a.Sharding, op.Operands[0].Type)
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
