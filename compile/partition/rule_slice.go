package partition

// This file partitions the ops that slice, pad, concatenate and reverse dimensions. Such a
// dimension may stay sharded: elements then move between neighbours.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/factor"
)

// moving are the kinds of factors that may be sharded in ops that get elements from neighbours.
var moving = []factor.Kind{factor.Permutation}

// resizeRule returns a rule whose factors are the dimensions of the result. The dimensions of all
// operands and results correspond to them in order. A factor is a Permutation if moves reports that
// its dimension needs elements of neighbours.
func resizeRule(operands, results []*ir.Value, moves func(d int) bool) *factor.Rule {
	r := &factor.Rule{}
	for d, size := range results[0].Type.Dims {
		kind := factor.PassThrough
		if moves(d) {
			kind = factor.Permutation
		}
		r.Factors = append(r.Factors, factor.Factor{Size: size, Kind: kind})
	}
	all := func(values []*ir.Value) (out []factor.TensorMapping) {
		for _, v := range values {
			m := factor.TensorMapping{}
			for d := range v.Type.Rank() {
				m = append(m, []int{d})
			}
			out = append(out, m)
		}
		return out
	}
	r.Operands, r.Results = all(operands), all(results)
	return r
}

// rowBytes returns the bytes that one index of dimension d takes in a shard, by s, of a tensor of
// the global type t.
func rowBytes(t ir.Type, s *layout.Sharding, d int) int {
	dims := s.LocalShape(t.Dims)
	dims[d] = 1
	return t.WithDims(dims).Bytes()
}

// sliced partitions a slice: element j of the result is element start + stride·j of the operand.
var sliced = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		in, out := op.Operands[0].Type.Dims, op.Result().Type.Dims
		return resizeRule(op.Operands, op.Results, func(d int) bool { return in[d] != out[d] })
	},
	kinds: moving,
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for d := range c.op.Result().Type.Dims {
			if w, ok := sliceWindow(c, d); ok {
				total.add(p.traffic(w, c.results[0].Dims[d].Axes, rowBytes(c.op.Operands[0].Type, c.operands[0], d)))
			}
		}
		return total
	},
	build: buildSlice,
}

// slicedToOne partitions a slice that keeps one index of a dimension. The device that has it keeps
// it, the others have a neutral element, and a reduction follows.
var slicedToOne = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		r, any := sliced.factors(op), false
		for d, size := range op.Operands[0].Type.Dims {
			if size > 1 && op.Result().Type.Dims[d] == 1 && reducible[op.Result().Type.DType] {
				any = true
				r.Results[0][d] = []int{len(r.Factors)}
				r.Factors = append(r.Factors, factor.Factor{Size: 1, Kind: factor.NeedReplication})
				r.Factors[d] = factor.Factor{Size: size, Kind: factor.Reduction}
			}
		}
		if !any {
			return nil
		}
		return r
	},
	kinds:   []factor.Kind{factor.Permutation, factor.Reduction},
	reduce:  reduceLookups,
	traffic: sliced.traffic,
	build:   buildSlice,
}

// buildSlice is the field build of sliced and slicedToOne: it returns the local result of the slice
// c.op, a list of one, built one dimension after the other. operands has the shard of the operand.
func buildSlice(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
	v, s := operands[0], c.operands[0]
	var all *ir.Value // a mask: this device has the index in each of these dimensions
	for d, size := range c.op.Result().Type.Dims {
		o := c.op.Slice()
		start, limit, stride := o.StartIndices()[d], o.LimitIndices()[d], o.Strides()[d]
		total := c.op.Operands[0].Type.Dims[d]
		w, moves := sliceWindow(c, d)
		switch {
		case moves:
			v = p.fetch(v, d, s.Dims[d].Axes, w)
			v = p.stridedSlice(v, d, 0, w.size, stride)
		case total == size:
		case len(s.Dims[d].Axes) > 0:
			local := localSize(s, d, total)
			v = p.slice(v, d, start%local, start%local+1)
			all = p.conjunction(all, p.compareTo("EQ", p.SPMDAxisIndex(s.Dims[d].Axes), start/local))
		default:
			v = p.stridedSlice(v, d, start, limit, stride)
		}
	}
	if all != nil {
		v = p.Select(all, v, p.broadcast(p.neutralScalar(v.Type.DType), v.Type.Dims))
	}
	return []*ir.Value{v}
}

