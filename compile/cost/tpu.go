package cost

// This file counts what the kernels of a TPU access in its memory, by the rules of its compiler.

import (
	"cmp"

	"github.com/gospmd/gospmd/ir"
)

// kernelsOf returns the kernels of b, as libtpu makes them if the machine is a TPU. Then the bytes
// of the kernels of the function's body include those of copies to and from the chip, and the
// bytes of a collective those that it reads and writes in memory.
func (p *predictor) kernelsOf(b *ir.Block) []kernel {
	if !p.m.compiler().libtpu {
		return kernelsOf(b, false)
	}
	kernels := joinSums(joinOutputs(kernelsOf(b, true)))
	h := newHalves(kernels)
	for i := range kernels {
		k := &kernels[i]
		if _, ok := KindOf(k.op); ok {
			k.bytes = h.exchanged(k.op)
			continue
		}
		h.count(k)
		k.countRows()
	}
	if b == p.f.Body {
		p.addCopies(kernels)
	}
	return kernels
}

// gatherCounts is how often libtpu counts the operand and the result of an all_gather, which runs
// beside a kernel: when it starts, as operands and as results of that kernel, and when it ends.
const gatherCounts = 4

// exchanged returns the bytes that op, a collective, reads and writes in memory.
func (h *halves) exchanged(op *ir.Op) int {
	n := 0
	for _, v := range op.Operands {
		n += h.bytes(v)
	}
	for _, v := range op.Results {
		n += h.bytes(v)
	}
	if op.Kind == ir.OpSPMDAllGather {
		n *= gatherCounts
	}
	return n
}

// exchange predicts what k, a collective, does in a TPU's memory, beside sending. It is 0 for other
// kernels and other devices, and if a device sends nothing.
func (p *predictor) exchange(k kernel) Prediction {
	if _, ok := KindOf(k.op); !ok || !p.m.compiler().libtpu || SentBytes(p.mesh, k.op) == 0 {
		return Prediction{}
	}
	seconds := p.m.memorySeconds(k.bytes)
	return Prediction{Seconds: seconds, Memory: seconds, BytesAccessed: k.bytes}
}

// memorySeconds returns how long the device takes to access n bytes in its memory; 0 if the
// bandwidth is not known.
func (m *Machine) memorySeconds(n int) float64 {
	if m.MemoryBandwidth == 0 {
		return 0
	}
	return float64(n) / (m.MemoryBandwidth * cmp.Or(m.compiler().bandwidth, 1))
}
