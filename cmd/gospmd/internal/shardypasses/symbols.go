package shardypasses

// This file handles functions by name: the call graph, copies, new names, and functions without
// uses.

import (
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// originalName is the attribute of a copied function that holds the name of the original.
const originalName = "sdy.original_func_name"

// nameOf returns the name of the function that f is a copy of, or the name of f itself.
func nameOf(f *ir.Func) string {
	if s, ok := f.Attrs.Get(originalName).(ir.String); ok {
		return string(s)
	}
	return f.Name
}

// callOrder returns the functions of m, each one before the functions that it calls.
func callOrder(m *ir.Module) []*ir.Func {
	var order []*ir.Func
	seen := make(map[*ir.Func]bool)
	var visit func(f *ir.Func)
	visit = func(f *ir.Func) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpCall {
				visit(sdy.Callee(m, op))
			}
		})
		order = append(order, f)
	}
	for _, f := range m.Funcs {
		visit(f)
	}
	slices.Reverse(order)
	return order
}

// calls returns all calls of m. Calls in a function come before the calls in its callers.
func calls(m *ir.Module) []*ir.Op {
	var out []*ir.Op
	for _, f := range slices.Backward(callOrder(m)) {
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpCall {
				out = append(out, op)
			}
		})
	}
	return out
}

// namer chooses unused names for symbols of a module. Like MLIR's symbol table, it has one counter
// for the numbers that it appends to all names.
type namer struct {
	taken map[string]bool
	next  int
}

func newNamer(m *ir.Module) *namer {
	n := &namer{taken: make(map[string]bool)}
	for _, f := range m.Funcs {
		n.taken[f.Name] = true
	}
	for _, nm := range m.Meshes {
		n.taken[nm.Name] = true
	}
	return n
}

// name returns the wanted name, or the name with _0, _1, … appended if it is used. The returned
// name is then used.
func (n *namer) name(want string) string {
	out := want
	for n.taken[out] {
		out = want + "_" + strconv.Itoa(n.next)
		n.next++
	}
	n.taken[out] = true
	return out
}

// copyFunc adds a copy of f to m, and copies of all functions that f calls. It returns the name of
// the copy.
func copyFunc(m *ir.Module, n *namer, f *ir.Func) string {
	c := f.Clone()
	c.Attrs = c.Attrs.With(originalName, ir.String(nameOf(f)))
	c.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpCall {
			if callee := sdy.Callee(m, op); callee != nil {
				setCallee(op, copyFunc(m, n, callee))
			}
		}
	})
	c.Name = n.name(f.Name)
	m.Funcs = append(m.Funcs, c)
	return c.Name
}

func setCallee(op *ir.Op, name string) { op.Attrs = op.Attrs.With("callee", ir.Symbol(name)) }

// dropDeadFuncs removes private functions that are not referred to: MLIR's pass symbol-dce.
func dropDeadFuncs(m *ir.Module) {
	transform.EliminateDeadFuncs(m, func(f *ir.Func) bool { return !f.Private })
}
