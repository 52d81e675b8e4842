package layout

// This file computes what one device holds of a sharded tensor.
//
// A dimension of size d split into n parts gives every device ⌈d/n⌉ elements:
// part i covers [i·⌈d/n⌉, (i+1)·⌈d/n⌉), and what lies beyond d is padding.
// All devices so have the same local shape, as an SPMD program needs; only the
// number of real elements differs.

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
