package randprog

// This file makes custom calls, which state their sharding rule.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// makeCustomCall makes a custom call of an identity, which both engines compute, or of mhlo.erf,
// which only the Go engine does. Most calls state a sharding rule.
func makeCustomCall(g *generator) *ir.Op {
	types, target, bound := allTypes, "LayoutConstraint", 8.0
	if g.rng.IntN(8) == 0 {
		types, target, bound = []dtypes.DType{dtypes.Float32, dtypes.Float64}, "mhlo.erf", inexact
	}
	attrs := ir.Attrs{{Name: "call_target_name", Value: ir.String(target)}}
	x := g.any(types, 1, 3)
	bound = max(bound, g.bound[x])
	if g.rng.IntN(4) > 0 {
		attrs = append(attrs, ruleAttr(g.elementRule(x.Type.Dims)))
	}
	return g.typed(ir.OpCustomCall, attrs, bound, []ir.Type{x.Type}, x)
}
