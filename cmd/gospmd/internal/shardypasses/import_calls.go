package shardypasses

// This file makes calls transparent to propagation: every call gets its own copy of the function,
// and a named computation with the body of the function replaces the call.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// funcToCallShardings sets the shardings of calls that have none to those of the function's
// results: Shardy's pass propagate-sharding-from-func-to-call.
func funcToCallShardings(m *ir.Module) {
	for _, call := range calls(m) {
		f := sdy.Callee(m, call)
		if f == nil || hasSharding(call.Results) {
			continue
		}
		for i, s := range resultShardings(f) {
			call.Results[i].Sharding = s
		}
	}
}

// flattenCalls gives every call its own function: the second and each later call of a function get
// a copy, which keeps the name of the original in an attribute. It is Shardy's pass
// flatten-call-graph.
func flattenCalls(m *ir.Module) {
	called := make(map[*ir.Func]bool)
	names := newNamer(m)
	for _, call := range calls(m) {
		f := sdy.Callee(m, call)
		if f == nil {
			continue
		}
		if called[f] {
			setCallee(call, copyFunc(m, names, f))
		}
		called[f] = true
	}
}

// inlineCalls replaces every call by a named computation that has the body of the function and
// data-flow edges, and removes the functions. It is Shardy's pass import-func-calls. Call
// flattenCalls before it.
//
//	%1 = call @f(%0)  =>  %1 = sdy.named_computation<"f">(%0) (%arg1) { … }
func inlineCalls(m *ir.Module) {
	inlined := make(map[*ir.Func]bool)
	for _, call := range calls(m) {
		f := sdy.Callee(m, call)
		if f == nil || f.Body.Len() == 0 {
			continue // a declaration
		}
		inlined[f] = true
		inlineCall(call, f)
	}
	m.Funcs = slices.DeleteFunc(m.Funcs, func(f *ir.Func) bool { return inlined[f] })
	sdy.AddEdges(m, func(k ir.OpKind) bool { return k == ir.OpNamedComputation })
}

// inlineCall turns the call of f into a named computation in place, with the function's body and
// the shardings of both, so that the uses of its results do not change.
func inlineCall(call *ir.Op, f *ir.Func) {
	attrs := ir.Attrs{{Name: "name", Value: ir.String(nameOf(f))}}
	if s := paramShardings(f); s != nil {
		attrs = append(attrs, ir.NamedAttr{Name: "in_shardings", Value: s})
	}
	if s := shardingsOf(call.Results); s != nil {
		attrs = append(attrs, ir.NamedAttr{Name: "out_shardings", Value: s})
	}
	for _, na := range call.Attrs {
		if na.Name != "callee" && na.Name != sdy.ShardingAttr {
			attrs = append(attrs, na)
		}
	}
	if thread := f.Attrs.Get("execution_thread"); thread != nil {
		attrs = attrs.With("execution_thread", thread)
	}
	body := ir.Cloner{}.Block(f.Body)
	for _, a := range body.Args {
		a.Name, a.Sharding = "", nil
	}
	body.Terminator().Kind = ir.OpSdyReturn
	call.Kind, call.Attrs = ir.OpNamedComputation, attrs
	call.AddRegion(body)
	for _, v := range call.Results {
		v.Sharding = nil
	}
}

// addFuncDataFlowEdges adds edges between the operands of calls and the parameters of functions
// other than main, and between the returned values and the results of calls: Shardy's pass
// add-func-data-flow-edges. So calls need not be inlined, and a function has the same shardings for
// all of its calls.
func addFuncDataFlowEdges(m *ir.Module) {
	main := sdy.Main(m)
	var at ir.Builder
	add := func(values []*ir.Value) {
		for _, v := range values {
			if v.Type.IsToken() {
				continue
			}
			edge := at.FuncDataFlowEdge(v)
			edge.Sharding = v.Sharding
			v.ReplaceUsesIf(edge, func(u ir.Use) bool { return u.Op != edge.Def() })
		}
	}
	for _, f := range m.Funcs {
		if f != main {
			at.AtStart(f.Body)
			add(f.Params())
		}
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpCall {
				at.After(op)
				add(op.Results)
			}
		})
	}
}

// sinkFuncDataFlowEdges removes the ops func_data_flow_edge and gives their shardings to the
// parameters and call results: Shardy's pass sink-func-data-flow-edges. A value that has a
// sharding, but whose edge has none, gets an open one.
func sinkFuncDataFlowEdges(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind != ir.OpFuncDataFlowEdge {
				return
			}
			v, s := op.Operands[0], op.Result().Sharding
			if s != nil {
				v.Sharding = s
			} else if v.Sharding != nil {
				v.Sharding = layout.OpenSharding(v.Sharding.Mesh, v.Type.Rank())
			}
			op.ReplaceWith(v)
		})
	}
}

// orderCallersFirst orders the functions of m so that each one is before the functions that it
// calls: Shardy's pass pre-order-funcs.
func orderCallersFirst(m *ir.Module) { m.Funcs = callOrder(m) }
