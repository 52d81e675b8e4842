package gomlxbackend

// This file decides which result takes over the memory of a donated input. GoMLX donates a variable
// that a graph changes, but does not say which result is its new value.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// pair is a parameter and a result of the same type.
type pair struct {
	param, result int
	steps         int // number of ops between them
}

// takeOver returns for each parameter the result that takes over its memory, or -1; donated says
// which parameters may give theirs. It takes pairs with the fewest ops between them first: fewer
// ops are between a variable and its own new value than between it and other new values. Pairs with
// the same number are taken in order.
func takeOver(main *ir.Func, donated []bool) []int {
	var pairs []pair
	for i, p := range main.Params() {
		if donated[i] {
			pairs = append(pairs, pairsOf(main, i, p)...)
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.steps, b.steps), cmp.Compare(a.param, b.param), cmp.Compare(a.result, b.result))
	})
	out := slices.Repeat([]int{-1}, len(main.Params()))
	taken := map[int]bool{}
	for _, p := range pairs {
		if out[p.param] < 0 && !taken[p.result] {
			out[p.param] = p.result
			taken[p.result] = true
		}
	}
	return out
}

// pairsOf returns the pairs of a parameter with the results of its type that are computed from it
// by ops that keep the number of elements. A variable's new value is computed so from its old
// value.
func pairsOf(main *ir.Func, param int, p *ir.Value) (pairs []pair) {
	steps := map[*ir.Value]int{p: 0}
	for queue := []*ir.Value{p}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		for use := range v.Uses() {
			if use.Op == main.Body.Terminator() {
				if v.Type.Equal(p.Type) {
					pairs = append(pairs, pair{param, use.Operand, steps[v]})
				}
				continue
			}
			for _, r := range valuesAfter(use) {
				if _, ok := steps[r]; !ok {
					steps[r] = steps[v] + 1
					queue = append(queue, r)
				}
			}
		}
	}
	return pairs
}

// valuesAfter returns the values into which a use of a value passes its elements one by one:
// results with the same element type and number of elements, and for a manual computation the
// argument of its body or its own result.
func valuesAfter(use ir.Use) (values []*ir.Value) {
	v := use.Op.Operands[use.Operand]
	switch parent := use.Op.Block().Parent(); {
	case use.Op.Kind == ir.OpManualComputation:
		return use.Op.Regions[0].Args[use.Operand : use.Operand+1]
	case use.Op.Kind == ir.OpSdyReturn && parent.Kind == ir.OpManualComputation:
		return parent.Results[use.Operand : use.Operand+1]
	}
	for _, r := range use.Op.Results {
		if r.Type.DType == v.Type.DType && r.Type.Size() == v.Type.Size() {
			values = append(values, r)
		}
	}
	return values
}
