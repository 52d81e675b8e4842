package transform

// This file removes dead ops and dead functions.

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// DeadOps are the options of EliminateDeadOps.
type DeadOps struct {
	// HasEffect reports whether an op must stay even if its results have no uses; nil stands for
	// HasSideEffect. Terminators always stay.
	HasEffect func(*ir.Op) bool
	// KeepConstraints keeps a sharding_constraint without uses if its operand has other uses,
	// because it states the sharding of the operand. Without this option, constraints are handled
	// like other ops.
	KeepConstraints bool
	// Carries also removes values that a loop carries and that only their own next values depend
	// on.
	Carries bool
}

// EliminateDeadOps removes the ops of f that neither a result of f nor an op with an effect depends
// on:
//
//	%1 = exponential %0             %2 = abs %0
//	%2 = abs %0                 =>  return %2
//	return %2
//
// Parameters stay even if they have no uses, because callers pass them.
func EliminateDeadOps(f *ir.Func, o DeadOps) {
	if o.HasEffect == nil {
		o.HasEffect = HasSideEffect
	}
	o.block(f.Body)
}

// block removes the dead ops of b and of the regions in it, from the last to the first, so that the
// users of an op are visited before the op. With o.Carries it also drops the dead values that loops
// carry.
func (o DeadOps) block(b *ir.Block) {
	for op := range b.Backward() {
		for _, v := range op.Results {
			o.dropConstraints(v)
		}
		dead := !op.HasUses() && !op.Info().Is(ir.Terminator) && !o.HasEffect(op)
		if dead && !o.isUnusedConstraint(op) { // a constraint stays or goes with its operand
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

// dropConstraints erases the uses of v if all of them are sharding constraints without uses.
// Without KeepConstraints it does nothing: constraints are then like other ops.
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

// isUnusedConstraint reports whether op is a sharding constraint without uses and KeepConstraints
// is set. Such a constraint stays as long as its operand has other uses.
func (o DeadOps) isUnusedConstraint(op *ir.Op) bool {
	return o.KeepConstraints && op.Kind == ir.OpShardingConstraint && !op.HasUses()
}

// HasSideEffect reports whether op, or an op in its regions, has a side effect. The op table says
// so or, for a custom call, its attribute.
func HasSideEffect(op *ir.Op) (found bool) {
	op.Walk(func(o *ir.Op) {
		if o.Info().Is(ir.SideEffect) || o.Kind == ir.OpCustomCall && o.Bool("has_side_effect") {
			found = true
		}
	})
	return found
}

// EliminateDeadFuncs removes the functions of m that no root refers to, directly or through other
// functions. isRoot reports whether a function is a root; these stay. A function refers to another
// one by a call, or by an attribute that names it, such as the computations of a custom_call.
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

// symbol matches the symbols in the text of a Raw attribute.
var symbol = regexp.MustCompile(`@(?:"[^"]*"|[\w$.-]+)`)

// eachSymbol calls visit for every symbol in the attribute a, also inside of arrays, dictionaries
// and Raw texts: the names of functions and of other things, without the @.
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
