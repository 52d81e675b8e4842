package partition

// This file revises layouts that propagation has found, where that makes the
// program cheaper.
//
// Propagation carries pins along and stops where it does not know how to go on:
// what it leaves alone, every device computes as a whole. And it splits what it
// can reach, however little there is to gain. Here each value may change, along
// one axis of the mesh, from whole to split or back. So is found what is known
// as sequence parallelism (Korthikanti and others, Reducing activation
// recomputation in large transformer models, 2022): between a sum over the axis
// and its next use norms, residuals and dropout run on shards,
//
//	%1 = all_reduce %0                       %1 = reduce_scatter %0
//	%2 = norm %1                         =>  %2 = norm %1
//	%3 = dot %2, %weight (split)             %3 = dot (all_gather %2), %weight (split)
//
// which sends the same bytes.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// sweeps is how often each axis is looked at: what one gains may be the gain of
// another.
const sweeps = 3

// Balance changes the layouts of values of m's main function, which has one on
// every value as sharding.Complete leaves it, so that what Module makes of it
// costs less by the prices of package cost. Inputs, results, and what the
// program pins by constraints stay as they are.
//
// It looks at one axis and at one track at a time. A track is the dimensions
// that are split together, since ops join them: the batch of all activations,
// or the rows of a weight and of its optimizer's slots. Which values of the
// track are to be split and which whole is a minimal cut; see trackNet. It is
// taken if the whole program, with the choices that Module makes for each op,
// becomes cheaper.
func Balance(m *ir.Module, dm *mesh.DeviceMesh) {
	if dm.Size() == 1 {
		return
	}
	b := newBalancer(m, dm)
	total, _ := b.rehearse(unlimited)
	b.keep()
	for range sweeps {
		changed := false
		for _, a := range b.mesh.Axes() {
			if a.Size == 1 {
				continue
			}
			for _, t := range b.tracks(mesh.FullAxis(a.Name)) {
				layouts := b.layouts(t)
				if slices.Equal(layouts, b.tried[start{t.first, t.axis}]) {
					continue
				}
				undo := b.apply(t)
				if undo == nil {
					b.tried[start{t.first, t.axis}] = layouts
					continue
				}
				if after, ok := b.rehearse(total); ok {
					total, changed = after, true
					b.keep()
					continue
				}
				undo()
				b.forget()
				b.tried[start{t.first, t.axis}] = layouts
			}
		}
		if !changed {
			return
		}
	}
}

// balancer revises the layouts of a function.
type balancer struct {
	*partitioner
	f      *ir.Func
	uses   map[*ir.Value][]ir.Use
	pinned map[*ir.Value]bool
	known  map[*ir.Op]*known // of the ops that are split by factors
	rehearsal

	outer      *mesh.DeviceMesh // that the module speaks of
	statements map[*spec]*layout.Sharding
	derived    map[derived]*spec
	tried      map[start][]*spec // layouts with which a track was looked at in vain
}

// place is a dimension of a value.
type place struct {
	v *ir.Value
	d int
}

// start is by what a track is known: its first place.
type start struct {
	place
	axis mesh.AxisRef
}

// known is what is known of an op.
type known struct {
	rule    *splitRule
	factors *factor.Rule
	outcome // of the last rehearsal
	ways    map[mesh.AxisRef]ways
}

// ways are the choices for an op that differ along one axis only.
type ways struct {
	base    factor.AxesPerFactor // with the other axes
	choices []*choice
}

func newBalancer(m *ir.Module, dm *mesh.DeviceMesh) *balancer {
	b := &balancer{
		partitioner: newPartitioner(m, dm), f: m.Main(), outer: dm, known: map[*ir.Op]*known{},
		statements: map[*spec]*layout.Sharding{}, derived: map[derived]*spec{}, tried: map[start][]*spec{},
	}
	b.pin()
	b.prepare()
	return b
}

