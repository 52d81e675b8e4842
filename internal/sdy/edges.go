package sdy

// This file adds data-flow edges to programs and removes them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Edges returns the data-flow edges of f by owner.
func Edges(f *ir.Func) map[*ir.Value]*ir.Op {
	edges := make(map[*ir.Value]*ir.Op)
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpDataFlowEdge {
			edges[op.Operands[0]] = op
		}
	})
	return edges
}

// AddDataFlowEdges adds a data-flow edge after every owner that has none: Shardy's pass
// add-data-flow-edges. The edge gets the sharding of the owner: that of the result, or the one in
// in_shardings or out_shardings of a manual or named computation.
func AddDataFlowEdges(m *ir.Module) { AddEdges(m, IsDataFlowOwner) }

// AddEdges inserts the data-flow edges of m, as AddDataFlowEdges does, but only for ops of the
// kinds for which the function of returns true.
func AddEdges(m *ir.Module, of func(ir.OpKind) bool) {
	for _, f := range m.Funcs {
		addEdges(f.Body, of, Edges(f))
	}
}

// addEdges adds edges in b and in the regions of its ops, for the kinds of ops that of returns true
// for. have maps values to the edges that exist already.
func addEdges(b *ir.Block, of func(ir.OpKind) bool, have map[*ir.Value]*ir.Op) {
	var at ir.Builder
	add := func(owners []*ir.Value) {
		for _, v := range owners {
			if !v.Type.IsToken() && have[v] == nil {
				addEdge(&at, v)
			}
		}
	}
	if p := b.Parent(); p != nil && of(p.Kind) && dataFlows[p.Kind].ownArgs {
		at.AtStart(b)
		add(b.Args)
	}
	for op := range b.Ops() {
		if of(op.Kind) {
			at.After(op)
			add(op.Results)
		}
		if !op.Info().Is(ir.ScalarBody) {
			for _, r := range op.Regions {
				addEdges(r, of, have)
			}
		}
	}
}

// addEdge adds the edge of owner, with the owner's sharding if it has one. All other uses of the
// owner become uses of the edge.
func addEdge(b *ir.Builder, owner *ir.Value) {
	edge := b.DataFlowEdge(owner)
	if s := OwnerSharding(owner); s != nil {
		edge.Sharding = s
		StoreOpSharding(edge)
	}
	owner.ReplaceUsesIf(edge, func(u ir.Use) bool { return u.Op.Kind != ir.OpDataFlowEdge })
}

// SinkDataFlowEdges removes all data-flow edges and gives their shardings to their targets:
// Shardy's pass sink-data-flow-edges.
func SinkDataFlowEdges(m *ir.Module) {
	for _, f := range m.Funcs {
		var edges []*ir.Op
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpDataFlowEdge {
				edges = append(edges, op)
				sinkSharding(op.Operands[0], op.Result().Sharding)
			}
		})
		for _, e := range edges {
			e.ReplaceWith(e.Operands[0])
		}
	}
}

// sinkSharding sets the sharding of the edge's owner, and of its other targets, such as the
// arguments of a loop's regions, to s. If op keeps shardings of its operands or results in an
// attribute, the owner's is also changed there; nil is not.
func sinkSharding(owner *ir.Value, s *layout.Sharding) {
	owner.Sharding = s
	op, list, count := owner.Def(), "out_shardings", 0
	if owner.IsArg() {
		op, list = owner.Block().Parent(), "in_shardings"
		count = len(op.Operands)
	} else {
		count = len(op.Results)
	}
	flow := dataFlows[op.Kind]
	if flow.args != nil {
		for _, a := range flow.args(op, owner.Index()) {
			a.Sharding = s
		}
	}
	if !flow.ownArgs || s == nil {
		return
	}
	shardings, _ := op.Attrs.Get(list).(ir.ShardingsAttr)
	shardings = slices.Clone(shardings)
	if shardings == nil {
		shardings = make(ir.ShardingsAttr, count)
	}
	old := shardings[owner.Index()]
	if view := ManualViewOf(owner); view != nil && owner.IsArg() {
		s = view.Enter(s)
		if old != nil {
			s.Replicated = old.Replicated
		}
	}
	shardings[owner.Index()] = s
	for i, v := range TargetsOf(op, list) {
		if shardings[i] == nil {
			shardings[i] = layout.OpenSharding(s.Mesh, v.Type.Rank())
		}
	}
	op.Attrs = op.Attrs.With(list, shardings)
}
