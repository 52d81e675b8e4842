package sdy

// This file visits and changes all shardings of a module.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// ShardingAttr is the attribute that holds the shardings of an op without results.
const ShardingAttr = "sdy.sharding"

// RuleAttr is the attribute that states the sharding rule of an op.
const RuleAttr = "sdy.sharding_rule"

// TransformShardings calls change for every sharding of m, and replaces the sharding by the result.
// It goes through each function: its parameters, its results, then its ops, outer ops before the
// ops in their regions. If several places share a sharding, change is called once for it.
func TransformShardings(m *ir.Module, change func(*layout.Sharding) *layout.Sharding) {
	changed := make(map[*layout.Sharding]*layout.Sharding)
	of := func(s *layout.Sharding) *layout.Sharding {
		if s == nil {
			return nil
		}
		out, ok := changed[s]
		if !ok {
			out = change(s)
			changed[s] = out
			changed[out] = out
		}
		return out
	}
	for _, f := range m.Funcs {
		for _, p := range f.Params() {
			p.Sharding = of(p.Sharding)
		}
		for i := range f.Results {
			f.Results[i].Sharding = of(f.Results[i].Sharding)
		}
		f.Walk(func(op *ir.Op) {
			transformAttrs(op, of)
			for _, v := range op.Results {
				v.Sharding = of(v.Sharding)
			}
			for _, r := range op.Regions {
				for _, a := range r.Args {
					a.Sharding = of(a.Sharding)
				}
			}
		})
	}
}

// transformAttrs calls of on each sharding in the attributes of op, and replaces the sharding by
// the result. In lists, of also gets nil.
func transformAttrs(op *ir.Op, of func(*layout.Sharding) *layout.Sharding) {
	for _, na := range op.Attrs {
		switch a := na.Value.(type) {
		case ir.ShardingAttr:
			if s := of(a.Sharding); s != a.Sharding {
				op.Attrs = op.Attrs.With(na.Name, ir.ShardingAttr{Sharding: s})
			}
		case ir.ShardingsAttr:
			list := make(ir.ShardingsAttr, len(a))
			for i, s := range a {
				list[i] = of(s)
			}
			op.Attrs = op.Attrs.With(na.Name, list)
		}
	}
}

// SetSharding sets the sharding of v. If the op of v has an attribute for it, it sets that, too.
func SetSharding(v *ir.Value, s *layout.Sharding) {
	v.Sharding = s
	if HasOwnSharding(v) {
		sinkSharding(v, s)
		return
	}
	StoreOpSharding(v)
}

// NewConstraint returns an op of the given kind, not inserted yet, that constrains v to s.
func NewConstraint(kind ir.OpKind, v *ir.Value, s *layout.Sharding) *ir.Op {
	op := ir.NewOp(kind, []*ir.Value{v}, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, []ir.Type{v.Type})
	op.Result().Sharding = s
	if v.Def() != nil {
		op.Loc = v.Def().Loc
	}
	return op
}

// Interpose inserts op, which is in no block and has v as its operand, right after v. All other
// uses of v become uses of op's result.
func Interpose(v *ir.Value, op *ir.Op) {
	v.ReplaceAllUsesWith(op.Result())
	new(ir.Builder).AfterValue(v).Insert(op)
}

// OpSharding returns the sharding in the attribute of op whose kind is a sharding; nil if op has
// none.
func OpSharding(op *ir.Op) *layout.Sharding {
	for _, spec := range op.Info().Attrs {
		if a, ok := op.Attrs.Get(spec.Name).(ir.ShardingAttr); ok && spec.Kind == ir.KindSharding {
			return a.Sharding
		}
	}
	return nil
}

// StoreOpSharding stores the sharding of v in the attribute of its op that has it: the inverse of
// OpSharding. A value without an op or a sharding, and an op without such an attribute, change
// nothing.
func StoreOpSharding(v *ir.Value) {
	op := v.Def()
	if op == nil || v.Sharding == nil {
		return
	}
	for _, spec := range op.Info().Attrs {
		if spec.Kind == ir.KindSharding {
			op.Attrs = op.Attrs.With(spec.Name, ir.ShardingAttr{Sharding: v.Sharding})
		}
	}
}

// StatedSharding returns the sharding that the program states for v, in an attribute of its op or
// else in the value; nil if it states none.
func StatedSharding(v *ir.Value) *layout.Sharding {
	if HasOwnSharding(v) {
		return OwnerSharding(v)
	}
	if op := v.Def(); op != nil {
		if s := OpSharding(op); s != nil {
			return s
		}
	}
	return v.Sharding
}
