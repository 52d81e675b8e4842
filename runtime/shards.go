package runtime

// This file computes which elements of a tensor each position of a mesh holds,
// and which positions are in this process.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// meshShard describes the shard of a tensor at one position of a mesh.
type meshShard struct {
	ranges []layout.Range // global indices, without padding
	first  int            // the first position that holds the same shard
	local  int            // the first such position in this process, or -1
}

// meshShards returns the shard of every position of the sharding's mesh; a nil sharding has one
// position. devices are the result of the client's localDevices.
func meshShards(t ir.Type, s *layout.Sharding, devices []int) []meshShard {
	if s == nil {
		return []meshShard{{ranges: s.ShardRanges(t.Dims, 0)}}
	}
	out := make([]meshShard, s.Mesh.Size())
	shards := make([]int, len(out))
	type holders struct{ first, local int } // positions + 1; 0: none yet
	known := make([]holders, s.ShardCount())
	for pos := range out {
		shard := 0
		for i, d := range s.Dims {
			shard = shard*s.DimShards(i) + s.Mesh.RefsCoordinate(pos, d.Axes)
		}
		shards[pos] = shard
		h := &known[shard]
		if h.first == 0 {
			h.first = pos + 1
			out[pos].ranges = s.ShardRanges(t.Dims, pos)
		}
		if h.local == 0 && devices[pos] >= 0 {
			h.local = pos + 1
		}
	}
	for pos := range out {
		h := known[shards[pos]]
		out[pos] = meshShard{out[h.first-1].ranges, h.first - 1, h.local - 1}
	}
	return out
}

// localDevices returns the device of each position of the sharding's mesh, as an index into this
// process' devices; -1 for a device of another process. An array without a mesh, or on the mesh
// without axes, is on the first device of each process.
func (c *Client) localDevices(s *layout.Sharding) []int {
	ids := deviceIDs(s)
	if c.job == nil {
		return ids
	}
	if s == nil || isDefaultDevice(s.Mesh) {
		return []int{0}
	}
	out := make([]int, len(ids))
	for pos, id := range ids {
		out[pos] = -1
		if c.devices[id].Process == c.job.rank {
			out[pos] = id - c.job.first
		}
	}
	return out
}

// deviceIDs returns the ids of the devices of a sharding's mesh, by position; for nil it is device
// 0.
func deviceIDs(s *layout.Sharding) []int {
	if s == nil {
		return []int{0}
	}
	return s.Mesh.Devices()
}

// match reports whether an array sharded as have can be passed where one sharded as want is
// expected, without moving data (ok). Position pos of want's mesh takes the shard at position
// order[pos] of have's mesh. A nil order means the same positions.
func match(t ir.Type, have, want *layout.Sharding) (order []int, ok bool) {
	if have == want || have != nil && want != nil && have.SameLayout(want) {
		return nil, true
	}
	if have != nil && len(have.Unreduced) > 0 || want != nil && len(want.Unreduced) > 0 {
		return nil, false
	}
	from, to := deviceIDs(have), deviceIDs(want)
	if len(from) != len(to) || !slices.Equal(have.LocalShape(t.Dims), want.LocalShape(t.Dims)) {
		return nil, false
	}
	order = make([]int, len(to))
	for pos, id := range to {
		order[pos] = slices.Index(from, id)
		if order[pos] < 0 || !slices.Equal(have.ShardRanges(t.Dims, order[pos]), want.ShardRanges(t.Dims, pos)) {
			return nil, false
		}
	}
	return order, true
}

// contiguousOffset reports whether the ranges are one run of elements in a row-major tensor with
// the given dims, and returns the first element of the run.
func contiguousOffset(dims []int, ranges []layout.Range) (offset int, ok bool) {
	ok = true
	full := true // the ranges cover all dimensions after this one
	step := 1
	for i := len(dims) - 1; i >= 0; i-- {
		offset += ranges[i].Start * step
		step *= dims[i]
		ok = ok && (full || ranges[i].Len() == 1)
		full = full && ranges[i].Len() == dims[i]
	}
	return offset, ok
}
