// Package transform holds the transformations of programs that more than one
// pipeline runs: package compile's, and those of Shardy in package shardypasses. Where
// the two want different things, an option says so.
//
// It has no pipeline: package ir/pass runs passes, and the pipelines choose them, their order and
// their options.
//
// Order of use: any of [EliminateDeadOps], [EliminateDeadFuncs],
// [WithoutUnitAxes], on a verified module; [ClampIndex] for builders of ops.
//
//	transformation       option            package compile                       shardypasses
//	EliminateDeadOps     HasEffect         HasSideEffect: what the op table and   calls, collectives, edges and
//	                                       custom calls say                       sharding constraints too
//	EliminateDeadOps     KeepConstraints   an unused sharding constraint stays    not needed: a constraint has an
//	                                       where its operand is needed            effect, and is never dead
//	EliminateDeadOps     Carries           loops carry what is needed only         not used: Shardy has no such pass
//	EliminateDeadFuncs   isRoot            main                                   every function that is not private
//	WithoutUnitAxes      its caller's:     shardings of main's parameters,        all shardings of the module, those
//	                     which shardings   results, constraints and ops           in lists of attributes too
//
// Inlining, and splitting of constants, are not here: the passes with these
// names in the two pipelines make different programs. The documentation of
// package shardypasses says how they differ.
//
//	file            contents
//	deadcode.go     EliminateDeadOps and EliminateDeadFuncs; what an effect is
//	deadcarries.go  what loops carry and nobody needs
//	unitaxes.go     WithoutUnitAxes
//	clampindex.go   ClampIndex: an index made to be in range
package transform
