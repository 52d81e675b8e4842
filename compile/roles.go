package compile

// This file says what the inputs of a program are for.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// Role is what an input is for.
type Role string

// The roles.
const (
	RoleData      Role = "data"      // comes anew with each run: a batch
	RoleParameter Role = "parameter" // a weight of the model
	RoleOptimizer Role = "optimizer" // of the optimizer: slots, counters, rates
	RoleState     Role = "state"     // all else that outlives a run: metrics, seeds
)

var roles = []Role{RoleData, RoleParameter, RoleOptimizer, RoleState}

// RoleAttr is the attribute of a parameter of main by which its maker states
// the Role, a string. Engines never see it.
const RoleAttr = "gospmd.role"

// rolesOf returns the role of each parameter of f: the stated one or else a
// guess. What is not donated is data. Of the donated ones those are the
// optimizer's that no other result depends on: the slots of an optimizer
// change weights and themselves, weights change the loss.
func rolesOf(f *ir.Func) []Role {
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
	out := make([]Role, len(f.Params()))
	for i, p := range f.Params() {
		stated, _ := f.ArgAttrs[i].Get(RoleAttr).(ir.String)
		switch {
		case slices.Contains(roles, Role(stated)):
			out[i] = Role(stated)
		case aliasOf(f, i) < 0:
			out[i] = RoleData
		case live.values[p]:
			out[i] = RoleParameter
		default:
			out[i] = RoleOptimizer
		}
	}
	return out
}
