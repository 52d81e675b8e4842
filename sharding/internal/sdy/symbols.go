package sdy

// This file finds functions by name.

import "github.com/gospmd/gospmd/ir"

// Main returns the entry: the only function, or the one called main; nil
// when there is neither.
func Main(m *ir.Module) *ir.Func {
	if len(m.Funcs) == 1 {
		return m.Funcs[0]
	}
	return m.Main()
}

// Callee returns the function that a call calls.
func Callee(m *ir.Module, op *ir.Op) *ir.Func {
	name, _ := op.Attrs.Get("callee").(ir.Symbol)
	return m.Func(string(name))
}
