package shardypasses

// This file lists the passes of the pipelines.

import "slices"

// importPipeline prepares a program for propagation.
func importPipeline(o options) []string {
	passes := []string{
		// No use to shard what nobody calls.
		"symbol-dce",
		// From here on equal meshes are one, and every sharding names its mesh.
		"lift-inlined-meshes",
		// An axis of one device would keep other axes from matching.
		"remove-size-one-axes",
		// The result shardings of a function are those of its calls.
		"propagate-sharding-from-func-to-call",
		// The uses of one constant may be sharded differently.
		"constant-or-scalar-splitter",
		// The splitter copies functions of constants.
		"symbol-dce",
		// Propagation avoids manual axes only where shardings name them.
		"manual-axes-cleanup",
		"add-data-flow-edges",
	}
	if o.set(sharedCallsOption) {
		passes = append(passes, constraintPasses...)
	}
	return passes
}

// constraintPasses apply what users demand. They run after the edges are there
// and, where calls are inlined, after that: a constraint acts across calls.
var constraintPasses = []string{
	"apply-sharding-constraints",
	// After the constraints: values of a group may have a sharding by one.
	"sharding-group-import",
}

// propagationPipeline is the whole of it: import, propagation, export.
func propagationPipeline(o options) []string {
	if o.set(sharedCallsOption) {
		return slices.Concat(importPipeline(o), []string{
			"add-func-data-flow-edges",
			"pre-order-funcs",
			"user-priority-propagate",
			"propagate-to-func-results",
			"sink-func-data-flow-edges",
		}, callPasses, exportPipeline(o))
	}
	return slices.Concat(importPipeline(o), []string{
		"flatten-call-graph",
		"symbol-dce",
		"import-func-calls",
		"symbol-dce",
	}, constraintPasses, []string{
		// The order of functions decides which comes first in a conflict.
		"pre-order-funcs",
		"user-priority-propagate",
		"export-named-computations",
		"propagate-to-func-results",
	}, callPasses, exportPipeline(o))
}

// callPasses make functions and calls agree after propagation.
var callPasses = []string{
	"unflatten-call-graph",
	"symbol-dce",
	"insert-func-call-reshards",
}

// exportPipeline makes the shardings of a program final after propagation.
func exportPipeline(options) []string {
	return []string{
		"constant-or-scalar-merger",
		"sink-data-flow-edges",
		"remove-sharding-groups",
		"sharding-constraint-to-reshard",
		// What enters and leaves a program must be sharded evenly, by full axes.
		"update-non-divisible-input-output-shardings",
		"remove-sub-axes-in-input-output-shardings",
		"close-shardings",
		"insert-explicit-reshards",
		"canonicalize",
		"drop-sharding-rules",
	}
}
