package transform

// This file removes ops and functions that nothing needs.

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// DeadOps are the options of EliminateDeadOps.
type DeadOps struct {
	// HasEffect reports whether an op must stay although nothing uses its
	// results; nil stands for HasSideEffect. Ops that end a block always stay.
	HasEffect func(*ir.Op) bool
	// KeepConstraints keeps a sharding_constraint that nothing uses where its
	// operand is needed otherwise: it states the sharding of that value. Without
	// the option constraints are like other ops.
	KeepConstraints bool
	// Carries also removes what a while carries for nothing else than itself.
	Carries bool
}

// EliminateDeadOps removes the ops of f that no result of f and no effect needs:
//
//	%1 = exponential %0             %2 = abs %0
//	%2 = abs %0                 =>  return %2
//	return %2
//
// Parameters stay, used or not: they are the caller's.
func EliminateDeadOps(f *ir.Func, o DeadOps) {
	if o.HasEffect == nil {
		o.HasEffect = HasSideEffect
	}
	o.block(f.Body)
}

// block removes the dead ops of b, the last first: all users of an op are
// decided before it.
func (o DeadOps) block(b *ir.Block) {
	for op := range b.Backward() {
		for _, v := range op.Results {
			o.dropConstraints(v)
		}
		dead := !op.HasUses() && !op.Info().Is(ir.Terminator) && !o.HasEffect(op)
		if dead && !o.isUnusedConstraint(op) { // its operand decides
			op.Erase()
			continue
		}
		if o.Carries && op.Kind == ir.OpWhile {
			op = dropDeadCarries(op)
		}
		for _, r := range op.Regions {
			o.block(r)
		}
	}
	for _, v := range b.Args {
		o.dropConstraints(v)
	}
}

// dropConstraints erases the unused constraints of v where these are all that
// uses v.
func (o DeadOps) dropConstraints(v *ir.Value) {
	for u := range v.Uses() {
		if !o.isUnusedConstraint(u.Op) {
			return
		}
	}
	for u := range v.Uses() {
		u.Op.Erase()
	}
}

// isUnusedConstraint reports whether op is a constraint that nothing uses, which
// KeepConstraints keeps as long as its operand is needed.
func (o DeadOps) isUnusedConstraint(op *ir.Op) bool {
	return o.KeepConstraints && op.Kind == ir.OpShardingConstraint && !op.HasUses()
}

// HasSideEffect reports whether op or an op in its regions has a side effect:
// the op table, or the custom call itself, says so.
func HasSideEffect(op *ir.Op) (found bool) {
	op.Walk(func(o *ir.Op) {
		if o.Info().Is(ir.SideEffect) || o.Kind == ir.OpCustomCall && o.Bool("has_side_effect") {
			found = true
		}
	})
	return found
}

// EliminateDeadFuncs removes the functions of m that neither a root nor a
// function that a root refers to refers to: by a call, or by another attribute
// that names it, such as the computations of a custom_call.
func EliminateDeadFuncs(m *ir.Module, isRoot func(*ir.Func) bool) {
	live := make(map[*ir.Func]bool)
	var visit func(f *ir.Func)
	visit = func(f *ir.Func) {
		if f == nil || live[f] {
			return
		}
		live[f] = true
		f.Walk(func(op *ir.Op) {
			for _, na := range op.Attrs {
				eachSymbol(na.Value, func(name string) { visit(m.Func(name)) })
			}
		})
	}
	for _, f := range m.Funcs {
		if isRoot(f) {
			visit(f)
		}
	}
	m.Funcs = slices.DeleteFunc(m.Funcs, func(f *ir.Func) bool { return !live[f] })
}

// symbol finds the symbols in the text of an attribute that is not parsed.
var symbol = regexp.MustCompile(`@(?:"[^"]*"|[\w$.-]+)`)

// eachSymbol calls visit for every name of a function, or of anything else, in
// an attribute.
func eachSymbol(a ir.Attr, visit func(name string)) {
	switch a := a.(type) {
	case ir.Symbol:
		visit(string(a))
	case ir.Array:
		for _, e := range a {
			eachSymbol(e, visit)
		}
	case ir.Dict:
		for _, na := range a {
			eachSymbol(na.Value, visit)
		}
	case ir.Raw:
		for _, s := range symbol.FindAllString(string(a), -1) {
			visit(strings.Trim(s[1:], `"`))
		}
	}
}
