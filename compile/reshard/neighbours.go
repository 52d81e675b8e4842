package reshard

// This file computes what devices get from their neighbours in a halo exchange, in which the blocks
// of a dimension change their length, and in a neighbour gather.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Halo describes a HaloExchange of a dimension with Size elements. Block i starts at i·From before
// the exchange, and at i·To after it.
//
// If blocks grow, block i needs elements to its right, and otherwise elements to its left. The
// larger i is, the farther away these are. Each device collects Width elements next to its block,
// from one or more neighbours. It slices its new block out of these and the old block, at Start(i).
type Halo struct {
	Size, From, To int
}

// Halo returns the description of s, which must be a HaloExchange.
func (s Step) Halo() Halo { return Halo{s.Dims[s.Dim], s.Before[s.Dim], s.After[s.Dim]} }

// Grows reports whether blocks become longer. The halo is then to the right.
func (h Halo) Grows() bool { return h.To > h.From }

// last returns the number of the last new block that holds an element.
func (h Halo) last() int { return max(0, ceil(h.Size, h.To)-1) }

// Width returns the number of elements that a device collects.
func (h Halo) Width() int {
	if h.Grows() {
		return max(0, h.last()*(h.To-h.From), h.Size-(h.last()+1)*h.From)
	}
	return h.last() * (h.From - h.To)
}

// Own returns the number of elements of its own block that a device uses.
func (h Halo) Own() int { return min(h.From, h.To) }

// Length returns the number of elements that a new block is sliced out of: the halo, the device's
// own elements and, if blocks grow, padding at the end.
func (h Halo) Length() int {
	if h.Grows() {
		return h.last()*(h.To-h.From) + h.To
	}
	return h.Width() + h.To
}

// Start returns base and stride: new block i starts at base + i·stride in the Length() elements
// that it is sliced out of.
func (h Halo) Start() (base, stride int) {
	if h.Grows() {
		return 0, h.To - h.From
	}
	return h.Width(), h.To - h.From
}

// Piece is a part of a halo: the indices [Start, Limit) in the block of the device whose axis_index
// is that of the receiver plus Offset.
type Piece struct{ Offset, Start, Limit int }

// Pieces returns the parts of the halo from left to right.
func (h Halo) Pieces() []Piece {
	var out []Piece
	for got := 0; got < h.Width(); got += h.From {
		n := min(h.From, h.Width()-got)
		offset := got/h.From + 1
		if h.Grows() {
			out = append(out, Piece{offset, 0, n})
			continue
		}
		out = append([]Piece{{-offset, h.From - n, h.From}}, out...)
	}
	return out
}

// ceil returns a/b rounded up, or 0 if b is 0.
func ceil(a, b int) int {
	if b == 0 {
		return 0
	}
	return (a + b - 1) / b
}

// gatherAxes returns the axes that a NeighbourGather between the shardings gets blocks along, major
// first. These are the axes of from, in each dimension that from and to shard differently.
func gatherAxes(from, to *layout.Sharding) []mesh.AxisRef {
	var out []mesh.AxisRef
	for d := range from.Dims {
		if !slices.Equal(from.Dims[d].Axes, to.Dims[d].Axes) {
			out = append(out, from.Dims[d].Axes...)
		}
	}
	return out
}

// Offsets returns, for a NeighbourGather, where the devices are whose blocks a device needs: how
// much further along Axes than the device itself. It returns the offsets of all devices together,
// in ascending order, without 0.
func (s Step) Offsets() []int { return offsets(s.Source, s.Target, s.Axes, s.Dims) }

func offsets(from, to *layout.Sharding, axes []mesh.AxisRef, dims []int) []int {
	m := from.Mesh
	block := from.LocalShape(dims)
	var out []int
	for pos := range m.Size() {
		own := m.RefsCoordinate(pos, axes)
		for _, n := range neededBlocks(from, to, block, dims, pos) {
			if n != own {
				out = append(out, n-own)
			}
		}
		if pos%64 == 63 { // keeps the list short on a large mesh
			slices.Sort(out)
			out = slices.Compact(out)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// neededBlocks returns the numbers, along the gather axes, of the blocks with the elements that the
// device at pos needs, in ascending order; none if it only needs padding. block are the sizes of a
// block, dims those of the tensor.
func neededBlocks(from, to *layout.Sharding, block, dims []int, pos int) []int {
	numbers := []int{0}
	for d, r := range to.ShardRanges(dims, pos) {
		axes := from.Dims[d].Axes
		if r.Len() == 0 {
			numbers = nil // the device only needs padding
		}
		if len(axes) == 0 || slices.Equal(axes, to.Dims[d].Axes) {
			continue
		}
		n := from.Mesh.RefsSize(axes)
		var next []int
		for _, major := range numbers {
			for j := r.Start / block[d]; j < n && j*block[d] < r.Limit; j++ {
				next = append(next, major*n+j)
			}
		}
		numbers = next
	}
	return numbers
}
