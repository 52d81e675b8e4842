package shardypasses

// This file makes shardings final after propagation.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// dropGroups removes sharding groups: Shardy's pass remove-sharding-groups.
func dropGroups(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpShardingGroup {
				op.Erase()
			}
		})
	}
}

// constraintsToReshards turns sharding constraints, which steer propagation, into reshards, which
// move data: Shardy's pass sharding-constraint-to-reshard.
func constraintsToReshards(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpShardingConstraint {
				op.Kind = ir.OpReshard
			}
		})
	}
}

// divideEvenly shortens shardings to axes that divide their dimensions: those of parameters, of
// results of functions and calls, and of values that enter and leave manual computations. It is
// Shardy's pass update-non-divisible-input-output-shardings.
//
//	tensor<4>: mesh <["x"=4, "y"=2]> [{"x", "y"}]  =>  [{"x"}]
func divideEvenly(m *ir.Module) {
	values := func(list []*ir.Value) {
		for _, v := range list {
			v.Sharding = evenPrefix(v.Sharding, v.Type)
		}
	}
	for _, f := range m.Funcs {
		values(f.Params())
		for i := range f.Results {
			f.Results[i].Sharding = evenPrefix(f.Results[i].Sharding, f.Results[i].Type)
		}
		f.Walk(func(op *ir.Op) {
			switch op.Kind {
			case ir.OpCall:
				values(op.Results)
			case ir.OpManualComputation:
				for _, name := range []string{"in_shardings", "out_shardings"} {
					list, _ := op.Attrs.Get(name).(ir.ShardingsAttr)
					list = slices.Clone(list)
					for i, v := range sdy.TargetsOf(op, name) {
						list[i] = evenPrefix(list[i], v.Type)
					}
					op.Attrs = op.Attrs.With(name, list)
				}
				values(op.Results)
			}
		})
	}
}

// evenPrefix returns a copy of s with the axes of each dimension shortened to the longest prefix
// that divides the dimension of t; the last of them may become a sub-axis. It returns s itself if
// it is nil, t is a token, or the ranks differ.
func evenPrefix(s *layout.Sharding, t ir.Type) *layout.Sharding {
	if s == nil || t.IsToken() || len(s.Dims) != t.Rank() {
		return s
	}
	out := s.Clone()
	for d := range out.Dims {
		if n := s.DimShards(d); n > 0 && t.Dims[d]%n != 0 {
			out.Dims[d].Axes = evenAxes(s.Mesh, out.Dims[d].Axes, t.Dims[d])
		}
	}
	return out
}

// evenAxes returns the longest prefix of the axes refs of dm whose number of shards divides size.
// Its last axis may be a sub-axis: the major part of one of refs.
func evenAxes(dm *mesh.DeviceMesh, refs []mesh.AxisRef, size int) []mesh.AxisRef {
	var axes mesh.AxisList
	for _, a := range dm.AxisList(refs) {
		g := gcd(a.Size, size)
		if g == 1 {
			break
		}
		size /= g
		axes = append(axes, a.Prefix(g))
		if g < a.Size {
			break
		}
	}
	return dm.Refs(axes)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// dropSubAxes removes sub-axes from the open dimensions of main's parameters and results, together
// with the axes after them: Shardy's pass remove-sub-axes-in-input-output-shardings. If a user
// states a sub-axis, the dimension is closed.
func dropSubAxes(m *ir.Module) {
	main := sdy.Main(m)
	if main == nil {
		return
	}
	for _, p := range main.Params() {
		p.Sharding = withoutSubAxes(p.Sharding)
	}
	for i := range main.Results {
		main.Results[i].Sharding = withoutSubAxes(main.Results[i].Sharding)
	}
}

func withoutSubAxes(s *layout.Sharding) *layout.Sharding {
	if s == nil {
		return nil
	}
	out := s.Clone()
	for d := range out.Dims {
		dim := &out.Dims[d]
		if i := slices.IndexFunc(dim.Axes, func(a mesh.AxisRef) bool { return a.Sub }); i >= 0 && dim.Open {
			dim.Axes = dim.Axes[:i]
		}
	}
	return out
}

// closeShardings closes all dimensions and removes replicated axes, which only steer propagation:
// Shardy's pass close-shardings.
func closeShardings(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if hasSharding(op.Results) { // if one result has a sharding, all have
				for i, s := range shardingsOf(op.Results) {
					op.Results[i].Sharding = s
				}
			}
		})
	}
	sdy.TransformShardings(m, func(s *layout.Sharding) *layout.Sharding {
		out := s.Clone()
		for d := range out.Dims {
			dim := &out.Dims[d]
			dim.Open = false
			if len(dim.Axes) == 0 { // a closed dimension without axes may not have a priority
				dim.Priority, dim.P0 = 0, false
			}
		}
		out.Replicated = nil
		return out
	})
}
