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
// The last long runs, of all kinds, up to 8 devices and 4 ops, without a mismatch: on
// the Go engine the 57 000 programs of the seeds 8 000 000 to 8 019 999, 9 000 000 to
// 9 018 499 and 9 040 000 to 9 058 499; on XLA the 1 050 of the seeds 8 500 000
// to 8 501 049. Those were on finite numbers; with infinities, NaN and the signs of zeros,
// the 30 000 of the seeds 40 000 to 69 999 on the Go engine. To repeat these:
//
//	go test ./internal/difftest -run TestRandomPrograms -engine go -first 40000 -programs 30000 -timeout 60m
//
// With -engine pjrt the same programs run on XLA; with -seeds the last seed printed is
// that of a program that ended the process. With -from jax it is the programs of package
// jaxsuite that are placed, and compared with what JAX computes on one device, or others
// of -suite FILE: random compositions of any seeds, vmapped and differentiated, which
// benchmarks/peers/jax_suite.py writes in a tenth of a second each.
//
// With -processes 3 they run on several processes, clients of one job. A sample does,
// on both engines; on the Go engine the 600 programs from seed 2 000 have on two
// processes, those from 3 000 on three, and those from 5 000 on five; on XLA 40, 49 and
// 28 programs from 2 000 on two, 3 000 on three and 4 000 on four.
//
// A sample runs on XLA: partitioned by us, and by XLA itself from annotations
// (compile.XLA). A test of its own lists what the latter gets wrong.
//
// Programs that were wrong once, or nearly, are in testdata, each with what was
// wrong. A test has those that users of the peers reported, by their numbers.
//
//	file            what it holds
//	program.go      Program, New, Single; arguments; whether two results are the same
//	generate.go     the generator: values and shapes
//	layouts.go      Place; meshes, layouts of arguments, results and values between
//	rules.go        sharding rules that ops state
//	ops.go          the table of makers, one entry for every op kind
//	ops_element.go  makers: element-wise ops, ops that move data
//	ops_index.go    makers: gather, dynamic slices; control flow, layouts
//	ops_reduce.go   makers: reductions, windows, scatters
//	ops_numeric.go  makers: contractions, sorting, random bits, linear algebra
//	ops_call.go     makers: custom calls
package difftest
