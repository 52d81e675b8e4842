package target

// This file says how much memory a compiler should plan to use.

import (
	"cmp"

	"github.com/gospmd/gospmd/program"
)

// MemoryBound returns the bytes of a device that the target's compiler should plan to use for p:
// the limit that p was made for (Fitting.Asked, or else Limit) or, without one, its predicted peak.
// It is 0, which bounds nothing, unless p moves values to the host, or has a limit and the compiler
// fills the memory that it knows of (FillsMemory).
//
// A compiler fetches values from the host as early as the memory that it knows of allows, and
// stores them late. If it knows of all the memory of a device, then values that p moves stay in the
// device's memory for most of the time.
func (t *Target) MemoryBound(p *program.Program) int {
	f := p.Fitting
	if f == nil || !f.Has(program.Offload) && (f.Limit == 0 || !t.FillsMemory) {
		return 0
	}
	return cmp.Or(f.Asked, f.Limit, f.After)
}
