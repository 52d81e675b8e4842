package compile

// This file implements move_gathers, which moves gathers to where they send the fewest bytes.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/internal/mincut"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// moveGathers gathers earlier where that sends less. For example, an optimizer's step may run on
// shards although every device needs its results in full. If weights and slots are replicated, only
// the gradient must be gathered:
//
//	%w = local shard of %weight                %g = spmd.all_gather %gradient
//	%1 = subtract %w, %gradient            =>  %2 = subtract %weight, %g
//	%2 = spmd.all_gather %1
//
// The same helps for a small tensor that is broadcast, or one that a conversion makes larger. Each
// device then computes in full the element-wise ops between the new and the old gather. All other
// choices between sharded and replicated values are made by pass autoshard.
//
// The places of the gathers are a minimal cut of the graph between the gathers and the values that
// they are computed from. Its costs are those of the gathers, and of the work that each device then
// does in full, on Options.Machine. Of equal cuts it takes the latest, which leaves the most work
// sharded. It leaves dead ops to pass dce.
func moveGathers(c *compilation) error {
	f := c.main()
	known, machine := newUniformity(f, c.mesh, c.inputs), c.machine()
	moved := map[*ir.Op]*ir.Value{} // maps the results of old gathers to their replacements
	gathers, groups := gathersOf(f)
	for _, group := range groups {
		newGatherMover(known, machine, group, c.binds).move(moved)
	}
	// The value that replaces a gather may be the result of an earlier gather.
	for _, op := range slices.Backward(gathers) {
		if v := moved[op]; v != nil {
			op.Result().ReplaceAllUsesWith(v)
		}
	}
	return nil
}

// maxSpan is the number of ops in a span. Gathers are moved together within a span, and never out
// of it. The size of spans is limited, because the time for a minimal cut may grow faster than its
// graph.
const maxSpan = 1 << 15

// gatherGroup is a group of gathers in one block, along the same axes, among the ops of one span.
type gatherGroup struct {
	ops    []*ir.Op
	within map[*ir.Op]bool // the ops of the span; nil for all
}

// gathersOf returns the gathers of f in program order: all, and groups of those in one block, over
// the same axes, and in the same span. Spans are maxSpan ops long.
func gathersOf(f *ir.Func) (all []*ir.Op, groups []*gatherGroup) {
	type key struct {
		block *ir.Block
		axes  string
		span  int
	}
	index := map[key]*gatherGroup{}
	var spans []map[*ir.Op]bool
	n := 0
	f.Walk(func(op *ir.Op) {
		span := n / maxSpan
		if n++; span == len(spans) {
			spans = append(spans, map[*ir.Op]bool{})
		}
		spans[span][op] = true
		if op.Kind != ir.OpSPMDAllGather {
			return
		}
		all = append(all, op)
		k := key{op.Block(), fmt.Sprint(op.SPMDAllGather().Axes()), span}
		if index[k] == nil {
			index[k] = &gatherGroup{within: spans[span]}
			groups = append(groups, index[k])
		}
		index[k].ops = append(index[k].ops, op)
	})
	if len(spans) == 1 {
		for _, g := range groups {
			g.within = nil
		}
	}
	return all, groups
}

// fullValue is a value that is needed unsharded in dimension dim.
type fullValue struct {
	value *ir.Value
	dim   int
}

// gatherMover moves the gathers of one block along the same axes.
type gatherMover struct {
	*uniformity
	machine *cost.Machine
	block   *ir.Block
	axes    []mesh.AxisRef
	n       int
	gathers []*ir.Op
	within  map[*ir.Op]bool      // the ops that may be computed in full; nil for all
	binds   func(*ir.Value) bool // reports whether the sharding of a value is binding

	net *mincut.Network
	// in the cut's network, the number of the node where a value is sharded; the next number is the
	// node where it is full
	nodes map[fullValue]int
	order []fullValue
	made  map[fullValue]*ir.Value
	last  map[*ir.Op]*ir.Op // maps an op to the last op inserted behind it; nil stands for the start of the block
}

