// Package runtime runs compiled programs on devices: it finds and starts an
// engine, brings global tensors to its devices shard by shard, executes, and
// gets results back.
//
// It decides nothing about layouts (package sharding) and moves no data from
// one layout to another (package compile): an Array has to lie as the program
// wants it, which Run checks.
//
// Order of use: Open a Client; Put or PutShards make Arrays; Load makes an
// Executable of a compile.Program; Run queues it; Get or Values fetch results;
// Release frees. All but Open, Load and the Gets return at once: Arrays are
// pending, and errors of executions surface where an Array is waited for.
//
//	file             question it answers
//	client.go        how does one open devices and bring tensors there?
//	array.go         what is a global tensor, and how is it fetched?
//	executable.go    what must hold before a program is run?
//	shards.go        which bytes does each device hold?
//	engine.go        what must an engine do?
//	open.go          which engine is opened?
//	lane.go          how do runs stay in order, and failures find their victims?
//	queue_engine.go  what must a driver do, so that it becomes an engine?
//	queue_buffer.go  when is a device buffer freed?
//	queue_loaded.go  what happens in a run?
//	pjrt.go          how is XLA's PJRT opened, fed and made to compile?
//	go_engine.go     how is package goengine driven?
//	xlaflags.go      what must XLA be told before it is loaded?
//	goengine/        how do programs run without XLA?
//	plugin/          where does the PJRT plugin come from?
//	runtimetest/     how do tests get a client?
//
// # Global and local shapes
//
// A dimension of 10 that is split in 4 gives every device 3 elements; the last
// shard holds 1 and 2 of padding (package layout). The padding of what Put
// brings is zero, and Get leaves padding out.
//
// # What go-xla and the plugin want
//
// The PJRT engine stands on go-xla v0.4.1 and the plugin xla-cpu-pjrt 0.0.1.
// What a reader of its code should know of them:
//
//   - Execute and BufferFromHost wait for the devices: hence the lanes.
//   - Donate counts inputs over all devices, although PJRT's own list is per
//     device: input i is i, i+n, i+2n, … for n inputs.
//   - Buffer.ToHost keeps the dimensions it asked for without a lock, so that
//     two reads of a buffer at once are a race.
//   - Execute dereferences nil for a program without results, and panics when
//     a list outgrows its arena: panics are caught, Load refuses the first.
//   - A run that fails because an argument has the wrong size makes the next
//     run on several devices hang: Load compares module and ports. After a run
//     that lacked memory the devices go on.
//   - Compiling for one device other than 0 goes through WithSPMD(1).
//   - A Client that is destroyed never frees the buffers it still has: ours
//     lives until the last one is released.
//   - XLA writes to the terminal unless TF_CPP_MIN_LOG_LEVEL is 1 or more.
//   - A flag in XLA_FLAGS that the plugin does not know ends the process.
package runtime
