// Package runtime runs compiled programs on devices: it finds and starts an
// engine, brings global tensors to its devices shard by shard, executes, and
// fetches results.
//
// It decides nothing about shardings (package sharding) and moves no data from
// one sharding to another (package compile): an Array must be sharded as the
// program expects, which Run checks.
//
// Order of use: Open a Client; Put, PutShards or PutStack make Arrays; Load makes an
// Executable of a program.Program; Run queues it; Get or Values fetch results;
// Release frees. All but Open, Load, Get and Values return at once: Arrays are
// pending, and errors of executions surface where an Array is waited for.
//
//	file           holds
//	client.go      Client: opening devices
//	observe.go     Observer: the values that the engine written in Go computes, to debug
//	put.go         bringing tensors there: whole, shard by shard, or several stacked in one array
//	array.go       Array: a global tensor, how it is fetched; host tensors as bytes
//	shards.go      which elements each device holds, and which are in this process
//	executable.go  Executable: the checks before a program is loaded and run
//	serialized.go  programs that were compiled elsewhere
//	engine.go      Engine, the interface of what runs programs; Driver, the seam for engines written elsewhere; NewEngine
//	loads.go       loads that go on after their context has ended
//	async.go       pending buffers and queued runs on a Driver
//	started.go     the executions that were started, how their ends are seen, and those that are stuck
//	queue.go       the queue of work, the future of what it makes, the error of a dependent run
//	platform.go    the platforms: which one a client is of, and what a machine lacks for it
//	gpuoptions.go  the options with which plugins make clients, from JAX's environment variables
//	pjrt.go        the Driver of XLA's PJRT
//	pjrt_run.go    executions on it: their numbers, how they end on all devices
//	pjrt_serialized.go  such programs on it
//	pjrt_job.go    programs on it whose mesh spans processes
//	pjrt_buffer.go its buffers, and how the garbage collector frees them
//	pressure.go    how much memory arrays take that are not released
//	pjrt_none.go   its replacement in binaries without cgo
//	go_engine.go   the Driver of package goengine
//	pjrt_cache.go  programs that were compiled before, from the compilation cache
//	cache_key.go   what a compiled program depends on: the compiler, the processor, the environment
//	compilation_cache.go  where compiled programs are kept, and what is said if they cannot be
//	xlaflags.go    the flags of XLA's compilations, and the variables that it reads when it is loaded
//	job.go         the processes that run one program, and how the loss of one ends the others' work
//	join.go        how a process finds the others, and what moves data between them
//	proposal.go    what the processes of a job choose together: engine, transport, link
//	processes.go   what programs of several processes need beside Put, Run and Get
//	agree.go       the comparison of programs and runs between processes
//	values.go      the comparison of the values that processes give to a run
//	broadcast.go   Broadcast: all processes get the values of one
//	crossings.go   the collectives of a program that cross processes
//	links.go       how fast processes send to each other: a fixed default, an option, a measurement on request
//	transport/     moves bytes between processes
//	collective/    collectives across processes, on host memory
//	goengine/      runs programs without XLA
//	pjrtapi/       loads PJRT plugins, and replaces what go-xla does when it makes clients, compiles and executes
//	pjrtkv/        clients of PJRT plugins that have a runtime of several processes themselves (GPUs)
//	coordination/  the processes of a job: who they are, that they live, what they tell each other
//	plugin/        finds and installs the PJRT plugin
//	inspect/       what there is of a platform: its plugin and devices, seen by a child process
//	runtimetest/   opens clients for tests
//
// # Several processes
//
// As in JAX, each process runs the same program and opens a client with its number; Devices lists
// the devices of all, a mesh may span them, and an Array is the global tensor. A process has the
// shards on its own devices. Loads and Runs of programs whose mesh spans processes, Gather,
// Exchange and Barrier are done by all processes in the same order. A difference in programs, in
// the order of runs, or in values is an error that names the processes, before anything is
// computed. The shards that several processes put on devices must be equal, and the tensors that
// each process gives as a whole (Put) too; Broadcast makes them equal. A process that is lost
// makes all that wait for it end with an error that names it, the run, and the collective with
// its layer. The client cannot be used then: close it, and start the job again.
//
// # Global and local shapes
//
// A dimension of 10 that is sharded 4 ways gives every device 3 elements; the
// last shard holds 1 element and 2 of padding (package layout). Put fills the
// padding with zeros, and Get leaves it out.
//
// # The compilation cache
//
// Programs are kept for later starts (Client.CompilationCache, which package compile fills), and
// what XLA compiles is (Options.CompilationCache), as JAX keeps it:
// an executable is found by its module's text without locations and names of results, so
// that a second model of the same layers finds the first one's, the options of its
// compilation, the plugin's file, the kinds of the devices, this machine's processor and
// XLA's variables in the environment. It holds machine code: where other users could
// change the directory nothing is loaded from it. What is damaged is compiled again with a
// warning, and nothing that is wrong with the cache is an error. Names and lines that
// profilers show are those of the program that was compiled first.
//
// XLA compiles each time if it is told to write down what it does (--xla_dump_to), and
// for jobs of several processes on GPUs, where it compiles in all processes together.
//
// # Limits of go-xla and the plugin
//
// The PJRT engine uses go-xla v0.4.1 and the plugin xla-cpu-pjrt 0.0.1. Its
// code works around the following:
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