func newGatherMover(known *uniformity, machine *cost.Machine, group *gatherGroup, binds func(*ir.Value) bool) *gatherMover {
	gathers := group.ops
	axes := gathers[0].SPMDAllGather().Axes()
	return &gatherMover{
		uniformity: known, machine: machine, block: gathers[0].Block(), axes: axes, n: known.mesh.RefsSize(axes), gathers: gathers, within: group.within, binds: binds,
		net: mincut.New(), nodes: map[fullValue]int{}, made: map[fullValue]*ir.Value{}, last: map[*ir.Op]*ir.Op{},
	}
}

// gatheredValue returns the value that op, a gather, makes.
func gatheredValue(op *ir.Op) fullValue { return fullValue{op.Operands[0], op.SPMDAllGather().Dim()} }

// move inserts the gathers where they cost least, and the ops that compute from them. It adds to
// moved, for each old gather, the value that replaces its result. If the old places cost least, it
// changes nothing. The old gathers stay.
func (g *gatherMover) move(moved map[*ir.Op]*ir.Value) {
	old := map[fullValue]bool{}
	for _, op := range g.gathers {
		old[gatheredValue(op)] = true
		g.net.Connect(mincut.Source, g.node(gatheredValue(op)), mincut.Unbounded)
	}
	cut := map[fullValue]bool{}
	same := true
	reached, _ := g.net.Cut()
	for _, w := range g.order {
		if in := g.nodes[w]; reached[in] && !reached[in+1] {
			cut[w] = true
			same = same && old[w]
		}
	}
	if same {
		return
	}
	for _, op := range g.gathers {
		moved[op] = g.make(gatheredValue(op), cut, op)
	}
}

// node returns the number of the node where w is sharded, in the cut's network. If it is new, node
// adds it, the node where w is full, and the nodes of all values that w may be computed from.
func (g *gatherMover) node(w fullValue) int {
	if n, ok := g.nodes[w]; ok {
		return n
	}
	n := g.net.AddNode()
	g.net.AddNode()
	g.nodes[w] = n
	g.order = append(g.order, w)
	g.net.Connect(n, n+1, g.machine.SendCost(g.axes, (g.n-1)*w.value.Type.MemoryBytes(), 1))
	needs, ok := g.needs(w)
	if !ok {
		g.net.Connect(n+1, mincut.Sink, mincut.Unbounded)
		return n
	}
	if len(needs) > 0 { // w is computed from its operands
		g.net.Connect(n+1, mincut.Sink, (g.n-1)*cost.OpFlops(w.value.Def()))
	}
	for _, need := range needs {
		if need.dim >= 0 {
			g.net.Connect(n+1, g.node(need), mincut.Unbounded)
		}
	}
	return n
}

// needs returns the values that must be full so that w can be computed in full. A dim of -1 says
// that an operand stays as it is. There are none for a constant, and if the full value of w exists
// already. ok is false if w can only be gathered.
func (g *gatherMover) needs(w fullValue) (needs []fullValue, ok bool) {
	op := w.value.Def()
	if op == nil || g.within != nil && !g.within[op] || op.Block() != g.block || len(op.Results) != 1 || len(op.Regions) > 0 || g.binds(w.value) {
		return nil, false
	}
	if s, ok := localShardOf(g.mesh, op); ok { // the full value exists already
		return nil, s.dim == w.dim && slices.Equal(s.axes, g.axes) && !g.differsAlong(s.full, g.axes)
	}
	needs, ok = operandNeeds(w, op)
	for _, need := range needs {
		if need.dim < 0 && g.differsAlong(need.value, g.axes) {
			return nil, false
		}
	}
	return needs, ok
}

// operandNeeds returns, for each operand of the op that makes w, the dimension that corresponds to
// w.dim, or -1 if there is none. ok is false if the op is not local along that dimension, or is of
// a kind not known here. A constant has no operands; it is local if it is a splat.
func operandNeeds(w fullValue, op *ir.Op) (needs []fullValue, ok bool) {
	switch {
	case op.Kind == ir.OpConstant:
		return nil, op.Constant().Value().IsSplat()
	case op.Kind == ir.OpTranspose:
		return []fullValue{{op.Operands[0], op.Transpose().Permutation()[w.dim]}}, true
	case op.Kind == ir.OpBroadcastInDim:
		from := slices.Index(op.BroadcastInDim().BroadcastDimensions(), w.dim)
		if from >= 0 && op.Operands[0].Type.Dims[from] == 1 && w.value.Type.Dims[w.dim] != 1 {
			from = -1
		}
		return []fullValue{{op.Operands[0], from}}, true
	case op.Info().Is(ir.Elementwise):
		for _, v := range op.Operands {
			d := w.dim
			if v.Type.Rank() == 0 && w.value.Type.Rank() > 0 { // clamp, select
				d = -1
			}
			needs = append(needs, fullValue{v, d})
		}
		return needs, true
	}
	return nil, false
}

