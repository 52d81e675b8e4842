package compile

// This file implements division, which keeps XLA from dividing integers by zero while it
// compiles.

import "github.com/gospmd/gospmd/ir"

// division hides the divisor of a division of integers that are known before the program
// runs, unless none of them is zero:
//
//	%1 = divide %a, %z    =>    %b = optimization_barrier %z
//	(both of constants)         %1 = divide %a, %b
//
// XLA computes such a division when it compiles the program, by the processor's own
// instruction: the process ends. When the program runs, it has a result.
func division(f *ir.Func) {
	known := map[*ir.Value]bool{}
	f.Walk(func(op *ir.Op) {
		if op.Kind != ir.OpDivide && op.Kind != ir.OpRemainder || !op.Result().Type.DType.IsInt() {
			return
		}
		by := op.Operands[1]
		if !isKnown(op.Operands[0], known) || !isKnown(by, known) || neverZero(by) {
			return
		}
		b := ir.Builder{Loc: op.Loc}
		op.SetOperand(1, b.Before(op).Typed(ir.OpOptimizationBarrier, nil, []ir.Type{by.Type}, by).Result())
	})
}

// isKnown reports whether v is computed from constants alone. known holds what was found
// so far.
func isKnown(v *ir.Value, known map[*ir.Value]bool) bool {
	is, seen := known[v]
	if seen {
		return is
	}
	def := v.Def()
	is = def != nil && len(def.Regions) == 0 && def.Kind != ir.OpOptimizationBarrier && !def.Info().Is(ir.OnMesh)
	if is {
		for _, o := range def.Operands {
			is = is && isKnown(o, known)
		}
	}
	known[v] = is
	return is
}

// neverZero reports whether v is a constant without a zero.
func neverZero(v *ir.Value) bool {
	d := literal(v)
	if d == nil {
		return false
	}
	for _, n := range d.Int64s() {
		if n == 0 {
			return false
		}
	}
	return v.Type.Size() > 0
}
