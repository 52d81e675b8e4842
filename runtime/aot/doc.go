// Package aot compiles programs for accelerators that are not there: it hands a
// Program to the compiler in a PJRT plugin, libtpu's or that of XLA for CUDA, with
// a description of the devices in place of devices, and returns the compiler's own
// figures and the executable.
//
// It runs nothing (package runtime does) and finds no plugins (package
// runtime/plugin does).
//
// Order of use: call Serve first in main; Compile a program for a hardware.Target; read the
// Executable's Memory, Flops and Collectives; Save it, and Open it again.
//
//	file            what it holds
//	aot.go          Compile and its options; what it refuses
//	executable.go   Executable: what the compiler says of a program
//	collectives.go  Collective: those of the optimized module, each once
//	table.go        the tables that an Executable prints
//	file.go         Save, Open
//	oom.go          OutOfMemoryError
//	tpu.go          how TPUs are described to libtpu
//	gpu.go          how GPUs are described to XLA's plugin
//	specs/          the specifications of GPUs that the plugin has none of
//	options.go      the options of a compilation
//	child.go        Serve: the process in which the compiler runs
//	question.go     what that process is asked and answers
//	shim.go         asking the plugin, by way of shim.c
//	shim_none.go    its replacement in binaries without cgo
//	shim.c          calls the plugin
//	pjrt.h          the part of PJRT's interface that is used here, as C declarations
//	hlo.go          reads an HloModuleProto
package aot
