package compile

// This file implements gathers, which gathers where the fewest bytes pass.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/mincut"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// moveGathers gathers earlier where that sends less. Of an optimizer's step on
// shards, whose results every device wants whole, only the gradient must be
// gathered when weights and slots are there whole:
//
//	%w = own shard of %weight                  %g = spmd.all_gather %gradient
//	%1 = subtract %w, %gradient            =>  %2 = subtract %weight, %g
//	%2 = spmd.all_gather %1
//
// and likewise of a small tensor that is broadcast, or of one that is made
// larger by a conversion. Everything between is then computed whole, as far as
// it is element-wise; what could be computed whole besides, pass balance has
// seen to.
//
// The places to gather are a minimal cut of the values between the gathers and
// what they are computed from, by the prices of package cost for the gathers
// and for the work that each device does more. Of equal cuts the latest is
// taken, which leaves the most work split. Dead ops are left to dce.
func moveGathers(u *unit) error {
	f := u.main()
	by := map[*ir.Value]*ir.Value{}
	known := newUniformity(u)
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, group := range gathersOf(b) {
			newGatherMover(known, group).move(by)
		}
		for op := range b.Ops() {
			if !op.Info().Is(ir.ScalarBody) {
				for _, r := range op.Regions {
					block(r)
				}
			}
		}
	}
	block(f.Body)
	f.Replace(by)
	return nil
}

// gathersOf returns the gathers of b, those along the same axes together.
func gathersOf(b *ir.Block) [][]*ir.Op {
	var groups [][]*ir.Op
	index := map[string]int{}
	for op := range b.Ops() {
		if op.Kind != ir.OpSPMDAllGather {
			continue
		}
		key := fmt.Sprint(op.Axes("axes"))
		i, ok := index[key]
		if !ok {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], op)
	}
	return groups
}

// wanted is a value that is needed whole in one dimension.
type wanted struct {
	value *ir.Value
	dim   int
}

// gatherMover moves the gathers of one block along the same axes.
type gatherMover struct {
	*uniformity
	block   *ir.Block
	axes    []mesh.AxisRef
	n       int
	gathers []*ir.Op

	net   *mincut.Network
	nodes map[wanted]int // the node before the value; the one behind has the next number
	order []wanted
	after map[*ir.Op][]*ir.Op
	first []*ir.Op // before all other ops
	whole map[wanted]*ir.Value
}

func newGatherMover(known *uniformity, gathers []*ir.Op) *gatherMover {
	axes := gathers[0].Axes("axes")
	return &gatherMover{
		uniformity: known, block: gathers[0].Block(), axes: axes, n: known.mesh.RefsSize(axes), gathers: gathers,
		net: mincut.New(), nodes: map[wanted]int{}, after: map[*ir.Op][]*ir.Op{}, whole: map[wanted]*ir.Value{},
	}
}

// move rewrites the block; by learns what stands for the gathers' results.
func (g *gatherMover) move(by map[*ir.Value]*ir.Value) {
	old := map[wanted]bool{}
	for _, op := range g.gathers {
		w := wanted{op.Operands[0], op.Int("dim")}
		old[w] = true
		g.net.Connect(mincut.Source, g.node(w), mincut.Unbounded)
	}
	cut := map[wanted]bool{}
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
		by[op.Result()] = g.make(wanted{op.Operands[0], op.Int("dim")}, cut, op)
	}
	ops := g.first
	for op := range g.block.Ops() {
		ops = append(append(ops, op), g.after[op]...)
	}
	g.block.SetOps(ops)
}

// node returns the node of w, building the network behind it.
func (g *gatherMover) node(w wanted) int {
	if n, ok := g.nodes[w]; ok {
		return n
	}
	n := g.net.AddNode()
	g.net.AddNode()
	g.nodes[w] = n
	g.order = append(g.order, w)
	g.net.Connect(n, n+1, cost.Default().SendCost(g.axes, (g.n-1)*w.value.Type.MemoryBytes(), 1))
	needs, ok := g.needs(w)
	if !ok {
		g.net.Connect(n+1, mincut.Sink, mincut.Unbounded)
		return n
	}
	if len(needs) > 0 { // else nothing is computed
		g.net.Connect(n+1, mincut.Sink, (g.n-1)*cost.OpFlops(w.value.Def()))
	}
	for _, need := range needs {
		if need.dim >= 0 {
			g.net.Connect(n+1, g.node(need), mincut.Unbounded)
		}
	}
	return n
}

