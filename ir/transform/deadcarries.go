package transform

// This file removes values that loops carry without need.

import "github.com/gospmd/gospmd/ir"

// dropDeadCarries removes the values that a while carries only for themselves: their results are
// unused, and neither the condition nor another value needs them.
//
//	%1:3 = while(i = %a, x = %b, y = %c) …      %1:2 = while(i = %a, x = %b) …
//	  y1 = add y, x                         =>
//	use %1#1                                    use %1#1
//
// The ops that computed them in the body are dead then. A loop with a sharding rule of its own
// (sdy.sharding_rule), which tells of all its operands, stays as it is. It returns the loop, or a
// new one in its place.
func dropDeadCarries(op *ir.Op) *ir.Op {
	if op.Has("sdy.sharding_rule") {
		return op
	}
	live := liveCarries(op)
	var operands, returned []*ir.Value
	for i, ok := range live {
		if ok {
			operands, returned = append(operands, op.Operands[i]), append(returned, op.Regions[1].Terminator().Operands[i])
		}
	}
	if len(operands) == len(live) {
		return op
	}
	op.Regions[1].Terminator().SetOperands(returned...)
	for i, ok := range live {
		if !ok {
			dropUsers(op.Regions[1].Args[i])
		}
	}
	out := ir.NewOp(op.Kind, operands, op.Attrs, nil)
	out.Loc, out.Pos = op.Loc, op.Pos
	for _, r := range op.Regions {
		out.AddRegion(withArgs(r, live))
	}
	out.InsertBefore(op)
	for i, r := range op.Results {
		if live[i] {
			v := out.AddResult(r.Type)
			v.Sharding, v.Name, v.Origins = r.Sharding, r.Name, r.Origins
			r.ReplaceAllUsesWith(v)
		}
	}
	op.Erase()
	return out
}

// liveCarries says which values of a while are needed: by a used result, by the condition, by an
// op with an effect, or by another needed value.
func liveCarries(op *ir.Op) []bool {
	cond, body := op.Regions[0], op.Regions[1]
	live := make([]bool, len(op.Results))
	seen := make(map[*ir.Op]bool)
	var need func(v *ir.Value)
	carry := func(i int) {
		if !live[i] {
			live[i] = true
			need(body.Terminator().Operands[i])
		}
	}
	visit := func(o *ir.Op) {
		if seen[o] {
			return
		}
		seen[o] = true
		o.Walk(func(inner *ir.Op) {
			for _, v := range inner.Operands {
				need(v)
			}
		})
	}
	need = func(v *ir.Value) {
		switch {
		case v.Block() == body && v.IsArg():
			carry(v.Index())
		case v.Block() == body:
			visit(v.Def())
		}
	}
	for i, r := range op.Results {
		if r.HasUses() || cond.Args[i].HasUses() {
			carry(i)
		}
	}
	for o := range body.Body() {
		if HasSideEffect(o) {
			visit(o)
		}
	}
	return live
}

// dropUsers erases the ops that use v, which are dead.
func dropUsers(v *ir.Value) {
	for v.HasUses() {
		var user *ir.Op
		for u := range v.Uses() {
			user = u.Op
			break
		}
		for user.Block() != v.Block() {
			user = user.Parent()
		}
		for _, r := range user.Results {
			dropUsers(r)
		}
		user.Erase()
	}
}

// withArgs returns the ops of b in a block with those of its arguments that are kept.
func withArgs(b *ir.Block, keep []bool) *ir.Block {
	out := &ir.Block{}
	for i, a := range b.Args {
		if keep[i] {
			v := out.AddArg(a.Type)
			v.Sharding, v.Name, v.Origins = a.Sharding, a.Name, a.Origins
			a.ReplaceAllUsesWith(v)
		}
	}
	for o := range b.Ops() {
		o.MoveToEnd(out)
	}
	return out
}
