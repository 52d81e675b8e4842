// Package difftest makes random programs and says whether two runs of one
// agree: the differential test of the partitioner. It compiles nothing and
// runs nothing; its tests do, on several devices and on one.
//
// It is not a test of single ops (package ir's and the engines' are), nor of
// speed.
//
// Order of use: New for a random program, Single for the same program without
// layouts, Inputs for its arguments, run both, Compare.
//
// Numbers are chosen so that most results are exact: floats hold small
// integers, so sums and products do not depend on their order. Once a value is
// no integer any more, ops that jump (compare, sort, floor, …) are not used on
// it.
//
// The long run: the 100 000 programs of the seeds 1 000 000 to 1 099 999, all
// kinds, up to 8 devices and 4 ops, on the Go engine, without a mismatch. To
// repeat it (about 7 minutes on two cores):
//
//	go test ./internal/difftest -run TestRandomPrograms -engine go -first 1000000 -programs 100000 -timeout 30m
//
// Since then random bits, reverse, select_and_scatter, uneven reshapes, slices
// of one index and batch groups are partitioned too, and shardings are refined by
// their cost: the 20 000 programs of the seeds 4 000 000 to 4 019 999 were run
// after that, the same way, without a mismatch. The seeds of the first run make
// other programs now, because the makers of two kinds of ops have changed. After
// the planner learned to mask devices, and gathers were combined, the 70 000
// programs of the seeds 6 000 000 to 6 069 999 ran, without a mismatch either.
//
// A sample runs on XLA: partitioned by us, and by XLA itself from annotations
// (compile.XLA). A test of its own lists what the latter gets wrong.
//
// Programs that were wrong once, or nearly, are in testdata, each with what was
// wrong. A test has those that users of the peers reported, by their numbers.
//
//	file            what it holds
//	program.go      Program, New, Single; arguments; whether two results are the same
//	generate.go     the generator: values, shapes, layouts
//	ops.go          the table of makers, one entry for every op kind
//	ops_element.go  makers: element-wise ops, ops that move data
//	ops_index.go    makers: gather, dynamic slices; control flow, layouts
//	ops_reduce.go   makers: reductions, windows, scatters
//	ops_numeric.go  makers: contractions, sorting, random bits, linear algebra
//	ops_call.go     makers: custom calls with sharding rules
package difftest
