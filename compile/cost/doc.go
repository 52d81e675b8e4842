// Package cost is the cost model: the bytes that one run of a per-device module
// sends, its arithmetic and its memory, each per device, and a model of the
// machine that weighs bytes against arithmetic. It reads modules of the spmd
// dialect, whose collectives name mesh axes, so that nothing here depends on the
// number of devices, and nothing is measured.
//
// It changes no module and decides nothing. The partitioner, the search for shardings and the
// passes of package compile decide by its costs; reports and budgets show them.
//
// Order of use: Sent for one collective, Collectives and Flops for a function, Memory for its
// values, then Machine.SendCost to compare bytes with flops, or Machine.Ops for both in one number.
// For a known machine, MachineFor and Machine.Predict.
//
// Bytes are whole numbers. They are the bytes of padded shapes that the busiest device sends, as
// the pure-Go engine counts them when it runs the module.
//
//	file            what it holds
//	machine.go      Machine: flops per second, and the links of mesh axes
//	target.go       MachineFor: the links of mesh axes on a target of package hardware
//	host.go         Host: virtual devices, which share the processors of a CPU
//	machinefile.go  MachineFile: the figures of a machine in a file
//	sent.go         the bytes that a collective sends, by the formula of its row in ir's table
//	kinds_gen.go    the names of the kinds of collectives, generated from that table
//	collectives.go  the collectives of a function
//	accesses.go     what an op accesses in memory, and its cost on a device
//	flops.go        the arithmetic of an op, and of a function
//	tripcount.go    how often ops in loops and branches run
//	kernels.go      which ops run together, and the memory traffic of each kernel
//	rows.go         what gathers and scatters move besides on TPUs
//	schedule.go     when kernels and collectives run, side by side
//	predict.go      Machine.Predict: the time of a run, and what bounds it; Machine.Ops
//	roofline.go     the kernels that a prediction is made of, and the machine's roofs
//	memory.go       the memory of a run, over its time
//	buffers         a package: which values have memory, and when
package cost
