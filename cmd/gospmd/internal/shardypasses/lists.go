package shardypasses

// This file has functions about shardings that several passes use: lists of shardings, and whether
// two shardings differ.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// hasSharding reports whether one of the values has a sharding.
func hasSharding(values []*ir.Value) bool {
	for _, v := range values {
		if v.Sharding != nil {
			return true
		}
	}
	return false
}

// shardingsPerValue returns the shardings get(0) to get(n-1), with an open sharding, of rank(i)
// dimensions, in place of nil. It returns nil if get returns no sharding, or only shardings on
// maximal meshes (mesh.Maximal).
func shardingsPerValue(n int, get func(i int) *layout.Sharding, rank func(i int) int) ir.ShardingsAttr {
	var dm *mesh.DeviceMesh
	for i := range n {
		if s := get(i); s != nil && !s.Mesh.IsMaximal() {
			dm = s.Mesh
			break
		}
	}
	if dm == nil {
		return nil
	}
	list := make(ir.ShardingsAttr, n)
	for i := range list {
		if list[i] = get(i); list[i] == nil {
			list[i] = layout.OpenSharding(dm, rank(i))
		}
	}
	return list
}

func shardingsOf(values []*ir.Value) ir.ShardingsAttr {
	return shardingsPerValue(len(values), func(i int) *layout.Sharding { return values[i].Sharding },
		func(i int) int { return values[i].Type.Rank() })
}

func paramShardings(f *ir.Func) ir.ShardingsAttr { return shardingsOf(f.Params()) }

func resultShardings(f *ir.Func) ir.ShardingsAttr {
	return shardingsPerValue(len(f.Results), func(i int) *layout.Sharding { return f.Results[i].Sharding },
		func(i int) int { return f.Results[i].Type.Rank() })
}

func replicateLike(list ir.ShardingsAttr) ir.ShardingsAttr {
	out := make(ir.ShardingsAttr, len(list))
	for i, s := range list {
		out[i] = layout.Replicated(s.Mesh, len(s.Dims))
	}
	return out
}

// areEquivalent reports whether two shardings put the same data on each device; nil is replicated.
func areEquivalent(a, b *layout.Sharding) bool {
	if isReplicated(a) {
		return isReplicated(b)
	}
	return b != nil && a.SameLayout(b)
}

// isReplicated reports whether no dimension is sharded. Unreduced axes do not matter, as in Shardy
// of jaxlib 0.10.2: all-reduces follow from the unreduced axes.
func isReplicated(s *layout.Sharding) bool {
	return s == nil || !slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return len(d.Axes) > 0 })
}
