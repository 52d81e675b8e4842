package cost

// This file counts the copies between a TPU's memory and the memory on its chip. libtpu copies an
// argument there before the first kernel that reads it, and makes results there, too. Its own
// estimate of the time counts each copy twice, when it starts and when it ends: as two reads and two
// writes.

import (
	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

// copyPasses is how often libtpu counts the bytes of a copy: it reads and writes them when the copy
// starts, and again when it ends.
const copyPasses = 4

// addCopies adds the bytes that are read and written to copy each argument to the chip to the first
// kernel that computes with it, and those to copy a result from the chip to the kernel that makes
// it. A value that does not fit on the chip is not copied, nor one in the host's memory. A result,
// and an argument of the same type, must fit together: one takes over the memory of the other. So
// must all values that a kernel reads and writes.
func (p *predictor) addCopies(kernels []kernel) {
	copied := func(t ir.Type, values int) int {
		if n := p.m.ArgumentBytes(t); values*n <= buffers.ChipMemory {
			return copyPasses * n
		}
		return 0
	}
	results := map[string]bool{} // the types of results, as text
	returned := map[*ir.Op]int{} // bytes that are copied of the results of an op
	for _, v := range p.f.Body.Terminator().Operands {
		results[v.Type.String()] = true
		if def := origin(v).Def(); def != nil {
			returned[def] += copied(v.Type, 2)
		}
	}
	arguments := make(map[*ir.Value]int, len(p.f.Params())) // the same of an argument, until it is read
	for i, v := range p.f.Params() {
		switch {
		case p.f.ParamMemory(i).OnHost():
		case results[v.Type.String()]:
			arguments[v] = copied(v.Type, 2)
		default:
			arguments[v] = copied(v.Type, 1)
		}
	}
	for i := range kernels {
		k := &kernels[i]
		if !k.computes() || k.accessed() > buffers.ChipMemory {
			continue
		}
		k.bytes += returned[k.op]
		for _, op := range k.joined {
			k.bytes += returned[op]
		}
		for _, op := range k.ops {
			for _, v := range op.Operands {
				v = origin(v)
				k.bytes += arguments[v]
				delete(arguments, v)
			}
		}
	}
}

// computes reports whether k is neither a loop or branch nor a collective or a move between
// memories.
func (k kernel) computes() bool {
	_, sends := KindOf(k.op)
	_, moves := k.op.Placement()
	return !sends && !moves && k.op.Kind != ir.OpWhile && !isBranch(k.op)
}
