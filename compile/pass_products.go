package compile

// This file implements the pass products, which computes a sum of products over the iterations of a
// loop after the loop.

import (
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// products replaces the products that a loop adds up by one product after the loop, if arrays hold
// their operands of all iterations:
//
//	%r:3 = while(…, %s = %c, %t = zeros) {          %r:2 = while(…, %t = zeros) {
//	  %h = %a[%i]                                     %h = %a[%i]
//	  %g = …                                          %g = …
//	  %p = dot_general %h, %g,               =>       %t1 = dynamic_update_slice %t, %g, %i, 0, 0
//	      contracting_dims = [0] x [0]                return …, %t1
//	  %s1 = add %s, %p                              }
//	  %t1 = dynamic_update_slice %t, %g, %i, 0, 0   %p = dot_general %a, %r#1,
//	  return …, %s1, %t1                                contracting_dims = [0, 1] x [0, 1]
//	}                                               %s1 = add %c, %p
//
// %s1 is the gradient of a weight that all iterations use, such as the recurrent kernel of an LSTM.
// In the loop, each iteration reads and writes all of it, and devices exchange operands or parts of
// it. Annotated values stay.
func products(f *ir.Func) {
	eachLoop(f.Body, func(loop *ir.Op) {
		for _, s := range memory.SummedProducts(loop) {
			moveProduct(loop, s)
		}
	})
}

// moveProduct replaces the result of loop that is the sum s by one product after the loop. The loop
// still carries the sum.
func moveProduct(loop *ir.Op, s memory.SummedProduct) {
	init, result := loop.Operands[s.Carry], loop.Results[s.Carry]
	arg := loop.Regions[1].Args[s.Carry]
	if s.Product.Has(sharding.RuleAttr) || s.Product.Result().Sharding != nil || arg.Sharding != nil || result.Sharding != nil {
		return
	}
	dims := *s.Product.DotGeneral().DotDimensionNumbers()
	behind := func(list []int) (out []int) { // the dimensions behind that of the iterations
		for _, d := range list {
			out = append(out, d+1)
		}
		return out
	}
	dims.LHSBatch, dims.RHSBatch = behind(dims.LHSBatch), behind(dims.RHSBatch)
	dims.LHSContracting = append([]int{0}, behind(dims.LHSContracting)...)
	dims.RHSContracting = append([]int{0}, behind(dims.RHSContracting)...)
	b := ir.Builder{Loc: s.Product.Loc}
	b.After(loop)
	product := b.OpWithTypes(ir.OpDotGeneral, s.Product.Attrs.With("dot_dimension_numbers", &dims), []ir.Type{result.Type}, s.LHS, s.RHS)
	sum := product.Result()
	if !isZero(init.Def()) {
		sum = b.Add(init, sum)
	}
	sum.Origins = sum.Origins.Add(result.Origins...)
	result.ReplaceAllUsesWith(sum)
}
