package randprog

// This file adds control flow and calls to random programs.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// inside returns a program that appends to block b; it sees the values of p
// unless b is isolated.
func (p *program) inside(b *ir.Block, isolated bool) *program {
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
func (p *program) fill(end ir.OpKind, extra []*ir.Value, types ...ir.Type) {
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
	p.b.Insert(ir.NewOp(end, append(out, extra...), nil, nil))
}

// tooDeep stops nesting.
func (p *program) tooDeep() bool { return p.depth >= 3 }

// results makes the op's results known.
func (p *program) results(op *ir.Op) bool {
	for _, r := range op.Results {
		if r.Type.DType == dtypes.Float32 {
			p.values = append(p.values, r)
		}
	}
	return true
}

func (p *program) optimizationBarrier(v *ir.Value) bool {
	w := p.pick()
	op := p.b.Typed(ir.OpOptimizationBarrier, nil, []ir.Type{v.Type, w.Type}, v, w)
	return p.results(op)
}

// whileLoop carries one or two values and a counter.
func (p *program) whileLoop(v *ir.Value) bool {
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
	p.b.Insert(op)
	return p.results(op)
}

func (p *program) caseOp(v *ir.Value) bool {
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
	p.annotate(op, 0.2)
	p.b.Insert(op)
	return p.results(op)
}

// namedComputation has one or two operands and results.
func (p *program) namedComputation(v *ir.Value) bool {
	if p.tooDeep() || p.Calls {
		return false
	}
	b := &ir.Block{}
	operands := p.some(v)
	var types []ir.Type
	for _, o := range operands {
		b.AddArg(o.Type)
		types = append(types, o.Type)
	}
	p.inside(b, true).fill(ir.OpSdyReturn, nil, types...)
	attrs := ir.Attrs{attr("name", ir.String("layer"))}
	for _, name := range []string{"in_shardings", "out_shardings"} {
		if p.r.IntN(3) > 0 {
			continue
		}
		var list ir.ShardingsAttr
		for _, t := range types {
			list = append(list, p.shardingOn(p.mesh, t.Rank()))
		}
		attrs = append(attrs, attr(name, list))
	}
	op := ir.NewOp(ir.OpNamedComputation, operands, attrs, types, b)
	p.b.Insert(op)
	return p.results(op)
}

// manualComputation has one or two operands and results. It splits a dimension,
// or none, of each of them by one manual axis, and at times holds another one
// that splits by another axis.
func (p *program) manualComputation(v *ir.Value) bool {
	var free []mesh.Axis
	for _, a := range p.mesh.Axes() {
		if !slices.Contains(p.manual, a.Name) {
			free = append(free, a)
		}
	}
	if p.tooDeep() || len(free) == 0 {
		return false
	}
	a := free[p.r.IntN(len(free))]
	q := *p
	q.manual = append(slices.Clone(p.manual), a.Name)
	operands := p.some(v)
	b := &ir.Block{}
	var global, local []ir.Type
	var in, out ir.ShardingsAttr
	for _, o := range operands {
		t := o.Type
		d := -1 // the dimension that the manual axis splits
		if i := p.r.IntN(t.Rank()); t.Dims[i]%a.Size == 0 && p.r.IntN(4) > 0 {
			d = i
			t = t.WithDims(slices.Clone(t.Dims))
			t.Dims[d] /= a.Size
		}
		b.AddArg(t)
		global, local = append(global, o.Type), append(local, t)
		in, out = append(in, q.outer(t.Rank(), d, a)), append(out, q.outer(t.Rank(), d, a))
	}
	r := q.inside(b, true)
	r.fill(ir.OpSdyReturn, nil, local...)
	op := ir.NewOp(ir.OpManualComputation, operands, ir.Attrs{
		attr("in_shardings", in), attr("out_shardings", out), attr("manual_axes", ir.AxesAttr(mesh.FullAxes(a.Name))),
	}, global, b)
	p.b.Insert(op)
	return p.results(op)
}

// outer returns a sharding for a value that enters or leaves a manual computation: its axis a
// splits dimension d, and nothing else splits any, as it could not be padded.
func (p *program) outer(rank, d int, a mesh.Axis) *layout.Sharding {
	s := layout.OpenSharding(p.mesh, rank)
	if p.r.IntN(2) == 0 {
		s = p.shardingOn(p.mesh, rank)
		s.Replicated, s.Unreduced = nil, nil
	}
	for i := range s.Dims {
		dim := &s.Dims[i]
		dim.Axes = nil
		if i == d {
			dim.Axes = mesh.FullAxes(a.Name)
		}
		if !dim.Open {
			dim.Priority = 0 // inside, where the axis is not seen, it may have none
		}
	}
	return s
}

// function adds a private function that call may call.
func (p *program) function() {
	f := ir.NewFunc(fmt.Sprintf("f%d", len(p.funcs)))
	f.Private = true
	t := ir.Tensor(dtypes.Float32, p.dims(1+p.r.IntN(2))...)
	f.AddParam("", t, p.sharding(t.Rank(), 0.2))
	q := *p
	q.f, q.inFunc = f, true
	r := q.inside(f.Body, true)
	r.fill(ir.OpFuncReturn, nil, t)
	f.Results = []ir.FuncResult{{Type: t, Sharding: p.sharding(t.Rank(), 0.2)}}
	p.funcs = append(p.funcs, f)
}

// call calls a function, twice at times.
func (p *program) call(*ir.Value) bool {
	if len(p.funcs) == 0 || p.isolated && !p.inFunc {
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
