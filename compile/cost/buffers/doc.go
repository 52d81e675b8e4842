// Package buffers assigns memory to the values of a per-device function, as XLA's compiler for CPUs
// does, or roughly as those for accelerators do. It imitates the passes of XLA that determine
// memory: ops are lowered to XLA's instructions; instructions fuse; values that must share memory
// are copied if both are needed; the instructions are ordered; and a value gets memory from the
// instruction that makes it to the last one that reads it.
//
// It does not change the function, and does not depend on a machine: bytes depend only on shapes.
// Package cost adds literals, and prepares the numbers for reports.
//
// Order of use: Assign for a function; Model.Bytes for a single argument or result.
//
//	file            what it holds
//	graph.go        node and graph: a block of the function as instructions
//	lower.go        instructions of element-wise ops, data movement and control flow
//	precision.go    conversions of 16-bit floats
//	add.go          instructions of sums
//	same.go         instructions that compute the same
//	expand.go       instructions of contractions, reductions, windows and scatters
//	collectives.go  instructions of collectives
//	accelerator.go  how compilers for accelerators differ
//	fusion.go       which instructions are computed inside of their users
//	once.go         which instructions must not be computed more than once
//	hoist.go        instructions that leave the bodies of loops
//	copies.go       copies that loops, donated inputs and updates in place need
//	rows.go         gathers and scatters on TPUs and GPUs
//	splits.go       products that GPUs compute in parts
//	masks.go        comparisons that TPUs store as bits
//	combine.go      sums that compilers for accelerators combine
//	order.go        the order in which instructions run
//	tiles.go        how much memory arguments and results take on TPUs
//	kept.go         the types and tiles of temporary values on TPUs
//	divided.go      convolutions of few images on TPUs
//	onchip.go       values in the on-chip memory of a TPU
//	values.go       when values are in memory, and which of them share it
//	heap.go         the places of temporary values
//	assign.go       Assign: memory of arguments and results, and temporary memory
//
// The model is checked against XLA's own buffer assignment by benchmarks/memory.
package buffers
