// Package randprog makes random programs with random layouts, for tests that compare programs.
// Equal seeds and options give equal programs.
//
// It compiles nothing and runs nothing. It is not for tests of single ops (package ir's and the
// engines' are), nor of speed.
//
// There are two sorts of programs, which one generator makes with one table of makers:
//
//	                 programs that run                         programs that are propagated only
//	Options          Propagation is nil                        Propagation is set
//	for              the partitioner and the engines           package sharding and Shardy's passes
//	compared         numbers on many devices and on one        layouts and text
//	ops              every kind that computes numbers          also manual and named computations, calls,
//	                                                           sharding groups, propagation barriers,
//	                                                           reshards, blocks of random ops
//	numbers          most are exact                            not computed
//	element types    all alike                                 mostly f32, so that ops follow each other
//	meshes           one, of at most Options.Devices           larger ones, several of them
//	layouts          closed on most dimensions                 open ones, priorities, replicated and
//	                                                           unreduced axes, on results of any op
//	size             at most Options.Ops ops                   at least Options.Ops ops
//
// Numbers of programs that run are chosen so that most results are exact: floats hold small
// integers, zeros of both signs, infinities and NaN, so sums and products do not depend on their
// order. Ops that jump (compare, sort, floor, …) are not used on a value that is no integer any
// more.
//
// Programs have dimensions of every size from 0 on, also as large as an axis; whole axes and parts
// of them in shardings; reductions, windows and scatters by single ops, pairs of them, argmax, and
// bodies whose order matters, from neutral and other initial values; custom calls that state a
// sharding rule, and other ops that state any: rules steer layouts and change no number.
//
// A seed means the same program as long as the op table and the generator stay: a new op in the op
// table changes the programs of all seeds, except those of Options.Kinds.
//
// Order of use: New for a random program, or Place for another program on a random mesh with random
// layouts; Single for the same program without layouts; Inputs for its arguments; run both;
// Compare.
//
//	file            what it holds
//	options.go      Options and the kinds of ops that programs of either sort have
//	program.go      Program, New, Single; arguments; whether two results are the same
//	generate.go     the generator: values and shapes
//	nested.go       blocks of random ops, and the functions that calls call
//	layouts.go      Place; meshes, layouts of arguments, results and values between
//	loose.go        the same for programs that are propagated: open layouts, several meshes
//	rules.go        sharding rules that ops state
//	ops.go          the table of makers, one entry for every op kind
//	ops_element.go  makers: element-wise ops, ops that move data
//	ops_index.go    makers: gather, dynamic slices; branches, barriers
//	ops_loop.go     makers: loops
//	ops_stacks.go   makers: pairs of loops, the second of which reads what the first saves
//	ops_reduce.go   makers: reductions, windows, scatters
//	ops_numeric.go  makers: contractions, sorting, random bits, linear algebra
//	ops_call.go     makers: custom calls
//	ops_nested.go   makers: loops, branches and computations of random ops, calls
//	ops_steer.go    makers: constraints, reshards, groups, barriers, constants with several users
package randprog
