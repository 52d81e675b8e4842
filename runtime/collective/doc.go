// Package collective implements the collectives of per-device programs whose devices are in several
// processes, on host memory. It is one implementation for all engines.
//
// It does not move bytes between processes: package transport does. It knows nothing of how
// programs are run; package program says which process each position of the mesh is in.
//
// Order of use: Of makes an Op of an op of the spmd dialect, Crosses says whether its devices are
// in more than one process, Run executes it.
//
// The algorithms are hierarchical: data that several devices of a process share crosses to
// another process once. A group has G devices in P processes, L of them in the sending process.
// An operand has B bytes on each device. A process sends in total:
//
//	spmd.all_reduce      It first combines the operands of its own devices. It packs the
//	                     results into buffers: one for each element type and each set of P
//	                     processes. A buffer has N elements, S bytes. If the transport supports
//	                     this AllReduce, it combines the buffers over the processes. If not,
//	                     there are two ways:
//	                     - up to (P-1)·S = 128 KiB: each process sends its buffer to all
//	                       others, (P-1)·S bytes in one step
//	                     - above: process i combines the elements from ⌊i·N/P⌋ to
//	                       ⌊(i+1)·N/P⌋, C bytes. Each process sends the others their parts,
//	                       S-C bytes, and then its combined part to each other process,
//	                       (P-1)·C bytes. This is about 2·S·(P-1)/P
//	spmd.all_gather      (P-1)·L·B: the operands of its devices, to each other process
//	spmd.reduce_scatter  B·(G-L)/G: to each other process the parts that the devices of that
//	                     process keep, combined over the sender's devices
//	spmd.all_to_all      L·B·(G-L)/G: to each device of another process its part
//	spmd.permute, shift  B for each of its devices and each other process that needs it
//	spmd.axis_index      nothing
//
// A transport may have an all_gather and an all_to_all of its own (transport.Collectives). Run
// uses them where all groups of a process are in the same processes, with equally many devices
// in each. Otherwise it uses the exchanges above, which are also the reference in tests.
//
// Results are deterministic: elements are combined over the devices of a process in the order of
// the group, then over processes in the order of their ranks. So all devices have the same bits.
// Floats of less than 32 bits are rounded once in each of these two steps.
//
//	file        holds
//	op.go       Op: a collective in terms of positions; made from an op of the spmd dialect
//	run.go      Run: checks, who is where
//	move.go     collectives that only move data, as blocks with their targets
//	parcel.go   the data that goes to one process in one message, and its memory
//	reduce.go   all_reduce
//	scatter.go  reduce_scatter
//	together.go  all_gather and all_to_all by the transport's own collectives
package collective
