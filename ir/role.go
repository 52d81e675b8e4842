package ir

// This file names what the arguments of a program are for.

import "slices"

// Role is what an argument of an entry function is for.
type Role string

// The roles.
const (
	RoleData      Role = "data"      // given again to each run: a batch
	RoleParameter Role = "parameter" // a weight of the model
	RoleOptimizer Role = "optimizer" // of the optimizer: slots, counters, learning rates
	RoleState     Role = "state"     // anything else that outlives a run: metrics, seeds
)

// Roles returns all roles.
func Roles() []Role { return []Role{RoleData, RoleParameter, RoleOptimizer, RoleState} }

// RoleAttr is the argument attribute by which the maker of a module states a
// Role, a String. Package compile removes it before an engine sees the module.
const RoleAttr = "gospmd.role"

// StatedRole returns the role that argument i of f states; ok is false where
// it states none.
func (f *Func) StatedRole(i int) (r Role, ok bool) {
	s, _ := f.ArgAttrs[i].Get(RoleAttr).(String)
	return Role(s), slices.Contains(Roles(), Role(s))
}
