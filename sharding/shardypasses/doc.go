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
//	file                  contents
//	passes.go             the passes by name, with their options; lists of passes as text
//	pipeline.go           the pipelines: which passes run, in which order, and why
//	run.go                running passes, with verification
//	import_meshes.go      every mesh listed once; axes of one device removed
//	import_manual.go      axes of manual computations sorted and stated everywhere
//	import_calls.go       calls flattened and inlined as named computations; edges between functions
//	import_constants.go   constants split: one for each use
//	constraints.go        sharding constraints applied
//	export_calls.go       named computations outlined as functions; equal copies of functions merged
//	export_constants.go   equal constants merged
//	export_shardings.go   shardings closed, made to divide evenly; constraints become reshards
//	export_cancel.go      collectives that undo each other removed
//	export_hoist.go       constants moved to the start of their function
//	populate.go           sharding rules written into the program
//	symbols.go            who calls whom; copies and names of functions; unused functions
//	dead.go               dead ops removed
package shardypasses
