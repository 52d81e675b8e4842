// Package pjrtkv makes clients of a PJRT plugin that are one of several
// processes: it gives the plugin's PJRT_Client_Create the callbacks to a key-value
// store, through which XLA's own runtime finds the devices of the other processes
// and, on GPUs, NCCL its peers.
//
// It knows no programs and moves no tensors. Plugins that have no runtime of
// several processes, such as XLA's for CPUs, do without it (package collective).
//
// Order of use: Register, with the store of the job; clients of the plugin that it
// returns, with Options; Assign around the compilation of a program that spans
// processes.
//
//	file          holds
//	store.go      Store
//	register.go   Register, Options
//	callbacks.go  the callbacks: put, get, try to get
//	assign.go     Assign: compiling for the devices of all processes
//	wrap.c        the plugin's table with another PJRT_Client_Create and PJRT_Client_Compile
//	pjrt.h        the part of PJRT's interface that is used here, as C declarations
//
// go-xla v0.4.1 leaves the callbacks empty, and takes all devices of a program for
// the process' own, hence the table. The layout of pjrt.h is compared with go-xla's
// header in a test.
//
// The callbacks have been tried with a plugin of the tests, the options with XLA's
// plugin for CUDA, Assign with the one for CPUs; no program has run on GPUs of
// several processes.
package pjrtkv
