package partition

// This file lets devices read windows of a dimension that extend over the borders of their shards,
// and keeps padding out of results.
//
// Devices get elements beyond a border from their neighbours. If a dimension of size d is sharded n
// ways, a device holds ⌈d/n⌉ elements of it. The elements beyond d are padding, and have any value.
// An op that combines elements of a dimension must not read padding.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// window is the range that each device reads of a dimension that has n shards with part elements
// each: device i reads size elements from base + i·step on.
type window struct {
	n, part          int
	base, step, size int
}

// reach returns the smallest offset, and the largest one plus 1, that any device reads, relative to
// the start of its own shard. Offsets change linearly with the device's index, so the extremes are
// at the first and the last device.
func (w window) reach() (low, high int) {
	first, last := w.base, w.base+(w.n-1)*(w.step-w.part)
	return min(first, last), max(first, last) + w.size
}

// piece is the elements [start, limit) of the shard of another device, whose index is larger by
// offset. If there is no such device, the elements are those of several shards together.
type piece struct{ offset, start, limit int }

// isOutside reports whether piece pc is beyond the first or the last device for every device, so
// that no device has it.
func (w window) isOutside(pc piece) bool { return pc.offset <= -w.n || pc.offset >= w.n }

// pieces returns the pieces in reach, in order; none if shards have no elements. At most one piece
// is before the first device, and at most one behind the last.
func (w window) pieces() []piece {
	if w.part == 0 {
		return nil
	}
	low, high := w.reach()
	var out []piece
	if before := min(high, -(w.n-1)*w.part); low < before {
		out = append(out, piece{-w.n, 0, before - low})
	}
	first := max(floorDiv(low, w.part), -(w.n - 1))
	for k := first; k < w.n && k*w.part < high; k++ {
		out = append(out, piece{k, max(low-k*w.part, 0), min(high-k*w.part, w.part)})
	}
	if behind := max(low, w.n*w.part); behind < high {
		out = append(out, piece{w.n, 0, high - behind})
	}
	return out
}

// traffic returns the traffic of a device for reading w of a dimension that axes shard. One index
// of the dimension has the given number of bytes.
func (p *partitioner) traffic(w window, axes []mesh.AxisRef, bytes int) (total traffic) {
	for _, pc := range w.pieces() {
		if pc.offset != 0 && !w.isOutside(pc) {
			total.add(p.sends(axes, (pc.limit-pc.start)*bytes))
		}
	}
	return total
}

// fetch returns the elements of w in dimension d of the tensor whose shard is v; axes shard the
// dimension. Beyond the first and the last shard it returns zeros. It returns padding as it is.
func (p *partitioner) fetch(v *ir.Value, d int, axes []mesh.AxisRef, w window) *ir.Value {
	if w.size == 0 || v.Type.Size() == 0 {
		dims := slices.Clone(v.Type.Dims)
		dims[d] = w.size
		return p.Constant(ir.Splat(v.Type.WithDims(dims), 0))
	}
	var parts []*ir.Value
	for _, pc := range w.pieces() {
		part := v
		switch {
		case w.isOutside(pc):
			dims := slices.Clone(v.Type.Dims)
			dims[d] = pc.limit - pc.start
			part = p.Constant(ir.Splat(v.Type.WithDims(dims), 0))
		case pc.offset == 0:
			part = p.slice(v, d, pc.start, pc.limit)
		default:
			part = p.slice(v, d, pc.start, pc.limit)
			part = p.SPMDShift(part, axes, pc.offset)
		}
		parts = append(parts, part)
	}
	all := p.concatenate(d, parts...)
	low, _ := w.reach()
	if w.step == w.part {
		return p.slice(all, d, w.base-low, w.base-low+w.size)
	}
	start := p.plus(p.times(p.SPMDAxisIndex(axes), w.step-w.part), w.base-low)
	return p.dynamicSlice(all, d, start, w.size)
}

// rangeMask returns a mask for a tensor of the dimensions dims that has the elements of w in
// dimension d, which axes shard. It is true for elements that are among the first size elements of
// the global dimension, and so neither padding nor beyond its ends.
func (p *partitioner) rangeMask(dims []int, d int, axes []mesh.AxisRef, w window, size int) *ir.Value {
	start := p.plus(p.times(p.SPMDAxisIndex(axes), w.step), w.base)
	index := p.Add(p.iota(start.Type.DType, dims, d), p.broadcast(start, dims))
	return p.And(p.compareTo("GE", index, 0), p.compareTo("LT", index, size))
}

// fetchFilled is fetch, except that the scalar fill replaces elements that are not among the first
// size elements of the global dimension.
func (p *partitioner) fetchFilled(v *ir.Value, d int, axes []mesh.AxisRef, w window, size int, fill *ir.Value) *ir.Value {
	out := p.fetch(v, d, axes, w)
	if w.base >= 0 && (w.n-1)*w.step+w.base+w.size <= size {
		return out // no device reads other elements
	}
	if def := fill.Def(); size == w.n*w.part && def != nil && def.Kind == ir.OpConstant && def.Literal().IsZero() {
		return out // there is no padding, and elements beyond the shards are zeros already
	}
	return p.pickScalar(p.rangeMask(out.Type.Dims, d, axes, w, size), out, fill)
}

// floorDiv returns ⌊a/b⌋ for b > 0.
func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// ceilDiv returns ⌈a/b⌉ for b > 0.
func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// mask returns v, the shard of a tensor with the given dimensions and the sharding s, with its
// padding replaced in those dimensions that in lists. fill makes the scalar that replaces the
// padding; it is not called if there is none, and the result is v.
func (p *partitioner) mask(v *ir.Value, s *layout.Sharding, dims []int, in []int, fill func() *ir.Value) *ir.Value {
	var inside *ir.Value
	for _, d := range in {
		if !isUneven(s, d, dims[d]) {
			continue
		}
		ok := p.compareTo("LT", p.globalIndex(v.Type.Dims, s, d), dims[d])
		if inside == nil {
			inside = ok
		} else {
			inside = p.And(inside, ok)
		}
	}
	if inside == nil {
		return v
	}
	return p.pickScalar(inside, v, fill())
}

// pickScalar returns v where pred is true, and the scalar elsewhere.
func (p *partitioner) pickScalar(pred, v, scalar *ir.Value) *ir.Value {
	return p.Select(pred, v, p.broadcast(scalar, v.Type.Dims))
}

// globalIndex returns, for each element of a shard with the dimensions local, by the sharding s,
// its index along dimension d of the global tensor, as i32. For padding the index is at or beyond
// the size of the dimension.
func (p *partitioner) globalIndex(local []int, s *layout.Sharding, d int) *ir.Value {
	index := p.iota(dtypes.Int32, local, d)
	if len(s.Dims[d].Axes) == 0 {
		return index
	}
	start := p.times(p.SPMDAxisIndex(s.Dims[d].Axes), local[d])
	return p.Add(index, p.broadcast(start, local))
}
