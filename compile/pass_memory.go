package compile

// This file implements pass memory, which does what Options.MemoryPolicies say, and makes the
// program fit into Options.MemoryLimit.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// fitMemory computes values again in place of keeping them, where the predicted peak is over
// Options.MemoryLimit (package memory):
//
//	%h = tanh %x                         %h = tanh %x
//	…                              =>    …
//	%d = multiply %g, %h                 %x1, %a = optimization_barrier %x, %g
//	                                     %h1 = tanh %x1
//	                                     %d = multiply %g, %h1
//
// Before that it does so where Options.MemoryPolicies ask for it. If this is not enough, or costs
// time, and the options leave the number of micro-batches open, it also tries programs that compute
// the batch in parts (chooseMicroBatches), and then those that keep the state of the optimizer
// elsewhere (choosePlacement). If nothing fits, the error is a *report.OverBudgetError.
func fitMemory(c *compilation) error {
	o := c.options
	if o.MemoryLimit == 0 && o.MemoryPolicies == nil && o.MicroBatches <= 1 {
		return nil
	}
	best, err := c.fitBatch()
	if err != nil {
		return err
	}
	if best, err = c.choosePlacement(best); err != nil {
		return err
	}
	if best.failed != nil {
		if best, err = best.least(); err != nil {
			return err
		}
		return best.doesNotFit()
	}
	c.adopt(best.compilation)
	return nil
}

// adopt makes the program of f, a compilation of the same module, that of c.
func (c *compilation) adopt(f *compilation) {
	c.module, c.inputs, c.outputs, c.annotations, c.fitting, c.diagnostics = f.module, f.inputs, f.outputs, f.annotations, f.fitting, f.diagnostics
}

// fitBatch makes c's program fit, with the whole batch at once or in the best number of parts.
func (c *compilation) fitBatch() (attempt, error) {
	whole, err := c.fit()
	if err != nil {
		return whole, err
	}
	best := whole
	if o := c.options; o.MicroBatches == 0 && o.MemoryLimit > 0 && whole.costs() && !whole.isTooLarge() {
		best, err = c.chooseMicroBatches(whole)
	}
	best.free = whole.unlimited()
	return best, err
}

// attempt is a program for a number of micro-batches, and what was done to make it fit: its
// fitting. Fitting.Before is also known if it does not fit.
type attempt struct {
	*compilation
	limit  float64            // predicted seconds of a run that the limit costs
	failed *memory.NoFitError // it does not fit, and this is the program with the least peak
	cannot error              // why there are no more micro-batches; nil if they did not help
	helps  string             // what would make it fit, if that is known
	free   float64            // predicted seconds of a run without the limit and the policies, of the whole batch at once
}

// worthwhile is a part of a step's time. If computing values again makes the step longer by more
// than this part, micro-batches are tried in its place.
const worthwhile = 0.02

// costs reports whether a does not fit, or the limit makes it take notably longer.
func (a attempt) costs() bool {
	return a.failed != nil || a.limit > 0 && a.limit > worthwhile*a.seconds()
}

// takesLonger reports whether a does not fit, or takes notably longer than without the limit and the
// policies.
func (a attempt) takesLonger() bool {
	return a.failed != nil || a.seconds()-a.free > worthwhile*a.seconds()
}

// isTooLarge reports whether what a needs for the whole run alone is over the limit, so that a does
// not fit in micro-batches either.
func (a attempt) isTooLarge() bool { return a.failed != nil && a.failed.Fixed > a.options.MemoryLimit }

// least returns the program with the least peak that is known for a, which does not fit: a, or a in
// micro-batches, if they were not tried.
func (a attempt) least() (attempt, error) {
	if a.options.MicroBatches != 0 || !a.isTooLarge() {
		return a, nil
	}
	out, err := a.chooseMicroBatches(a)
	out.fitting.Placement, out.helps = a.fitting.Placement, a.helps
	return out, err
}

// seconds returns the predicted seconds of a run of a, which fits.
func (a attempt) seconds() float64 { return a.predictor().Seconds(a.mesh, a.main()) }

// unlimited returns the predicted seconds of a run of a without the limit and the policies.
func (a attempt) unlimited() float64 {
	if a.failed != nil {
		return a.failed.Seconds - a.fitting.Seconds
	}
	return a.seconds() - a.fitting.Seconds
}

// isBetterThan reports whether a fits and b does not, or a takes less time or, if neither fits,
// less memory.
func (a attempt) isBetterThan(b attempt) bool {
	switch {
	case a.failed != nil && b.failed != nil:
		return a.failed.Least < b.failed.Least
	case a.failed != nil || b.failed != nil:
		return b.failed != nil
	}
	return a.seconds() < b.seconds()
}

