// Package roles classifies the inputs of an entry function.
//
// It finds the weights, the optimizer's slots of each weight, and the result that takes over an
// input's buffers. If a module does not state the role of an input, the package infers it from the
// data flow.
//
// It does not change the module.
//
// Order of use: Of for the roles, then SlotsOf for the slots of each weight.
//
//	file      what it holds
//	roles.go  the roles of inputs, their slots, donated inputs
package roles
