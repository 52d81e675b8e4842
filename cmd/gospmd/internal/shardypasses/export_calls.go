package shardypasses

// This file makes functions and calls of named computations again.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// outlineCalls undoes inlineCalls: the body of every named computation becomes
// a private function, named as the computation, and the computation a call. It
// is Shardy's pass export-named-computations.
func outlineCalls(m *ir.Module) {
	names := newNamer(m)
	for _, f := range slices.Clone(m.Funcs) {
		edges := sdy.Edges(f)
		var visit func(b *ir.Block)
		visit = func(b *ir.Block) {
			for op := range b.Ops() {
				for _, r := range op.Regions {
					visit(r)
				}
				if op.Kind == ir.OpNamedComputation {
					outline(m, names, op, edges)
				}
			}
		}
		visit(f.Body)
	}
}

// outline turns a named computation into a call in place, and its body into a
// function. The edges of its arguments and results go.
func outline(m *ir.Module, names *namer, op *ir.Op, edges map[*ir.Value]*ir.Op) {
	body := op.TakeRegions()[0]
	f := &ir.Func{
		Name: names.name(computationName(op)), Private: true, Body: body,
		ArgAttrs: make([]ir.Attrs, len(body.Args)), Loc: op.Loc,
		Attrs: ir.Attrs{{Name: originalName, Value: ir.String(computationName(op))}},
	}
	in, _ := op.Attrs.Get("in_shardings").(ir.ShardingsAttr)
	if s := edgeShardings(body.Args, edges); s != nil {
		in = s
	}
	out, _ := op.Attrs.Get("out_shardings").(ir.ShardingsAttr)
	if s := edgeShardings(op.Results, edges); s != nil {
		out = s
	}
	for i, s := range in {
		body.Args[i].Sharding = s
	}
	for _, v := range slices.Concat(body.Args, op.Results) {
		if edge := edges[v]; edge != nil {
			edge.ReplaceWith(v)
		}
	}
	for i, s := range out {
		op.Results[i].Sharding = s
	}
	for _, v := range body.Terminator().Operands {
		f.Results = append(f.Results, ir.FuncResult{Type: v.Type})
	}
	body.Terminator().Kind = ir.OpFuncReturn
	attrs := ir.Attrs{{Name: "callee", Value: ir.Symbol(f.Name)}}
	for _, na := range op.Attrs {
		switch na.Name {
		case "name", "in_shardings", "out_shardings":
		case "execution_thread":
			f.Attrs = append(f.Attrs, na)
		default:
			attrs = append(attrs, na)
		}
	}
	op.Kind, op.Attrs = ir.OpCall, attrs
	m.Funcs = append(m.Funcs, f)
}

// edgeShardings returns the shardings of the owners' edges, or nil.
func edgeShardings(owners []*ir.Value, edges map[*ir.Value]*ir.Op) ir.ShardingsAttr {
	return perValue(len(owners), func(i int) *layout.Sharding {
		if e := edges[owners[i]]; e != nil {
			return e.Result().Sharding
		}
		return nil
	}, func(i int) int { return owners[i].Type.Rank() })
}

// returnedToResults gives the results of functions other than main the shardings of their
// returned values: Shardy's pass propagate-to-func-results.
func returnedToResults(m *ir.Module) {
	main := sdy.Main(m)
	for _, f := range m.Funcs {
		if f == main || f.Body.Len() == 0 {
			continue
		}
		for i, v := range f.Returned() {
			f.Results[i].Sharding = sdy.StatedSharding(v)
		}
	}
}

// unflattenCalls undoes flattenCalls where it can: calls of copies of one
// function that have come out with the same layouts call the first of them. It
// is Shardy's pass unflatten-call-graph.
func unflattenCalls(m *ir.Module) {
	first := make(map[string]*ir.Func)
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind != ir.OpCall {
				return
			}
			callee := sdy.Callee(m, op)
			if callee == nil {
				return
			}
			key := callKey(m, callee)
			if first[key] == nil {
				first[key] = callee
			}
			setCallee(op, first[key].Name)
		})
	}
	for _, f := range m.Funcs {
		f.Attrs = f.Attrs.Without(originalName)
	}
}

// callKey returns a text that is equal for copies of one function with equal
// layouts of their parameters and results.
func callKey(m *ir.Module, f *ir.Func) string {
	var b strings.Builder
	b.WriteString(nameOf(f))
	for _, list := range []ir.ShardingsAttr{paramShardings(f), resultShardings(f)} {
		b.WriteByte('|')
		for _, s := range list {
			b.WriteString(m.MeshName(s.Mesh) + s.String() + ";")
		}
	}
	return b.String()
}

// reshardCallResults has calls return what their function returns, and moves
// that to where the call's users want it: Shardy's pass
// insert-func-call-reshards.
func reshardCallResults(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind != ir.OpCall {
				return
			}
			callee := sdy.Callee(m, op)
			if callee == nil {
				return
			}
			list := resultShardings(callee)
			if list == nil && hasSharding(op.Results) {
				list = replicatedLike(shardingsOf(op.Results))
			}
			for i, s := range list {
				v := op.Results[i]
				if !equivalent(s, v.Sharding) {
					target := v.Sharding
					if target == nil {
						target = layout.Replicated(s.Mesh, v.Type.Rank())
					}
					sdy.Interpose(v, sdy.NewConstraint(ir.OpReshard, v, target))
				}
				v.Sharding = s
			}
		})
	}
}
