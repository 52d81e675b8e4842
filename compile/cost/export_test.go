package cost

// This file gives the external tests access to internals.

import "github.com/gospmd/gospmd/ir"

// IsCounted reports whether ops of the kind have FLOPs.
func IsCounted(k ir.OpKind) bool {
	_, ok := flops[k]
	return ok || k.Info().Is(ir.Elementwise)
}

// Weighed returns how many times a block is weighed to find the heaviest branches of f.
func Weighed(f *ir.Func) int {
	w := weigh(OpFlops)
	w.block(f.Body)
	each(f.Body, once, w, func(*ir.Op, times) {})
	return w.found
}
