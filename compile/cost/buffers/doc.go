// Package buffers assigns memory to the values of a per-device function, as XLA's compiler for CPUs
// does, or roughly as those for accelerators do. It makes the steps that decide on memory there:
// ops become the instructions that XLA makes of them, instructions fuse, values that must have one
// memory are copied where both are needed, the instructions get an order, and values get memory for
// the time from the instruction that makes them to the last that reads them.
//
// It changes no function, and knows no machine: bytes depend on shapes only.
// Cost, in package cost, adds literals and prepares the numbers for reports.
//
// Order of use: Assign; Model.Bytes for an argument or a result alone.
//
//	file            what it holds
//	graph.go        node and graph: a block of the function in instructions
//	lower.go        instructions of element-wise ops, data movement and control flow
//	same.go         instructions that compute the same
//	expand.go       instructions of contractions, reductions, windows and scatters
//	collectives.go  instructions of collectives
//	accelerator.go  what compilers for accelerators do otherwise
//	fusion.go       which instructions are computed inside of their users
//	once.go         which instructions must not be computed more than once
//	copies.go       copies that loops, donated inputs and updates in place need
//	rows.go         gathers and scatters on TPUs
//	combine.go      sums that compilers for accelerators combine
//	order.go        the order in which instructions run
//	tiles.go        how much memory arguments and results take
//	kept.go         in which types and tiles TPUs keep temporary values
//	onchip.go       what is in the memory on the chip of a TPU
//	values.go       when values are in memory, and which of them share it
//	assign.go       Assign: memory of arguments and results, and what is left over
//
// The model is checked against XLA's own buffer assignment by benchmarks/memory.
package buffers
