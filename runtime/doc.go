// Package runtime runs compiled programs on devices: it finds and starts an engine, brings global
// tensors to its devices shard by shard, executes, and fetches results.
//
// It chooses no shardings (package sharding does) and does not move data from one sharding to
// another (programs of package compile do). An Array must be sharded as the program expects. Run
// checks that.
//
// Order of use: Open a Client; Put, PutShards or PutStack make Arrays; Load makes an Executable of
// a program.Program; Run queues it; Get or Values fetch results; Release frees. All but Open, Load,
// Get and Values return at once: Arrays are pending, and Wait, Get and Values return the errors of
// executions.
//
//	file           holds
//	client.go      Client: opening devices
//	observe.go     Observer: the values that the engine written in Go computes, to debug
//	put.go         puts tensors on devices: whole, shard by shard, or several stacked in one array
//	array.go       Array: a global tensor, how it is fetched; host tensors as bytes
//	shards.go      which elements each device holds, and which are in this process
//	executable.go  Executable: the checks before a program is loaded and run
//	serialized.go  programs that were compiled elsewhere
//	engine.go      Engine, which runs programs; Driver, the interface for other engines; NewEngine
//	loads.go       loads that go on after their context has ended
//	async.go       pending buffers and queued runs on a Driver
//	started.go     executions that were started: how their ends are noticed; stuck executions
//	queue.go       the queue of work, the future of its result, the error of a dependent run
//	platform.go    the platform of a client, and what a machine lacks for it
//	gpuoptions.go  the options with which plugins make clients, from JAX's environment variables
//	pjrt.go        the Driver of XLA's PJRT
//	pjrt_run.go    executions on it: their numbers, how they end on all devices
//	pjrt_serialized.go  programs on PJRT that were compiled elsewhere
//	pjrt_within.go  programs on GPUs within the memory that they were made for
//	pjrt_job.go    programs on PJRT whose mesh spans processes
//	pjrt_memories.go arguments that a program expects in the memory of the host
//	pjrt_buffer.go buffers of PJRT, and how the garbage collector frees them
//	pressure.go    bounds the memory of arrays that are not released
//	pjrt_none.go   the replacement of PJRT in binaries without cgo
//	go_engine.go   the Driver of package goengine
//	pjrt_cache.go  XLA's executables in the compilation cache
//	cache_key.go   what an executable depends on: the compiler, the processor, the environment
//	compilation_cache.go  opens the compilation cache; its warnings
//	xlaflags.go    the flags of XLA's compilations, and the variables that plugins read
//	job.go         the processes of a job, and how the loss of one ends the work of the others
//	join.go        how a process finds the others, and what moves data between them
//	proposal.go    what the processes of a job choose together: engine, transport, link
//	processes.go   functions for programs of several processes, beside Put, Run and Get
//	agree.go       the comparison of programs and runs between processes
//	values.go      the comparison of the values that processes give to a run
//	broadcast.go   Broadcast: all processes get the values of one
//	crossings.go   the collectives of a program that cross processes
//	links.go       how fast processes send: a fixed default, an option, a measurement on request
//	transport/     moves bytes between processes
//	collective/    collectives across processes, on host memory
//	goengine/      runs programs without XLA
//	pjrtapi/       loads PJRT plugins; makes clients, compiles and executes in place of go-xla
//	pjrtkv/        clients of PJRT plugins whose own runtime joins processes (GPUs)
//	coordination/  the processes of a job: ranks, liveness, the values that they exchange
//	plugin/        finds and installs the PJRT plugin
//	inspect/       the plugin and the devices of a platform, found by a child process
//	aot/           compiles programs for devices that this machine does not have
//	measure/       measures how fast devices compute, read and send
//	ffi/           gospmd's own custom calls, for a PJRT plugin
//
// # Several processes
//
// As in JAX, each process runs the same program and opens a client with its number; Devices lists
// the devices of all, a mesh may span them, and an Array is the global tensor. A process has the
// shards on its own devices. Loads and Runs of programs whose mesh spans processes, Gather,
// Exchange and Barrier are done by all processes in the same order. A difference in programs, in
// the order of runs, or in values is an error that names the processes, before anything is
// computed. A shard that several processes put on devices must be equal in all of them, and so must
// a tensor that each process gives as a whole (Put); Broadcast makes them equal. When a process is
// lost, the calls that wait for it return an error that names the process, the run, and the
// collective with its layer. The client cannot be used then: close it, and start the job again.
//
// # Global and local shapes
//
// A dimension of 10 that is sharded 4 ways gives every device 3 elements; the last shard holds 1
// element and 2 of padding (package layout). Put fills the padding with zeros, and Get leaves it
// out.
//
// # The compilation cache
//
// The cache keeps the programs that package compile makes, and, as in JAX, XLA's executables, for
// later starts (Options.CompilationCache). The key of an executable consists of its module's text,
// the options of its compilation, the plugin's file, the kinds of the devices, this machine's
// processor and XLA's variables in the environment. The text has no locations and no names of
// results, so that a second model of the same layers finds the executable of the first one.
// Profilers show the names and lines of the program that was compiled first.
//
// The cache holds machine code: nothing is loaded from a directory that other users can change. A
// damaged entry is compiled again, with a warning. Faults of the cache are never errors.
//
// The cache is not used if XLA is told to write down what it does (--xla_dump_to), and for jobs of
// several processes on GPUs, where all processes compile together.
//
// # Limits of go-xla and the plugin
//
// The PJRT engine uses go-xla v0.4.1 and the plugin xla-cpu-pjrt 0.0.1. The engine works around
// these limits:
//
//   - Execute and BufferFromHost wait for the devices: hence NewEngine's queues,
//     and pjrtapi.Start.
//   - Donate counts inputs over all devices, although PJRT's own list is per
//     device: input i is i, i+n, i+2n, … for n inputs.
//   - Buffer.ToHost keeps the dimensions it asked for without a lock, so that
//     two reads of a buffer at once are a race.
//   - Execute dereferences nil for a program without results, and panics when
//     a list outgrows its arena: panics are caught, Load refuses the first.
//   - A run that fails because an argument has the wrong size makes the next
//     run on several devices hang: Load compares the module with the program's
//     inputs and outputs. After a run that lacked memory the devices go on.
//   - An executable that was loaded serializes without its machine code: only what was
//     compiled is kept.
//   - Compiling for one device other than 0 goes through WithSPMD(1).
//   - A PJRT client that is destroyed never frees the buffers it still has:
//     ours lives until the last one is released.
//   - XLA writes to the terminal unless TF_CPP_MIN_LOG_LEVEL is 1 or more.
//   - A flag in XLA_FLAGS that the plugin does not know ends the process.
package runtime
