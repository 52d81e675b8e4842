package partition

// This file partitions reshape. A factor that both shapes have may be sharded if the shards are
// even. With uneven shards, only the first dimensions of a group that is split or merged may be
// sharded. The shards before and after then hold different elements, and devices fetch the missing
// elements from neighbours.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// reshaped is the rule of reshape: it shards only factors that both shapes have.
var reshaped = &factorRule{may: func(_ *ir.Op, r *factor.Rule, f, _ int) bool { return appears(r.Operands, f) }}

// regroup is a run of dimensions that becomes another run with the same number of elements.
type regroup struct {
	in, out []int // dimensions
	// the first dimension with more than one element, of the run before the reshape and of that after
	// it; -1: none
	leadIn, leadOut int
	size            int
}

// isSame reports whether the run is one dimension before and after.
func (g regroup) isSame() bool { return len(g.in) == 1 && len(g.out) == 1 }

// regroups returns the shortest runs of dimensions of in and the runs of out that they become. Both
// shapes must have elements.
func regroups(in, out []int) []regroup {
	var list []regroup
	for i, o := 0, 0; i < len(in) || o < len(out); {
		g := regroup{leadIn: -1, leadOut: -1}
		n, m := 1, 1
		for {
			if n <= m && i < len(in) {
				if in[i] > 1 && g.leadIn < 0 {
					g.leadIn = i
				}
				n *= in[i]
				g.in = append(g.in, i)
				i++
			} else {
				if out[o] > 1 && g.leadOut < 0 {
					g.leadOut = o
				}
				m *= out[o]
				g.out = append(g.out, o)
				o++
			}
			if n == m && len(g.in) > 0 && len(g.out) > 0 || i == len(in) && o == len(out) {
				break
			}
		}
		g.size = n
		list = append(list, g)
	}
	return list
}

// reshapedUnevenly shards the first dimensions of each run, whatever their sizes.
var reshapedUnevenly = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		in, out := op.Operands[0].Type, op.Result().Type
		if in.Size() == 0 {
			return nil
		}
		r := &factor.Rule{
			Operands: []factor.TensorMapping{make(factor.TensorMapping, in.Rank())},
			Results:  []factor.TensorMapping{make(factor.TensorMapping, out.Rank())},
		}
		add := func(size int, kind factor.Kind) []int {
			r.Factors = append(r.Factors, factor.Factor{Size: size, Kind: kind})
			return []int{len(r.Factors) - 1}
		}
		for _, g := range regroups(in.Dims, out.Dims) {
			var lead []int
			if g.leadIn >= 0 {
				kind := factor.Permutation
				if g.isSame() {
					kind = factor.PassThrough
				}
				lead = add(out.Dims[g.leadOut], kind)
			}
			for _, d := range g.in {
				if r.Operands[0][d] = lead; d != g.leadIn {
					r.Operands[0][d] = add(in.Dims[d], factor.NeedReplication)
				}
			}
			for _, d := range g.out {
				if r.Results[0][d] = lead; d != g.leadOut {
					r.Results[0][d] = add(out.Dims[d], factor.NeedReplication)
				}
			}
		}
		return r
	},
	kinds: moving,
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		local := p.localType(c.op.Operands[0].Type, c.operands[0])
		for _, g := range regroups(c.op.Operands[0].Type.Dims, c.op.Result().Type.Dims) {
			if w, ok := g.window(c); ok {
				total.add(p.traffic(w, c.results[0].Dims[g.leadOut].Axes, local.Bytes()/w.part))
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		v := operands[0]
		groups := regroups(c.op.Operands[0].Type.Dims, c.op.Result().Type.Dims)
		var flat []int // shape with each run as one dimension
		for _, g := range groups {
			size := 1
			for _, d := range g.in {
				size *= v.Type.Dims[d]
			}
			flat = append(flat, size)
		}
		v = p.reshape(v, flat)
		for i, g := range groups {
			if w, ok := g.window(c); ok {
				v = p.fetch(v, i, c.results[0].Dims[g.leadOut].Axes, w)
			}
		}
		return []*ir.Value{p.reshape(v, p.localType(c.op.Result().Type, c.results[0]).Dims)}
	},
}

// window returns the elements of the run, counted as one dimension, that each device needs of the
// operand for its shard of the result. ok is false if these are the elements of its own shard.
func (g regroup) window(c *strategy) (w window, ok bool) {
	if g.leadIn < 0 || len(c.results[0].Dims[g.leadOut].Axes) == 0 {
		return window{}, false
	}
	in, out := c.op.Operands[0].Type.Dims[g.leadIn], c.op.Result().Type.Dims[g.leadOut]
	has := localSize(c.operands[0], g.leadIn, in) * (g.size / in)
	wants := localSize(c.results[0], g.leadOut, out) * (g.size / out)
	return window{n: c.results[0].DimShards(g.leadOut), part: has, step: wants, size: wants}, has != wants
}
