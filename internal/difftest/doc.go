// Package difftest makes random programs, and compares the results of two runs of a program: this
// is the differential test of the partitioner. Its tests compile the programs and run them, on
// several devices and on one.
//
// It is not a test of single ops (package ir's and the engines' are), nor of speed.
//
// Order of use: New for a random program, or Place for a given program on a random mesh with random
// layouts; Single for the same program without layouts, Inputs for its arguments, run both,
// Compare.
//
// Numbers are chosen so that most results are exact: floats hold small integers, zeros of both
// signs, infinities and NaN, so sums and products do not depend on their order. If a value is no
// integer any more, discontinuous ops (compare, sort, floor, …) are not used on it.
//
// Programs have every op kind with a maker, on booleans, integers, floats and complex numbers of
// all widths; dimensions of every size from 0 on, also as large as an axis; whole axes and parts of
// them in shardings; reductions, windows and scatters by single ops, pairs of them, argmax, and
// bodies whose order matters, from neutral and other initial values; custom calls that state a true
// sharding rule, and other ops that state arbitrary rules: rules only influence layouts, not
// numbers.
//
// The last long runs were of all kinds, up to 8 devices and 4 ops, infinities and NaN among the
// numbers. On the Go engine 200 000 programs of the seeds 10 000 000 to 10 099 999 and 13 000 000
// to 13 099 999, the first without rules of ops, had one mismatch: 10 099 190, a power of a complex
// zero that ended in a panic. It is fixed. On XLA there were 4 232, from the seeds 11 000 000 and,
// at a low optimization level, 12 000 000, and 6 774 from 21 000 000, in chunks. These faults were
// fixed: in 12 002 156, 12 004 040 and 21 001 391 integers were divided by a constant zero, and XLA
// ended the process; 21 004 245 and 21 007 049 were refused because of the order of all_to_all's
// operands in memory. The other seeds that differed had undefined results, which the generator now
// avoids: the bits of a NaN, the choice among equal elements by a window of several dimensions, the
// elements of a linear system that NaN spreads to, a difference of 0 except for rounding times
// infinity, small sums of many large numbers of 16 bits, argmax of NaN, convolutions of infinities
// with padding, products of complex infinities, and on XLA bodies that are not associative. After
// that, 100 000 programs from 22 000 000 on the Go engine had no mismatch. Of 10 000 from 23 000
// 000 on XLA four had one. All four were faults of XLA, which are avoided now: scatters by one
// index (23 004 031, 23 006 818, 23 008 561; TestScatterIntoSlice) and the leading zeros of
// negative constants (23 009 979). Since loops carry values unchanged and multiply by matrices from
// outside, 10 000 programs from 43 000 000 and 30 000 from 45 000 000 with loops in most of them
// (-kinds stablehlo.while,stablehlo.if,
// stablehlo.transpose,stablehlo.convert,stablehlo.add,stablehlo.dot_general) on the Go engine had
// no mismatch.
//
// JAX's programs were run in 7 680 placements of the suite (from seed 0) and 1 800 of 600 other
// compositions (1000 to 1599) on the Go engine, and in 220 of the suite on XLA (from seed 5000).
// The faults were ops that kept the rule of other operands when they were simplified. They are
// fixed. To repeat the last run on the Go engine:
//
//	go test ./internal/difftest -run TestRandomPrograms -engine go -first 22000000 -programs 100000 -timeout 60m
//
// With -engine pjrt the same programs run on XLA; -seeds prints each seed, so that the last one
// belongs to a program that ended the process. With -from jax the programs of package jaxsuite are
// placed, or those of -suite FILE, and compared with JAX's results on one device.
// benchmarks/peers/jax_suite.py writes such files: random compositions of any seeds, vmapped and
// differentiated.
//
// With -processes 3 they run on several processes, clients of one job. A sample does so on both
// engines. The last long runs on the Go engine had 600 programs each: from seed 2 000 on two
// processes, from 3 000 on three, and from 5 000 on five. On XLA they had 40 programs from 2 000 on
// two, 49 from 3 000 on three and 28 from 4 000 on four.
//
// A sample runs on XLA: partitioned by us, and by XLA itself from annotations (compile.XLA). The
// test of compile.XLA lists what XLA's partitioner computes wrongly.
//
// Programs that once had wrong results, or nearly, are in testdata, each with its fault.
// threads_test.go has the programs that users of JAX and XLA have reported, by issue numbers.
//
//	file            what it holds
//	program.go      Program, New, Single; arguments; comparison of results
//	generate.go     the generator: values and shapes
//	layouts.go      Place; meshes, layouts of arguments, results and other values
//	rules.go        sharding rules that ops state
//	ops.go          the table of makers, one entry for every op kind
//	ops_element.go  makers: element-wise ops, ops that move data
//	ops_index.go    makers: gather, dynamic slices; branches, barriers
//	ops_loop.go     makers: loops
//	ops_reduce.go   makers: reductions, windows, scatters
//	ops_numeric.go  makers: contractions, sorting, random bits, linear algebra
//	ops_call.go     makers: custom calls
package difftest
