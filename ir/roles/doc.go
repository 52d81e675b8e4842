// Package roles finds out what the inputs of an entry function are for: which
// are weights, which are the optimizer's slots and of which weight, which result
// takes over an input's buffers. What a module does not state, it concludes from
// what the results depend on.
//
// It changes nothing.
//
// Order of use: Of for the roles, then SlotsOf for the slots of each weight.
//
//	file      what it holds
//	roles.go  the roles of inputs, their slots, donated inputs
package roles
