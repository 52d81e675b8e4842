// Package pjrtkv makes clients of a PJRT plugin that are one of several processes: it passes
// callbacks to a key-value store to the plugin's PJRT_Client_Create. Through them XLA's own runtime
// finds the devices of the other processes. On GPUs, NCCL finds its peers through them.
//
// It knows no programs and moves no tensors. It is not for plugins without a runtime of several
// processes, such as XLA's for CPUs: for them use package collective.
//
// Order of use: NewClient, with a plugin of package pjrtapi and the store of the job; Assign in the
// compilation (pjrtapi.Compile) of a program that spans processes.
//
//	file          holds
//	store.go      Store
//	client.go     NewClient
//	callbacks.go  the callbacks: put, get, get without waiting
//	assign.go     Assign: compiling for the devices of all processes
//	kv.c          the callbacks as C functions
//	kv.h          the part of PJRT's interface that is used here, as C declarations
//
// go-xla v0.4.1 passes no callbacks, and assumes that all devices of a program are in this process.
// The layout of kv.h is compared with go-xla's header in a test.
//
// The callbacks have been tried with a plugin of the tests, the options with XLA's plugin for CUDA,
// Assign with the one for CPUs; no program has run on GPUs of several processes.
package pjrtkv
