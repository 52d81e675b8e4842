package partition

// This file partitions convolutions and window reductions. Where windows slide
// along a dimension that stays split, devices fetch the elements at the borders
// of their shards from neighbours.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// sliding is how windows slide along one dimension.
type sliding struct {
	in, out      int // sizes
	size         int // elements of a window
	stride       int
	base, window int // dilations: distance of the operand's elements, of a window's
	low, high    int // padding
}

// isTrivial reports whether the windows are the elements.
func (s sliding) isTrivial() bool {
	return s.size == 1 && s.stride == 1 && s.base == 1 && s.window == 1 && s.low == 0 && s.high == 0
}

// span returns the distance from the first to the last element of a window.
func (s sliding) span() int { return (s.size - 1) * s.window }

// part is what a device has to do of a dimension: the elements to fetch, and
// the padding of what it has then.
type part struct {
	fetch     window
	low, high int
}

// part returns what each of n devices has to read, if device i reads size
// places from start + i·step on; places are those of the dilated operand. ok is
// false where the devices would not all read alike.
func (s sliding) part(n, start, step, size int) (out part, ok bool) {
	first := ceilDiv(start, s.base)
	out.low = first*s.base - start
	if step%s.base != 0 || size <= out.low {
		return part{}, false
	}
	count := (size-1-out.low)/s.base + 1
	out.high = size - 1 - (count-1)*s.base - out.low
	out.fetch = window{n: n, part: (s.in + n - 1) / n, base: first, step: step / s.base, size: count}
	return out, true
}

// windows returns the part of each device when the windows are split.
func (s sliding) windows(n int) (part, bool) {
	local := (s.out + n - 1) / n
	if local == 0 || s.in == 0 {
		return part{}, false
	}
	return s.part(n, -s.low, local*s.stride, (local-1)*s.stride+s.span()+1)
}

// positions returns the part of each device when the places within a window
// are split, evenly; reversed where the windows are.
func (s sliding) positions(n int, reversed bool) (part, bool) {
	local := s.size / n
	if s.size%n != 0 || s.out == 0 || s.in == 0 || local == 0 {
		return part{}, false
	}
	size := (local-1)*s.window + (s.out-1)*s.stride + 1
	if reversed {
		return s.part(n, (s.size-local)*s.window-s.low, -local*s.window, size)
	}
	return s.part(n, -s.low, local*s.window, size)
}

// slidings returns how the windows of a reduce_window slide.
func slidings(op *ir.Op) []sliding {
	o := op.ReduceWindow()
	padding := o.Padding()
	out := make([]sliding, op.Operands[0].Type.Rank())
	for d := range out {
		out[d] = sliding{
			in: op.Operands[0].Type.Dims[d], out: op.Results[0].Type.Dims[d], size: o.WindowDimensions()[d],
			stride: o.WindowStrides()[d], base: o.BaseDilations()[d], window: o.WindowDilations()[d],
			low: padding[d][0], high: padding[d][1],
		}
	}
	return out
}

// windowed: what lies outside of the operand is the initial value.
var windowed = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		list := slidings(op)
		r := resized(op.Operands, op.Results, func(d int) bool { return !list[d].isTrivial() })
		for i := len(op.Operands) / 2; i < len(op.Operands); i++ {
			r.Operands[i] = factor.TensorMapping{}
		}
		return r
	},
	kinds: moving,
	may: func(op *ir.Op, r *factor.Rule, f, n int) bool {
		s := slidings(op)[f]
		_, ok := s.windows(n)
		return s.isTrivial() || ok
	},
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for d, s := range slidings(c.op) {
			if n := c.operands[0].DimShards(d); n > 1 && !s.isTrivial() {
				w, _ := s.windows(n)
				for i := range len(c.op.Operands) / 2 {
					total.add(p.traffic(w.fetch, c.operands[0].Dims[d].Axes, rowBytes(c.op.Operands[i].Type, c.operands[i], d)))
				}
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		operands = slices.Clone(operands)
		inits := operands[len(operands)/2:]
		padding := slices.Clone(c.op.ReduceWindow().Padding())
		for d, s := range slidings(c.op) {
			axes := c.operands[0].Dims[d].Axes
			if len(axes) == 0 || s.isTrivial() {
				continue
			}
			w, _ := s.windows(p.mesh.RefsSize(axes))
			padding[d] = []int{w.low, w.high}
			for i, init := range inits {
				operands[i] = p.fetchFilled(operands[i], d, axes, w.fetch, s.in, init)
			}
		}
		return p.sameWith(c, c.op.Attrs.With("padding", ir.IntMatrix(padding, 2)), operands)
	},
}
