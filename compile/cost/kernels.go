package cost

// This file decides which ops of a block run together on an accelerator, and computes the memory
// traffic of each such kernel. It fuses as XLA does: element-wise ops are computed where their
// results are read, and a contraction also computes the ops after it.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// kernel is a set of ops that run together.
type kernel struct {
	op    *ir.Op   // the last of its ops, whose results it writes
	ops   []*ir.Op // all of them
	bytes int      // bytes that it reads and writes in memory
	reads []read   // what it reads of them
	needs []int    // the kernels whose results it reads
	// the last ops of kernels that were joined with it, whose results it writes, too
	joined []*ir.Op
}

// read is a value that a kernel reads from memory, and the bytes that it reads of it.
type read struct {
	value *ir.Value
	bytes int
}

// maxKernel is the largest number of ops in a kernel. So the time for all kernels is linear in the
// size of the block.
const maxKernel = 500

// kernelsOf returns the kernels that the ops of b become, in program order. On a TPU a gather of
// rows is a kernel of its own, and what several contractions read is computed again in each. Ops
// that fuse into others, literals, aliases and the terminator have none of their own.
func kernelsOf(b *ir.Block, isTPU bool) []kernel {
	f := &fuser{block: b, isTPU: isTPU, inside: map[*ir.Op]bool{}, reads: map[*ir.Op]int{}, at: map[*ir.Op]int{}}
	for op := range b.Body() {
		f.inside[op] = f.fuses(op)
	}
	var out []kernel
	for op := range b.Body() {
		if f.inside[op] || isAlias(op) || op.Kind == ir.OpConstant {
			continue
		}
		f.at[op] = len(out)
		out = append(out, f.kernel(op))
	}
	return out
}

// fuser is the state of making the kernels of a block.
type fuser struct {
	block  *ir.Block
	isTPU  bool            // fuse as libtpu does
	inside map[*ir.Op]bool // ops that are computed in the kernels of all their users
	// by op of inside: bytes that it reads from memory, including those of ops fused into it
	reads map[*ir.Op]int
	at    map[*ir.Op]int // the kernel that computes an op; ops of inside have none
}

// light holds the kinds of ops, besides element-wise ones, whose elements a kernel can compute
// where it reads them. fuses decides for each op whether its users do so.
var light = map[ir.OpKind]bool{
	ir.OpIota: true, ir.OpBroadcastInDim: true, ir.OpTranspose: true, ir.OpSlice: true, ir.OpPad: true, ir.OpReverse: true,
	ir.OpConcatenate: true, ir.OpDynamicSlice: true, ir.OpBitcastConvert: true, ir.OpGather: true,
	ir.OpPartitionID: true, ir.OpReplicaID: true, ir.OpSPMDAxisIndex: true,
}

func isLight(op *ir.Op) bool { return op.Info().Is(ir.Elementwise) || light[op.Kind] }

// isAlias reports whether the results of op are its operands, in the same memory.
func isAlias(op *ir.Op) bool {
	return op.Kind == ir.OpReshape || op.Kind == ir.OpOptimizationBarrier
}

// fuses reports whether op is computed in the kernels of all its users, so that its result is never
// written. Its users must be in f's block and suit the op. It sets f.reads[op] if they do.
func (f *fuser) fuses(op *ir.Op) bool {
	if f.isTPU && isGatherOfRows(op) || len(op.Results) != 1 || isAlias(op) || !isLight(op) && !op.IsContraction() {
		return false
	}
	users := f.users(nil, op.Results[0])
	for _, u := range users {
		switch {
		case u.Block() != f.block || u == f.block.Terminator():
			return false
		case op.IsContraction():
			if len(users) > 1 || !u.Info().Is(ir.Elementwise) || u.Results[0].Type.Size() != op.Results[0].Type.Size() {
				return false
			}
		case !isLight(u) && u.Kind != ir.OpReduce && u.Kind != ir.OpDynamicUpdateSlice && !(u.IsContraction() && (f.isTPU || len(users) == 1)):
			return false
		}
	}
	return len(users) > 0 && (f.isRepeatable(op, len(users)) || len(users) == 1)
}

// isRepeatable reports whether computing op in each of n users takes no more memory traffic than
// writing its result once and reading it n times. It sets f.reads[op], which later calls for the
// users of op need: the bytes that op and the ops fused into it read.
func (f *fuser) isRepeatable(op *ir.Op, n int) bool {
	read := 0
	for _, v := range op.Operands {
		if def := origin(v).Def(); def != nil && f.inside[def] {
			read += f.reads[def]
		} else {
			read += readBytes(op, v)
		}
	}
	f.reads[op] = read
	return n*read <= (n+1)*op.Results[0].Type.MemoryBytes()
}

