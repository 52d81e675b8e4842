package partition

// This file moves tensors from one layout to another.

import (
	"encoding/binary"
	"fmt"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// plan is a way from one layout to another.
type plan struct {
	bytes, launches, steps int
	legs                   []leg
}

// leg is a part of a way, in which partial results are joined by reduce.
type leg struct {
	steps  reshard.Steps
	reduce ir.OpKind
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
	p.key = append(p.key[:0], byte(t.DType))
	for _, d := range t.Dims {
		p.key = binary.AppendUvarint(p.key, uint64(d))
	}
	if known, ok := p.plans[planKey{from, to, string(p.key)}]; ok { // no key is allocated
		return known
	}
	key := planKey{from, to, string(p.key)}
	var out plan
	if from.isPartial() && to.isPartial() && from.reduce != to.reduce {
		between := p.reduced(from)
		out.add(p.leg(from, between, t))
		from = between
	}
	out.add(p.leg(from, to, t))
	p.plans[key] = out
	return out
}

// leg returns the way between two layouts of which not both are partial, or in
// the same manner.
func (p *partitioner) leg(from, to *spec, t ir.Type) leg {
	steps, err := p.planner.Plan(from.Sharding, to.Sharding, reshard.Tensor{Dims: t.Dims, ElemSize: ir.ElementBytes(t.DType)})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	reduce := from.reduce
	if !from.isPartial() {
		reduce = to.reduce
	}
	return leg{steps, reduce}
}

// add appends l to p.
func (p *plan) add(l leg) {
	p.bytes += l.steps.Bytes()
	p.steps += len(l.steps)
	for _, s := range l.steps {
		if s.Kind.Communicates() {
			p.launches++
		}
	}
	p.legs = append(p.legs, l)
}

// move makes t in the wanted layout from a version of it.
func (p *partitioner) move(t *tensor, from version, way plan) *ir.Value {
	loc, why := p.Loc, p.why
	if from.spec.isPartial() {
		p.Loc = t.loc
		p.reason(fmt.Sprintf("joins the parts of %s over %s; %s", t.op, layout.AxesText(from.spec.Unreduced), why))
	}
	v := from.local
	for _, l := range way.legs {
		v = p.reshard(v, l.steps, l.reduce)
	}
	p.Loc, p.why = loc, why
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
