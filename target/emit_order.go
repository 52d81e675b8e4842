package target

// This file puts the collectives that cross processes in one order, for emit.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// order chains the crossings of a block, and of the loops and branches in it: each takes the number
// that the crossing before it returns. order returns the number of the last one:
//
//	%1 = custom_call @gospmd_collective(%a)         %1:2 = custom_call @gospmd_collective(%a, %n)
//	%2 = while(%i = %b) {                           %2:2 = while(%i = %b, %k = %1#1) {
//	  %3 = custom_call @gospmd_collective(%i)   =>    %3:2 = custom_call @gospmd_collective(%i, %k)
//	  return %3 }                                     return %3#0, %3#1 }
//
// Without the chain, XLA executes calls with side effects one after the other in an order of its
// choice. It may choose another order in another process, because the constants of positions differ
// there. The processes would then wait for each other forever.
func (p *process) order(b *ir.Block, n *ir.Value) *ir.Value {
	for op := range b.Ops() {
		switch {
		case isCrossing(op):
			op.AddOperands(n)
			n = op.AddResult(n.Type)
		case !hasCrossing(op):
		case op.Kind == ir.OpWhile:
			op.AddOperands(n)
			n = op.AddResult(n.Type)
			for i, r := range op.Regions {
				// the region is the body of a while; the condition has no further results
				if last := p.order(r, r.AddArg(n.Type)); i == 1 {
					r.Terminator().AddOperands(last)
				}
			}
		case op.Kind == ir.OpCase || op.Kind == ir.OpIf:
			for _, r := range op.Regions {
				r.Terminator().AddOperands(p.order(r, n))
			}
			n = op.AddResult(n.Type)
		default:
			panic("BUG: a collective that crosses processes in " + op.FullName())
		}
	}
	return n
}

// orderType is the type of the numbers that order the calls. Their values have no meaning.
var orderType = ir.Tensor(dtypes.Int32)

// orderAll makes the crossings of f, collectives between processes, run in one order, by a value
// that each call takes from the one before. It does nothing if there is none.
func (e *emitter) orderAll(f *ir.Func) {
	if e.process == nil || len(e.crossings) == 0 {
		return
	}
	e.AtStart(f.Body)
	e.order(f.Body, e.number(orderType.DType, 0))
}

func isCrossing(op *ir.Op) bool {
	return op.Kind == ir.OpCustomCall && op.CustomCall().CallTargetName() == CrossingCall
}

// hasCrossing reports whether the regions of op contain a crossing, a collective between processes.
func hasCrossing(op *ir.Op) (found bool) {
	for _, r := range op.Regions {
		r.Walk(func(op *ir.Op) { found = found || isCrossing(op) })
	}
	return found
}
