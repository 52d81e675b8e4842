package cost

// This file counts FLOPs.

import (
	"math/bits"

	"github.com/gospmd/gospmd/ir"
)

// Flops returns the FLOPs of a device in one run of f: one for every element of an element-wise op,
// two for each product of a contraction, as OpFlops counts them. Moving data and communication
// count nothing. Of the branches of an if or a case, the one with the most FLOPs counts. unknown
// says that f has a loop whose trip count is not known; one iteration of it is counted.
func Flops(f *ir.Func) (n int, unknown bool) {
	each(f.Body, once, weigh(OpFlops), func(op *ir.Op, t times) {
		n += t.n * OpFlops(op)
		unknown = unknown || t.unknown
	})
	return n, unknown
}

// OpFlops returns the FLOPs of one run of op: by the kind's own count, one for each element of an
// element-wise op, else 0. Regions count only if they are bodies of reductions.
func OpFlops(op *ir.Op) int {
	if count, ok := flops[op.Kind]; ok {
		return count(op)
	}
	if op.Info().Is(ir.Elementwise) {
		return op.Results[0].Type.Size()
	}
	return 0
}

// flops has, for the ops that compute other than element by element, a function that returns the
// FLOPs of one run. Element-wise ops without an entry count their elements, and all other ops 0.
var flops = map[ir.OpKind]func(op *ir.Op) int{
	ir.OpDotGeneral: func(op *ir.Op) int {
		k := 1
		for _, d := range op.DotGeneral().DotDimensionNumbers().LHSContracting {
			k *= op.Operands[0].Type.Dims[d]
		}
		return 2 * k * op.Results[0].Type.Size()
	},
	ir.OpDot: func(op *ir.Op) int {
		lhs := op.Operands[0].Type.Dims
		return 2 * lhs[len(lhs)-1] * op.Results[0].Type.Size()
	},
	// Each element of the output is the product of a window with the kernel of one output feature.
	ir.OpConvolution: func(op *ir.Op) int {
		kernel := op.Operands[1].Type
		return 2 * kernel.Size() / max(1, kernel.Dims[op.Convolution().DimensionNumbers().KernelOutputFeature]) * op.Results[0].Type.Size()
	},
	ir.OpReduce: func(op *ir.Op) int { return bodyOps(op) * op.Operands[0].Type.Size() },
	ir.OpReduceWindow: func(op *ir.Op) int {
		return bodyOps(op) * op.Results[0].Type.Size() * product(op.Ints("window_dimensions"))
	},
	// Every window is searched, and one element of the source is added.
	ir.OpSelectAndScatter: func(op *ir.Op) int {
		return op.Operands[1].Type.Size() * (product(op.Ints("window_dimensions")) + 1)
	},
	ir.OpScatter: func(op *ir.Op) int { return bodyOps(op) * op.Operands[len(op.Operands)-1].Type.Size() },
	ir.OpSort: func(op *ir.Op) int {
		t := op.Operands[0].Type
		d := op.Int("dimension")
		if d < 0 {
			d += t.Rank()
		}
		return t.Size() * log2(t.Dims[d])
	},
	ir.OpTopK: func(op *ir.Op) int { return op.Operands[0].Type.Size() * log2(op.Int("k")) },
	ir.OpCholesky: func(op *ir.Op) int {
		t := op.Operands[0].Type
		return t.Size() * t.Dims[t.Rank()-1] / 3
	},
	ir.OpTriangularSolve: func(op *ir.Op) int {
		a := op.Operands[0].Type
		return op.Results[0].Type.Size() * a.Dims[a.Rank()-1]
	},
	// Cooley and Tukey: 5 N log2 N real operations.
	ir.OpFFT: func(op *ir.Op) int {
		return 5 * op.Results[0].Type.Size() * log2(product(op.Ints("fft_length")))
	},
	// Mean, variance, scale and offset.
	ir.OpBatchNormInference: func(op *ir.Op) int { return 4 * op.Operands[0].Type.Size() },
	ir.OpBatchNormTraining:  func(op *ir.Op) int { return 8 * op.Operands[0].Type.Size() },
	ir.OpBatchNormGrad:      func(op *ir.Op) int { return 12 * op.Operands[0].Type.Size() },
}

// perBits is what 32 random bits cost, in FLOPs. Philox makes four such numbers by ten rounds of
// two products of 64 bits: about 40 integer operations for each number. A device does far fewer of
// these in a second than FLOPs of products: XLA on CPUs takes 22 ns for a number, while Host does
// 264 FLOPs.
const perBits = 250

// BitFlops returns the share of one user of v in the FLOPs that make v, if v is the random bits of
// an rng_bit_generator. Otherwise it returns 0. OpFlops does not count them: who makes which bits
// is known only when their users are partitioned.
func BitFlops(v *ir.Value) int {
	if op := v.Def(); op == nil || op.Kind != ir.OpRngBitGenerator || v.Index() != 1 {
		return 0
	}
	words := (v.Type.DType.Bits() + 31) / 32
	return perBits * words * v.Type.Size() / max(1, v.NumUses())
}

// bodyOps returns the FLOPs that a reduction does for each element.
func bodyOps(op *ir.Op) int {
	n := 0
	for _, r := range op.Regions {
		r.Walk(func(o *ir.Op) {
			if o.Info().Is(ir.Elementwise) {
				n++
			}
		})
	}
	return n
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// log2 returns the logarithm of n to base 2, rounded up, and at least 1.
func log2(n int) int { return max(1, bits.Len(uint(max(n-1, 1)))) }

// Work calls visit for each op of f in program order; the ops of regions come after the op that has
// the region. It passes the FLOPs of one run of the op, and the number of runs: 0 in branches other
// than the one with the most FLOPs, and one iteration of loops whose trip count is not known. It
// does not visit the bodies of reductions.
func Work(f *ir.Func, visit func(op *ir.Op, flops, runs int)) {
	each(f.Body, once, weigh(OpFlops), func(op *ir.Op, t times) { visit(op, OpFlops(op), t.n) })
}
