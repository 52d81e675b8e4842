package trace

// This file refuses gradients that GoMLX would silently leave out.
//
// Closures of If and While may use values from outside. GoMLX does not count
// those among the node's inputs, so its backward pass takes the gradient that
// should flow through them for zero.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// checkCaptures panics with an Error if the gradient of loss with respect to
// params would have to flow through what an If or While captured.
func (r *Recorder) checkCaptures(loss *graph.Node, params []*graph.Node) {
	if !r.branches {
		return
	}
	wanted := dependence{}
	for _, p := range params {
		wanted[nodeValue(p)] = true
	}
	seen := make(map[*graph.Node]bool)
	var visit func(n *graph.Node)
	visit = func(n *graph.Node) {
		if seen[n] || n.StopGradient() {
			return
		}
		seen[n] = true
		for _, e := range noGradient {
			if n.Type() != e.kind {
				continue
			}
			for _, v := range captured(nodeValue(n).Def()) {
				if v.Type.DType.IsFloat() && wanted.on(v) {
					panic(&Error{Op: e.name, Loc: nodeLocation(n), Err: fmt.Errorf("the operation has no gradient: %s", e.fix)})
				}
			}
		}
		for _, in := range n.Inputs() {
			visit(in)
		}
	}
	visit(loss)
}

// captured returns the values that op's regions use from outside.
func captured(op *ir.Op) []*ir.Value {
	inside := make(map[*ir.Block]bool)
	var out []*ir.Value
	op.Walk(func(o *ir.Op) {
		for _, b := range o.Regions {
			inside[b] = true
		}
		if o == op {
			return
		}
		for _, v := range o.Operands {
			if !inside[v.Block()] && v.Type.DType != dtypes.InvalidDType {
				out = append(out, v)
			}
		}
	})
	return out
}

// dependence remembers which values depend on some chosen ones.
type dependence map[*ir.Value]bool

// on reports whether v depends on the chosen values, through operands or
// through what regions capture.
func (d dependence) on(v *ir.Value) bool {
	if answer, ok := d[v]; ok {
		return answer
	}
	d[v] = false
	op := v.Def()
	if op == nil {
		if op = v.Block().Parent(); op == nil {
			return false
		}
	}
	for _, list := range [][]*ir.Value{op.Operands, captured(op)} {
		for _, o := range list {
			if d.on(o) {
				d[v] = true
				return true
			}
		}
	}
	return false
}
