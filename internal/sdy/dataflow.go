package sdy

// This file handles values that flow between blocks: through while, case, if,
// optimization_barrier, manual_computation and named_computation.
//
// Such a flow has sources (what may arrive) and targets (where it arrives),
// all of one type. Its layout is held by a data-flow edge: an identity op
// behind the owner, one of the targets, that all uses of the owner go through.
// Propagation sees the edge as an op from all sources to all targets.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// dataFlow says how values flow through one kind of op.
type dataFlow struct {
	// sources returns what flows into result i.
	sources func(op *ir.Op, i int) []*ir.Value
	// args returns the block arguments that share the layout of result i.
	args func(op *ir.Op, i int) []*ir.Value
	// ownArgs: the arguments of the region have edges of their own, from the
	// operands, and the op states their shardings and its results' in lists.
	ownArgs bool
}

// dataFlows is indexed by op kind.
var dataFlows = map[ir.OpKind]dataFlow{
	ir.OpWhile: {
		sources: func(op *ir.Op, i int) []*ir.Value {
			return []*ir.Value{op.Operands[i], op.Regions[1].Terminator().Operands[i]}
		},
		args: func(op *ir.Op, i int) []*ir.Value {
			return []*ir.Value{op.Regions[0].Args[i], op.Regions[1].Args[i]}
		},
	},
	ir.OpCase:                {sources: returnedByRegions},
	ir.OpIf:                  {sources: returnedByRegions},
	ir.OpOptimizationBarrier: {sources: func(op *ir.Op, i int) []*ir.Value { return op.Operands[i : i+1] }},
	ir.OpManualComputation:   {sources: returnedByRegions, ownArgs: true},
	ir.OpNamedComputation:    {sources: returnedByRegions, ownArgs: true},
}

func returnedByRegions(op *ir.Op, i int) []*ir.Value {
	var out []*ir.Value
	for _, r := range op.Regions {
		out = append(out, r.Terminator().Operands[i])
	}
	return out
}

// IsDataFlowOwner reports whether results of such ops have edges.
func IsDataFlowOwner(k ir.OpKind) bool {
	_, ok := dataFlows[k]
	return ok
}

// OwnsArgs reports whether the arguments of the regions of such ops have edges
// of their own, and the op states their shardings and its results' in lists.
func OwnsArgs(k ir.OpKind) bool { return dataFlows[k].ownArgs }

// EdgeOwner returns the target that v's edge stands behind: v itself, or the
// result that a loop's argument belongs to; nil when v takes part in no flow.
func EdgeOwner(v *ir.Value) *ir.Value {
	if !v.IsArg() {
		if IsDataFlowOwner(v.Def().Kind) {
			return v
		}
		return nil
	}
	op := v.Block().Parent()
	if op == nil {
		return nil
	}
	switch flow := dataFlows[op.Kind]; {
	case flow.ownArgs:
		return v
	case flow.args != nil:
		return op.Results[v.Index()]
	}
	return nil
}

// EdgeSources returns what flows into the owner.
func EdgeSources(owner *ir.Value) []*ir.Value {
	if owner.IsArg() {
		return []*ir.Value{owner.Block().Parent().Operands[owner.Index()]}
	}
	return dataFlows[owner.Def().Kind].sources(owner.Def(), owner.Index())
}

// ManualView shows a tensor inside a manual computation as it looks from
// outside: split by the manual axes before all others.
type ManualView struct {
	Mesh *mesh.DeviceMesh
	dims [][]mesh.AxisRef // the manual axes of each dimension
	Free []mesh.AxisRef   // the manual axes that shard no dimension
	All  []mesh.AxisRef   // all manual axes
}

// ManualViewOf returns the view for an argument or result of a manual
// computation; nil for other ops and when no axis is manual.
func ManualViewOf(owner *ir.Value) *ManualView {
	op, list := owner.Def(), "out_shardings"
	if owner.IsArg() {
		op, list = owner.Block().Parent(), "in_shardings"
	}
	if op.Kind != ir.OpManualComputation {
		return nil
	}
	manual, _ := op.Attrs.Get("manual_axes").(ir.AxesAttr)
	shardings, _ := op.Attrs.Get(list).(ir.ShardingsAttr)
	if len(manual) == 0 || owner.Index() >= len(shardings) || shardings[owner.Index()] == nil {
		return nil
	}
	s := shardings[owner.Index()]
	view := &ManualView{Mesh: s.Mesh, dims: make([][]mesh.AxisRef, len(s.Dims)), Free: slices.Clone(manual), All: manual}
	for d, dim := range s.Dims {
		for _, a := range dim.Axes {
			if isManual(manual, a) {
				view.dims[d] = append(view.dims[d], a)
				view.Free = slices.DeleteFunc(view.Free, func(b mesh.AxisRef) bool { return a.Name == b.Name })
			}
		}
	}
	return view
}

func isManual(manual ir.AxesAttr, a mesh.AxisRef) bool {
	return slices.ContainsFunc(manual, func(b mesh.AxisRef) bool { return a.Name == b.Name })
}

// Enter returns s with the manual axes put first.
func (v *ManualView) Enter(s *layout.Sharding) *layout.Sharding {
	if s == nil {
		s = layout.OpenSharding(v.Mesh, len(v.dims))
	}
	s = s.Clone()
	for d := range s.Dims {
		s.Dims[d].Axes = append(slices.Clone(v.dims[d]), s.Dims[d].Axes...)
	}
	return s
}

// Leave is the inverse of Enter.
func (v *ManualView) Leave(s *layout.Sharding) *layout.Sharding {
	s = s.Clone()
	for d := range s.Dims {
		dim := &s.Dims[d]
		dim.Axes = dim.Axes[min(len(v.dims[d]), len(dim.Axes)):]
		if len(dim.Axes) == 0 && !dim.Open { // of which no priority may be stated
			dim.Priority, dim.P0 = 0, false
		}
	}
	return s
}

// IsOwnArg reports whether v is an argument of a manual or named computation.
func IsOwnArg(v *ir.Value) bool {
	return v.IsArg() && v.Block().Parent() != nil && dataFlows[v.Block().Parent().Kind].ownArgs
}

// HasOwnSharding reports whether v is an argument or result of a manual or
// named computation, which states its sharding in a list.
func HasOwnSharding(v *ir.Value) bool {
	return IsOwnArg(v) || v.Def() != nil && dataFlows[v.Def().Kind].ownArgs
}

// OwnerSharding returns the sharding that the program states for an owner, as
// seen where the owner lives.
func OwnerSharding(owner *ir.Value) *layout.Sharding {
	if !HasOwnSharding(owner) {
		return owner.Sharding
	}
	op, list := owner.Def(), "out_shardings"
	if owner.IsArg() {
		op, list = owner.Block().Parent(), "in_shardings"
	}
	shardings, _ := op.Attrs.Get(list).(ir.ShardingsAttr)
	if owner.Index() >= len(shardings) {
		return nil
	}
	s := shardings[owner.Index()]
	if view := ManualViewOf(owner); view != nil && owner.IsArg() {
		s = view.Leave(s)
		manual, _ := op.Attrs.Get("manual_axes").(ir.AxesAttr)
		s.Replicated = slices.DeleteFunc(s.Replicated, func(a mesh.AxisRef) bool { return isManual(manual, a) })
	}
	return s
}

// TargetsOf returns the values whose shardings the attribute list states.
func TargetsOf(op *ir.Op, list string) []*ir.Value {
	if list == "in_shardings" {
		return op.Operands
	}
	return op.Results
}
