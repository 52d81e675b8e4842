package sharding

// This file visits and changes all shardings of a module.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// shardingName is the attribute by which ops without results carry shardings.
const shardingName = "sdy.sharding"

// transformShardings replaces every sharding of m by what change returns for
// it: function by function the parameters', the results', then those of ops,
// outer ops before inner ones. A sharding that several places share is changed
// once.
func transformShardings(m *ir.Module, change func(*layout.Sharding) *layout.Sharding) {
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

// setSharding gives v a sharding, in the op's attribute too where v's op
// states one.
func setSharding(v *ir.Value, s *layout.Sharding) {
	v.Sharding = s
	if hasOwnSharding(v) {
		sinkSharding(v, s)
		return
	}
	storeOpSharding(v)
}

// newConstraint returns an op that demands a sharding of v.
func newConstraint(kind ir.OpKind, v *ir.Value, s *layout.Sharding) *ir.Op {
	op := ir.NewOp(kind, []*ir.Value{v}, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, []ir.Type{v.Type})
	op.Result().Sharding = s
	if v.Def() != nil {
		op.Loc = v.Def().Loc
	}
	return op
}