// sliceWindow returns the elements of dimension d of the operand that a device reads. ok is false
// unless the dimension is sharded in the result, and has another size there than in the operand.
func sliceWindow(c *strategy, d int) (w window, ok bool) {
	in, out := c.op.Operands[0].Type.Dims[d], c.op.Result().Type.Dims[d]
	s := c.results[0]
	if in == out || len(s.Dims[d].Axes) == 0 {
		return window{}, false
	}
	part, stride := localSize(s, d, out), c.op.Slice().Strides()[d]
	return window{
		n: s.DimShards(d), part: localSize(s, d, in), base: c.op.Slice().StartIndices()[d], step: stride * part,
		size: max(0, stride*(part-1)+1),
	}, true
}

// padding is the padding of one dimension.
type padding struct{ low, high, interior int }

func paddingOf(op *ir.Op, d int) padding {
	o := op.Pad()
	return padding{o.EdgePaddingLow()[d], o.EdgePaddingHigh()[d], o.InteriorPadding()[d]}
}

// padded partitions a pad: element x of the operand becomes element low + x·(interior+1). A
// dimension with interior padding may be sharded if the shards of the result all begin at the same
// offset from an operand element.
var padded = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		r := resizeRule(op.Operands, op.Results, func(d int) bool { return paddingOf(op, d) != padding{} })
		r.Operands[1] = factor.TensorMapping{}
		return r
	},
	kinds: moving,
	may: func(op *ir.Op, r *factor.Rule, f, n int) bool {
		size := (op.Result().Type.Dims[f] + n - 1) / n
		return size%(paddingOf(op, f).interior+1) == 0
	},
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for d := range c.op.Result().Type.Dims {
			if w, ok := padWindow(c, d); ok {
				total.add(p.traffic(w, c.results[0].Dims[d].Axes, rowBytes(c.op.Operands[0].Type, c.operands[0], d)))
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		v, fill := operands[0], operands[1]
		for d := range c.op.Result().Type.Dims {
			pad := paddingOf(c.op, d)
			w, ok := padWindow(c, d)
			if !ok {
				v = p.padInterior(v, d, pad.low, pad.high, pad.interior, fill)
				continue
			}
			v = p.fetchFilled(v, d, c.operands[0].Dims[d].Axes, w, c.op.Operands[0].Type.Dims[d], fill)
			if pad.interior > 0 {
				// The first element that is read is at the start of the shard, or before it.
				skip := w.base*(pad.interior+1) + pad.low
				part := localSize(c.results[0], d, c.op.Result().Type.Dims[d])
				v = p.padInterior(v, d, skip, part-skip-((w.size-1)*(pad.interior+1)+1), pad.interior, fill)
			}
		}
		return []*ir.Value{v}
	},
}

// padWindow returns the elements of dimension d of the operand of a pad that a device reads in
// strategy c. ok is false unless the dimension is both sharded and padded.
func padWindow(c *strategy, d int) (w window, ok bool) {
	s, pad := c.operands[0], paddingOf(c.op, d)
	if pad == (padding{}) || len(s.Dims[d].Axes) == 0 {
		return window{}, false
	}
	apart := pad.interior + 1
	part := localSize(s, d, c.op.Result().Type.Dims[d])
	w = window{n: s.DimShards(d), part: localSize(s, d, c.op.Operands[0].Type.Dims[d]), step: part / apart}
	if apart == 1 {
		w.base, w.size = -pad.low, part
		return w, true
	}
	w.base = floorDiv(-pad.low, apart)
	w.size = part/apart + 1
	return w, true
}

