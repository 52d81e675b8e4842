// Package shardypasses holds the passes of Shardy's propagation pipeline: those
// that prepare a program for propagation (import), propagation itself as a pass,
// and those that make its shardings final (export). They do what Shardy's passes
// of the same names do, to the letter: TestOracle compares them with Shardy on
// random programs, cmd/gospmd's TestConformance on Shardy's own tests.
//
// It is not part of compilation: package compile calls sharding.Propagate on a
// program that its own passes have prepared. The command gospmd opt runs the
// passes of this package.
//
// Order of use: Parse reads a list of passes and pipelines, Run runs them. Names
// lists what Parse knows.
//
// Dead ops and functions, and axes of size 1, are removed by package
// ir/transform, as in package compile. Other passes do nearly what passes of
// package compile do, but the programs that they make differ too much for one
// piece of code:
//
//	here                          compile   difference
//	import-func-calls             inline    a call becomes a named computation with data-flow edges, which export-named-computations turns back; inline splices the body in and states shardings of parameters and results as constraints
//	constant-or-scalar-splitter   split     one copy for each operand, next to the original, of any size, also of calls that compute constants, and of sharding groups; split makes one for each op, before the op, of literals up to 64 KiB and of values without a sharding
//	constant-or-scalar-merger     cse       constants and broadcasts of scalars only, within one block; cse merges all ops without effects, also with those of blocks around
//
//	file                      contents
//	passes.go                 the passes by name, with their options; lists of passes as text
//	pipeline.go               the pipelines: which passes run, in which order, and why; running passes
//	import_meshes.go          every mesh listed once; axes of one device removed; manual axes sorted
//	import_calls.go           calls flattened and inlined as named computations; edges between functions
//	import_constants.go       constants split: one for each use
//	rules.go                  sharding rules written and dropped; sharding constraints applied
//	export_calls.go           named computations outlined as functions; equal copies of functions merged
//	export_constants.go       equal constants merged
//	export_shardings.go       shardings closed, made to divide evenly; constraints become reshards
//	export_reshards.go        the reshards that a program must state, at the edges of blocks and calls
//	export_reshards_rule.go   and those that follow from sharding rules: at products and concatenates
//	canonicalize.go           constants hoisted; collectives that undo each other and dead ops removed
//	symbols.go                who calls whom; copies and names of functions; unused functions
//	lists.go                  lists of shardings, and whether two shardings differ
package shardypasses
