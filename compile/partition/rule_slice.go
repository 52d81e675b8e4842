package partition

// This file partitions the ops that cut and join along dimensions. A
// dimension that is cut or padded may stay split: its elements then move to
// neighbours.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// moving are the kinds of factors of ops that fetch from neighbours.
var moving = []factor.Kind{factor.Permutation}

// resized makes a rule whose factors are the result's dimensions; those for
// which moves holds need elements of neighbours.
func resized(operands, results []*ir.Value, moves func(d int) bool) *factor.Rule {
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

// rowBytes returns the bytes that each index of dimension d takes in a shard.
func rowBytes(t ir.Type, s *spec, d int) int {
	dims := s.LocalShape(t.Dims)
	dims[d] = 1
	return t.WithDims(dims).Bytes()
}

// sliced: result j is operand start + stride·j.
var sliced = &splitRule{
	factors: func(op *ir.Op) *factor.Rule {
		in, out := op.Operands[0].Type.Dims, op.Result().Type.Dims
		return resized(op.Operands, op.Results, func(d int) bool { return in[d] != out[d] })
	},
	kinds: moving,
	inside: func(p *partitioner, c *choice) (total sent) {
		for d := range c.op.Result().Type.Dims {
			if w, ok := sliceWindow(c, d); ok {
				total.add(w.sent(rowBytes(c.op.Operands[0].Type, c.operands[0], d)))
			}
		}
		return total
	},
	build: cutOut,
}

// picked: where one index is left of a dimension, the device that has it keeps
// it, the others have nothing, and the parts are joined.
var picked = &splitRule{
	factors: func(op *ir.Op) *factor.Rule {
		r, any := sliced.factors(op), false
		for d, size := range op.Operands[0].Type.Dims {
			if size > 1 && op.Result().Type.Dims[d] == 1 && joinable[op.Result().Type.DType] {
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
	kinds:  []factor.Kind{factor.Permutation, factor.Reduction},
	reduce: joinLookups,
	inside: sliced.inside,
	build:  cutOut,
}

// cutOut builds a slice, dimension by dimension.
func cutOut(p *partitioner, c *choice, operands []*ir.Value) []*ir.Value {
	v, s := operands[0], c.operands[0]
	var all *ir.Value // whether this device has the one index along each picked dimension
	for d, size := range c.op.Result().Type.Dims {
		start, limit, stride := c.op.Ints("start_indices")[d], c.op.Ints("limit_indices")[d], c.op.Ints("strides")[d]
		total := c.op.Operands[0].Type.Dims[d]
		w, moves := sliceWindow(c, d)
		switch {
		case moves:
			v = p.fetch(v, d, s.axes(d), w)
			v = p.stridedSlice(v, d, 0, w.size, stride)
		case total == size:
		case len(s.axes(d)) > 0:
			local := s.local(d, total)
			v = p.slice(v, d, start%local, start%local+1)
			all = p.both(all, p.compareTo("EQ", p.axisIndex(s.axes(d)), start/local))
		default:
			v = p.stridedSlice(v, d, start, limit, stride)
		}
	}
	if all != nil {
		v = p.pick(all, v, p.broadcast(p.nothing(v.Type.DType), v.Type.Dims))
	}
	return []*ir.Value{v}
}

// sliceWindow returns what a device reads of dimension d; ok is false unless
// the dimension is both split and cut.
func sliceWindow(c *choice, d int) (w window, ok bool) {
	in, out := c.op.Operands[0].Type.Dims[d], c.op.Result().Type.Dims[d]
	s := c.results[0]
	if in == out || len(s.axes(d)) == 0 {
		return window{}, false
	}
	part, stride := s.local(d, out), c.op.Ints("strides")[d]
	return window{
		n: s.DimShards(d), part: s.local(d, in), base: c.op.Ints("start_indices")[d], step: stride * part,
		size: max(0, stride*(part-1)+1),
	}, true
}

// padding is how one dimension is padded.
type padding struct{ low, high, interior int }

func paddingOf(op *ir.Op, d int) padding {
	return padding{op.Ints("edge_padding_low")[d], op.Ints("edge_padding_high")[d], op.Ints("interior_padding")[d]}
}

// padded: the operand's element x stands at low + x·(interior+1). A dimension
// with interior padding may be split when the shards of the result begin alike.
var padded = &splitRule{
	factors: func(op *ir.Op) *factor.Rule {
		r := resized(op.Operands, op.Results, func(d int) bool { return paddingOf(op, d) != padding{} })
		r.Operands[1] = factor.TensorMapping{}
		return r
	},
	kinds: moving,
	may: func(op *ir.Op, r *factor.Rule, f, n int) bool {
		size := (op.Result().Type.Dims[f] + n - 1) / n
		return size%(paddingOf(op, f).interior+1) == 0
	},
	inside: func(p *partitioner, c *choice) (total sent) {
		for d := range c.op.Result().Type.Dims {
			if w, ok := padWindow(c, d); ok {
				total.add(w.sent(rowBytes(c.op.Operands[0].Type, c.operands[0], d)))
			}
		}
		return total
	},
	build: func(p *partitioner, c *choice, operands []*ir.Value) []*ir.Value {
		v, fill := operands[0], operands[1]
		for d := range c.op.Result().Type.Dims {
			pad := paddingOf(c.op, d)
			w, ok := padWindow(c, d)
			if !ok {
				v = p.padInterior(v, d, pad.low, pad.high, pad.interior, fill)
				continue
			}
			v = p.fetchFilled(v, d, c.operands[0].axes(d), w, c.op.Operands[0].Type.Dims[d], fill)
			if pad.interior > 0 {
				// The first element fetched stands at or before the shard's start.
				skip := w.base*(pad.interior+1) + pad.low
				part := c.results[0].local(d, c.op.Result().Type.Dims[d])
				v = p.padInterior(v, d, skip, part-skip-((w.size-1)*(pad.interior+1)+1), pad.interior, fill)
			}
		}
		return []*ir.Value{v}
	},
}

// padWindow returns what a device reads of dimension d; ok is false unless the
// dimension is both split and padded.
func padWindow(c *choice, d int) (w window, ok bool) {
	s, pad := c.operands[0], paddingOf(c.op, d)
	if pad == (padding{}) || len(s.axes(d)) == 0 {
		return window{}, false
	}
	apart := pad.interior + 1
	part := s.local(d, c.op.Result().Type.Dims[d])
	w = window{n: s.DimShards(d), part: s.local(d, c.op.Operands[0].Type.Dims[d]), step: part / apart}
	if apart == 1 {
		w.base, w.size = -pad.low, part
		return w, true
	}
	w.base = floorDiv(-pad.low, apart)
	w.size = part/apart + 1
	return w, true
}

// joined: the result is the sum, so to say, of the operands, each padded to
// the whole.
var joined = &splitRule{
	factors: func(op *ir.Op) *factor.Rule {
		return resized(op.Operands, op.Results, func(d int) bool { return d == op.Int("dimension") })
	},
	kinds: moving,
	inside: func(p *partitioner, c *choice) (total sent) {
		d := c.op.Int("dimension")
		if len(c.results[0].axes(d)) == 0 {
			return total
		}
		for i, w := range concatWindows(c) {
			total.add(w.sent(rowBytes(c.op.Operands[i].Type, c.operands[i], d)))
		}
		return total
	},
	build: func(p *partitioner, c *choice, operands []*ir.Value) []*ir.Value {
		d := c.op.Int("dimension")
		axes := c.results[0].axes(d)
		if len(axes) == 0 {
			return p.same(c, operands)
		}
		var out *ir.Value
		windows := concatWindows(c)
		for i, v := range slices.Backward(operands) {
			part := p.fetch(v, d, axes, windows[i])
			if out == nil {
				out = part
				continue
			}
			out = p.pick(p.inRange(part.Type.Dims, d, axes, windows[i], c.op.Operands[i].Type.Dims[d]), part, out)
		}
		return []*ir.Value{out}
	},
}

// concatWindows returns what a device reads of each operand: its part of the
// result, counted from where the operand begins.
func concatWindows(c *choice) []window {
	d := c.op.Int("dimension")
	part := c.results[0].local(d, c.op.Result().Type.Dims[d])
	var out []window
	before := 0
	for i, v := range c.op.Operands {
		size := v.Type.Dims[d]
		out = append(out, window{n: c.operands[i].DimShards(d), part: c.operands[i].local(d, size), base: -before, step: part, size: part})
		before += size
	}
	return out
}

// reversed: a reversed dimension that is split comes from the shards that lie
// opposite.
var reversed = &splitRule{
	kinds: moving,
	inside: func(p *partitioner, c *choice) (total sent) {
		for _, d := range c.op.Ints("dimensions") {
			for _, pc := range opposite(c, d) {
				if pc.offset > 0 { // else only the first device gets anything, from itself
					total.add(sent{(pc.limit - pc.start) * rowBytes(c.op.Result().Type, c.results[0], d), 1})
				}
			}
		}
		return total
	},
	build: func(p *partitioner, c *choice, operands []*ir.Value) []*ir.Value {
		v := operands[0]
		for _, d := range c.op.Ints("dimensions") {
			var parts []*ir.Value
			for _, pc := range opposite(c, d) {
				part := p.slice(v, d, pc.start, pc.limit)
				parts = append(parts, p.op(ir.OpSPMDShift, ir.Attrs{
					axesOf(c.results[0].axes(d)), {Name: "offset", Value: ir.Int(pc.offset)}, {Name: "mirrored", Value: ir.Bool(true)},
				}, part))
			}
			if len(parts) > 0 {
				v = p.concatenate(d, parts...)
			}
		}
		return p.same(c, []*ir.Value{v})
	},
}

// opposite returns where a device finds the elements that, reversed, are its
// shard: the pieces of the shards whose index and its own make offset. There
// are two where the padding at the end would else come to the front; none if d
// is not split.
func opposite(c *choice, d int) []piece {
	s, total := c.results[0], c.op.Result().Type.Dims[d]
	if len(s.axes(d)) == 0 || c.op.Result().Type.Size() == 0 {
		return nil
	}
	part := s.local(d, total)
	offset, start := (total-part)/part, (total-part)%part
	out := []piece{{offset, start, part}}
	if start > 0 {
		out = append(out, piece{offset + 1, 0, start})
	}
	return out
}
