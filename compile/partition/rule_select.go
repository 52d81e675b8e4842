package partition

// This file partitions select_and_scatter. A device needs all windows that overlap its shard of the
// result. It gets elements of these windows, and source values, that it does not have from
// neighbours.
//
// See the StableHLO specification, select_and_scatter.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// scatterSlidings returns how the windows of a select_and_scatter slide along each dimension.
func scatterSlidings(op *ir.Op) []sliding {
	s := op.SelectAndScatter()
	out := make([]sliding, op.Operands[0].Type.Rank())
	for d := range out {
		out[d] = sliding{
			in: op.Operands[0].Type.Dims[d], out: op.Operands[1].Type.Dims[d], size: s.WindowDimensions()[d],
			stride: s.WindowStrides()[d], base: 1, window: 1, low: s.Padding()[d][0], high: s.Padding()[d][1],
		}
	}
	return out
}

// reaching says what a device reads in one dimension to compute its part of the result.
type reaching struct {
	elements window // the elements of the operand that each device reads
	windows  window // the windows that each device reads, which are the elements of the source
	inside   bool   // no device reads beyond the ends of the global tensors
}

// reachOf returns what each of n devices reads. ok is false if the first window does not begin at
// the same offset in all shards, or the tensors are empty.
func (s sliding) reachOf(n int) (r reaching, ok bool) {
	part := (s.in + n - 1) / n
	if s.out == 0 || part == 0 || part%s.stride != 0 {
		return reaching{}, false
	}
	first := ceilDiv(s.low-s.size+1, s.stride)
	count := floorDiv(part-1+s.low, s.stride) - first + 1
	step := part / s.stride
	r.windows = window{n: n, part: (s.out + n - 1) / n, base: first, step: step, size: count}
	r.elements = window{n: n, part: part, base: first*s.stride - s.low, step: part, size: (count-1)*s.stride + s.size}
	isWithin := func(w window, size int) bool { return w.base >= 0 && w.base+(n-1)*w.step+w.size <= size }
	r.inside = isWithin(r.windows, s.out) && isWithin(r.elements, s.in)
	return r, true
}

// isAlike reports whether all operands, results and arguments of op's regions have the same element
// type.
func isAlike(op *ir.Op) bool {
	for _, v := range slices.Concat(op.Operands, op.Results, op.Regions[0].Args, op.Regions[1].Args) {
		if v.Type.DType != op.Result().Type.DType {
			return false
		}
	}
	return true
}

// windowScattered partitions a select_and_scatter: its source is sharded like its operand, and
// devices fetch elements and source elements from neighbours. A dimension whose windows are not
// trivial is sharded only if reachOf knows their reach and isAlike holds for the op.
var windowScattered = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		list := scatterSlidings(op)
		r := resizeRule(op.Operands, op.Results, func(d int) bool { return !list[d].isTrivial() })
		r.Operands[2] = factor.TensorMapping{}
		return r
	},
	kinds: moving,
	may: func(op *ir.Op, _ *factor.Rule, f, n int) bool {
		s := scatterSlidings(op)[f]
		_, ok := s.reachOf(n)
		return s.isTrivial() || ok && isAlike(op)
	},
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for d, s := range scatterSlidings(c.op) {
			if n := c.results[0].DimShards(d); n > 1 && !s.isTrivial() {
				r, _ := s.reachOf(n)
				axes := c.results[0].Dims[d].Axes
				total.add(p.traffic(r.elements, axes, rowBytes(c.op.Operands[0].Type, c.operands[0], d)))
				total.add(p.traffic(r.windows, axes, rowBytes(c.op.Operands[1].Type, c.operands[1], d)))
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		w := &windowScatter{partitioner: p, op: c.op, v: operands[0], source: operands[1], init: operands[2]}
		own := c.results[0].LocalShape(c.op.Result().Type.Dims)
		padding := slices.Clone(c.op.SelectAndScatter().Padding())
		for d, s := range scatterSlidings(c.op) {
			axes := c.results[0].Dims[d].Axes
			if len(axes) == 0 || s.isTrivial() {
				continue
			}
			r, _ := s.reachOf(p.mesh.RefsSize(axes))
			w.v = p.fetch(w.v, d, axes, r.elements)
			w.source = p.fetch(w.source, d, axes, r.windows)
			padding[d] = []int{0, 0}
			w.moved = append(w.moved, movedDim{d, axes, s, r})
		}
		w.attrs = c.op.Attrs.With("padding", ir.IntMatrix(padding, 2))
		out := w.scatter()
		for _, m := range w.moved {
			// If no window overlaps an end of the shard, the fetched elements may end before the
			// shard does.
			start := -m.r.elements.base
			before := max(0, -start)
			out = p.pad(out, m.d, before, max(0, start+own[m.d]-out.Type.Dims[m.d]), w.init)
			out = p.slice(out, m.d, start+before, start+before+own[m.d])
		}
		return []*ir.Value{out}
	},
}

