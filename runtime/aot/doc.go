// Package aot compiles programs for accelerators that are not there: it hands a
// Program to the compiler in a PJRT plugin, libtpu's or that of XLA for CUDA, with
// a description of the devices in place of devices, and returns the compiler's own
// figures and the executable.
//
// It runs nothing (package runtime does) and finds no plugins (package
// runtime/plugin does).
//
// Order of use: Compile a program for a hardware.Target; read the Executable's
// Memory, Flops and Collectives; Save it, and Open it again.
//
//	file           what it holds
//	aot.go         Compile and its options; what it refuses
//	executable.go  Executable: what the compiler says of a program
package aot
