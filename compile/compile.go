package compile

// This file runs the pipeline.

import (
	"context"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// Compile turns a module with annotated layouts into a Program. It does not change the module. If
// ctx ends, Compile stops before the next pass, or in the search of pass autoshard, and returns an
// error that wraps the cause.
//
// The entry of the module is the function main. It has global shapes, as recorded by package trace
// or exported by JAX. Annotations are the shardings of parameters, of results and of
// sharding_constraint ops. All other shardings follow from these. A parameter with the attribute
// tf.aliasing_output = i donates its buffers to result i.
//
// With Options.Cache, Compile returns the Program that an earlier call kept for the same module and
// options. A program that costs more than Options.Budget comes with an error, which wraps a
// *report.OverBudgetError.
//
// Errors name the input, output or layer that is wrong. An error that says BUG is a fault of this
// package; its text has the module.
func Compile(ctx context.Context, m *ir.Module, o Options) (*program.Program, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	if err := o.check(passes); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	p, err := keptProgram(o.Kept(m, cache.Program), func() (*program.Program, error) { return compileBy(ctx, passes, m, o, nil) })
	if err != nil {
		return nil, err
	}
	return p, o.hold(p)
}

// compileBy is Compile with a list of passes, without the cache and the budget. If trail is not
// nil, it records the decisions of the passes there, for explanations.
func compileBy(ctx context.Context, list []pipelinePass, m *ir.Module, o Options, trail *explain.Trail) (*program.Program, error) {
	c, err := start(ctx, list, m, o)
	if err != nil {
		return nil, err
	}
	c.trail = trail
	marks := ir.MarkOrigins(c.module)
	if trail != nil {
		trail.Source, trail.Marks = m, marks
	}
	if err := c.run(list); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	if by := c.fitting; by != nil && (by.Seconds != 0 || len(by.Values) > 0 || by.Placement != nil) {
		if machine := c.predictor(); !machine.HasScale() {
			by.RelativeTo = machine.Seconds(c.mesh, c.main())
		}
	}
	if c.fitting != nil && c.fitting.Placement != nil && c.observed() { // the passes of the program that was chosen
		if trail != nil {
			*trail = explain.Trail{}
		}
		p, err := compileBy(ctx, list, m, o.KeepPlacementOf(c.fitting), trail)
		if err == nil {
			p.Fitting = c.fitting
		}
		return p, err
	}
	p := &program.Program{
		Name: c.module.Name, Form: o.Partitioner.form(), Mesh: c.mesh, Module: c.module,
		Inputs: c.inputs, Outputs: c.outputs, Diagnostics: c.diagnostics, OneDeviceFlops: c.oneDeviceFlops, Target: o.target().Name, Machine: o.machine().Name, Fitting: c.fitting,
	}
	if p.Form == program.PerDevice {
		p.Overrides = explain.Overridden(c.annotations, c.module)
	}
	return p, nil
}

// observed reports whether a caller wants to see what passes do.
func (c *compilation) observed() bool {
	return c.trail != nil || c.options.Debug.Dump != "" || len(c.options.Debug.After) > 0
}

// hold returns an error, which wraps a *report.OverBudgetError, if p costs more than o.Budget. A
// budget without limits is never exceeded.
func (o Options) hold(p *program.Program) error {
	if o.Budget.IsZero() {
		return nil
	}
	if err := o.Budget.Check(report.New(p)); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	return nil
}

// start checks the options and m. It returns the context in which the passes of the list run on a
// copy of m. Wrong options, a module without main, and an invalid one are errors.
func start(ctx context.Context, list []pipelinePass, m *ir.Module, o Options) (*compilation, error) {
	if err := o.check(list); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	if m.Main() == nil {
		return nil, fmt.Errorf("compile: module %q has no function main: name the entry function main", m.Name)
	}
	if err := ir.Verify(m); err != nil {
		return nil, fmt.Errorf("compile: the module is not valid: %w", err)
	}
	return &compilation{ctx: ctx, module: m.Clone(), options: o, passes: list, strategy: o.strategies()[0]}, nil
}

// compilation is the context of one run of the pipeline, shared by the passes. A pass that needs
// only a part of it is a function of that part.
type compilation struct {
	ctx     context.Context // ends if the caller cancels
	module  *ir.Module
	options Options
	passes  []pipelinePass
	trail   *explain.Trail // nil: no explanation is needed

	mesh *mesh.DeviceMesh // set by pass mesh; never nil afterwards

	annotations []explain.Annotation             // set by pass propagate
	bound       map[*ir.ValueID]*layout.Sharding // result of annotated, after its first call

	// Set by pass signature.
	inputs         []program.Input
	outputs        []program.Output
	oneDeviceFlops int // 0: not known

	// Pass choose sets these: strategy holds the machines that later passes decide by, and finished
	// says that the passes have already run on the module.
	strategy   strategy
	finished   bool
	copied     bool                                   // this is one of the copies that choose compares
	evaluators map[*cost.Machine]*partition.Evaluator // shared with copies of the program, so that they share what evaluators have computed
	searches   *[]searched                            // searches of the copies, which share them

	evaluator *partition.Evaluator // set by pass autoshard, used by pass partition; nil if autoshard is off

	// the shardings of the values of main before pass autoshard, in program order; set by pass choose,
	// if the batch may be divided
	propagated []*layout.Sharding
	// the module before pass partition, for pass memory to try micro-batches; set by pass split_batch
	// if it may have to
	whole *ir.Module
	// the program before pass shard_update, for pass memory to try other placements; set by pass
	// shard_update if it may have to
	unplaced       *compilation
	updateSharded  bool              // set by pass shard_update: it has sharded the update of weights
	weightsSharded bool              // set by pass shard_update: it has sharded weights
	batch          *microbatch.Batch // set by pass split_batch, used until pass micro_batches; nil: there is one micro-batch

	fitting *program.Fitting // set by pass memory, where there are a limit, policies or micro-batches

	diagnostics []program.Diagnostic
}

// run runs those passes of list that the options ask for, in order. The first error ends it. So
// does the end of the context, whose cause is then the error.
func (c *compilation) run(list []pipelinePass) error {
	p := pass.Pipeline[*compilation]{Module: func(c *compilation) *ir.Module { return c.module }, Debug: c.options.Debug,
		Stopped: func() error { return context.Cause(c.ctx) }}
	for _, s := range list {
		if s.runs(c.options) {
			p.Passes = append(p.Passes, pass.Pass[*compilation]{Name: s.name, Why: s.why, Required: s.in&required != 0, Run: s.runUnlessFinished})
		}
	}
	return p.Run(c)
}

// main returns the entry function.
func (c *compilation) main() *ir.Func { return c.module.Main() }

// machine returns the machine whose costs the passes after choose decide by.
func (c *compilation) machine() *cost.Machine { return c.strategy.machine }

// hasOneDevice reports whether the program is for a single device.
func (c *compilation) hasOneDevice() bool { return c.mesh.Size() == 1 }

// warn adds a warning for the user about the subject, unless the same warning was given before.
func (c *compilation) warn(subject, text string) {
	d := program.Diagnostic{Subject: subject, Text: text}
	if !slices.Contains(c.diagnostics, d) {
		c.diagnostics = append(c.diagnostics, d)
	}
}
