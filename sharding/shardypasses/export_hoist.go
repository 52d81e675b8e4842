package shardypasses

// This file moves constants to the start of the function that they are in.

import (
	"github.com/gospmd/gospmd/ir"
)

// hoistConstants keeps one of the stablehlo.constants of equal value of each
// function and of each computation that sees no values from outside, wherever
// its regions hold them, and has it stand at the start. The first one stays,
// with its layout. It is what MLIR's canonicalize does before all else.
//
// Constants that stand at the start already stay where they are; of the others
// the last comes first. Those in the bodies of reductions and the like, which
// see no values from outside here, stay as they are; MLIR's would move, too.
//
//	%1 = add %0, %0             %1 = constant 2
//	%2 = constant 1             %2 = constant 1
//	%3 = constant 2         =>  %3 = add %0, %0
//	case { %4 = constant 1 …    case { … of %2
func hoistConstants(m *ir.Module) {
	for _, f := range m.Funcs {
		hoistInto(f.Body)
	}
}

// hoistInto hoists the constants of b and of its regions to its start.
func hoistInto(b *ir.Block) {
	first := make(map[string]*ir.Value)
	start := true // nothing but constants so far
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		if op.Kind != ir.OpConstant {
			start = false
			if op.Info().Is(ir.ScalarBody) {
				return
			}
			for _, r := range op.Regions {
				if op.Info().Is(ir.Isolated) {
					hoistInto(r)
					continue
				}
				for inner := range r.Ops() {
					visit(inner)
				}
			}
			return
		}
		key := attrKey(op.Attrs.Get("value"))
		if v := first[key]; v != nil {
			op.ReplaceWith(v)
			return
		}
		first[key] = op.Result()
		if !start {
			op.MoveBefore(b.First())
		}
	}
	for op := range b.Ops() {
		visit(op)
	}
}
