package compile

// This file stands in for what other packages do not have yet.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

func verify(*ir.Module) error { return nil }

// complete replicates what has no layout.
func complete(u *unit) error {
	f := u.main()
	fill := func(s **layout.Sharding, t ir.Type) {
		if *s == nil && !t.IsToken() {
			*s = layout.Replicated(u.mesh, t.Rank())
		}
	}
	for _, p := range f.Params() {
		fill(&p.Sharding, p.Type)
	}
	f.Walk(func(op *ir.Op) {
		for _, r := range op.Results {
			fill(&r.Sharding, r.Type)
		}
	})
	for i, v := range f.Returned() {
		if f.Results[i].Sharding == nil {
			f.Results[i].Sharding = v.Sharding
		}
	}
	return nil
}
