package cost

// This file joins element-wise kernels into kernels with several outputs. XLA computes a kernel
// together with those that make its operands, if all of them compute the same elements: an
// optimizer's slots and the weight that they update are one kernel, which reads the gradient once.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// joinOutputs returns kernels in which each element-wise kernel is joined with the kernels that it
// reads last: those that end one step of the longest path before it. They are joined if all of
// them are element-wise, have results of the same shape, and no other kernel has joined them. A
// joined kernel stands in the place of the last of its parts.
//
// No kernel outside is then both before and after a joined one, because parts that are needed
// between would be one of those read last.
func joinOutputs(kernels []kernel) []kernel {
	steps := make([]int, len(kernels)) // the length of the longest path to each kernel
	into := make([]int, len(kernels))  // the kernel that each one is joined into, itself if none
	for i, k := range kernels {
		into[i] = i
		for _, n := range k.needs {
			steps[i] = max(steps[i], steps[n]+1)
		}
		var parts []int
		for _, n := range k.needs {
			if steps[n] == steps[i]-1 {
				parts = append(parts, n)
			}
		}
		joins := func(n int) bool {
			return into[n] == n && kernels[n].isLoop() && slices.Equal(kernels[n].op.Results[0].Type.Dims, k.op.Results[0].Type.Dims)
		}
		if len(parts) == 0 || !k.isLoop() || slices.ContainsFunc(parts, func(n int) bool { return !joins(n) || len(kernels[n].joined) > 0 }) {
			continue
		}
		for _, n := range parts {
			into[n] = i
			kernels[i].join(kernels[n])
		}
	}
	return compact(kernels, into)
}

// joinSums returns kernels in which each reduction over the result of one kernel, and of nothing
// else, is computed by that kernel: the gradient of a bias with that of the layer's output.
func joinSums(kernels []kernel) []kernel {
	into := make([]int, len(kernels))
	for i := range kernels {
		into[i] = i
	}
	for i, k := range kernels {
		if k.op.Kind != ir.OpReduce || len(k.needs) != 1 || len(k.reads) != 1 {
			continue
		}
		n := into[k.needs[0]]
		if made := k.reads[0].value.Def(); made == kernels[n].op && kernels[n].computes() && !isGatherOfRows(made) && made.Kind != ir.OpScatter {
			into[i] = n
			p := kernels[n]
			p.join(k)
			p.reads = slices.DeleteFunc(p.reads, func(r read) bool { return r.value.Def() == made })
			p.bytes = p.accessed()
			kernels[n] = p
		}
	}
	return compact(kernels, into)
}

// isLoop reports whether k computes each element of its results from elements of its operands: it
// has no contraction, no reduction and nothing else with a kernel of its own.
func (k kernel) isLoop() bool {
	return k.op.Info().Is(ir.Elementwise) && !slices.ContainsFunc(k.ops, func(op *ir.Op) bool { return !isLight(op) })
}

// join adds p to k, which reads its results. What both read is read once.
func (k *kernel) join(p kernel) {
	k.joined = append(k.joined, p.op)
	k.reads = slices.DeleteFunc(k.reads, func(r read) bool { return r.value.Def() == p.op })
	for _, r := range p.reads {
		if i := slices.IndexFunc(k.reads, func(x read) bool { return x.value == r.value }); i >= 0 {
			k.reads[i].bytes = max(k.reads[i].bytes, r.bytes)
		} else {
			k.reads = append(k.reads, r)
		}
	}
	for _, op := range p.ops {
		if !slices.Contains(k.ops, op) {
			k.ops = append(k.ops, op)
		}
	}
	for _, n := range p.needs {
		if !slices.Contains(k.needs, n) {
			k.needs = append(k.needs, n)
		}
	}
	k.bytes = k.accessed()
}

// accessed returns the bytes that k reads and writes, as many as its operands and results have.
func (k kernel) accessed() int {
	n := writtenBytes(k.op)
	for _, op := range k.joined {
		n += writtenBytes(op)
	}
	for _, r := range k.reads {
		n += r.bytes
	}
	return n
}

// compact returns the kernels that are joined into no other, with the numbers of what they need.
func compact(kernels []kernel, into []int) []kernel {
	at := make([]int, len(kernels))
	var out []kernel
	for i, k := range kernels {
		if into[i] == i {
			at[i] = len(out)
			out = append(out, k)
		}
	}
	for i := range out {
		var needs []int
		for _, n := range out[i].needs {
			if n = at[into[n]]; n != i && !slices.Contains(needs, n) {
				needs = append(needs, n)
			}
		}
		out[i].needs = needs
	}
	return out
}
