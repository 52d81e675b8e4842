package compile

// This file implements shard_gathered. It computes the shard of a gathered value from the shards
// before the gather.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// shardGathered replaces a local shard of a value that is computed only from gathered values. It
// computes the shard from the device's own shards of these values:
//
//	%1 = spmd.all_gather %0                    %2 = broadcast_in_dim %0
//	%2 = broadcast_in_dim %1            =>
//	%3 = local shard of %2
//
// Between the gather and the shard there may be broadcasts, element-wise ops, and constants of one
// number. Such gathers come from pass partition, if a value between two sharded ones is replicated
// because it is small. It leaves gathers without uses to pass dce.
func shardGathered(c *compilation) error {
	c.main().Walk(func(op *ir.Op) {
		s, ok := localShardOf(c.mesh, op)
		if !ok {
			return
		}
		g := &shardMaker{compilation: c, axes: s.axes, n: c.mesh.RefsSize(s.axes), made: map[fullValue]*ir.Value{}}
		if found, ok := g.can(fullValue{s.full, s.dim}); ok && found {
			op.ReplaceWith(g.make(fullValue{s.full, s.dim}))
		}
	})
	return nil
}

// shardMaker makes the shards of values along axes, which have n devices. made has those that it
// has made.
type shardMaker struct {
	*compilation
	axes []mesh.AxisRef
	n    int
	made map[fullValue]*ir.Value
}

// can reports whether a device can compute its shard of w from shards of operands instead of from
// gathered values. found says whether w depends on a gather along the maker's axes.
func (g *shardMaker) can(w fullValue) (found, ok bool) {
	def := w.value.Def()
	if def == nil || len(def.Results) != 1 || w.value.Type.Dims[w.dim]%g.n != 0 {
		return false, false
	}
	if g.gathers(def, w.dim) {
		return true, !g.binds(w.value)
	}
	needs, ok := operandNeeds(w, def)
	if !ok || len(def.Regions) > 0 || g.binds(w.value) {
		return false, false
	}
	for _, need := range needs {
		if need.dim < 0 {
			continue
		}
		one, ok := g.can(need)
		if !ok {
			return false, false
		}
		found = found || one
	}
	return found, true
}

// gathers reports whether op gathers shards along the maker's axes in dimension dim.
func (g *shardMaker) gathers(op *ir.Op, dim int) bool {
	return op.Kind == ir.OpSPMDAllGather && op.SPMDAllGather().Dim() == dim && slices.Equal(op.SPMDAllGather().Axes(), g.axes)
}

// make returns the shard of w along its dimension: the operand of the gather if w is gathered, and
// otherwise computed from shards of its operands by new ops behind w's own, which are made once.
func (g *shardMaker) make(w fullValue) *ir.Value {
	if v := g.made[w]; v != nil {
		return v
	}
	def := w.value.Def()
	if g.gathers(def, w.dim) {
		return def.Operands[0]
	}
	dims := slices.Clone(w.value.Type.Dims)
	dims[w.dim] /= g.n
	shard := ir.Cloner{}
	needs, _ := operandNeeds(w, def)
	for _, need := range needs {
		if need.dim >= 0 {
			shard[need.value] = g.make(need)
		}
	}
	out := resizedOp(def, shard.Values(def.Operands), w.value.Type.WithDims(dims))
	out.InsertAfter(def)
	g.made[w] = out.Result()
	return out.Result()
}
