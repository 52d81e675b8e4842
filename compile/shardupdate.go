package compile

// This file implements shard_update: the sharded update of weights, and sharded weights.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// shardUpdate shards the optimizer's work over the axes that shard the data (Rajbhandari and
// others, ZeRO, 2020, stage 1; Xu and others, Automatic cross-replica sharding of weight update,
// 2020):
//
//	@main(%x [{"data"}, {}], %w [{}], %slot [{}]) -> (%w2 [{}], %slot2 [{}])
//	=>
//	@main(%x [{"data"}, {}], %w [{}], %slot [{"data"}]) -> (%w2 [{}], %slot2 [{"data"}])
//	  %w2 = sharding_constraint (new weight) [{"data"}]
//
// Then slots are sharded, gradients are reduce-scattered instead of all-reduced, each device
// updates its part of the weights, and the new weights are gathered. This sends as many bytes as
// the all-reduce. The pass does so if Options.ShardedUpdate is set; with a limit of memory, pass
// memory may try it later.
//
// With Options.FullySharded (ZeRO, stage 3), weights of at least two dimensions are sharded as their
// slots are, also in a function that only reads them:
//
//	@main(%x [{"data"}, {}], %w [{"data"}]) -> (%y [{"data"}, {}])
//
// A tensor is sharded in the first dimension that is not sharded yet and that the number of devices
// divides: a shard is then one piece of memory, and most tensors are sharded in the same dimension,
// so that one collective scatters or gathers them. If there is no such dimension, the tensor is
// sharded in its largest dimension. If that is smaller than the number of devices, a matrix or a
// larger tensor is sharded further in a sharded dimension that the devices divide; others stay
// replicated over the axes.
func shardUpdate(c *compilation) error {
	if c.options.MemoryLimit > 0 {
		c.unplaced = c.copyOf(c.module)
	}
	if o := c.options; !o.ShardedUpdate && !o.FullySharded || c.hasOneDevice() {
		return nil
	}
	f := c.main()
	known := roles.Of(f)
	axes := dataAxes(f, c.mesh, known)
	if len(axes) == 0 {
		return nil
	}
	trained := trainedValues(f, known)
	returned := f.Returned()
	for i, p := range f.Params() {
		sharded := shardOver(c.mesh, p, axes)
		if sharded == nil {
			continue
		}
		out := roles.Donee(f, i)
		fully := known[i] == ir.RoleParameter && c.options.FullySharded && p.Type.Rank() >= 2
		switch {
		case fully:
			p.Sharding = sharded
			if out >= 0 {
				f.Results[out].Sharding = sharded
			}
			c.weightsSharded = true
		case out < 0: // it is only read
		case known[i] == ir.RoleOptimizer:
			p.Sharding, f.Results[out].Sharding = sharded, sharded
			c.updateSharded = true
		case known[i] == ir.RoleParameter && trained[returned[out]]:
			before := p.Sharding
			if before == nil {
				before = layout.Replicated(c.mesh, p.Type.Rank())
			}
			// The result keeps the sharding of the weight. Otherwise propagation would give it that
			// of the constraint.
			p.Sharding, f.Results[out].Sharding = before, before
			f.Body.Terminator().SetOperand(out, constrainAtEnd(f, returned[out], sharded))
			c.updateSharded = true
		}
	}
	return nil
}

// constrainAtEnd inserts, before f's return, a sharding_constraint of v to s. It returns the
// constraint's result.
func constrainAtEnd(f *ir.Func, v *ir.Value, s *layout.Sharding) *ir.Value {
	var b ir.Builder
	if d := v.Def(); d != nil {
		b.Loc = d.Loc
	}
	out := b.Before(f.Body.Terminator()).ShardingConstraint(v, s)
	out.Sharding, out.Origins = s, v.Origins
	return out
}

// dataAxes returns the axes of m that shard an input of f with the role data, in the order of the
// mesh. known are the roles of the inputs.
func dataAxes(f *ir.Func, m *mesh.DeviceMesh, known []ir.Role) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, a := range m.Axes() {
		ref := mesh.FullAxis(a.Name)
		uses := func(d layout.DimSharding) bool { return slices.Contains(d.Axes, ref) }
		for i, p := range f.Params() {
			if a.Size > 1 && known[i] == ir.RoleData && p.Sharding != nil && slices.ContainsFunc(p.Sharding.Dims, uses) {
				out = append(out, ref)
				break
			}
		}
	}
	return out
}

// trainedValues returns the values of f that depend on an input with the optimizer's role, as keys
// that map to true. So it has the new weights, but not the statistics of a normalization. known has
// the roles of the inputs.
func trainedValues(f *ir.Func, known []ir.Role) map[*ir.Value]bool {
	out := map[*ir.Value]bool{}
	for i, p := range f.Params() {
		out[p] = known[i] == ir.RoleOptimizer
	}
	for op := range f.Body.Ops() {
		depends := false
		op.Walk(func(o *ir.Op) {
			depends = depends || slices.ContainsFunc(o.Operands, func(v *ir.Value) bool { return out[v] })
		})
		for _, r := range op.Results {
			out[r] = depends
		}
	}
	return out
}

// shardOver returns the sharding of p with one more dimension sharded over those of the axes that
// it does not use yet: the first one that their number of shards divides, or else the largest that
// is at least as large, or else, of two or more dimensions, the first whose shards they divide. It
// returns nil if there is no such axis or no such dimension. p keeps its own.
func shardOver(m *mesh.DeviceMesh, p *ir.Value, axes []mesh.AxisRef) *layout.Sharding {
	s := p.Sharding.Clone()
	if s == nil {
		s = layout.Replicated(m, p.Type.Rank())
	}
	free := slices.DeleteFunc(slices.Clone(axes), func(a mesh.AxisRef) bool {
		return slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return slices.ContainsFunc(d.Axes, a.Overlaps) })
	})
	n := m.RefsSize(free)
	best := -1
	for d, size := range p.Type.Dims {
		if len(s.Dims[d].Axes) > 0 || size < n {
			continue
		}
		if size%n == 0 {
			best = d
			break
		}
		if best < 0 || size > p.Type.Dims[best] {
			best = d
		}
	}
	for d := 0; best < 0 && len(s.Dims) > 1 && d < len(s.Dims); d++ {
		if shards := s.DimShards(d); shards > 1 && p.Type.Dims[d]%(shards*n) == 0 {
			best = d
		}
	}
	if n == 1 || best < 0 {
		return nil
	}
	s.Replicated = nil
	s.Dims[best] = layout.DimSharding{Axes: append(s.Dims[best].Axes, free...)}
	return s
}
