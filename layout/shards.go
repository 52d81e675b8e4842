package layout

// This file computes what each device holds of a sharded tensor, and the pairs
// of devices that exchange shards in a permutation.
//
// A dimension of size d sharded n ways gives every device ⌈d/n⌉ elements: shard i
// covers [i·⌈d/n⌉, (i+1)·⌈d/n⌉), and what is beyond d is padding. So all devices
// have the same local shape, as an SPMD program needs; only the number of real
// elements differs.

import (
	"fmt"

	"github.com/gospmd/gospmd/mesh"
)

// LocalShape returns the padded shape of each device's shard.
func (s *Sharding) LocalShape(global []int) []int {
	local := make([]int, len(global))
	for i, d := range global {
		if s == nil {
			local[i] = d
			continue
		}
		n := s.DimShards(i)
		local[i] = (d + n - 1) / n
	}
	return local
}

// Range is a half-open interval of indices of one dimension.
type Range struct{ Start, Limit int }

// Len returns the number of indices in r.
func (r Range) Len() int { return r.Limit - r.Start }

// ShardRanges returns, for each dimension, the global indices that the device
// at position pos of the mesh holds. A range is shorter than the local shape
// where the shard ends in padding, and empty where it is all padding.
func (s *Sharding) ShardRanges(global []int, pos int) []Range {
	ranges := make([]Range, len(global))
	for i, d := range global {
		if s == nil {
			ranges[i] = Range{0, d}
			continue
		}
		n := s.DimShards(i)
		size := (d + n - 1) / n
		start := min(d, size*s.Mesh.RefsCoordinate(pos, s.Dims[i].Axes))
		ranges[i] = Range{start, min(d, start+size)}
	}
	return ranges
}

// IsEven reports whether no device holds padding.
func (s *Sharding) IsEven(global []int) bool {
	for i, d := range global {
		if s != nil && d%s.DimShards(i) != 0 {
			return false
		}
	}
	return true
}

// PermutePairs returns who sends to whom so that a tensor that is sharded as from
// becomes sharded as to: pairs of source and target, positions of the mesh, one
// for each target in order. Each device sends once and receives once.
//
// Both must have the same number of shards of every dimension, and the same
// number of summands where they are unreduced. A device that holds what it needs
// keeps it; among the others, the first that holds a shard sends it to the first
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
		return nil, fmt.Errorf("layout: cannot permute from %s to %s: %d unreduced parts, then %d: want the same number", from, to, a, b)
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
// its shard; the summand that it holds counts as a last dimension.
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