// concatenated partitions a concatenate. If the joined dimension is sharded, each device reads the
// elements at the place of its shard from each operand, as if that were padded to the size of the
// result, and selects those that exist. Otherwise the op runs on shards.
var concatenated = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		return resizeRule(op.Operands, op.Results, func(d int) bool { return d == op.Concatenate().Dimension() })
	},
	kinds: moving,
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		d := c.op.Concatenate().Dimension()
		if len(c.results[0].Dims[d].Axes) == 0 {
			return total
		}
		for i, w := range concatWindows(c) {
			total.add(p.traffic(w, c.results[0].Dims[d].Axes, rowBytes(c.op.Operands[i].Type, c.operands[i], d)))
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		d := c.op.Concatenate().Dimension()
		axes := c.results[0].Dims[d].Axes
		if len(axes) == 0 {
			return p.buildLocal(c, operands)
		}
		var out *ir.Value
		windows := concatWindows(c)
		for i, v := range slices.Backward(operands) {
			part := p.fetch(v, d, axes, windows[i])
			if out == nil {
				out = part
				continue
			}
			out = p.Select(p.rangeMask(part.Type.Dims, d, axes, windows[i], c.op.Operands[i].Type.Dims[d]), part, out)
		}
		return []*ir.Value{out}
	},
}

// concatWindows returns, for each operand of a concatenate with strategy c, the elements of the
// joined dimension that a device reads: its part of the result, relative to the start of the
// operand. They may be beyond its ends.
func concatWindows(c *strategy) []window {
	d := c.op.Concatenate().Dimension()
	part := localSize(c.results[0], d, c.op.Result().Type.Dims[d])
	var out []window
	before := 0
	for i, v := range c.op.Operands {
		size := v.Type.Dims[d]
		out = append(out, window{n: c.operands[i].DimShards(d), part: localSize(c.operands[i], d, size), base: -before, step: part, size: part})
		before += size
	}
	return out
}

// reversed partitions a reverse: a sharded reversed dimension gets the opposite shards.
var reversed = &factorRule{
	kinds: moving,
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for _, d := range c.op.Reverse().Dimensions() {
			for _, pc := range oppositePieces(c, d) {
				if pc.offset > 0 { // otherwise only the first device gets elements, from itself
					total.add(p.sends(c.results[0].Dims[d].Axes, (pc.limit-pc.start)*rowBytes(c.op.Result().Type, c.results[0], d)))
				}
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		v := operands[0]
		for _, d := range c.op.Reverse().Dimensions() {
			var parts []*ir.Value
			for _, pc := range oppositePieces(c, d) {
				part := p.slice(v, d, pc.start, pc.limit)
				attrs := ir.Attrs{{Name: "axes", Value: ir.AxesAttr(c.results[0].Dims[d].Axes)}, {Name: "offset", Value: ir.Int(pc.offset)}, {Name: "mirrored", Value: ir.Bool(true)}}
				parts = append(parts, p.Build(ir.OpSPMDShift, attrs, nil, nil, part).Result())
			}
			if len(parts) > 0 {
				v = p.concatenate(d, parts...)
			}
		}
		return p.buildLocal(c, []*ir.Value{v})
	},
}

// oppositePieces returns the pieces along dimension d that become a device's shard when they are
// reversed, in strategy c of a reverse. Here offset is the sum of the sender's and the device's own
// index. There are two pieces if one would put the padding at the end to the front. There are none
// if dimension d is not sharded, or the tensor has no elements.
func oppositePieces(c *strategy, d int) []piece {
	s, total := c.results[0], c.op.Result().Type.Dims[d]
	if len(s.Dims[d].Axes) == 0 || c.op.Result().Type.Size() == 0 {
		return nil
	}
	part := localSize(s, d, total)
	offset, start := (total-part)/part, (total-part)%part
	out := []piece{{offset, start, part}}
	if start > 0 {
		out = append(out, piece{offset + 1, 0, start})
	}
	return out
}
