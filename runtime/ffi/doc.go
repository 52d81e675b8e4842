// Package ffi registers gospmd's own custom calls with a PJRT plugin.
//
// It uses XLA's foreign function interface. The custom calls are those of package internal/lapack,
// the collectives among devices that share memory, and the collectives between processes.
//
// It does not compute LAPACK's calls, nor the collectives between processes, and does not know
// which calls a program makes: if a call has no handler, XLA returns an error.
//
// Order of use: Register, once the plugin is loaded and before it compiles; OpenPool for each
// client; NewCollectives for each program that has collectives between processes; BeginRun for each
// execution.
//
//	file           holds
//	register.go    Register, and the calls of LAPACK
//	collective.go  Collectives: the collectives between processes that all devices call together
//	values.go      the arguments of a call as Go values
//	handler.c      the functions that XLA calls for LAPACK, one for each target
//	collective.c   the function that XLA calls for collectives between processes
//	run.go         Run: an execution whose devices meet in collectives
//	shared.c       the function that XLA calls for collectives among devices that share memory
//	shared_run.c   the executions in progress: their launch ids, waiting devices, aborts
//	shared_work.c  the computation of collectives, in parts
//	shared_reduce.c the arithmetic of their reductions
//	shared_pool.c  the threads that do the parts, and continue the devices' programs
//	shared.h       the declarations of these files
//	kinds_gen.h    C's numbers of collectives and reductions, generated from ir's table
//	shared_run.h   the declarations that shared.c and shared_run.c share
//	testdata/stress.c  simulated devices, for the sanitizers
//	handler.h      the part of XLA's interface that is used here, as C declarations
package ffi
