package cost

// This file computes the memory traffic of each op of a function, and the cost of this traffic and
// the op's arithmetic together. It uses the same kernels and the same roofline as predictions.

import (
	"math"

	"github.com/gospmd/gospmd/ir"
)

// Access is the memory traffic of an op: the bytes that it reads of each operand, and the bytes
// that it writes of each result. In a kernel only the last op writes. A value that another op of
// the kernel makes, or has already read, is not read again. Constants that repeat one number count
// nothing.
type Access struct{ Reads, Writes []int }

// Accesses returns the accesses of one run of each op of f, including ops in loops and branches.
// Ops that access nothing have no entry.
func Accesses(f *ir.Func) map[*ir.Op]*Access {
	out := map[*ir.Op]*Access{}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, k := range kernelsOf(b, false) {
			k.access(out)
		}
		for op := range b.Ops() {
			if op.Info().Is(ir.ScalarBody) {
				continue
			}
			for _, r := range op.Regions {
				block(r)
			}
		}
	}
	block(f.Body)
	return out
}

// access adds to out the bytes that each op of kernel k reads of its operands and writes of its
// results. A value that several ops read counts once; splat constants, and values that the kernel
// makes, are not read. Only the last op writes; each of its results counts the same.
func (k kernel) access(out map[*ir.Op]*Access) {
	of := func(op *ir.Op) *Access {
		if out[op] == nil {
			out[op] = &Access{make([]int, len(op.Operands)), make([]int, len(op.Results))}
		}
		return out[op]
	}
	known := make(map[*ir.Value]bool, 2*len(k.ops)) // values that the kernel makes or has already read
	for _, op := range k.ops {
		for _, v := range op.Results {
			known[v] = op != k.op
		}
	}
	for _, op := range k.ops {
		for i, v := range op.Operands {
			from := origin(v)
			if known[from] || isSplat(from) {
				continue
			}
			known[from] = true
			if n := readBytes(op, v); n > 0 {
				of(op).Reads[i] += n
			}
		}
	}
	if total := writtenBytes(k.op); total > 0 {
		for i := range k.op.Results {
			of(k.op).Writes[i] = total / len(k.op.Results)
		}
	}
}

// LocalCost returns the cost of one run of op on a device, in operations (see Machine). The device
// does flops operations for it, and reads and writes bytes in its memory; the larger of the two
// times counts. If the bandwidth of the memory is not known, the cost is flops.
func (m *Machine) LocalCost(op *ir.Op, flops, bytes int) int {
	if m.MemoryBandwidth == 0 {
		return flops
	}
	seconds := max(float64(flops)/m.peak(op), float64(bytes)/m.MemoryBandwidth)
	return int(math.Round(seconds * m.FlopsPerSecond))
}
