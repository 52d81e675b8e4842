// Package cost is the cost model. It counts the bytes that one run of a per-device module sends,
// its arithmetic and its memory, each per device. Its models of machines weigh bytes against
// arithmetic. It reads modules of the spmd dialect. Their collectives name mesh axes, so the time
// that it takes does not depend on the number of devices. It measures nothing.
//
// It does not change modules, and makes no decisions. The partitioner, the search for shardings and
// the passes of package compile decide by its costs; reports and budgets show them.
//
// Order of use: SentBytes for one collective; Collectives and Flops for a function; Memory for its
// values. Then Machine.SendCost compares bytes with FLOPs, and Machine.Ops returns both as one
// number. For a known machine, call MachineFor and Machine.Predict.
//
// Bytes are whole numbers: the bytes that the busiest device sends, including padding. The Go
// engine counts them in the same way when it runs a module.
//
//	file            what it holds
//	machine.go      Machine: flops per second, and the links of mesh axes
//	target.go       MachineFor: the links of mesh axes on a target of package hardware
//	host.go         Host: virtual devices that share the processors of a CPU
//	machinefile.go  MachineFile: the figures of a machine in a file
//	sent.go         the bytes that a collective sends, by the formula of its row in ir's table
//	kinds_gen.go    the names of the kinds of collectives, generated from that table
//	collectives.go  the collectives of a function
//	accesses.go     what an op accesses in memory, and its cost on a device
//	flops.go        the arithmetic of an op, and of a function
//	tripcount.go    how often ops in loops and branches run
//	kernels.go      which ops run together, and the memory traffic of each kernel
//	compiler.go     what is assumed about the compiler of each platform
//	tpu.go          the kernels of a TPU, and their memory traffic, by libtpu's rules
//	outputs.go      kernels with several outputs
//	halves.go       values that a TPU keeps in 16 bits
//	rows.go         memory traffic of gathers and scatters on TPUs
//	onchip.go       copies between a TPU's memory and the memory on its chip
//	async.go        for how long the devices of a TPU wait for collectives
//	schedule.go     when kernels and collectives run, side by side
//	predict.go      Machine.Predict: the time of a run, and what bounds it; Machine.Ops
//	roofline.go     the kernels of a prediction, and the machine's roofs
//	memory.go       the memory of a run, over its time
//	buffers         a package: which values have memory, and when
package cost
