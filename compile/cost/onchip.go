package cost

// This file counts the copies between a TPU's memory and the memory on its chip. libtpu copies an
// argument there before the kernels that read it, and makes results there, too. Its own estimate of
// the time counts each copy as a read and a write.

import (
	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
)

// chipTraffic returns the bytes that m reads and writes to copy arguments of f to the chip, and
// results from there. A value that does not fit there is not copied, nor one that stays in the host's
// memory. A result, and an argument of the same type, must fit together: one takes over the memory
// of the other.
func (m *Machine) chipTraffic(f *ir.Func) (bytes int) {
	if m.Platform != hardware.TPU {
		return 0
	}
	count := func(t ir.Type, values int) {
		if n := m.ArgumentBytes(t); values*n <= buffers.ChipMemory {
			bytes += 2 * n
		}
	}
	results := map[string]bool{} // the types of results, as text
	for _, v := range f.Body.Terminator().Operands {
		results[v.Type.String()] = true
		if v.Def() == nil {
			continue // an argument
		}
		if kind, ok := v.Def().Placement(); !ok || !kind.OnHost() {
			count(v.Type, 2)
		}
	}
	for i, p := range f.Params() {
		switch {
		case !p.HasUses() || f.ParamMemory(i).OnHost():
		case results[p.Type.String()]:
			count(p.Type, 2)
		default:
			count(p.Type, 1)
		}
	}
	return bytes
}
