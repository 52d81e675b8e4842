package sharding_test

// This file adds control flow and calls to random programs.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// inside returns a program that appends to block b; it sees the values of p
// unless b is isolated.
func (p *randomProgram) inside(b *ir.Block, isolated bool) *randomProgram {
	q := *p
	q.b, q.depth, q.isolated = ir.NewBuilder(b), p.depth+1, p.isolated || isolated
	q.values = nil
	if !isolated {
		q.values = append(q.values, p.values...)
	}
	for _, a := range b.Args {
		if a.Type.DType == dtypes.Float32 {
			q.values = append(q.values, a)
		}
	}
	return &q
}

// fill appends up to two ops and ends the block with values of the types.
func (p *randomProgram) fill(end ir.OpKind, extra []*ir.Value, types ...ir.Type) {
	for range p.r.IntN(3) {
		p.op()
	}
	var out []*ir.Value
	for _, t := range types {
		var found *ir.Value
		for i := len(p.values) - 1; i >= 0 && found == nil; i-- {
			if p.values[i].Type.Equal(t) {
				found = p.values[i]
			}
		}
		if found == nil {
			found = p.b.Typed(ir.OpConstant, ir.Attrs{attr("value", ir.Splat(t, 1))}, []ir.Type{t}).Result()
		}
		out = append(out, found)
	}
	p.b.Block.Append(ir.NewOp(end, append(out, extra...), nil, nil))
}

// tooDeep stops nesting.
func (p *randomProgram) tooDeep() bool { return p.depth >= 2 }

// results makes the op's results known.
func (p *randomProgram) results(op *ir.Op) bool {
	for _, r := range op.Results {
		if r.Type.DType == dtypes.Float32 {
			p.values = append(p.values, r)
		}
	}
	return true
}

func (p *randomProgram) optimizationBarrier(v *ir.Value) bool {
	w := p.pick()
	op := p.b.Typed(ir.OpOptimizationBarrier, nil, []ir.Type{v.Type, w.Type}, v, w)
	return p.results(op)
}

// whileLoop carries one or two values and a counter.
func (p *randomProgram) whileLoop(v *ir.Value) bool {
	if p.tooDeep() {
		return false
	}
	carried := []*ir.Value{v}
	if p.r.IntN(2) == 0 {
		carried = append(carried, p.pick())
	}
	counter := ir.Tensor(dtypes.Int32)
	one := p.b.Typed(ir.OpConstant, ir.Attrs{attr("value", ir.Splat(counter, 1))}, []ir.Type{counter}).Result()
	var types []ir.Type
	for _, c := range carried {
		types = append(types, c.Type)
	}
	cond, body := &ir.Block{}, &ir.Block{}
	for _, t := range append(types[:len(types):len(types)], counter) {
		cond.AddArg(t)
		body.AddArg(t)
	}
	n := len(types)
	less := ir.NewBuilder(cond).Typed(ir.OpCompare, ir.Attrs{attr("comparison_direction", ir.Enum("LT"))}, []ir.Type{ir.Tensor(dtypes.Bool)}, cond.Args[n], one)
	cond.Append(ir.NewOp(ir.OpReturn, less.Results, nil, nil))
	q := p.inside(body, false)
	next := q.b.Typed(ir.OpAdd, nil, []ir.Type{counter}, body.Args[n], one).Result()
	q.fill(ir.OpReturn, []*ir.Value{next}, types...)
	op := ir.NewOp(ir.OpWhile, append(carried, one), nil, append(types, counter), cond, body)
	p.b.Block.Append(op)
	return p.results(op)
}

func (p *randomProgram) caseOp(v *ir.Value) bool {
	if p.tooDeep() {
		return false
	}
	types := []ir.Type{v.Type}
	if p.r.IntN(2) == 0 {
		types = append(types, p.pick().Type)
	}
	index := p.index()
	var regions []*ir.Block
	for range 2 {
		b := &ir.Block{}
		p.inside(b, false).fill(ir.OpReturn, nil, types...)
		regions = append(regions, b)
	}
	op := ir.NewOp(ir.OpCase, []*ir.Value{index}, nil, types, regions...)
	if p.r.IntN(4) == 0 {
		for _, r := range op.Results {
			r.Sharding = p.sharding(r.Type.Rank(), 1)
		}
	}
	p.b.Block.Append(op)
	return p.results(op)
}

