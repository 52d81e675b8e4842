package layout

// This file pairs devices for a move between two layouts that cut a tensor
// into the same shards.

import (
	"fmt"

	"github.com/gospmd/gospmd/mesh"
)

// PermutePairs returns who sends to whom so that a tensor laid out as from
// becomes laid out as to: pairs of source and target, positions of the mesh,
// one for each target in order. Each device sends once and receives once.
//
// Both must split every dimension into the same number of parts, and leave the
// same number of parts to be summed. A device that holds what it needs keeps
// it; among the others, the first that holds a shard sends it to the first
// that needs it.
func PermutePairs(from, to *Sharding) ([][2]int, error) {
	if !from.Mesh.Equal(to.Mesh) {
		return nil, fmt.Errorf("layout: cannot permute from the mesh %s to the mesh %s: want one mesh", from.Mesh, to.Mesh)
	}
	if len(from.Dims) != len(to.Dims) {
		return nil, fmt.Errorf("layout: cannot permute from %s to %s: %d dimensions, want %d", from, to, len(to.Dims), len(from.Dims))
	}
	for d := range from.Dims {
		if a, b := from.DimShards(d), to.DimShards(d); a != b {
			return nil, fmt.Errorf("layout: cannot permute from %s to %s: dim %d has %d shards, then %d: want the same number", from, to, d, a, b)
		}
	}
	m := from.Mesh
	if a, b := m.RefsSize(from.Unreduced), m.RefsSize(to.Unreduced); a != b {
		return nil, fmt.Errorf("layout: cannot permute from %s to %s: %d parts to be summed, then %d: want the same number", from, to, a, b)
	}
	// Devices that hold a shard and do not need it, by shard, first one first.
	spare := make([][]int, from.ShardCount()*m.RefsSize(from.Unreduced))
	have, need := from.shardNumbers(), to.shardNumbers()
	for pos, shard := range have {
		if need[pos] != shard {
			spare[shard] = append(spare[shard], pos)
		}
	}
	pairs := make([][2]int, len(need))
	for pos, shard := range need {
		pairs[pos] = [2]int{pos, pos}
		if have[pos] != shard {
			pairs[pos][0], spare[shard] = spare[shard][0], spare[shard][1:]
		}
	}
	return pairs, nil
}

// shardNumbers returns, for each position of the mesh, the row-major number of
// its shard; which summand it holds counts as a last dimension.
func (s *Sharding) shardNumbers() []int {
	var axes []mesh.AxisRef
	for _, d := range s.Dims {
		axes = append(axes, d.Axes...)
	}
	axes = append(axes, s.Unreduced...)
	out := make([]int, s.Mesh.Size())
	for pos := range out {
		out[pos] = s.Mesh.RefsCoordinate(pos, axes)
	}
	return out
}
