package sdy

// This file handles values that flow between blocks: through while, case, if, optimization_barrier,
// manual_computation and named_computation.
//
// Such a flow has sources (the values that may arrive) and targets (the values that they become),
// all of one type. A data-flow edge holds its sharding. The edge is an identity op right after the
// owner, which is one of the targets, and all uses of the owner go through the edge. For
// propagation the edge is an op from all sources to all targets.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// dataFlow says how values flow through one kind of op.
type dataFlow struct {
	// sources returns the values that flow into result i.
	sources func(op *ir.Op, i int) []*ir.Value
	// args returns the block arguments that have the sharding of result i.
	args func(op *ir.Op, i int) []*ir.Value
	// ownArgs says that the arguments of the region have edges of their own, whose sources are the
	// operands, and that the op lists the shardings of its arguments and results in attributes.
	ownArgs bool
}

// dataFlows has, for each kind of op through which values flow unchanged, which values flow to
// which.
var dataFlows = map[ir.OpKind]dataFlow{
	ir.OpWhile: {
		sources: func(op *ir.Op, i int) []*ir.Value {
			return []*ir.Value{op.Operands[i], op.Regions[1].Terminator().Operands[i]}
		},
		args: func(op *ir.Op, i int) []*ir.Value {
			return []*ir.Value{op.Regions[0].Args[i], op.Regions[1].Args[i]}
		},
	},
	ir.OpCase:                {sources: resultsOfRegions},
	ir.OpIf:                  {sources: resultsOfRegions},
	ir.OpOptimizationBarrier: {sources: func(op *ir.Op, i int) []*ir.Value { return op.Operands[i : i+1] }},
	ir.OpManualComputation:   {sources: resultsOfRegions, ownArgs: true},
	ir.OpNamedComputation:    {sources: resultsOfRegions, ownArgs: true},
}

func resultsOfRegions(op *ir.Op, i int) []*ir.Value {
	var out []*ir.Value
	for _, r := range op.Regions {
		out = append(out, r.Terminator().Operands[i])
	}
	return out
}

// IsDataFlowOwner reports whether the results of ops of kind k have data-flow edges.
func IsDataFlowOwner(k ir.OpKind) bool {
	_, ok := dataFlows[k]
	return ok
}

// OwnsArgs reports whether ops of kind k have edges for the arguments of their regions, and list
// the shardings of their arguments and results in attributes.
func OwnsArgs(k ir.OpKind) bool { return dataFlows[k].ownArgs }

// EdgeOwner returns the owner of the edge that holds the sharding of v: v itself, or the result of
// a loop whose argument v is. It returns nil if v is not a target of a flow.
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

// EdgeSources returns the values that flow into the owner: for an argument of a manual or named
// computation its operand, for a result those that the kind of its op says, such as the ends of
// branches.
func EdgeSources(owner *ir.Value) []*ir.Value {
	if owner.IsArg() {
		return []*ir.Value{owner.Block().Parent().Operands[owner.Index()]}
	}
	return dataFlows[owner.Def().Kind].sources(owner.Def(), owner.Index())
}

// ManualView converts the sharding of a tensor inside a manual computation to the sharding seen
// from outside: there the manual axes shard each dimension before all others.
type ManualView struct {
	Mesh *mesh.DeviceMesh
	dims [][]mesh.AxisRef // the manual axes of each dimension
	Free []mesh.AxisRef   // the manual axes that shard no dimension
	All  []mesh.AxisRef   // all manual axes
}

// ManualViewOf returns the view for an argument or result of a manual computation. It returns nil
// for other ops, if no axis is manual, and if the op has no sharding for it.
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

// Enter returns s as seen from outside: with the manual axes put first. nil is an open sharding.
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

// Leave returns s as seen inside: without the manual axes. It is the inverse of Enter.
func (v *ManualView) Leave(s *layout.Sharding) *layout.Sharding {
	s = s.Clone()
	for d := range s.Dims {
		dim := &s.Dims[d]
		dim.Axes = dim.Axes[min(len(v.dims[d]), len(dim.Axes)):]
		if len(dim.Axes) == 0 && !dim.Open { // a closed dimension without axes may not have a priority
			dim.Priority, dim.P0 = 0, false
		}
	}
	return s
}

// IsOwnArg reports whether v is an argument of the region of a manual or named computation.
func IsOwnArg(v *ir.Value) bool {
	return v.IsArg() && v.Block().Parent() != nil && dataFlows[v.Block().Parent().Kind].ownArgs
}

// HasOwnSharding reports whether v is an argument or result of a manual or named computation. Such
// an op lists the shardings of its arguments and results in attributes.
func HasOwnSharding(v *ir.Value) bool {
	return IsOwnArg(v) || v.Def() != nil && dataFlows[v.Def().Kind].ownArgs
}

// OwnerSharding returns the sharding that the program states for an owner, as seen in the block of
// the owner; nil if it states none.
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

// TargetsOf returns the values whose shardings are in the attribute list of op, a manual or named
// computation: its operands for in_shardings, and its results for out_shardings.
func TargetsOf(op *ir.Op, list string) []*ir.Value {
	if list == "in_shardings" {
		return op.Operands
	}
	return op.Results
}
