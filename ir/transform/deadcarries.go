package transform

// This file removes values that loops carry without effect.

import "github.com/gospmd/gospmd/ir"

// dropDeadCarries removes the dead values of a while: those whose results have no uses, and that
// neither the condition, nor an op with a side effect, nor another live value depends on. It
// returns the loop, or a new one that replaces it.
//
//	%1:3 = while(i = %a, x = %b, y = %c) …      %1:2 = while(i = %a, x = %b) …
//	  y1 = add y, x                         =>
//	use %1#1                                    use %1#1
//
// The ops in the body that computed the dead values have no uses afterwards. A loop with a sharding
// rule of its own (sdy.sharding_rule) stays as it is, because the rule has a part for each operand.
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

// liveCarries reports, for each value that a while carries, whether it is live: whether a used
// result, the condition, an op with a side effect, or another live value depends on it.
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

// dropUsers erases, in v's block, all ops that use v, also those that use it in their regions, and
// the ops that use their results in turn.
func dropUsers(v *ir.Value) {
	for v.HasUses() {
		var user *ir.Op
		for u := range v.Uses() {
			user = u.Op.In(v.Block())
			break
		}
		for _, r := range user.Results {
			dropUsers(r)
		}
		user.Erase()
	}
}

// withArgs returns a block with only those arguments of b that keep has true for, and moves the ops
// of b to it.
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
