package interp

// This file implements sort and top_k. Both are stable.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

// lines calls visit for every line of a tensor along a dimension: its first
// element and the distance to the next.
func lines(dims []int, dim int, visit func(start, step int)) {
	own := rowmajor.Strides(dims, 1)
	outer := append([]int(nil), dims...)
	outer[dim] = 1
	rowmajor.Each(outer, func(index []int) { visit(rowmajor.Offset(index, own), own[dim]) })
}

// mergeSort sorts stably; before must be a strict weak order for the result to
// have a meaning, but any function ends.
func mergeSort(s, scratch []int, before func(i, j int) (bool, error)) error {
	if len(s) < 2 {
		return nil
	}
	half := len(s) / 2
	if err := mergeSort(s[:half], scratch, before); err != nil {
		return err
	}
	if err := mergeSort(s[half:], scratch, before); err != nil {
		return err
	}
	left := scratch[:copy(scratch, s[:half])]
	right, at := s[half:], 0
	for len(left) > 0 && len(right) > 0 {
		// An element of the right half goes first only if it must.
		first, err := before(right[0], left[0])
		if err != nil {
			return err
		}
		if first {
			s[at], right = right[0], right[1:]
		} else {
			s[at], left = left[0], left[1:]
		}
		at++
	}
	copy(s[at:], left)
	return nil
}

func runSort(c *call) error {
	dims := c.in[0].Type.Dims
	for i := range c.out {
		c.raw(i)
	}
	if len(dims) == 0 {
		copy(c.out, c.in)
		return nil
	}
	dim := c.op.Int("dimension")
	if dim < 0 {
		dim += len(dims)
	}
	before := c.comparator()
	order, scratch := make([]int, dims[dim]), make([]int, dims[dim])
	var failed error
	lines(dims, dim, func(start, step int) {
		for i := range order {
			order[i] = start + i*step
		}
		if err := mergeSort(order, scratch, before); err != nil {
			failed = err
		}
		for r, t := range c.in {
			for i, from := range order {
				setElement(c.out[r], start+i*step, element(t, from))
			}
		}
	})
	return failed
}

// comparator returns whether element i must stand before element j.
func (c *call) comparator() func(i, j int) (bool, error) {
	if compare, holds := c.simpleComparator(); compare != nil {
		return func(i, j int) (bool, error) { return holds(compare(i, j)), nil }
	}
	body, args := c.body(0), make([]*Tensor, 2*len(c.in))
	return func(i, j int) (bool, error) {
		for r, t := range c.in {
			args[2*r], args[2*r+1] = element(t, i), element(t, j)
		}
		out, err := body(args...)
		return err == nil && Truth(out[0]), err
	}
}

// simpleComparator recognises a body that compares two elements of one
// operand.
func (c *call) simpleComparator() (compare func(i, j int) int, holds func(order int) bool) {
	b := c.op.Regions[0]
	if b.Len() != 2 || b.First().Kind != ir.OpCompare || b.Terminator().Operands[0] != b.First().Results[0] {
		return nil, nil
	}
	op := b.First()
	for r, t := range c.in {
		if op.Operands[0] == b.Args[2*r] && op.Operands[1] == b.Args[2*r+1] {
			wide := widened(t)
			if f := comparisonTable(op)[wide.Type.DType]; f != nil {
				return f(wide, wide), comparison[op.Enum("comparison_direction")]
			}
		}
	}
	return nil, nil
}

// runTopK: the k greatest of each row, the first of equal ones first, in the
// total order of floats.
func runTopK(c *call) error {
	x, k := widened(c.in[0]), c.op.Int("k")
	values, indices := c.raw(0), view[int32](c.raw(1))
	table := orders
	if isFloat(x.Type.DType) {
		table = totalOrders
	}
	f := table[x.Type.DType]
	if f == nil {
		return c.unsupported(x.Type.DType)
	}
	compare := f(x, x)
	n := x.Type.Dims[x.Type.Rank()-1]
	order, scratch, row := make([]int, n), make([]int, n), 0
	lines(x.Type.Dims, x.Type.Rank()-1, func(start, _ int) {
		for i := range order {
			order[i] = start + i
		}
		_ = mergeSort(order, scratch, func(i, j int) (bool, error) { return compare(i, j) == 1, nil })
		for i, from := range order[:k] {
			setElement(values, row*k+i, element(c.in[0], from))
			indices[row*k+i] = int32(from - start)
		}
		row++
	})
	return nil
}

// comparisonTable returns how op compares the elements of each type.
func comparisonTable(op *ir.Op) map[dtypes.DType]func(x, y *Tensor) func(i, j int) int {
	if op.Has("compare_type") && op.Enum("compare_type") == "TOTALORDER" && isFloat(op.Operands[0].Type.DType) {
		return totalOrders
	}
	return orders
}
