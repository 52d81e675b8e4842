package memory

// This file keeps compilers from combining sums. XLA for GPUs and TPUs makes one collective of all
// sums that do not depend on each other, and so all gradients are in memory until the last one is
// computed, and all their sums after that. A sum that waits for the one before is not combined with
// it:
//
//	%s:2 = all_reduce %g1, %g2        %s1 = all_reduce %g1
//	…                            =>   %h2, %a = optimization_barrier %g2, %s1
//	                                  %s2 = all_reduce %h2
//
// The update of a weight then runs before the next gradient is computed.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// sumParts are the numbers of parts that the sums of a function may be divided into, of about equal
// bytes. More parts need less memory and more time.
var sumParts = []int{4, 16, 64}

// fitSums returns a copy of f with its sums in n parts, and its memory then. It returns nil and
// usage if that does not lower the peak of usage, if f has no sums, or if the compiler drops
// barriers.
func fitSums(f *ir.Func, usage cost.Usage, n int, o Options) (*ir.Func, cost.Usage) {
	total := 0
	for op := range f.Body.Ops() {
		if isSum(op) {
			total += operandBytes(op)
		}
	}
	if !o.KeepsBarriers || total == 0 {
		return nil, usage
	}
	g := withSumsApart(f, total/n)
	if u := o.Machine.MemoryOf(g, o.Donated); u.Peak() < usage.Peak() {
		return g, u
	}
	return nil, usage
}

// isSum reports whether compilers may combine op with others of its kind.
func isSum(op *ir.Op) bool {
	return op.Kind == ir.OpSPMDAllReduce || op.Kind == ir.OpSPMDReduceScatter
}

func operandBytes(op *ir.Op) (n int) {
	for _, v := range op.Operands {
		n += v.Type.MemoryBytes()
	}
	return n
}

// withSumsApart returns a copy of f with its sums in parts of about so many bytes. Each part stands
// behind the last of its operands, and waits for the sums of the part before.
func withSumsApart(f *ir.Func, bytes int) *ir.Func {
	f = f.Clone()
	position := map[*ir.Op]int{} // from 1; parameters have 0
	var sums []*ir.Op
	for op := range f.Body.Ops() {
		position[op] = len(position) + 1
		if isSum(op) {
			sums = append(sums, op)
		}
	}
	var parts []*ir.Op
	for _, op := range sums {
		parts = append(parts, divide(op, bytes, position)...)
	}
	slices.SortFunc(parts, inOrder)
	var before, now []*ir.Value // the sums of the part before, and those of this one
	size := 0
	for _, op := range parts {
		n := operandBytes(op)
		if size > 0 && size+n > bytes {
			before, now, size = now, nil, 0
		}
		if len(before) > 0 {
			var b ir.Builder
			b.Before(op).Loc = op.Loc
			held := b.OptimizationBarrier(slices.Concat(op.Operands, before)).Results
			for i := range op.Operands {
				op.SetOperand(i, held[i])
			}
		}
		now, size = append(now, op.Results...), size+n
	}
	return f
}

// divide replaces a sum by several of about so many bytes, and returns them. position has the
// places of ops in the block; divide gives each part the place of its last operand.
func divide(op *ir.Op, bytes int, position map[*ir.Op]int) (parts []*ir.Op) {
	order := make([]int, len(op.Operands))
	for i := range order {
		order[i] = i
	}
	at := func(i int) int { return position[op.Operands[i].Def()] }
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(at(i), at(k)) })
	results := make([]*ir.Value, len(order))
	for from := 0; from < len(order); {
		to, size := from, 0
		var operands []*ir.Value
		var types []ir.Type
		for ; to < len(order) && (to == from || size+op.Operands[order[to]].Type.MemoryBytes() <= bytes); to++ {
			v := op.Operands[order[to]]
			operands, types, size = append(operands, v), append(types, op.Results[order[to]].Type), size+v.Type.MemoryBytes()
		}
		part := ir.NewOp(op.Kind, operands, op.Attrs, types)
		part.Loc = op.Loc
		for i, r := range part.Results {
			results[order[from+i]] = r
		}
		position[part] = at(order[to-1])
		if last := op.Operands[order[to-1]].Def(); last != nil {
			part.InsertAfter(last)
		} else {
			part.InsertBefore(op)
		}
		parts, from = append(parts, part), to
	}
	op.ReplaceWith(results...)
	return parts
}
