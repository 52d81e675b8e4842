package compile

// This file implements dce, dead-code elimination.

import "github.com/gospmd/gospmd/ir"

// dce removes ops that no result of the function needs:
//
//	%1 = exponential %0             %2 = abs %0
//	%2 = abs %0                 =>  return %2
//	return %2
//
// Parameters stay, used or not: they are the caller's. So do ops with side
// effects and what they need. A sharding_constraint whose result nothing uses
// stays as long as its operand is needed: it states the sharding of that value.
func dce(f *ir.Func) {
	live := &liveness{ops: map[*ir.Op]bool{}, values: map[*ir.Value]bool{}}
	live.roots(f.Body)
	live.run()
	sweep(f.Body, live)
}

// liveness marks what is needed.
type liveness struct {
	ops    map[*ir.Op]bool
	values map[*ir.Value]bool
	todo   []*ir.Op
}

// roots marks the ops of b that are needed whether or not their results are.
func (l *liveness) roots(b *ir.Block) {
	for op := range b.Ops() {
		if op.Info().Is(ir.Terminator) || hasSideEffect(op) {
			l.mark(op)
		}
	}
}

// mark makes op needed, and what its regions end in.
func (l *liveness) mark(op *ir.Op) {
	if !l.ops[op] {
		l.ops[op] = true
		l.todo = append(l.todo, op)
	}
}

// run marks what the marked ops need.
func (l *liveness) run() {
	for len(l.todo) > 0 {
		op := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		for _, r := range op.Regions {
			l.roots(r)
		}
		for _, v := range op.Operands {
			l.values[v] = true
			if d := v.Def(); d != nil {
				l.mark(d)
			}
		}
	}
}

// sweep removes what is not marked from b, the last op first.
func sweep(b *ir.Block, l *liveness) {
	for op := range b.Backward() {
		stated := op.Kind == ir.OpShardingConstraint && l.values[op.Operands[0]]
		if !l.ops[op] && !stated {
			op.Erase()
			continue
		}
		for _, r := range op.Regions {
			sweep(r, l)
		}
	}
}

// hasSideEffect reports whether op or an op in its regions must stay although
// nothing uses its results.
func hasSideEffect(op *ir.Op) (found bool) {
	op.Walk(func(o *ir.Op) {
		if o.Info().Is(ir.SideEffect) || o.Kind == ir.OpCustomCall && o.Bool("has_side_effect") {
			found = true
		}
	})
	return found
}
