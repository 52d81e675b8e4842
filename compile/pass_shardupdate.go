package compile

// This file implements shard_update, the sharded weight update.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// shardUpdate splits the optimizer's work over the axes that split the data
// (Rajbhandari and others, ZeRO, 2020, stage 1; Xu and others, Automatic
// cross-replica sharding of weight update, 2020):
//
//	@main(%x [{"data"}, {}], %w [{}], %slot [{}]) -> (%w2 [{}], %slot2 [{}])
//	=>
//	@main(%x [{"data"}, {}], %w [{}], %slot [{"data"}]) -> (%w2 [{}], %slot2 [{"data"}])
//	  %w2 = sharding_constraint (new weight) [{"data"}]
//
// Slots then live split, gradients are scattered where they would be summed,
// each device updates its part, and new weights are gathered. The bytes are
// those of the sum. It runs if Options.ShardedUpdate says so.
//
// A tensor is split in its largest dimension that nothing splits yet, one that
// the devices divide where there is one; it stays whole if all are smaller
// than the number of devices.
func shardUpdate(u *unit) error {
	if !u.o.ShardedUpdate || u.oneDevice() {
		return nil
	}
	f := u.main()
	roles := rolesOf(f)
	axes := u.dataAxes(f, roles)
	if len(axes) == 0 {
		return nil
	}
	trained := u.trained(f, roles)
	returned := f.Returned()
	for i, p := range f.Params() {
		out := aliasOf(f, i)
		if out < 0 {
			continue
		}
		split := u.splitOver(p, axes)
		switch {
		case split == nil:
		case roles[i] == ir.RoleOptimizer:
			p.Sharding, f.Results[out].Sharding = split, split
		case roles[i] == ir.RoleParameter && trained[returned[out]]:
			whole := p.Sharding
			if whole == nil {
				whole = layout.Replicated(u.mesh, p.Type.Rank())
			}
			// Its pin says that the result is whole; propagation must not make
			// it what the constraint says.
			p.Sharding, f.Results[out].Sharding = whole, whole
			f.Body.Terminator().SetOperand(out, constrained(f, returned[out], split))
		}
	}
	return nil
}

// constrained appends a sharding_constraint of v.
func constrained(f *ir.Func, v *ir.Value, s *layout.Sharding) *ir.Value {
	op := ir.NewOp(ir.OpShardingConstraint, []*ir.Value{v}, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, []ir.Type{v.Type})
	op.Result().Sharding = s
	if d := v.Def(); d != nil {
		op.Loc = d.Loc
	}
	op.InsertBefore(f.Body.Terminator())
	return op.Result()
}

// dataAxes returns the axes that split an input of data, in the mesh's order.
func (u *unit) dataAxes(f *ir.Func, roles []ir.Role) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, a := range u.mesh.Axes() {
		ref := mesh.FullAxis(a.Name)
		splits := func(d layout.DimSharding) bool { return slices.Contains(d.Axes, ref) }
		for i, p := range f.Params() {
			if a.Size > 1 && roles[i] == ir.RoleData && p.Sharding != nil && slices.ContainsFunc(p.Sharding.Dims, splits) {
				out = append(out, ref)
				break
			}
		}
	}
	return out
}

// trained returns the values that depend on an input of the optimizer's: the
// new weights are among them, the statistics of a normalization are not.
func (u *unit) trained(f *ir.Func, roles []ir.Role) map[*ir.Value]bool {
	out := map[*ir.Value]bool{}
	for i, p := range f.Params() {
		out[p] = roles[i] == ir.RoleOptimizer
	}
	for op := range f.Body.Ops() {
		depends := false
		op.Walk(func(o *ir.Op) {
			for _, v := range o.Operands {
				depends = depends || out[v]
			}
		})
		for _, r := range op.Results {
			out[r] = depends
		}
	}
	return out
}

// splitOver returns p's layout with those of the axes that it does not use
// splitting one more dimension; nil where there is none of either.
func (u *unit) splitOver(p *ir.Value, axes []mesh.AxisRef) *layout.Sharding {
	s := p.Sharding.Clone()
	if s == nil {
		s = layout.Replicated(u.mesh, p.Type.Rank())
	}
	free := slices.DeleteFunc(slices.Clone(axes), func(a mesh.AxisRef) bool {
		return slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return slices.ContainsFunc(d.Axes, a.Overlaps) })
	})
	n := u.mesh.RefsSize(free)
	var dims []int
	for d, size := range p.Type.Dims {
		if len(s.Dims[d].Axes) == 0 && size >= n {
			dims = append(dims, d)
		}
	}
	if n == 1 || len(dims) == 0 {
		return nil
	}
	best := slices.MinFunc(dims, func(a, b int) int {
		x, y := p.Type.Dims[a], p.Type.Dims[b]
		return cmp.Or(cmp.Compare(pick(x%n == 0, 0, 1), pick(y%n == 0, 0, 1)), cmp.Compare(y, x), cmp.Compare(a, b))
	})
	s.Replicated = nil
	s.Dims[best] = layout.DimSharding{Axes: free}
	return s
}
