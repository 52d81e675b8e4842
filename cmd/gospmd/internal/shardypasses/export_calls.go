package shardypasses

// This file turns named computations back into functions and calls.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// outlineCalls undoes inlineCalls: it turns the body of every named computation into a private
// function with the name of the computation, and the computation into a call of it. It is Shardy's
// pass export-named-computations.
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

// outline turns op, a named computation, into a call in place, and its body into a private function
// of m. Their arguments and results get the shardings of the edges on them, or, if there are none,
// those in op's in_shardings and out_shardings. It removes these edges.
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

// edgeShardings returns, for each of owners, the sharding of its edge: an open one if it has no
// edge or no sharding. It returns nil if there is no sharding at all.
func edgeShardings(owners []*ir.Value, edges map[*ir.Value]*ir.Op) ir.ShardingsAttr {
	return shardingsPerValue(len(owners), func(i int) *layout.Sharding {
		if e := edges[owners[i]]; e != nil {
			return e.Result().Sharding
		}
		return nil
	}, func(i int) int { return owners[i].Type.Rank() })
}

// propagateToResults sets the result shardings of functions other than main to those of the
// returned values: Shardy's pass propagate-to-func-results.
func propagateToResults(m *ir.Module) {
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

// unflattenCalls undoes flattenCalls where possible: if copies of one function have got the same
// shardings, calls of the other copies become calls of the first one. The other copies stay,
// without uses. It also removes the attributes that name the original of a copy. It is Shardy's
// pass unflatten-call-graph.
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

// callKey returns a text that is equal for copies of one function whose parameters and results have
// the same shardings.
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

// reshardCallResults gives the results of calls the shardings that the function returns, and
// reshards them to the shardings that users of the call need: Shardy's pass
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
				list = replicateLike(shardingsOf(op.Results))
			}
			for i, s := range list {
				v := op.Results[i]
				if !areEquivalent(s, v.Sharding) {
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