// pin finds the values that keep their layouts: what enters and leaves the
// function or a region, and all that is made or used by ops that are not split
// by factors.
func (b *balancer) pin() {
	b.uses = b.f.Uses()
	b.pinned = map[*ir.Value]bool{}
	pin := func(vs []*ir.Value) {
		for _, v := range vs {
			b.pinned[v] = true
		}
	}
	pin(b.f.Params())
	b.f.Walk(func(op *ir.Op) {
		if op.Block() != b.f.Body {
			pin(op.Operands)
			return
		}
		if r := rows[op.Kind].split; r != nil {
			if rule := b.ruleOf(r, op); rule != nil {
				b.known[op] = &known{rule: r, factors: rule, ways: map[mesh.AxisRef]ways{}}
				return
			}
		}
		pin(op.Results)
		if !b.asks(op) {
			pin(op.Operands)
		}
	})
}

// asks reports whether op only says how it wants its operands: it can be told
// what that costs.
func (b *balancer) asks(op *ir.Op) bool {
	return op == b.f.Body.Terminator() || op.Kind == ir.OpShardingConstraint
}

// wanted returns the layout in which op, which asks, wants operand i.
func (b *balancer) wanted(op *ir.Op, i int) *spec {
	v := op.Operands[i]
	if op == b.f.Body.Terminator() {
		return b.specOf(b.f.Results[i].Sharding, v.Type.Rank())
	}
	return b.declared(op.Result())
}

// isRemade reports whether v is made in any layout that is asked for.
func isRemade(v *ir.Value) bool {
	op := v.Def()
	return op != nil && (op.Kind == ir.OpConstant || op.Kind == ir.OpIota || op.Kind == ir.OpRngBitGenerator && v.Index() == 1)
}

// track is dimensions that are split together by an axis.
type track struct {
	axis  mesh.AxisRef
	first place
	dims  map[*ir.Value]int // the dimension of each value
	ops   []*ir.Op          // those that have them, in program order
	gain  int               // cannot be more
}

// tracks returns the tracks along which splitting more, or less, by the axis
// may be worthwhile, the most promising first.
func (b *balancer) tracks(axis mesh.AxisRef) []*track {
	above := map[place]place{}
	var top func(x place) place
	top = func(x place) place {
		up, ok := above[x]
		if !ok || up == x {
			above[x] = x
			return x
		}
		above[x] = top(up)
		return above[x]
	}
	// dims visits the dimensions of op's tensors that the axis may split.
	dims := func(op *ir.Op, visit func(f int, x place)) {
		k := b.known[op]
		each := func(ms []factor.TensorMapping, vs []*ir.Value) {
			for i, m := range ms {
				for d, factors := range m {
					if len(factors) > 0 && b.mayChange(vs[i], d, axis) {
						visit(factors[0], place{vs[i], d})
					}
				}
			}
		}
		each(k.factors.Operands, op.Operands)
		each(k.factors.Results, op.Results)
	}
	for op := range b.f.Body.Ops() {
		if b.known[op] == nil {
			continue
		}
		first := map[int]place{}
		dims(op, func(f int, x place) {
			if y, ok := first[f]; ok {
				above[top(x)] = top(y)
			} else {
				first[f] = x
			}
		})
	}
	var out []*track
	byTop := map[place]*track{}
	n := b.mesh.RefSize(axis)
	for op := range b.f.Body.Ops() {
		if b.known[op] == nil {
			continue
		}
		dims(op, func(_ int, x place) {
			t := byTop[top(x)]
			if t == nil {
				t = &track{axis: axis, first: x, dims: map[*ir.Value]int{}}
				byTop[top(x)] = t
				out = append(out, t)
			}
			if d, ok := t.dims[x.v]; !ok || x.d < d {
				t.dims[x.v] = x.d
			}
			if len(t.ops) == 0 || t.ops[len(t.ops)-1] != op {
				t.ops = append(t.ops, op)
				c := b.known[op].best
				t.gain += c.price - c.flops()/n
			}
		})
	}
	out = slices.DeleteFunc(out, func(t *track) bool { return t.gain < b.machine.SendCost(nil, 0, 1) })
	slices.SortStableFunc(out, func(s, t *track) int { return cmp.Compare(t.gain, s.gain) })
	return out
}

