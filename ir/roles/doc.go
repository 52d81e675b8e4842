// Package roles finds out what the inputs of an entry function are for: which are weights, which
// are the optimizer's slots of a weight, and which result takes over an input's buffers. If a
// module does not state the role of an input, the package infers it from the data flow.
//
// It does not change the module.
//
// Order of use: Of for the roles, then SlotsOf for the slots of each weight.
//
//	file      what it holds
//	roles.go  the roles of inputs, their slots, donated inputs
package roles