// users returns out with the ops that read v, directly or through an alias, appended, each once.
func (f *fuser) users(out []*ir.Op, v *ir.Value) []*ir.Op {
	for use := range v.Uses() {
		if isAlias(use.Op) && use.Op.Block() == f.block {
			out = f.users(out, use.Op.Results[use.Operand])
		} else if !slices.Contains(out, use.Op) {
			out = append(out, use.Op)
		}
	}
	return out
}

// origin returns the value that v is an alias of, or v.
func origin(v *ir.Value) *ir.Value {
	for def := v.Def(); def != nil && isAlias(def); def = v.Def() {
		v = def.Operands[v.Index()]
	}
	return v
}

// kernel returns the kernel that ends with op: op and the ops that fuse into it, at most maxKernel.
// Its bytes are those that op writes and those that all its ops read. Each value that it reads
// counts at most with its size, however often it is read; constants with equal elements count 0. It
// needs the earlier kernels whose results it or a region of op reads; a move between memories also
// those of the barrier before it. f.at must have op and the ops of earlier kernels.
func (f *fuser) kernel(op *ir.Op) kernel {
	k := kernel{op: op, bytes: writtenBytes(op)}
	reads := map[*ir.Value]int{}
	var order []*ir.Value
	seen := map[*ir.Op]bool{op: true}
	for queue := []*ir.Op{op}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		k.ops = append(k.ops, at)
		for _, v := range at.Operands {
			n := readBytes(at, v)
			v = origin(v)
			if def := v.Def(); def != nil && f.inside[def] && (seen[def] || len(seen) < maxKernel) {
				if !seen[def] {
					seen[def] = true
					queue = append(queue, def)
				}
				continue
			}
			if _, ok := reads[v]; !ok {
				order = append(order, v)
			}
			reads[v] = min(reads[v]+n, v.Type.MemoryBytes())
		}
	}
	for _, v := range order {
		if !isSplat(v) {
			k.reads = append(k.reads, read{v, reads[v]})
			k.bytes += reads[v]
		}
		k.need(f, v)
	}
	for _, r := range op.Regions {
		r.Walk(func(inner *ir.Op) {
			for _, v := range inner.Operands {
				k.need(f, origin(v))
			}
		})
	}
	if _, moves := op.Placement(); moves {
		if barrier := op.Operands[0].Def(); barrier != nil && barrier.Kind == ir.OpOptimizationBarrier {
			for _, v := range barrier.Operands {
				k.need(f, origin(v))
			}
		}
	}
	return k
}

// need adds the kernel of v to k.needs, if this block has it.
func (k *kernel) need(f *fuser, v *ir.Value) {
	if at, ok := f.at[v.Def()]; ok && v.Def() != nil && at != f.at[k.op] && !slices.Contains(k.needs, at) {
		k.needs = append(k.needs, at)
	}
}

// writtenBytes returns the bytes that op writes: those of its results. Updates of slices and
// scatters write in place, only the bytes of their updates; loops and branches write nothing
// themselves.
func writtenBytes(op *ir.Op) int {
	switch op.Kind {
	case ir.OpDynamicUpdateSlice:
		return op.Operands[1].Type.MemoryBytes()
	case ir.OpScatter:
		return op.Operands[len(op.Operands)-1].Type.MemoryBytes() * len(op.Results)
	case ir.OpWhile, ir.OpIf, ir.OpCase:
		return 0
	}
	n := 0
	for _, r := range op.Results {
		if !r.Type.IsToken() {
			n += r.Type.MemoryBytes()
		}
	}
	return n
}

// readBytes returns the bytes that op reads of its operand v: all of v, except for ops that read a
// part, such as slices. Tokens, the target of a dynamic_update_slice, and operands of loops and
// branches count 0.
func readBytes(op *ir.Op, v *ir.Value) int {
	if v.Type.IsToken() {
		return 0
	}
	whole := v.Type.MemoryBytes()
	first := op.Operands[0] == v
	switch op.Kind {
	case ir.OpSlice, ir.OpDynamicSlice, ir.OpGather:
		if first {
			return min(whole, op.Results[0].Type.MemoryBytes())
		}
	case ir.OpDynamicUpdateSlice:
		if first {
			return 0
		}
	case ir.OpScatter:
		if slices.Index(op.Operands, v) < len(op.Results) {
			return writtenBytes(op) / len(op.Results)
		}
	case ir.OpWhile, ir.OpIf, ir.OpCase:
		return 0
	}
	return whole
}
