// Package target describes the compilers and engines that programs are made for: the limits of
// each, and the form in which it gets a program.
//
// It does not compile, and opens no device. The passes of package compile ask it for the limits of
// a compiler; package runtime opens devices.
//
// Order of use: Of, then Target.Has in a compiler and Target.Text in front of an engine. CPUs that
// share memory take the module from Share. A process that has only some of the devices takes the
// text from LocalText.
//
//	file             what it holds
//	target.go        Target; the table: any, cpu, gpu, tpu, goengine
//	limits.go        Limit: what compilers cannot do, or do slowly
//	bound.go         how much memory a compiler should plan to use
//	text.go          Target.Text: the module of a program for a target
//	shared.go        Share: the module for devices that share the memory of a process
//	local.go         LocalText: the module of one process of several; collectives that cross processes
//	separate.go      one collective for each value, except small values that are gathered together
//	emit.go          the spmd ops in terms of StableHLO
//	emit_nan.go      minima and maxima across devices that keep NaN
//	emit_process.go  the module of one process of several, and the collectives inside of it
//	emit_order.go    the order of collectives that cross processes
//	emit_scatter.go  scatters by a single index
package target
