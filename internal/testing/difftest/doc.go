// Package difftest has tests only, the differential tests of the partitioner: a random program on
// several devices computes what it computes on one. Package randprog makes the programs.
//
// Each test compiles a program twice, without its layouts for one device and with them for a mesh,
// runs both on an engine and compares. Half of the programs are compiled for the devices of a CPU,
// where some passes do more. A sample runs on XLA, partitioned by gospmd, and by XLA itself from
// annotations (compile.XLA), and a sample on several processes. Programs of JAX (package jaxsuite)
// are placed on random meshes with random layouts, and compared with JAX's results on one device.
//
//	flag of TestRandomPrograms   what it changes
//	-first N, -programs N        the seeds: N programs from the first on
//	-engine pjrt                 the programs run on XLA
//	-xla                         XLA partitions them
//	-kinds NAME,NAME             the kinds of ops, a name that stands there twice more often
//	-microbatches                the batch is computed in 2 to 4 parts, where that is possible
//	-limits                      they run in less memory than they need, where they fit
//	-processes N                 they run on N processes, clients of one job
//	-from jax, -suite FILE       programs of JAX, those of the suite or of a file that
//	                             benchmarks/peers/jax_suite.py has written
//	-keepon                      the test goes on after a mismatch
//	-seeds                       each seed is printed first: the last one has ended the process
//
// # Long runs
//
// Millions are M, thousands k. The seeds are those of the generator of the time: a new op in the op
// table changes all programs, except those of -kinds.
//
//	engine   seeds                          programs   mismatches   what they were
//	Go       10M to 10.1M, without rules      100k      1            10 099 190, a panic at a power of a complex zero
//	Go       13M to 13.1M                     100k      0
//	XLA      11M, 12M (low optimization)      4 232     2 of ours    12 002 156 and 12 004 040, integers divided by a
//	                                                                 zero that XLA finds ended the process
//	XLA      from 21M, in chunks              6 774     3 of ours    21 001 391, the same; 21 004 245 and 21 007 049,
//	                                                                 refused for the order of all_to_all's operands
//	Go       from 22M                         100k      0
//	XLA      from 23M                          10k      4 of XLA     23 004 031, 23 006 818 and 23 008 561, scatters by
//	                                                                 one index; 23 009 979, leading zeros of negative
//	                                                                 constants
//	Go       from 43M and 45M, loops in most   40k      0
//	Go       JAX's suite from 0               7 680     not counted  ops that kept a rule of other operands when they
//	Go       JAX's compositions 1000 to 1599  1 800     not counted  were simplified
//	XLA      JAX's suite from 5000              220     not counted
//	Go       from 95M and 96M, in micro-batches  15k     0            5 369 of them were divided
//	Go       2k, 3k, 5k on 2, 3, 5 processes    600     0            600 on each number of processes
//	XLA      2k, 3k, 4k on 2, 3, 4 processes    117     0            40, 49 and 28 programs
//	Go       from 31 000 001                    20k     0
//	XLA      from 31 100 001                     2k     0
//
// All faults of gospmd are mended. The kinds with loops were -kinds stablehlo.while,stablehlo.if,
// stablehlo.transpose,stablehlo.convert,stablehlo.add,stablehlo.dot_general. A run is repeated by
//
//	go test ./internal/testing/difftest -run TestRandomPrograms -first 22000000 -programs 100000 -timeout 60m
//
// # What programs avoid
//
// Where StableHLO leaves the result open, or XLA is known to be wrong, the generator avoids it:
//
//	result                                                      because
//	the bits of a NaN                                           they are not promised
//	one of equal elements in a window of several dimensions     any of them is right
//	elements of a linear system that NaN spreads to             the order of the solver's steps
//	a difference of 0 except for rounding, times infinity       rounding
//	small sums of many large numbers of 16 bits                 rounding
//	argmax of NaN                                               the order of combining decides
//	convolutions of infinities with padding                     an engine may multiply the padding
//	products of complex infinities                              XLA multiplies a single column otherwise
//	bodies that are not associative, on XLA                     any order is right
//	scatters by one index, leading zeros of constants           XLA is wrong (TestScatterIntoSlice)
//
// Programs that were wrong once, or nearly, are in testdata, each with its fault. TestThreads has
// those that users of the peers reported, by their numbers.
package difftest
