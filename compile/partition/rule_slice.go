package partition

// This file partitions the ops that cut and join along dimensions. A
// dimension that is cut or padded may stay split: its elements then move to
// neighbours.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// moving are the kinds of factors of ops that fetch from neighbours.
var moving = []sharding.FactorKind{sharding.Permutation}

// resized makes a rule whose factors are the result's dimensions; those for
// which moves holds need elements of neighbours.
func resized(operands, results []*ir.Value, moves func(d int) bool) *sharding.Rule {
	r := &sharding.Rule{}
	for d, size := range results[0].Type.Dims {
		kind := sharding.PassThrough
		if moves(d) {
			kind = sharding.Permutation
		}
		r.Factors = append(r.Factors, sharding.Factor{Size: size, Kind: kind})
	}
	all := func(values []*ir.Value) (out []sharding.TensorMapping) {
		for _, v := range values {
			m := sharding.TensorMapping{}
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
	factors: func(op *ir.Op) *sharding.Rule {
		in, out := op.Operands[0].Type.Dims, op.Result().Type.Dims
		return resized(op.Operands, op.Results, func(d int) bool { return in[d] != out[d] })
	},
	kinds: moving,
	inside: func(p *partitioner, c *choice) (total int) {
		for d := range c.op.Result().Type.Dims {
			if w, ok := sliceWindow(c, d); ok {
				total += w.bytes(rowBytes(c.op.Operands[0].Type, c.operands[0], d))
			}
		}
		return total
	},
	build: func(p *partitioner, c *choice, operands []*ir.Value) []*ir.Value {
		v := operands[0]
		for d, size := range c.op.Result().Type.Dims {
			w, ok := sliceWindow(c, d)
			switch stride := c.op.Ints("strides")[d]; {
			case ok:
				v = p.fetch(v, d, c.operands[0].axes(d), w)
				v = p.stridedSlice(v, d, 0, w.size, stride)
			case c.op.Operands[0].Type.Dims[d] != size:
				v = p.stridedSlice(v, d, c.op.Ints("start_indices")[d], c.op.Ints("limit_indices")[d], stride)
			}
		}
		return []*ir.Value{v}
	},
}

// sliceWindow returns what a device reads of dimension d; ok is false unless
// the dimension is both split and cut.
func sliceWindow(c *choice, d int) (w window, ok bool) {
	in, out := c.op.Operands[0].Type.Dims[d], c.op.Result().Type.Dims[d]
	s := c.operands[0]
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
	factors: func(op *ir.Op) *sharding.Rule {
		r := resized(op.Operands, op.Results, func(d int) bool { return paddingOf(op, d) != padding{} })
		r.Operands[1] = sharding.TensorMapping{}
		return r
	},
	kinds: moving,
	may: func(op *ir.Op, r *sharding.Rule, f, n int) bool {
		size := (op.Result().Type.Dims[f] + n - 1) / n
		return size%(paddingOf(op, f).interior+1) == 0
	},
	inside: func(p *partitioner, c *choice) (total int) {
		for d := range c.op.Result().Type.Dims {
			if w, ok := padWindow(c, d); ok {
				total += w.bytes(rowBytes(c.op.Operands[0].Type, c.operands[0], d))
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
	factors: func(op *ir.Op) *sharding.Rule {
		return resized(op.Operands, op.Results, func(d int) bool { return d == op.Int("dimension") })
	},
	kinds: moving,
	inside: func(p *partitioner, c *choice) (total int) {
		d := c.op.Int("dimension")
		if len(c.results[0].axes(d)) == 0 {
			return 0
		}
		for i, w := range concatWindows(c) {
			total += w.bytes(rowBytes(c.op.Operands[i].Type, c.operands[i], d))
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