// fit applies the memory policies of the options to c's program, and then, if there is a limit,
// computes values again until the predicted peak is within it. It replaces main, and records in
// c.fitting what was done. If the limit cannot be kept, attempt.failed tells the lowest peak, and
// main is the function with that peak.
func (c *compilation) fit() (attempt, error) {
	o, options := c.options, c.memoryOptions()
	by := &program.Fitting{MicroBatches: max(1, o.MicroBatches)}
	c.fitting = by
	a := attempt{compilation: c}
	if o.MemoryPolicies != nil {
		if err := applyPolicies(c, options); err != nil {
			return a, err
		}
	}
	f := c.main()
	if o.MemoryLimit == 0 {
		if o.MemoryPolicies == nil {
			by.Before = options.Machine.MemoryOf(f, options.Donated).Peak()
			by.After = by.Before
		}
		return a, nil
	}
	fitted, fitting, err := memory.Fit(f, options)
	if errors.As(err, &a.failed) {
		fitted, fitting = a.failed.Func, &program.Fitting{Limit: a.failed.Limit, Before: a.failed.Before, Curve: a.failed.Curve}
	} else if err != nil {
		return a, err
	}
	c.setMain(f, fitted)
	if o.MemoryPolicies == nil { // what they did comes first
		by.Before, by.Curve = fitting.Before, fitting.Curve
	}
	a.limit = fitting.Seconds
	by.Gathers = fitting.Gathers
	by.Limit, by.After, by.Seconds = fitting.Limit, fitting.After, by.Seconds+a.limit
	by.Values = append(by.Values, fitting.Values...)
	return a, nil
}

// memoryOptions returns the options of package memory for c's program.
func (c *compilation) memoryOptions() memory.Options {
	o := c.options
	return memory.Options{
		Limit: o.MemoryLimit, Machine: c.predictor(), Mesh: c.mesh, Donated: donors(c.main(), c.inputs), KeepsBarriers: !o.target().Has(target.DropsBarriers), HostMemory: o.target().HostMemory, StoresLate: o.target().StoresLate, Policies: o.MemoryPolicies,
	}
}

// predictor returns the machine that predicts memory and times: a copy of that of the options, with
// the platform of the target if it has none.
func (c *compilation) predictor() *cost.Machine {
	machine := *c.options.machine()
	machine.Platform = cmp.Or(machine.Platform, c.options.target().Platform)
	return &machine
}

// doesNotFit returns the error of a, which does not fit: a *report.OverBudgetError.
func (a attempt) doesNotFit() error {
	p := &program.Program{Name: a.module.Name, Form: program.PerDevice, Mesh: a.mesh, Module: a.module, Inputs: a.inputs, Outputs: a.outputs}
	r := report.NewFor(p, a.predictor())
	return r.DoesNotFit(a.fitting, memory.Usable(a.failed.Limit, r.Memory.Fixed()), a.helps, a.cannot)
}

// applyPolicies computes again what Options.MemoryPolicies say, in main, and records it in
// c.fitting. It warns of rules that decide for no layer, and if the peak does not fall. A layer
// that matches several keys is an error.
func applyPolicies(c *compilation, o memory.Options) error {
	dead, err := o.Policies.DeadRules(c.module)
	if err != nil {
		return err
	}
	for _, d := range dead {
		c.warn("memory policies", d.String())
	}
	if t := c.options.target(); o.Policies.Has(memory.Offload) && !t.HostMemory {
		c.warn("memory policies", fmt.Sprintf("%s has no effect for the target %s, whose devices compute in the memory of the host", memory.Offload, t.Name))
	}
	f := c.main()
	applied, did, err := memory.Apply(f, o)
	if err != nil {
		return err
	}
	if did.Asked && did.After >= did.Before {
		c.warn("memory policies", fmt.Sprintf("what they compute again does not lower the peak, which is %s: name blocks of several layers, whose outputs are small", texttable.Bytes(did.After)))
	}
	c.setMain(f, applied)
	by := c.fitting
	by.Before, by.After, by.Seconds, by.Curve, by.Values = did.Before, did.After, did.Seconds, did.Curve, did.Values
	return nil
}

// setMain puts by in the place of f, the function main, in the module.
func (c *compilation) setMain(f, by *ir.Func) { c.module.Funcs[slices.Index(c.module.Funcs, f)] = by }

// donors returns a function that returns the number of the parameter whose memory a result of f
// takes over, or -1 if there is none.
func donors(f *ir.Func, inputs []program.Input) func(result int) int {
	of := make([]int, len(f.Results))
	for i := range of {
		of[i] = -1
	}
	for i, in := range inputs {
		if in.Alias >= 0 {
			of[in.Alias] = i
		}
	}
	return func(result int) int { return of[result] }
}
