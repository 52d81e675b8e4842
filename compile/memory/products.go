package memory

// This file finds the products that a loop adds up and whose operands are in stacks.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// SummedProduct is a product that a loop adds to a value that it carries, in each iteration. Its
// operands are the places of two arrays, the same place of both, and each place once.
type SummedProduct struct {
	Carry   int    // the index of the sum among the values that the loop carries
	Product *ir.Op // the dot_general in the loop's body
	// LHS and RHS hold the operands of all iterations. Their first dimension counts the iterations.
	// They are made before the loop or are its results.
	LHS, RHS *ir.Value
}

// SummedProducts returns the sums of products of loop, a while whose sums nothing in the loop reads.
// It is nil if there are none, or if the number of iterations is not known.
func SummedProducts(loop *ir.Op) (list []SummedProduct) {
	l, ok := countedLoop(loop)
	if !ok {
		return nil
	}
	stacks, at := l.stacks()
	if len(stacks) == 0 {
		return nil
	}
	for i, next := range l.body().Terminator().Operands {
		product := l.addedProduct(i, next)
		if product == nil {
			continue
		}
		lhs, rhs := l.allOf(product.Operands[0], stacks, at), l.allOf(product.Operands[1], stacks, at)
		if lhs != nil && rhs != nil {
			list = append(list, SummedProduct{i, product, lhs, rhs})
		}
	}
	return list
}

// addedProduct returns the product whose sum with carried value i is next, the value that the next
// iteration gets for it; nil if next is no such sum, or if anything else reads the carried value,
// the sum or the product.
func (l counted) addedProduct(i int, next *ir.Value) *ir.Op {
	arg, sum := l.body().Args[i], next.Def()
	if sum == nil || sum.Kind != ir.OpAdd || sum.Block() != l.body() || !arg.HasOneUse() || !next.HasOneUse() || l.op.Regions[0].Args[i].HasUses() {
		return nil
	}
	k := slices.Index(sum.Operands, arg)
	if k < 0 {
		return nil
	}
	product := sum.Operands[1-k].Def()
	if product == nil || product.Kind != ir.OpDotGeneral || product.Block() != l.body() || !product.Result().HasOneUse() {
		return nil
	}
	return product
}

// allOf returns the array with the values of v, a value of the body, in all iterations. It is the
// stack that saves v, or an array from before the loop whose place at the index at is v; nil if
// there is neither. Iterations write the stacks at that index.
func (l counted) allOf(v *ir.Value, stacks []stack, at line) *ir.Value {
	for _, s := range stacks {
		if s.value == v {
			return l.op.Results[s.carry]
		}
	}
	def := v.Def()
	if def == nil || def.Kind != ir.OpReshape {
		return nil
	}
	slice := def.Operands[0].Def()
	if slice == nil || slice.Kind != ir.OpDynamicSlice || !slices.Equal(slice.Result().Type.Dims[1:], v.Type.Dims) {
		return nil
	}
	array := slice.Operands[0]
	x, ok := l.place(array.Type, slice.Result().Type, slice.Operands[1:])
	if !ok || x != at || !l.covers(x, array.Type.Dims[0]) || array.Block() == l.body() {
		return nil
	}
	return array
}
