package cost

// This file lets the external tests see which ops have a count.

import "github.com/gospmd/gospmd/ir"

// IsCounted reports whether ops of the kind have arithmetic.
func IsCounted(k ir.OpKind) bool {
	_, ok := flops[k]
	return ok || k.Info().Is(ir.Elementwise)
}

// CountWeighed returns how many blocks are weighed to find which branches of f are the
// heaviest, each as often as it is.
func CountWeighed(f *ir.Func) int {
	w := weigh(OpFlops)
	w.block(f.Body)
	each(f.Body, once, w, func(*ir.Op, times) {})
	return w.found
}
