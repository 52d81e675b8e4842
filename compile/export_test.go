package compile

// This file lets the external tests see the pass list and the rewrites.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// PassNames returns the names of all passes, in order.
func PassNames() []string {
	var out []string
	for _, p := range passes {
		out = append(out, p.name)
	}
	return out
}

// PassNamesFor returns the names of the passes that run for a partitioner.
func PassNamesFor(by Partitioner) []string {
	var out []string
	for _, p := range passes {
		if p.tail&(1<<by) != 0 {
			out = append(out, p.name)
		}
	}
	return out
}

// PassOrder returns the order constraints: first, then, why.
func PassOrder() (out [][3]string) {
	for _, c := range passOrder {
		out = append(out, [3]string{c.first, c.then, c.why})
	}
	return out
}

// PassWhys returns each pass's reason.
func PassWhys() map[string]string {
	out := map[string]string{}
	for _, p := range passes {
		out[p.name] = p.why
	}
	return out
}

// CompileWithout is Compile without the named passes.
func CompileWithout(m *ir.Module, o Options, names ...string) (*program.Program, error) {
	list := slices.DeleteFunc(slices.Clone(passes), func(p pass) bool { return slices.Contains(names, p.name) })
	return compileBy(list, m, o)
}

// CompileBroken is Compile with a pass in front that damages the module.
func CompileBroken(m *ir.Module, damage func(*ir.Module) error) (*program.Program, error) {
	return compileBy([]pass{{"damage", all, "", func(u *unit) error { return damage(u.m) }}}, m, Options{})
}

// Rewrites returns the rules of all rewrites.
func Rewrites() []string {
	var out []string
	for _, t := range rewriteTables {
		for _, rw := range t {
			out = append(out, rw.rule)
		}
	}
	return out
}

// RewritesIn returns the rules that simplify applies to a copy of m.
func RewritesIn(m *ir.Module) []string {
	var out []string
	r := &rewriter{by: map[*ir.Value]*ir.Value{}, applied: func(rule string) { out = append(out, rule) }}
	r.run(m.Clone().Main())
	return out
}

// FoldKinds returns the kinds of ops that are computed on constants.
func FoldKinds() []ir.OpKind { return foldKinds() }
