// Package pass runs lists of compiler passes on modules: the pipelines of package compile, and
// those of Shardy in package shardypasses. It verifies the module after the passes, and turns
// panics of a pass into errors. Its debug options dump the module after passes, switch passes off,
// and verify the module after each pass.
//
// It has no passes of its own. Other packages list the passes of their pipelines, in order.
//
// Order of use: make a [Pipeline] of [Pass]es, then call Run. Call [CheckOrder] in a test of the
// list, and [ParseDebug] for a flag or an environment variable.
//
//	file     what it holds
//	pass.go  Pass, Pipeline, Run; Error; Before: which pass must come before which; Debug: dumps, passes switched off
package pass
