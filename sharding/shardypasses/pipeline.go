package shardypasses

// This file puts the passes around propagation together: programs come in as
// users write them and go out with final layouts.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// Pass is one step of a pipeline.
type Pass struct {
	Name string // Shardy's, without sdy-
	Run  func(m *ir.Module) error
}

// PipelineOptions control the pipelines.
type PipelineOptions struct {
	// SharedCalls keeps calls as they are: a function has one layout for all
	// its calls. Without it each call is laid out for itself, and functions are
	// copied where their calls differ. It is Shardy's dedup-functions-fully.
	SharedCalls bool
	// Propagation are the options of propagation itself; Bare is implied.
	Propagation sharding.Options
}

// Propagate runs propagation as one of Shardy's passes does it: bare, on a
// program that other passes have prepared. Dead ops go. keepRules leaves the
// rule of every op in the program, to show it; without it, those that
// PopulateRules has written go.
func Propagate(m *ir.Module, o sharding.Options, keepRules bool) error {
	o.Bare = true
	if _, err := sharding.Propagate(m, o); err != nil {
		return err
	}
	DropDeadOps(m)
	if keepRules {
		return PopulateRules(m, o.Conservative)
	}
	DropRules(m)
	return nil
}

// run makes a pass of one that can not fail.
func run(pass func(*ir.Module)) func(*ir.Module) error {
	return func(m *ir.Module) error {
		pass(m)
		return nil
	}
}

// ImportPasses returns the passes that prepare a program for propagation:
// Shardy's import-pipeline.
func ImportPasses(o PipelineOptions) []Pass {
	passes := []Pass{
		// Nobody lays out what nobody calls.
		{"symbol-dce", run(DropDeadFuncs)},
		// From here on equal meshes are one, and every sharding names its mesh.
		{"lift-inlined-meshes", run(LiftMeshes)},
		// An axis of one device would stand in the way of others.
		{"remove-size-one-axes", run(DropSizeOneAxes)},
		// A function's stated results say what its calls return.
		{"propagate-sharding-from-func-to-call", run(FuncToCallShardings)},
		// Uses of one constant are not to be laid out alike.
		{"constant-or-scalar-splitter", run(SplitConstants)},
		// The splitter copies functions of constants.
		{"symbol-dce", run(DropDeadFuncs)},
		// Propagation keeps off manual axes only where shardings name them.
		{"manual-axes-cleanup", CleanManualAxes},
		{"add-data-flow-edges", run(sdy.AddDataFlowEdges)},
	}
	if o.SharedCalls {
		passes = append(passes, constraintPasses...)
	}
	return passes
}

// constraintPasses apply what users demand. They come after edges and, where
// calls are inlined, after that: a constraint acts across calls.
var constraintPasses = []Pass{
	{"apply-sharding-constraints", run(ApplyConstraints)},
	// After the constraints: values of a group may have a layout by one.
	{"sharding-group-import", sdy.ImportGroups},
}

// PropagationPasses returns the whole of it: Shardy's propagation-pipeline.
func PropagationPasses(o PipelineOptions) []Pass {
	passes := ImportPasses(o)
	if o.SharedCalls {
		passes = append(passes, Pass{"add-func-data-flow-edges", run(AddFuncDataFlowEdges)})
	} else {
		passes = append(passes,
			Pass{"flatten-call-graph", run(FlattenCalls)},
			Pass{"symbol-dce", run(DropDeadFuncs)},
			Pass{"import-func-calls", run(InlineCalls)},
			Pass{"symbol-dce", run(DropDeadFuncs)})
		passes = append(passes, constraintPasses...)
	}
	passes = append(passes,
		// The order of functions decides who comes first in a conflict.
		Pass{"pre-order-funcs", run(CallersFirst)},
		Pass{"user-priority-propagate", func(m *ir.Module) error {
			return Propagate(m, o.Propagation, false)
		}})
	if o.SharedCalls {
		passes = append(passes,
			Pass{"propagate-to-func-results", run(ReturnedToResults)},
			Pass{"sink-func-data-flow-edges", run(SinkFuncDataFlowEdges)})
	} else {
		passes = append(passes,
			Pass{"export-named-computations", run(OutlineCalls)},
			Pass{"propagate-to-func-results", run(ReturnedToResults)})
	}
	passes = append(passes,
		Pass{"unflatten-call-graph", run(UnflattenCalls)},
		Pass{"symbol-dce", run(DropDeadFuncs)},
		Pass{"insert-func-call-reshards", run(ReshardCallResults)})
	return append(passes, ExportPasses()...)
}

// ExportPasses returns the passes that make the layouts of a program final
// after propagation: Shardy's export-pipeline.
func ExportPasses() []Pass {
	return []Pass{
		{"constant-or-scalar-merger", run(MergeConstants)},
		{"sink-data-flow-edges", run(sdy.SinkDataFlowEdges)},
		{"remove-sharding-groups", run(DropGroups)},
		{"sharding-constraint-to-reshard", run(ConstraintsToReshards)},
		// What enters and leaves a program must have a plain layout.
		{"update-non-divisible-input-output-shardings", run(DivideEvenly)},
		{"remove-sub-axes-in-input-output-shardings", run(DropSubAxes)},
		{"close-shardings", run(CloseShardings)},
		{"insert-explicit-reshards", sharding.InsertReshards},
		{"canonicalize", run(func(m *ir.Module) {
			HoistConstants(m)
			CancelCollectives(m)
		})},
		{"drop-sharding-rules", run(DropRules)},
	}
}

// RunPasses runs the passes on m, one after the other.
func RunPasses(m *ir.Module, passes []Pass) error {
	for _, p := range passes {
		if err := p.Run(m); err != nil {
			return fmt.Errorf("pass %s: %w", p.Name, err)
		}
	}
	return nil
}
