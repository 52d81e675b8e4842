package partition

// This file moves tensors from one layout to another.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// plan is a way from one layout to another.
type plan struct {
	bytes, steps int
}

// less reports whether p is the better way.
func (p plan) less(o plan) bool {
	return p.bytes < o.bytes || p.bytes == o.bytes && p.steps < o.steps
}

// planKey identifies a plan: shape stands for the global type.
type planKey struct {
	from, to *spec
	shape    string
}

// plan returns the cheapest way from one layout of a t to another.
func (p *partitioner) plan(from, to *spec, t ir.Type) plan {
	if from == to || t.IsToken() || t.Size() == 0 {
		return plan{}
	}
	key := planKey{from, to, t.String()}
	if known, ok := p.plans[key]; ok {
		return known
	}
	// A dry run in a block that nobody sees.
	scratch := &partitioner{mesh: p.mesh, specs: p.specs}
	scratch.Block = &ir.Block{}
	v := scratch.Block.AddArg(p.localType(t, from))
	scratch.emitMove(v, from, to, t.Dims)
	var out plan
	for _, op := range scratch.Block.Ops {
		out.bytes += p.bytesOf(op)
		out.steps++
	}
	p.plans[key] = out
	return out
}

// bytesOf returns what op sends per device.
func (p *partitioner) bytesOf(op *ir.Op) int {
	switch op.Kind {
	case ir.OpSPMDAllGather, ir.OpSPMDReduceScatter:
		n := p.mesh.RefsSize(op.Axes("axes"))
		return (n - 1) * min(op.Operands[0].Type.Bytes(), op.Results[0].Type.Bytes())
	case ir.OpSPMDAllReduce:
		n := p.mesh.RefsSize(op.Axes("axes"))
		total := 0
		for _, v := range op.Operands {
			size := v.Type.Size()
			total += 2 * (n - 1) * ((size + n - 1) / n) * ir.ElementBytes(v.Type.DType)
		}
		return total
	case ir.OpSPMDAllToAll:
		n := p.mesh.RefsSize(op.Axes("axes"))
		b := op.Operands[0].Type.Bytes()
		return b - b/n
	case ir.OpSPMDPermute, ir.OpSPMDShift:
		return op.Operands[0].Type.Bytes()
	}
	return 0
}

// move makes t in the wanted layout from a version of it.
func (p *partitioner) move(t *tensor, from version, want *spec, _ plan) *ir.Value {
	loc := p.Loc
	if from.spec.isPartial() {
		p.Loc = t.loc
	}
	v := p.emitMove(from.local, from.spec, want, t.typ.Dims)
	p.Loc = loc
	return v
}

// emitMove gathers the dimensions that differ and cuts out the wanted shard.
func (p *partitioner) emitMove(v *ir.Value, from, to *spec, dims []int) *ir.Value {
	if len(from.Unreduced) > 0 {
		name, ok := ir.ReductionName(from.reduce)
		if !ok {
			panic(fmt.Sprintf("BUG: partial results joined by %s", from.reduce))
		}
		v = p.typed(ir.OpSPMDAllReduce, ir.Attrs{{Name: "axes", Value: ir.AxesAttr(from.Unreduced)}, {Name: "reduction", Value: name}}, v.Type, v)
	}
	different := func(d int) bool { return !slices.Equal(from.axes(d), to.axes(d)) }
	for d, size := range dims {
		if axes := from.axes(d); different(d) && len(axes) > 0 {
			v = p.slice(p.allGather(v, d, axes), d, 0, size)
		}
	}
	for d := range dims {
		if axes := to.axes(d); different(d) && len(axes) > 0 {
			v = p.cut(v, d, axes)
		}
	}
	return v
}

// cut returns the part of dimension d, which v has whole, that lies on this
// device when axes split it.
func (p *partitioner) cut(v *ir.Value, d int, axes []mesh.AxisRef) *ir.Value {
	n, size := p.mesh.RefsSize(axes), v.Type.Dims[d]
	part := (size + n - 1) / n
	if rest := n*part - size; rest > 0 {
		v = p.pad(v, d, 0, rest, p.zero(v.Type.DType))
	}
	return p.dynamicSlice(v, d, p.times(p.axisIndex(axes), part), part)
}