func (p *randomProgram) namedComputation(v *ir.Value) bool {
	if p.tooDeep() || p.calls {
		return false
	}
	b := &ir.Block{}
	b.AddArg(v.Type)
	out := v.Type
	p.inside(b, true).fill(ir.OpSdyReturn, nil, out)
	attrs := ir.Attrs{attr("name", ir.String("layer"))}
	if s := p.sharding(v.Type.Rank(), 0.3); s != nil {
		attrs = append(attrs, attr("in_shardings", ir.ShardingsAttr{s}))
	}
	if s := p.sharding(out.Rank(), 0.3); s != nil {
		attrs = append(attrs, attr("out_shardings", ir.ShardingsAttr{s}))
	}
	op := ir.NewOp(ir.OpNamedComputation, []*ir.Value{v}, attrs, []ir.Type{out}, b)
	p.b.Block.Append(op)
	return p.results(op)
}

// manualComputation splits one dimension, or none, by one manual axis.
func (p *randomProgram) manualComputation(v *ir.Value) bool {
	if p.tooDeep() || len(p.manual) > 0 {
		return false
	}
	axes := p.mesh.Axes()
	a := axes[p.r.IntN(len(axes))]
	d := p.r.IntN(v.Type.Rank())
	q := *p
	q.manual = []string{a.Name}
	outer := func() *layout.Sharding {
		s := layout.OpenSharding(p.mesh, v.Type.Rank())
		if f := q.sharding(v.Type.Rank(), 0.5); f != nil {
			s = f
			s.Replicated = nil
			for i := range s.Dims { // what is split unevenly can not be padded here
				s.Dims[i].Axes = nil
			}
		}
		return s
	}
	in, out := outer(), outer()
	local := v.Type
	if v.Type.Dims[d]%a.Size == 0 && p.r.IntN(4) > 0 {
		dims := append([]int(nil), v.Type.Dims...)
		dims[d] /= a.Size
		local = v.Type.WithDims(dims)
		for _, s := range []*layout.Sharding{in, out} {
			s.Dims[d].Axes = append([]mesh.AxisRef{mesh.FullAxis(a.Name)}, s.Dims[d].Axes...)
		}
	}
	b := &ir.Block{}
	b.AddArg(local)
	r := q.inside(b, true)
	r.manual = q.manual
	r.fill(ir.OpSdyReturn, nil, local)
	for _, s := range []*layout.Sharding{in, out} {
		for i := range s.Dims {
			if len(s.Dims[i].Axes) == 0 && !s.Dims[i].Open {
				s.Dims[i].Priority = 0
			}
		}
	}
	op := ir.NewOp(ir.OpManualComputation, []*ir.Value{v}, ir.Attrs{
		attr("in_shardings", ir.ShardingsAttr{in}), attr("out_shardings", ir.ShardingsAttr{out}), attr("manual_axes", ir.AxesAttr(mesh.FullAxes(a.Name))),
	}, []ir.Type{v.Type}, b)
	p.b.Block.Append(op)
	return p.results(op)
}

// function adds a private function that call may call.
func (p *randomProgram) function() {
	f := ir.NewFunc(fmt.Sprintf("f%d", len(p.funcs)))
	f.Private = true
	t := ir.Tensor(dtypes.Float32, p.dims(1+p.r.IntN(2))...)
	f.AddParam("", t, p.sharding(t.Rank(), 0.2))
	q := *p
	q.f = f
	r := q.inside(f.Body, true)
	r.fill(ir.OpFuncReturn, nil, t)
	f.Results = []ir.FuncResult{{Type: t, Sharding: p.sharding(t.Rank(), 0.2)}}
	p.funcs = append(p.funcs, f)
}

// call calls a function, twice at times.
func (p *randomProgram) call(*ir.Value) bool {
	if len(p.funcs) == 0 || p.isolated {
		return false
	}
	f := p.funcs[p.r.IntN(len(p.funcs))]
	for range 1 + p.r.IntN(2) {
		v := p.ofDims(f.Params()[0].Type.Dims)
		op := p.b.Typed(ir.OpCall, ir.Attrs{attr("callee", ir.Symbol(f.Name))}, []ir.Type{f.Results[0].Type}, v)
		p.results(op)
	}
	return true
}
