// Package shardypasses holds the passes of Shardy's propagation pipeline.
//
// The import passes prepare a program for propagation, one pass propagates, and the export passes
// make the shardings final. They do exactly what Shardy's passes of the same names do: TestOracle
// compares them with Shardy on random programs, and TestConformance of cmd/gospmd on Shardy's own
// tests.
//
// It is not part of compilation: package compile calls sharding.Propagate on a program that its own
// passes have prepared. The command gospmd opt runs the passes of this package.
//
// Order of use: Parse reads a list of passes and pipelines, and Run runs them. Names lists all
// passes and pipelines.
//
// Package ir/transform removes dead ops, dead functions and axes of size 1, here as in package
// compile. Three other passes resemble passes of package compile, but the programs that they make
// differ too much to share code:
//
//	shardypasses                  compile   difference
//	import-func-calls             inline    a call becomes a named computation with data-flow edges, which export-named-computations turns back; inline splices the body in and states shardings of parameters and results as constraints
//	constant-or-scalar-splitter   split     one copy for each operand, next to the original, of any size, also of calls that compute constants, and of sharding groups; split makes one for each op, before the op, of literals up to 64 KiB and of values without a sharding
//	constant-or-scalar-merger     cse       constants and broadcasts of scalars only, within one block; cse merges all ops without effects, also with those of blocks around
//
//	file                      contents
//	passes.go                 the passes by name, with their options; lists of passes as text
//	pipeline.go               the pipelines: which passes run, in which order, and why; running passes
//	import_meshes.go          every mesh listed once; axes of size 1 removed; manual axes sorted
//	import_calls.go           calls flattened and inlined as named computations; edges between functions
//	import_constants.go       constants split: one for each use
//	rules.go                  sharding rules written and dropped; sharding constraints applied
//	export_calls.go           named computations outlined as functions; equal copies of functions merged
//	export_constants.go       equal constants merged
//	export_shardings.go       shardings closed, made to divide evenly; constraints become reshards
//	export_reshards.go        explicit reshards for data flow between blocks and for calls
//	export_reshards_rule.go   explicit reshards that follow from sharding rules: at products and concatenates
//	canonicalize.go           constants hoisted; collectives that undo each other and dead ops removed
//	symbols.go                the call graph; copies and names of functions; unused functions
//	lists.go                  lists of shardings, and whether two shardings differ
package shardypasses