// needs returns what must be whole of each operand for w to be computed whole;
// a dim of -1 says that the operand can stay as it is. ok is false where w can
// only be gathered.
func (g *gatherMover) needs(w wanted) (needs []wanted, ok bool) {
	op := w.value.Def()
	if op == nil || op.Block() != g.block || len(op.Results) != 1 || len(op.Regions) > 0 {
		return nil, false
	}
	if own, ok := ownShardOf(g.mesh, op); ok { // it was whole before
		return nil, own.dim == w.dim && slices.Equal(own.axes, g.axes) && !g.along(own.whole, g.axes)
	}
	needs, ok = g.operandNeeds(w, op)
	for _, need := range needs {
		if need.dim < 0 && g.along(need.value, g.axes) {
			return nil, false
		}
	}
	return needs, ok
}

// operandNeeds is needs for an op that cuts out nothing, as if all devices had
// the same in operands that stay as they are.
func (g *gatherMover) operandNeeds(w wanted, op *ir.Op) (needs []wanted, ok bool) {
	switch {
	case op.Kind == ir.OpConstant:
		return nil, op.Literal().Splat
	case op.Kind == ir.OpTranspose:
		return []wanted{{op.Operands[0], op.Ints("permutation")[w.dim]}}, true
	case op.Kind == ir.OpBroadcastInDim:
		from := slices.Index(op.Ints("broadcast_dimensions"), w.dim)
		if from >= 0 && op.Operands[0].Type.Dims[from] == 1 && w.value.Type.Dims[w.dim] != 1 {
			from = -1
		}
		return []wanted{{op.Operands[0], from}}, true
	case op.Info().Is(ir.Elementwise):
		for _, v := range op.Operands {
			d := w.dim
			if v.Type.Rank() == 0 && w.value.Type.Rank() > 0 { // clamp, select
				d = -1
			}
			needs = append(needs, wanted{v, d})
		}
		return needs, true
	}
	return nil, false
}

// make returns w made whole: gathered where the cut says so, else computed.
// gather is the one that it is for.
func (g *gatherMover) make(w wanted, cut map[wanted]bool, gather *ir.Op) *ir.Value {
	if v, ok := g.whole[w]; ok {
		return v
	}
	op := w.value.Def()
	dims := slices.Clone(w.value.Type.Dims)
	dims[w.dim] *= g.n
	t := w.value.Type.WithDims(dims)
	var out *ir.Value
	if own, ok := ownShardOf(g.mesh, op); ok && !cut[w] {
		out = own.whole
	} else if cut[w] {
		attrs := gather.Attrs.With("dim", ir.Int(w.dim))
		all := ir.NewOp(ir.OpSPMDAllGather, []*ir.Value{w.value}, attrs, []ir.Type{t})
		all.Loc = gather.Loc
		out = g.insert(op, all)
	} else {
		needs, _ := g.needs(w)
		whole := ir.Cloner{}
		for _, need := range needs {
			if need.dim >= 0 {
				whole[need.value] = g.make(need, cut, gather)
			}
		}
		copied := ir.NewOp(op.Kind, whole.Values(op.Operands), op.Attrs, []ir.Type{t})
		if op.Kind == ir.OpConstant {
			d := *op.Literal()
			d.Type = t
			copied.Attrs = op.Attrs.With("value", &d)
		}
		copied.Loc = op.Loc
		out = g.insert(op, copied)
	}
	g.whole[w] = out
	return out
}

// insert puts op behind def, or in front of everything.
func (g *gatherMover) insert(def, op *ir.Op) *ir.Value {
	if def == nil || def.Block() != g.block {
		g.first = append(g.first, op)
	} else {
		g.after[def] = append(g.after[def], op)
	}
	return op.Result()
}
