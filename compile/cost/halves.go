package cost

// This file finds the float32 values that a TPU keeps in 16 bits. Its matrix units round operands
// to bfloat16, unless a higher precision is asked for. So libtpu stores a value that only products
// read in 16 bits, and gathers it so from other devices. The kernel that makes the value also makes
// sums of it, from the 32 bits that it has computed.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// halves says which values are kept in 16 bits. It remembers what it has found.
type halves struct {
	maker map[*ir.Op]*kernel // the kernel of each op whose result is stored
	known map[*ir.Value]bool
}

// newHalves returns the halves of a block with these kernels.
func newHalves(kernels []kernel) *halves {
	h := &halves{map[*ir.Op]*kernel{}, map[*ir.Value]bool{}}
	for i := range kernels {
		k := &kernels[i]
		h.maker[k.op] = k
		for _, op := range k.joined {
			h.maker[op] = k
		}
	}
	return h
}

// has reports whether v, a value of 32 bits, is kept in 16: only contractions at the default
// precision read it, also through collectives that move it, and reductions in the kernel that makes
// it.
func (h *halves) has(v *ir.Value) bool {
	half, ok := h.known[v]
	if !ok {
		half = v.Type.DType == dtypes.Float32 && h.isReadInHalf(v)
		h.known[v] = half
	}
	return half
}

func (h *halves) isReadInHalf(v *ir.Value) (isRead bool) {
	for use := range v.Uses() {
		u := use.Op
		switch {
		case u.Kind == ir.OpReduce && h.maker[u] != nil && h.maker[u] == h.maker[origin(v).Def()]:
			continue
		case u.Kind == ir.OpDotGeneral && isExact(u):
			return false
		case u.IsContraction():
		case isAlias(u) || u.Kind == ir.OpSPMDAllGather:
			if !h.has(u.Results[use.Operand]) {
				return false
			}
		default:
			return false
		}
		isRead = true
	}
	return isRead
}

// bytes returns the bytes of v in memory.
func (h *halves) bytes(v *ir.Value) int {
	if h.has(v) {
		return v.Type.MemoryBytes() / 2
	}
	return v.Type.MemoryBytes()
}

// count takes half the bytes of values that are kept in 16 bits from k, which makes or reads them.
func (h *halves) count(k *kernel) {
	for _, op := range append([]*ir.Op{k.op}, k.joined...) {
		if len(op.Results) == 1 && h.has(op.Results[0]) {
			k.bytes -= op.Results[0].Type.MemoryBytes() / 2
		}
	}
	for _, r := range k.reads {
		if h.maker[r.value.Def()] != nil && h.has(r.value) {
			k.bytes -= r.bytes / 2
		}
	}
}
