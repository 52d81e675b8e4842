// Package aot compiles programs for accelerators that this machine does not have.
//
// It passes a Program to the compiler in a PJRT plugin (libtpu, or XLA's plugin for CUDA), with a
// description of the devices in place of devices. It returns the compiler's own figures, and the
// executable.
//
// It runs nothing (package runtime does) and finds no plugins (package runtime/plugin does).
//
// Order of use: call Serve first in main; Compile a program for a hardware.Target; read the
// Executable's Memory, Flops and Collectives; Save it, and Open it again.
//
//	file            what it holds
//	aot.go          Compile and its options; the programs that it refuses
//	executable.go   Executable: the compiler's figures of a program
//	collectives.go  Collective: the collectives of the optimized module
//	again.go        DroppedError: what was to be computed again is kept
//	offload.go      OffloadError: what was to be in the host's memory is in the device's
//	table.go        the tables that an Executable prints
//	file.go         Save, Open
//	oom.go          OutOfMemoryError
//	tpu.go          how TPUs are described to libtpu
//	gpu.go          how GPUs are described to XLA's plugin
//	specs/          the specifications of GPUs that the plugin does not have
//	options.go      the options of a compilation
//	bound.go        how much memory a program may use
//	child.go        Serve: the process in which the compiler runs
//	question.go     the question to that process, and its answer
//	shim.go         calls the plugin, through shim.c
//	shim_none.go    the replacement of shim.go in binaries without cgo
//	shim.c          calls the plugin
//	pjrt.h          the part of PJRT's interface that is used here, as C declarations
//	hlo.go          reads an HloModuleProto
package aot
