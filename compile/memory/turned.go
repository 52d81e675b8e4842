package memory

// This file takes back transposes before loops. Package compile transposes a matrix before a loop
// whose products read it across its rows, because that is faster on CPUs. The second form of the
// matrix is then in memory as long as the loop runs:
//
//	%t = transpose %w, dims = [1, 0]             while … {
//	while … {                              =>      %1 = dot_general %dz, %w,
//	  %1 = dot_general %dz, %t,                      contracting_dims = [1] x [1]
//	    contracting_dims = [1] x [0]             }
//	}

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// unturned returns a copy of f in which the products in loops read matrices as they are given, and
// not their transposes from before the loop; nil if there are no such products.
func unturned(f *ir.Func) *ir.Func {
	g := f.Clone()
	changed := false
	for loop := range g.Body.Ops() {
		for _, r := range loop.Regions {
			r.Walk(func(op *ir.Op) { changed = op.Kind == ir.OpDotGeneral && readGiven(op, g.Body) || changed })
		}
	}
	if !changed {
		return nil
	}
	transform.EliminateDeadOps(g, transform.DeadOps{})
	return g
}

// readGiven makes op, a product in a loop, read the operands of transposes in the block outside. It
// reports whether it changed op. Products with batch dimensions or several contracted ones stay.
func readGiven(op *ir.Op, outside *ir.Block) (changed bool) {
	dims := *op.DotGeneral().DotDimensionNumbers()
	if len(dims.LHSBatch) > 0 || len(dims.LHSContracting) != 1 {
		return false
	}
	for i, contracting := range []*[]int{&dims.LHSContracting, &dims.RHSContracting} {
		t := op.Operands[i].Def()
		if t == nil || t.Kind != ir.OpTranspose || t.Block() != outside || !slices.Equal(t.Transpose().Permutation(), []int{1, 0}) {
			continue
		}
		op.SetOperand(i, t.Operands[0])
		*contracting, changed = []int{1 - (*contracting)[0]}, true
	}
	if changed {
		op.Attrs = op.Attrs.With("dot_dimension_numbers", &dims)
	}
	return changed
}
