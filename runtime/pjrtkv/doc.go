// Package pjrtkv makes clients of a PJRT plugin that are one of several
// processes: it gives the plugin's PJRT_Client_Create the callbacks to a key-value
// store, through which XLA's own runtime finds the devices of the other processes
// and, on GPUs, NCCL its peers.
//
// It knows no programs and moves no tensors. Plugins that have no runtime of
// several processes, such as XLA's for CPUs, do without it (package collective).
//
// Order of use: NewClient, with a plugin of package pjrtapi and the store of the job; Assign
// in the compilation (pjrtapi.Compile) of a program that spans processes.
//
//	file          holds
//	store.go      Store
//	client.go     NewClient
//	callbacks.go  the callbacks: put, get, try to get
//	assign.go     Assign: compiling for the devices of all processes
//	kv.c          the callbacks as C functions
//	kv.h          the part of PJRT's interface that is used here, as C declarations
//
// go-xla v0.4.1 leaves the callbacks empty, and takes all devices of a program for
// the process' own. The layout of kv.h is compared with go-xla's header in a test.
//
// The callbacks have been tried with a plugin of the tests, the options with XLA's
// plugin for CUDA, Assign with the one for CPUs; no program has run on GPUs of
// several processes.
package pjrtkv