// make returns w in full: gathered if cut contains it, or else the value that w is the local shard
// of, or else computed from operands in full. gather is the old gather that needs it; a new gather
// takes its attributes and position in the source. New ops are inserted behind w's own op, once for
// each w.
func (g *gatherMover) make(w fullValue, cut map[fullValue]bool, gather *ir.Op) *ir.Value {
	if v, ok := g.made[w]; ok {
		return v
	}
	def := w.value.Def()
	dims := slices.Clone(w.value.Type.Dims)
	dims[w.dim] *= g.n
	t := w.value.Type.WithDims(dims)
	var out *ir.Value
	if s, ok := localShardOf(g.mesh, def); ok && !cut[w] {
		out = s.full
	} else if cut[w] {
		all := ir.NewOp(ir.OpSPMDAllGather, []*ir.Value{w.value}, gatherAttrs(gather, w.dim), []ir.Type{t})
		all.Loc = gather.Loc
		all.Result().Origins = gatheredOrigins(w, g.axes)
		out = g.insert(def, all)
	} else {
		needs, _ := g.needs(w)
		full := ir.Cloner{}
		for _, need := range needs {
			if need.dim >= 0 {
				full[need.value] = g.make(need, cut, gather)
			}
		}
		computed := resizedOp(def, full.Values(def.Operands), t)
		computed.Result().Origins = gatheredOrigins(w, g.axes)
		out = g.insert(def, computed)
	}
	g.made[w] = out
	return out
}

// resizedOp returns an op like op with other operands and a result of type t, which differs in
// size. A constant must be a splat.
func resizedOp(op *ir.Op, operands []*ir.Value, t ir.Type) *ir.Op {
	out := ir.NewOp(op.Kind, operands, op.Attrs, []ir.Type{t})
	if op.Kind == ir.OpConstant {
		d := *op.Constant().Value()
		d.Type = t
		out.Attrs = op.Attrs.With("value", &d)
	}
	out.Loc = op.Loc
	return out
}

// gatherAttrs returns the attributes of gather for dimension dim. If that is not the gather's own
// dimension, the reason in them says that the wanted layout needs several steps.
func gatherAttrs(gather *ir.Op, dim int) ir.Attrs {
	if dim == gather.SPMDAllGather().Dim() {
		return gather.Attrs
	}
	attrs := gather.Attrs.With("dim", ir.Int(dim))
	if why, ok := attrs.Get("why").(ir.String); ok {
		attrs = attrs.With("why", ir.String(partition.InSteps(string(why))))
	}
	return attrs
}

// gatheredOrigins returns the origins of w in full: without the axes in dimension w.dim. Origins
// without a sharding are left out.
func gatheredOrigins(w fullValue, axes []mesh.AxisRef) (out ir.Origins) {
	for _, o := range w.value.Origins {
		if o.Sharding == nil {
			continue
		}
		s := o.Sharding.Clone()
		if list := s.Dims[w.dim].Axes; len(list) >= len(axes) && slices.Equal(list[len(list)-len(axes):], axes) {
			s.Dims[w.dim].Axes = list[:len(list)-len(axes)]
		}
		out = out.Add(ir.Origin{Of: o.Of, Sharding: s})
	}
	return out
}

// insert puts op behind def, and behind ops that were inserted there before, and returns its
// result. If def is nil or not in the block, op goes to the start of the block.
func (g *gatherMover) insert(def, op *ir.Op) *ir.Value {
	if def != nil && def.Block() != g.block {
		def = nil
	}
	switch {
	case g.last[def] != nil:
		op.InsertAfter(g.last[def])
	case def != nil:
		op.InsertAfter(def)
	default:
		g.block.Prepend(op)
	}
	g.last[def] = op
	return op.Result()
}
