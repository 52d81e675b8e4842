package shardypasses

// This file lists the passes of the pipelines, and runs passes.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/sharding"
)

// Pass is a pass together with the values of its options.
type Pass = pass.Pass[*ir.Module]

// Run verifies m, then runs the passes on it one after the other, and verifies the result of each.
// The error names the pass that failed, or after which the module is not valid; m stays as it is
// then. A pass that debug names, and that is not among the passes, is an error before any of them
// runs.
func Run(m *ir.Module, passes []Pass, debug pass.Debug) error {
	var names []string
	for _, p := range passes {
		names = append(names, p.Name)
	}
	if err := debug.Check(names); err != nil {
		return err
	}
	if err := verify(m); err != nil {
		return err
	}
	pipeline := pass.Pipeline[*ir.Module]{
		Passes: passes,
		Module: func(m *ir.Module) *ir.Module { return m },
		Verify: verify,
		Debug:  debug,
	}
	err := pipeline.Run(m)
	if e := new(pass.Error); errors.As(err, &e) && !e.Bug {
		return fmt.Errorf("pass %s: %w", e.Pass, err)
	}
	return err
}

// importPipeline returns the names of the passes that prepare a program for propagation, in order.
// With the option shared calls, constraintPasses come last; otherwise they are left out, because
// they come after calls are inlined.
func importPipeline(o options) []string {
	passes := []string{
		// Functions without callers need no shardings.
		"symbol-dce",
		// From here on equal meshes are the same, and every sharding refers to its mesh by name.
		"lift-inlined-meshes",
		// An axis of size 1 would keep other axes from matching.
		"remove-size-one-axes",
		// The results of calls get the result shardings of the function.
		"propagate-sharding-from-func-to-call",
		// The uses of one constant may get different shardings.
		"constant-or-scalar-splitter",
		// The splitter copies functions of constants, so some have no callers left.
		"symbol-dce",
		// Propagation avoids manual axes only if shardings contain them.
		"manual-axes-cleanup",
		"add-data-flow-edges",
	}
	if o.set(sharedCallsOption) {
		passes = append(passes, constraintPasses...)
	}
	return passes
}

// constraintPasses apply the constraints that users state. They run after the data-flow edges are
// added, and after calls are inlined, if they are: so a constraint has effect across calls.
var constraintPasses = []string{
	"apply-sharding-constraints",
	// This runs after the constraints, because a constraint may give a sharding to values of a
	// group.
	"sharding-group-import",
}

// propagationPipeline returns the names of the passes of the full pipeline: import, propagation,
// export. With the option shared calls, functions stay shared between their calls.
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
		// The order of functions decides which sharding comes first in a conflict.
		"pre-order-funcs",
		"user-priority-propagate",
		"export-named-computations",
		"propagate-to-func-results",
	}, callPasses, exportPipeline(o))
}

// callPasses make the shardings of functions and calls agree after propagation.
var callPasses = []string{
	"unflatten-call-graph",
	"symbol-dce",
	"insert-func-call-reshards",
}

// exportPipeline returns the names of the passes that make the shardings of a program final after
// propagation, in order.
func exportPipeline(options) []string {
	return []string{
		"constant-or-scalar-merger",
		"sink-data-flow-edges",
		"remove-sharding-groups",
		"sharding-constraint-to-reshard",
		// Parameters and results of a program must be sharded evenly, and by full axes.
		"update-non-divisible-input-output-shardings",
		"remove-sub-axes-in-input-output-shardings",
		"close-shardings",
		"insert-explicit-reshards",
		"canonicalize",
		"drop-sharding-rules",
	}
}

// verify verifies what MLIR verifies. Unlike ir.Verify it allows attributes that are not in the
// op's definition, and meshes that are written out in shardings.
func verify(m *ir.Module) error {
	violations, _ := ir.Verify(m).(ir.Violations)
	violations = slices.DeleteFunc(violations, func(v ir.Violation) bool { return v.Rule == ir.RuleForm || v.Rule == ir.RuleListed })
	if len(violations) > 0 {
		return violations
	}
	for _, nm := range m.Meshes {
		ids := slices.Sorted(slices.Values(nm.Mesh.Devices()))
		if n := len(ids); !nm.Mesh.IsMaximal() && n > 0 && (ids[0] != 0 || ids[n-1] != n-1) {
			return fmt.Errorf("sdy.mesh @%s has the devices %v: want each of 0 to %d once, in any order", nm.Name, nm.Mesh.Devices(), n-1)
		}
	}
	return sharding.CheckRules(m)
}
