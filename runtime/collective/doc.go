// Package collective implements the collectives of per-device programs whose
// devices are in several processes, on host memory. It is one implementation for
// all engines.
//
// It does not move bytes between processes: package transport does. It knows
// nothing of how programs are run; package program says which process each
// position of the mesh is in.
//
// Order of use: Of makes an Op of an op of the spmd dialect, Crosses says whether
// it concerns more than one process, Run executes it.
//
// The algorithms are hierarchical: what the devices of a process have in common crosses to
// another process once. A group has G devices in P processes. The sending process has L of them,
// and operands have B bytes on each device. Then a process sends in total:
//
//	spmd.all_reduce      combines its devices' operands first, those of all groups with
//	                     the same processes and of all operands of a type packed into
//	                     one buffer of N elements. If the transport has an AllReduce, it
//	                     decides. If not, and (P-1)·B is at most 128 KiB: (P-1)·B, in one
//	                     step. Otherwise the i-th of the processes combines the elements
//	                     from ⌊i·N/P⌋ to ⌊(i+1)·N/P⌋, which are C bytes, and sends them
//	                     to the others: B-C, then (P-1)·C; about 2·B·(P-1)/P
//	spmd.all_gather      (P-1)·L·B: its devices' operands to each other process
//	spmd.reduce_scatter  B·(G-L)/G: to each other process, combined, the parts that
//	                     its devices keep
//	spmd.all_to_all      L·B·(G-L)/G: to each device of another process its part
//	spmd.permute, shift  B for each of its devices and each other process that needs it
//	spmd.axis_index      nothing
//
// A transport may have an all_gather and an all_to_all of its own (transport.Collectives). They
// are used where each process has equally many devices in each group. The exchanges above are
// the fallback, and the reference in tests; BenchmarkCollectives compares the two.
//
// Results are deterministic: elements are combined over the devices of a process
// in the order of the group, then over processes in the order of their ranks. So
// all devices have the same bits. Floats of less than 32 bits are rounded once in
// each of these two steps.
//
//	file        holds
//	op.go       Op: a collective in terms of positions; made from an op of the spmd dialect
//	run.go      Run: checks, who is where
//	move.go     those that only move data, as blocks with their targets
//	parcel.go   what goes to one process in one message, and the memory for it
//	reduce.go   all_reduce
//	scatter.go  reduce_scatter
//	together.go  all_gather and all_to_all by the transport
package collective
