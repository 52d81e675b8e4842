package compile

// This file implements bind, which makes annotations binding, and answers the questions of other
// passes about binding annotations.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// bind adds a constraint with the annotated layout to each annotated value. Users of the value then
// read the constraint's result:
//
//	%1 = dot %x, %w {[{"data"}, {}]}        %1 = dot %x, %w
//	%2 = tanh %1                        =>  %3 = sharding_constraint %1 [{"data"}, {}]
//	                                        %2 = tanh %3
//
// An op may be computed in another layout than that of its result; a constraint guarantees that
// each device has the stated shard. The pass runs if Options.KeepLayouts is set.
func bind(c *compilation) error {
	if !c.options.KeepLayouts || c.hasOneDevice() {
		return nil
	}
	annotated := c.annotatedLayouts()
	var ops []*ir.Op
	c.main().Walk(func(op *ir.Op) {
		if op.Kind != ir.OpShardingConstraint && !op.Info().Is(ir.Terminator) {
			ops = append(ops, op)
		}
	})
	for _, op := range ops {
		for _, v := range op.Results {
			id := v.Origins.Best()
			if annotated[id] == nil || !v.HasUses() || v.Type.IsToken() || v.Sharding == nil {
				continue
			}
			b := ir.Builder{Loc: op.Loc}
			w := b.After(op).ShardingConstraint(v, v.Sharding)
			w.Sharding = v.Sharding
			v.ReplaceUsesIf(w, func(u ir.Use) bool { return u.Op != w.Def() })
			w.Origins = v.Origins
		}
	}
	return nil
}

// annotatedLayouts returns the layouts that annotations give to values, by the value's identity. It
// collects them in the first call.
func (c *compilation) annotatedLayouts() map[*ir.ValueID]*layout.Sharding {
	if c.bound == nil {
		c.bound = map[*ir.ValueID]*layout.Sharding{}
		for _, a := range c.annotations {
			c.bound[a.Of] = a.Layout
		}
	}
	return c.bound
}

// binds reports whether the layout of v, a value in the program of one device, is binding: v has
// the layout that an annotation gives it, and Options.KeepLayouts is set.
func (c *compilation) binds(v *ir.Value) bool {
	if !c.options.KeepLayouts {
		return false
	}
	annotated := c.annotatedLayouts()
	return slices.ContainsFunc(v.Origins, func(o ir.Origin) bool {
		a := annotated[o.Of]
		return a != nil && explain.Holds(a, o.Sharding)
	})
}
