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
// The update of a weight then runs before the next gradient is computed. XLA on CPUs combines
// nothing and drops barriers: there the sums that gospmd has combined only become several.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// sumParts are the numbers of parts that the sums of a function may be divided into, of about equal
// bytes. More parts need less memory and more time.
var sumParts = []int{4, 16, 64}

// fitSums returns f with its sums in n parts, its memory then, and the number of parts there are; nil
// where there are no more than before, or where that raises the peak of usage.
func fitSums(f *ir.Func, usage cost.Usage, n, before int, o Options) (*ir.Func, cost.Usage, int) {
	total, there := 0, 0
	for op := range f.Body.Ops() {
		if isSum(op) {
			total, there = total+operandBytes(op), there+1
		}
	}
	if total == 0 {
		return nil, usage, before
	}
	if o.KeepsBarriers {
		there = 1 // the compiler combines them
	}
	g, parts := o.withSumsApart(f, total/n)
	if parts <= max(before, there) {
		return nil, usage, before
	}
	if u := o.Machine.MemoryOf(g, o.Donated); u.Peak() <= usage.Peak() {
		return g, u, parts
	}
	return nil, usage, parts
}

// isSum reports whether compilers, or gospmd, may combine op with others of its kind.
func isSum(op *ir.Op) bool {
	return op.Kind == ir.OpSPMDAllReduce || op.Kind == ir.OpSPMDReduceScatter
}

func operandBytes(op *ir.Op) (n int) {
	for _, v := range op.Operands {
		n += v.Type.MemoryBytes()
	}
	return n
}

// withSumsApart returns a copy of f with its sums in parts of about so many bytes, and their number.
// Each part stands behind the last of its operands and, with barriers, waits for the part before.
func (o Options) withSumsApart(f *ir.Func, bytes int) (*ir.Func, int) {
	f = f.Clone()
	var sums, parts []*ir.Op
	for op := range f.Body.Ops() {
		if isSum(op) {
			sums = append(sums, op)
		}
	}
	for _, op := range sums {
		parts = append(parts, divide(op, bytes)...)
	}
	slices.SortFunc(parts, inOrder)
	if !o.KeepsBarriers {
		return f, len(parts)
	}
	groups := 1
	var before, now []*ir.Value // the sums of the part before, and those of this one
	size := 0
	for _, op := range parts {
		n := operandBytes(op)
		if size > 0 && size+n > bytes {
			groups++
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
	return f, groups
}

// divide replaces a sum by several of about so many bytes, and returns them.
func divide(op *ir.Op, bytes int) (parts []*ir.Op) {
	order := make([]int, len(op.Operands))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := op.Operands[i].Def(), op.Operands[k].Def()
		switch { // parameters come first
		case a == b:
			return 0
		case a == nil:
			return -1
		case b == nil:
			return 1
		}
		return inOrder(a, b)
	})
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
