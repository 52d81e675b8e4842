package ir

// This file verifies shardings: those of values and those in attributes.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// sharding verifies a sharding of a value of type t; nil says nothing.
func (v *verifier) sharding(op *Op, what string, i int, s *layout.Sharding, t Type) {
	switch {
	case s == nil:
		return
	case s.Mesh == nil:
		v.fault(op, RuleSharding, "%s %d: the sharding has no mesh", what, i)
		return
	case v.mod.MeshName(s.Mesh) == "":
		v.fault(op, RuleListed, "%s %d: the sharding %s is on the mesh %s, which the module does not list: add it with AddMesh", what, i, s, s.Mesh)
	}
	switch {
	case s.Mesh.IsMaximal():
		if len(s.Dims)+len(s.Replicated)+len(s.Unreduced) > 0 {
			v.fault(op, RuleSharding, "%s %d: sharding %s: a value that lies on %s alone has no dimensions and no axes to name: want []", what, i, s, s.Mesh)
		}
		return
	case t.IsToken() && len(s.Replicated)+len(s.Unreduced) > 0:
		v.fault(op, RuleSharding, "%s %d: sharding %s: a token has no axes to name: want []", what, i, s)
	case !isPlain(s, t.Rank()):
		if err := s.Validate(t.Rank()); err != nil {
			v.fault(op, RuleSharding, "%s %d: %v", what, i, err)
		}
	}
	if len(v.manual) > 0 {
		for _, d := range s.Dims {
			v.free(op, what, i, d.Axes)
		}
		v.free(op, what, i, s.Replicated)
		v.free(op, what, i, s.Unreduced)
	}
}

// free verifies that no manual computation around op has taken the axes.
func (v *verifier) free(op *Op, what string, i int, axes []mesh.AxisRef) {
	for _, a := range axes {
		if slices.ContainsFunc(v.manual, func(m mesh.AxisRef) bool { return m.Name == a.Name }) {
			v.fault(op, RuleSharding, "%s %d: axis %q is a manual axis of the sdy.manual_computation around it, whose body sees one device of it: take it out", what, i, a.Name)
		}
	}
}

// resultless verifies sdy.sharding on what has no results, where it may say
// one thing: on which mesh, or on which device.
func (v *verifier) resultless(op *Op, attrs Attrs) {
	a := attrs.Get("sdy.sharding")
	if a == nil {
		return
	}
	list, ok := a.(ShardingsAttr)
	if !ok || len(list) > 1 || len(list) == 1 && len(list[0].Dims)+len(list[0].Replicated)+len(list[0].Unreduced) > 0 {
		v.fault(op, RuleSharding, "sdy.sharding stands where there is no result to lay out: want #sdy.sharding_per_value<[<@mesh, []>]>, or take it out")
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
		if s.Dims[i].Priority != 0 || s.Dims[i].P0 {
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
