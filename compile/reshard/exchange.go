package reshard

// This file computes an Exchange, by which blocks get where they are needed
// one neighbour after the other.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// exchangeAxes returns the axes of the dimensions that two layouts split
// differently: of from, in the order of the dimensions.
func exchangeAxes(from, to *layout.Sharding) []mesh.AxisRef {
	var out []mesh.AxisRef
	for d := range from.Dims {
		if !slices.Equal(from.Dims[d].Axes, to.Dims[d].Axes) {
			out = append(out, from.Dims[d].Axes...)
		}
	}
	return out
}

// Offsets returns, of an Exchange, how much further along Axes than a device
// itself those devices are whose blocks it needs, for any device: in ascending
// order, 0 left out.
func (s Step) Offsets() []int { return offsets(s.Source, s.Target, s.Axes, s.Dims) }

func offsets(from, to *layout.Sharding, axes []mesh.AxisRef, dims []int) []int {
	m := from.Mesh
	block := from.LocalShape(dims)
	var out []int
	for pos := range m.Size() {
		// The numbers along axes of the blocks that hold what pos needs.
		numbers := []int{0}
		for d, r := range to.ShardRanges(dims, pos) {
			split := from.Dims[d].Axes
			if r.Len() == 0 {
				numbers = nil // pos needs padding only
			}
			if len(split) == 0 || slices.Equal(split, to.Dims[d].Axes) {
				continue
			}
			n := m.RefsSize(split)
			var next []int
			for _, major := range numbers {
				for j := range n {
					if r.Start < (j+1)*block[d] && j*block[d] < r.Limit {
						next = append(next, major*n+j)
					}
				}
			}
			numbers = next
		}
		own := m.RefsCoordinate(pos, axes)
		for _, n := range numbers {
			if n != own {
				out = append(out, n-own)
			}
		}
		if pos%64 == 63 {
			slices.Sort(out)
			out = slices.Compact(out)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