// windowScatter is a select_and_scatter on one device.
type windowScatter struct {
	*partitioner
	op              *ir.Op
	attrs           ir.Attrs
	v, source, init *ir.Value
	moved           []movedDim
}

// movedDim is a dimension in which a device gets elements of neighbours.
type movedDim struct {
	d    int
	axes []mesh.AxisRef
	s    sliding
	r    reaching
}

// scatter returns the result of the select_and_scatter on the elements of the operand that the
// device has, including those fetched from neighbours.
func (w *windowScatter) scatter() *ir.Value {
	if !slices.ContainsFunc(w.moved, func(m movedDim) bool { return !m.r.inside }) {
		regions := []*ir.Block{ir.Cloner{}.Block(w.op.Regions[0]), ir.Cloner{}.Block(w.op.Regions[1])}
		op := ir.NewOp(w.op.Kind, []*ir.Value{w.v, w.source, w.init}, w.attrs, []ir.Type{w.v.Type}, regions...)
		return w.Insert(op).Result()
	}
	// Some of these elements are beyond the ends of the global tensors. They must not be selected,
	// whatever their values are. So the position that each window selects is computed first, and
	// then the source is scattered to these positions.
	count := w.v.Type.Size()
	places := w.reshape(w.iota(dtypes.Int32, []int{count}, 0), w.v.Type.Dims)
	places = w.orNone(places, func(m movedDim) (window, int) { return m.r.elements, m.s.in })
	chosen := w.orNone(w.choose(places), func(m movedDim) (window, int) { return m.r.windows, m.s.out })
	flat := ir.NewOp(ir.OpScatter, []*ir.Value{
		w.broadcast(w.init, []int{count}), w.reshape(chosen, []int{chosen.Type.Size(), 1}), w.reshape(w.source, []int{chosen.Type.Size()}),
	}, ir.Attrs{
		{Name: "scatter_dimension_numbers", Value: &ir.ScatterDims{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}},
	}, []ir.Type{w.v.Type.WithDims([]int{count})}, ir.Cloner{}.Block(w.op.Regions[1]))
	return w.reshape(w.Insert(flat).Result(), w.v.Type.Dims)
}

// none is the position that stands for no element. Updates there are dropped.
const none = -1

// orNone returns v with the marker none at the positions beyond the ends of the global tensor. of
// returns, for a dimension with elements of neighbours, the window that was read and the global
// size.
func (w *windowScatter) orNone(v *ir.Value, of func(m movedDim) (window, int)) *ir.Value {
	for _, m := range w.moved {
		read, size := of(m)
		v = w.Select(w.rangeMask(v.Type.Dims, m.d, m.axes, read, size), v, w.Constant(ir.Splat(v.Type, none)))
	}
	return v
}

// choose returns the position of the element that each window selects, or none. places has the
// position of each element of w.v, and none for elements that do not exist: they are not selected.
// The first region of op compares two elements.
func (w *windowScatter) choose(places *ir.Value) *ir.Value {
	body := &ir.Block{}
	scalar, place := ir.Tensor(w.v.Type.DType), ir.Tensor(dtypes.Int32)
	x, i := body.AddArg(scalar), body.AddArg(place)
	y, k := body.AddArg(scalar), body.AddArg(place)
	region := w.op.Regions[0]
	by := ir.Cloner{region.Args[0]: x, region.Args[1]: y}
	for op := range region.Body() {
		body.Append(by.Op(op))
	}
	b := newBuilder(body, w.Loc)
	keep := b.Or(by.Value(region.Terminator().Operands[0]), b.compareTo("EQ", k, none))
	keep = b.And(keep, b.compareTo("NE", i, none))
	body.Append(ir.NewOp(ir.OpReturn, []*ir.Value{b.Select(keep, x, y), b.Select(keep, i, k)}, nil, nil))
	attrs := w.attrs
	for _, name := range []string{"base_dilations", "window_dilations"} {
		attrs = attrs.With(name, ir.Ints(ones(w.v.Type.Rank())))
	}
	operands := []*ir.Value{w.v, places, w.zero(w.v.Type.DType), w.Constant(ir.Splat(place, none))}
	types := []ir.Type{w.source.Type.WithDType(w.v.Type.DType), w.source.Type.WithDType(dtypes.Int32)}
	return w.Insert(ir.NewOp(ir.OpReduceWindow, operands, attrs, types, body)).Results[1]
}
