package cost

// This file lets the external tests see which ops have a count.

import "github.com/gospmd/gospmd/ir"

// IsCounted reports whether ops of the kind have arithmetic.
func IsCounted(k ir.OpKind) bool {
	_, ok := flops[k]
	return ok || k.Info().Is(ir.Elementwise)
}
