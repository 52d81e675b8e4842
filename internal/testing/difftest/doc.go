// Package difftest makes random programs and says whether two runs of one
// agree: the differential test of the partitioner. It compiles nothing and
// runs nothing; its tests do, on several devices and on one.
//
// It is not a test of single ops (package ir's and the engines' are), nor of
// speed.
//
// Order of use: New for a random program, or Place for one of others on a random mesh
// with random layouts; Single for the same program without layouts, Inputs for its
// arguments, run both, Compare.
//
// Numbers are chosen so that most results are exact: floats hold small
// integers, zeros of both signs, infinities and NaN, so sums and products do not depend
// on their order. Once a value is
// no integer any more, ops that jump (compare, sort, floor, …) are not used on
// it.
//
// Programs have every op kind with a maker, on booleans, integers, floats and complex
// numbers of all widths; dimensions of every size from 0 on, also as large as an
// axis; whole axes and parts of them in shardings; reductions, windows and scatters
// by single ops, pairs of them, argmax, and bodies whose order matters, from neutral
// and other initial values; custom calls that state a sharding rule, and other ops that
// state any: rules steer layouts and change no number.
//
// The last long runs were of all kinds, up to 8 devices and 4 ops, infinities and NaN among the
// numbers. On the Go engine 200 000 programs of the seeds 10 000 000 to 10 099 999 and 13 000 000
// to 13 099 999, the first without rules of ops, had one mismatch: 10 099 190, a power of a
// complex zero that ended in a panic, is mended. On XLA there were 4 232, from the seeds 11 000
// 000 and, at a low optimization level, 12 000 000, and 6 774 from 21 000 000, in chunks. Those
// mended: 12 002 156, 12 004 040 and 21 001 391, integers divided by a zero that XLA finds, ended
// the process, and 21 004 245 and 21 007 049 were refused for the order of all_to_all's operands
// in memory. The other seeds that differed asked for undefined results, which the generator
// avoids: the bits of a NaN, the choice among equal elements by a window of several dimensions,
// the elements of a linear system that NaN spreads to, a difference of 0 except for rounding
// times infinity, small sums of many large numbers of 16 bits, argmax of NaN, convolutions of
// infinities with padding, products of complex infinities, and on XLA bodies that are not
// associative. With what stands here since, 100 000 programs from 22 000 000 on the Go engine had
// no mismatch, and of 10 000 from 23 000 000 on XLA four, all of XLA, avoided now: scatters by
// one index (23 004 031, 23 006 818, 23 008 561; TestScatterIntoSlice) and the leading zeros of
// negative constants (23 009 979). Since loops carry values unchanged and multiply by matrices
// from outside, 10 000 programs from 43 000 000 and 30 000 from 45 000 000 with loops in most of
// them (-kinds stablehlo.while,stablehlo.if,
// stablehlo.transpose,stablehlo.convert,stablehlo.add,stablehlo.dot_general) on the Go engine had
// no mismatch.
//
// Of JAX there were 7 680 placements of the suite (from seed 0) and 1 800 of 600 other
// compositions (1000 to 1599) on the Go engine, and 220 of the suite on XLA (from seed 5000):
// the ops that kept a rule of other operands when they were simplified are mended. To repeat the
// last run on the Go engine:
//
//	go test ./internal/testing/difftest -run TestRandomPrograms -engine go -first 22000000 -programs 100000 -timeout 60m
//
// With -engine pjrt the same programs run on XLA; with -seeds the last seed printed is that of a
// program that ended the process. With -from jax the programs of package jaxsuite are placed, or
// those of -suite FILE, and compared with JAX's results on one device.
// benchmarks/peers/jax_suite.py writes such files: random compositions of any seeds, vmapped and
// differentiated.
//
// With -processes 3 they run on several processes, clients of one job. A sample does,
// on both engines; on the Go engine the 600 programs from seed 2 000 have on two
// processes, those from 3 000 on three, and those from 5 000 on five; on XLA 40, 49 and
// 28 programs from 2 000 on two, 3 000 on three and 4 000 on four.
//
// A sample runs on XLA: partitioned by us, and by XLA itself from annotations
// (compile.XLA). A test of its own lists what the latter gets wrong.
//
// Programs that were wrong once, or nearly, are in testdata, each with its fault. A test has
// those that users of the peers reported, by their numbers.
//
//	file            what it holds
//	program.go      Program, New, Single; arguments; whether two results are the same
//	generate.go     the generator: values and shapes
//	layouts.go      Place; meshes, layouts of arguments, results and values between
//	rules.go        sharding rules that ops state
//	ops.go          the table of makers, one entry for every op kind
//	ops_element.go  makers: element-wise ops, ops that move data
//	ops_index.go    makers: gather, dynamic slices; branches, barriers
//	ops_loop.go     makers: loops
//	ops_reduce.go   makers: reductions, windows, scatters
//	ops_numeric.go  makers: contractions, sorting, random bits, linear algebra
//	ops_call.go     makers: custom calls
package difftest
