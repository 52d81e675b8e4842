// Package pass runs lists of compiler passes on modules: package compile's
// pipelines and those of Shardy in package shardypasses. It verifies what passes
// leave, turns the panics of a pass into errors, and has the debug options to
// dump the module after passes, to switch passes off and to verify after each.
//
// It has no passes of its own, and it does not choose their order: a pipeline is
// a list that its package writes down.
//
// Order of use: a [Pipeline] of [Pass]es, then Run; [CheckOrder] in the test of
// the list; [ParseDebug] for a flag or an environment variable.
//
//	file     what it holds
//	pass.go  Pass, Pipeline, Run; Error; Before: which pass must come before which; Debug: dumps, passes switched off
package pass
