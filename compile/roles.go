package compile

// This file finds out what the inputs of a program are for.

import "github.com/gospmd/gospmd/ir"

// rolesOf returns the role of each parameter of f: the stated one or else a
// guess. What is not donated is data. Of the donated ones those are the
// optimizer's that no other result depends on: the slots of an optimizer
// change weights and themselves, weights change the loss.
func rolesOf(f *ir.Func) []ir.Role {
	donated := make([]bool, len(f.Results))
	for i := range f.Params() {
		if a := aliasOf(f, i); a >= 0 {
			donated[a] = true
		}
	}
	live := &liveness{ops: map[*ir.Op]bool{}, values: map[*ir.Value]bool{}}
	for i, v := range f.Returned() {
		if donated[i] {
			continue
		}
		live.values[v] = true
		if d := v.Def(); d != nil {
			live.mark(d)
		}
	}
	live.run()
	out := make([]ir.Role, len(f.Params()))
	for i, p := range f.Params() {
		stated, ok := f.StatedRole(i)
		switch {
		case ok:
			out[i] = stated
		case aliasOf(f, i) < 0:
			out[i] = ir.RoleData
		case live.values[p]:
			out[i] = ir.RoleParameter
		default:
			out[i] = ir.RoleOptimizer
		}
	}
	return out
}
