package sdy

// This file visits and changes all shardings of a module.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// ShardingAttr is the attribute by which ops without results carry shardings.
const ShardingAttr = "sdy.sharding"

// RuleAttr is the attribute by which a program states the sharding rule of an op.
const RuleAttr = "sdy.sharding_rule"

// TransformShardings replaces every sharding of m by what change returns for
// it: function by function the parameters', the results', then those of ops,
// outer ops before inner ones. A sharding that several places share is changed
// once.
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

// transformAttrs changes the shardings among the attributes of op.
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

// SetSharding gives v a sharding, in the op's attribute too where v's op
// states one.
func SetSharding(v *ir.Value, s *layout.Sharding) {
	v.Sharding = s
	if HasOwnSharding(v) {
		sinkSharding(v, s)
		return
	}
	StoreOpSharding(v)
}

// NewConstraint returns an op that demands a sharding of v.
func NewConstraint(kind ir.OpKind, v *ir.Value, s *layout.Sharding) *ir.Op {
	op := ir.NewOp(kind, []*ir.Value{v}, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, []ir.Type{v.Type})
	op.Result().Sharding = s
	if v.Def() != nil {
		op.Loc = v.Def().Loc
	}
	return op
}

// Interpose inserts op, which stands in no block and computes on v, right after
// v and makes all other uses of v uses of its result.
func Interpose(v *ir.Value, op *ir.Op) {
	v.ReplaceAllUsesWith(op.Result())
	new(ir.Builder).AfterValue(v).Insert(op)
}

// OpSharding returns the sharding that op states by an attribute of its own.
func OpSharding(op *ir.Op) *layout.Sharding {
	for _, spec := range op.Info().Attrs {
		if a, ok := op.Attrs.Get(spec.Name).(ir.ShardingAttr); ok && spec.Kind == ir.KindSharding {
			return a.Sharding
		}
	}
	return nil
}

// StoreOpSharding is the inverse of OpSharding.
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

// StatedSharding returns the sharding that the program gives v, by whatever
// means.
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

// HasSharding reports whether one of the values has a sharding.
func HasSharding(values []*ir.Value) bool {
	for _, v := range values {
		if v.Sharding != nil {
			return true
		}
	}
	return false
}

// PerValue returns n shardings, open ones where get returns nil; nil if there
// is none on a mesh of several devices.
func PerValue(n int, get func(i int) *layout.Sharding, rank func(i int) int) ir.ShardingsAttr {
	var dm *mesh.DeviceMesh
	for i := range n {
		if s := get(i); s != nil && !s.Mesh.IsMaximal() {
			dm = s.Mesh
			break
		}
	}
	if dm == nil {
		return nil
	}
	list := make(ir.ShardingsAttr, n)
	for i := range list {
		if list[i] = get(i); list[i] == nil {
			list[i] = layout.OpenSharding(dm, rank(i))
		}
	}
	return list
}

func ShardingsOf(values []*ir.Value) ir.ShardingsAttr {
	return PerValue(len(values), func(i int) *layout.Sharding { return values[i].Sharding },
		func(i int) int { return values[i].Type.Rank() })
}

func ParamShardings(f *ir.Func) ir.ShardingsAttr { return ShardingsOf(f.Params()) }

func ResultShardings(f *ir.Func) ir.ShardingsAttr {
	return PerValue(len(f.Results), func(i int) *layout.Sharding { return f.Results[i].Sharding },
		func(i int) int { return f.Results[i].Type.Rank() })
}

func ReplicatedLike(list ir.ShardingsAttr) ir.ShardingsAttr {
	out := make(ir.ShardingsAttr, len(list))
	for i, s := range list {
		out[i] = layout.Replicated(s.Mesh, len(s.Dims))
	}
	return out
}

// Equivalent reports whether two shardings lay a value out alike; nil is
// replicated.
func Equivalent(a, b *layout.Sharding) bool {
	if IsReplicated(a) {
		return IsReplicated(b)
	}
	return b != nil && a.SameLayout(b)
}

// IsReplicated reports whether no dimension is split. As with Shardy of jaxlib
// 0.10.2, what is unreduced counts as replicated too: all-reduces follow from
// the unreduced axes.
func IsReplicated(s *layout.Sharding) bool {
	return s == nil || !slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return len(d.Axes) > 0 })
}

// CommonMesh returns the mesh that all shardings are on, or nil when there is
// none to propagate on: nothing is sharded, meshes differ, or a value lies on
// a single device. The mesh without axes goes with any other.
func CommonMesh(shardings []*layout.Sharding) *mesh.DeviceMesh {
	var m *mesh.DeviceMesh
	for _, s := range shardings {
		if s == nil {
			continue
		}
		if s.Mesh.IsMaximal() {
			return nil
		}
		if len(s.Mesh.Axes()) == 0 {
			continue
		}
		if m != nil && m != s.Mesh {
			return nil
		}
		m = s.Mesh
	}
	return m
}

// IsElementwise reports whether propagation takes op as element-wise.
func IsElementwise(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpShardingConstraint, ir.OpReshard, ir.OpPropagationBarrier:
		return true
	case ir.OpBitcastConvert:
		return slices.Equal(op.Operands[0].Type.Dims, op.Result().Type.Dims)
	}
	return op.Info().Is(ir.Elementwise)
}
