package memory

// This file moves gathers into the loops that read them. Package compile gathers a weight once,
// before the loop over layers or micro-batches that reads it. All gathered weights are then in
// memory as long as the loop runs. In the loop, each is in memory while an iteration reads it, and
// a stack of layers is gathered layer by layer (ZeRO-3 of Rajbhandari et al., ZeRO, SC 2020):
//
//	%w = all_gather %s dim=1            while … {
//	while … {                      =>     %si = dynamic_slice %s, %i, 0, sizes = [1, 4]
//	  %wi = dynamic_slice %w, %i, 0       %wi = all_gather %si dim=1
//	  … dot_general %x, %wi               … dot_general %x, %wi
//	}                                   }
//
// The loop then sends more. XLA must not take what the loop computes from the shards out of it
// again, such as their conversion to another type, so the loop keeps it (ir.Op.KeepInvariants). XLA
// for CPUs runs ops as early as it can, so there the shard of a weight is held back (hold.go) until
// the other operand of the op that reads the weight is computed. Each such op gathers by itself:
// backward, a weight is gathered again.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// gathersInLoops returns a copy of f whose loops gather what they read, and keep all that they
// compute. It is nil if f has no loop, and if no gather moves and o.Machine does not predict what
// XLA takes out of loops, as it does for CPUs.
func (o Options) gathersInLoops(f *ir.Func) *ir.Func {
	g := f.Clone()
	found := false
	g.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpWhile {
			op.KeepInvariants()
			found = true
		}
	})
	if !found {
		return nil
	}
	moved := !o.KeepsBarriers
	for _, op := range slices.Collect(g.Body.Ops()) {
		if op.Kind == ir.OpSPMDAllGather && slices.ContainsFunc(op.Results, func(v *ir.Value) bool { return len(usesInLoops(v)) > 0 }) {
			for _, one := range divide(op, 0) {
				o.gatherInLoops(one)
			}
			moved = true
		}
	}
	if !moved {
		return nil
	}
	transform.EliminateDeadOps(g, transform.DeadOps{})
	return g
}

// loopUse is a use in a loop of a value from the block around it.
type loopUse struct {
	ir.Use
	body *ir.Block // the body of the loop
	at   *ir.Op    // the op of body that uses the value, or has a region that does
}

// usesInLoops returns the uses of v, a value of the body of a function, in bodies of loops.
func usesInLoops(v *ir.Value) (list []loopUse) {
	for u := range v.Uses() {
		loop := u.Op.In(v.Block())
		if loop.Kind != ir.OpWhile {
			continue
		}
		if at := u.Op.In(loop.Regions[1]); at != nil {
			list = append(list, loopUse{u, loop.Regions[1], at})
		}
	}
	return list
}

// gatherInLoops makes the loops that read the result of gather, an all_gather of one value, gather
// it: right before a slice that has the whole gathered dimension and, if the shard can be held back,
// before each other op; otherwise before the first op of the loop's body that reads it.
func (o Options) gatherInLoops(gather *ir.Op) {
	v, dim := gather.Result(), gather.SPMDAllGather().Dim()
	first := map[*ir.Block]*ir.Op{} // by body: the first op that reads the whole value
	var whole []loopUse
	for _, u := range usesInLoops(v) {
		if op := u.Op; op.Kind == ir.OpDynamicSlice && u.Operand == 0 && op.Result().Type.Dims[dim] == v.Type.Dims[dim] {
			gatherSlice(op, gather)
		} else if h := o.holderFor(u); h != nil && h.canHold(gather.Operands[0]) {
			u.Op.SetOperand(u.Operand, gatherAgain(gather, h, u.Op))
		} else {
			whole = append(whole, u)
			if at := first[u.body]; at == nil || inOrder(u.at, at) < 0 {
				first[u.body] = u.at
			}
		}
	}
	copies := map[*ir.Block]*ir.Value{}
	for _, u := range whole {
		if copies[u.body] == nil {
			copies[u.body] = gatherAgain(gather, nil, first[u.body])
		}
		u.Op.SetOperand(u.Operand, copies[u.body])
	}
}

// gatherAgain inserts a copy of gather before the op at, and returns its result. h holds the shard
// back; nil for nothing. If the shard is a converted parameter, it is converted again too: the
// parameter is in memory anyway.
func gatherAgain(gather *ir.Op, h *holder, at *ir.Op) *ir.Value {
	shard := gather.Operands[0]
	convert := shard.Def()
	if convert != nil && convert.Kind == ir.OpConvert && convert.Operands[0].Def() == nil && convert.Operands[0].Block() == gather.Block() {
		shard = convert.Operands[0]
	} else {
		convert = nil
	}
	if h != nil && h.canHold(shard) {
		shard = h.hold([]*ir.Value{shard})[0]
	}
	if convert != nil {
		var b ir.Builder
		b.Before(at).Loc = convert.Loc
		shard = b.Convert(shard, convert.Result().Type)
	}
	return gatherOf(shard, gather, gather.Result().Type, at)
}

// holderFor returns a holder that holds values back at the op of u, until another operand of it is
// computed in the loop's body; nil if there is none, or the target's compiler orders ops by itself.
func (o Options) holderFor(u loopUse) *holder {
	if o.KeepsBarriers || u.Op != u.at {
		return nil
	}
	for _, v := range u.Op.Operands {
		if v != u.Op.Operands[u.Operand] && v.Block() == u.body && canAnchor(v) {
			var b ir.Builder
			b.Before(u.Op).Loc = u.Op.Loc
			return &holder{b: &b, anchor: v}
		}
	}
	return nil
}

// gatherSlice replaces slice, a slice of the result of gather, by a gathered slice of the shard.
func gatherSlice(slice, gather *ir.Op) {
	shard, dim := gather.Operands[0], gather.SPMDAllGather().Dim()
	var b ir.Builder
	b.Before(slice).Loc = slice.Loc
	sizes := slices.Clone(slice.DynamicSlice().SliceSizes())
	sizes[dim] = shard.Type.Dims[dim]
	part := b.DynamicSlice(shard, slice.Operands[1:], sizes)
	slice.ReplaceWith(gatherOf(part, gather, slice.Result().Type, slice))
}

// gatherOf inserts a copy of gather that gathers shard, before the op at, and returns its result,
// which has type t.
func gatherOf(shard *ir.Value, gather *ir.Op, t ir.Type, at *ir.Op) *ir.Value {
	op := ir.NewOp(gather.Kind, []*ir.Value{shard}, gather.Attrs, []ir.Type{t})
	op.Loc = gather.Loc
	op.InsertBefore(at)
	return op.Result()
}