// mayChange reports whether dimension d of v may be split by the axis: the
// layout of v allows it to take the axis from where it is, and shards are even.
func (b *balancer) mayChange(v *ir.Value, d int, axis mesh.AxisRef) bool {
	if v.Type.IsToken() || v.Type.Dims[d] < b.mesh.RefSize(axis) {
		return false
	}
	s := b.declared(v)
	for e := range s.Dims {
		for i, a := range s.axes(e) {
			if a.Overlaps(axis) && (a != axis || i != len(s.axes(e))-1) {
				return false
			}
		}
	}
	return v.Type.Dims[d]%b.splitSpec(s, d, axis).DimShards(d) == 0
}

// derived names a layout made of another one: by dropping an axis, or by
// splitting dimension dim, unless that is -1, by it.
type derived struct {
	from      *spec
	dim, axis int // the axis by its position in the mesh
}

// derive returns the layout that d names, which build makes.
func (b *balancer) derive(d derived, build func() *spec) *spec {
	out, ok := b.derived[d]
	if !ok {
		out = build()
		b.derived[d] = out
	}
	return out
}

// wholeSpec returns s without the axis.
func (b *balancer) wholeSpec(s *spec, axis mesh.AxisRef) *spec {
	for d := range s.Dims {
		if i := slices.Index(s.axes(d), axis); i >= 0 {
			return b.derive(derived{s, -1, b.mesh.AxisIndex(axis.Name)}, func() *spec {
				axes := s.dimAxes()
				axes[d] = axes[d][:i]
				return b.spec(axes, nil, ir.OpUnregistered)
			})
		}
	}
	return s
}

// splitSpec returns s with the axis splitting dimension d, and nothing else.
func (b *balancer) splitSpec(s *spec, d int, axis mesh.AxisRef) *spec {
	if slices.Contains(s.axes(d), axis) {
		return s
	}
	return b.derive(derived{s, d, b.mesh.AxisIndex(axis.Name)}, func() *spec {
		axes := b.wholeSpec(s, axis).dimAxes()
		axes[d] = append(slices.Clone(axes[d]), axis)
		return b.spec(axes, nil, ir.OpUnregistered)
	})
}

// otherSpec returns what s is when it is not to be split by the axis in
// dimension d: as it is, or whole.
func (b *balancer) otherSpec(s *spec, d int, axis mesh.AxisRef) *spec {
	if slices.Contains(s.axes(d), axis) {
		return b.wholeSpec(s, axis)
	}
	return s
}

// apply lays the values of t out as its minimal cut says. undo takes that back;
// it is nil where nothing changes.
func (b *balancer) apply(t *track) (undo func()) {
	values := b.free(t)
	if len(values) == 0 {
		return nil
	}
	split := newTrackNet(b, t).solve()
	var undos []func()
	for _, v := range values {
		s := b.declared(v)
		want := b.otherSpec(s, t.dims[v], t.axis)
		if split(v) {
			want = b.splitSpec(s, t.dims[v], t.axis)
		}
		if want != s {
			old := v.Sharding
			undos = append(undos, func() { v.Sharding = old })
			v.Sharding = b.statement(want)
		}
	}
	if undos == nil {
		return nil
	}
	return func() {
		for _, u := range undos {
			u()
		}
	}
}

// statement returns what the module says of a value that lies as s: the
// partitioner's own mesh has its devices in order.
func (b *balancer) statement(s *spec) *layout.Sharding {
	out, ok := b.statements[s]
	if !ok {
		out = s.Clone()
		out.Mesh = b.outer
		b.statements[s] = out
	}
	return out
}

// layouts returns the layouts of all tensors of t's ops.
func (b *balancer) layouts(t *track) (out []*spec) {
	for _, op := range t.ops {
		for _, v := range op.Operands {
			out = append(out, b.declared(v))
		}
		for _, v := range op.Results {
			out = append(out, b.declared(v))
		}
	}
	return out
}

// free returns the values of t that are not pinned and may still change, in
// program order; others leave the track.
func (b *balancer) free(t *track) (out []*ir.Value) {
	for _, op := range t.ops {
		for _, v := range slices.Concat(op.Operands, op.Results) {
			if d, ok := t.dims[v]; ok && !b.mayChange(v, d, t.axis) {
				delete(t.dims, v)
			}
		}
		for _, v := range op.Results {
			if _, ok := t.dims[v]; ok && !b.pinned[v] {
				out = append(out, v)
			}
		}
	}
	return out
}
