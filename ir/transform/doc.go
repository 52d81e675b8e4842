// Package transform holds the transformations of programs that more than one pipeline runs: package
// compile's, and Shardy's in sharding/shardypasses. Where the two want different things, an option
// says so.
//
// It runs no passes: package ir/pass does, and each pipeline chooses its passes, their order and
// their options.
//
// Order of use: any of [EliminateDeadOps], [EliminateDeadFuncs], [WithoutUnitAxes], on a verified
// module; [ClampIndex] for builders of ops.
//
//	transformation       option            package compile                       sharding/shardypasses
//	EliminateDeadOps     HasEffect         HasSideEffect: what the op table and   calls, collectives, edges and
//	                                       custom calls say                       sharding constraints too
//	EliminateDeadOps     KeepConstraints   an unused sharding constraint stays    not needed: a constraint has an
//	                                       where its operand has uses             effect, and is never dead
//	EliminateDeadOps     Carries           loops carry live values only            not used: Shardy has no such pass
//	EliminateDeadFuncs   isRoot            main                                   every function that is not private
//	WithoutUnitAxes      its caller's:     shardings of main's parameters,        all shardings of the module, those
//	                     which shardings   results, constraints and ops           in lists of attributes too
//
// Inlining and the splitting of constants are not in this package: the two pipelines have passes
// with these names that make different programs. The documentation of package shardypasses says how
// they differ.
//
//	file            contents
//	deadcode.go     EliminateDeadOps and EliminateDeadFuncs; which ops have side effects
//	deadcarries.go  dead values that loops carry
//	unitaxes.go     WithoutUnitAxes
//	clampindex.go   ClampIndex: clamps an index to a range
package transform
