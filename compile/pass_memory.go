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
	"github.com/gospmd/gospmd/compile/microbatch"
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
// time, it also tries programs that compute the batch in parts (chooseMicroBatches).
func fitMemory(c *compilation) error {
	o := c.options
	if o.MemoryLimit == 0 && o.MemoryPolicies == nil && o.MicroBatches <= 1 {
		return nil
	}
	whole, err := c.fit()
	if err != nil {
		return err
	}
	best := whole
	if o.MicroBatches == 0 && o.MemoryLimit > 0 && whole.costs() {
		if best, err = c.chooseMicroBatches(whole); err != nil {
			return err
		}
	}
	if best.failed != nil {
		return best.doesNotFit()
	}
	c.module, c.fitting, c.diagnostics = best.module, best.fitting, best.diagnostics
	return nil
}

// attempt is a program for a number of micro-batches, and what was done to make it fit.
type attempt struct {
	*compilation
	before int   // predicted peak without the limit and the policies, in bytes
	curve  []int // the memory in use during that run, as in program.Fitting
	// predicted seconds of a run: without the limit and the policies, with them, and those of the
	// latter that the limit costs
	free, seconds, limit float64
	failed               *memory.NoFitError // it does not fit, and this is the program with the least peak
	cannot               *microbatch.Error  // why there are no more micro-batches; nil if they did not help
}

// worthwhile is the part of a step's time by which computing values again must make it longer, for
// micro-batches to be tried in its place.
const worthwhile = 0.02

// costs reports whether a does not fit, or the limit makes it take notably longer.
func (a attempt) costs() bool {
	return a.failed != nil || a.limit > worthwhile*a.seconds
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
	return a.seconds < b.seconds
}

// fit makes the program of c fit, by the policies and the limit of the options.
func (c *compilation) fit() (attempt, error) {
	o := c.options
	machine := c.predictor()
	options := memory.Options{
		Limit: o.MemoryLimit, Machine: machine, Mesh: c.mesh, Donated: donors(c.main(), c.inputs), KeepsBarriers: !o.target().Has(target.DropsBarriers), Policies: o.MemoryPolicies,
	}
	c.fitting = &program.Fitting{MicroBatches: max(1, o.MicroBatches)}
	a := attempt{compilation: c}
	if o.MemoryPolicies != nil {
		if err := applyPolicies(c, options); err != nil {
			return a, err
		}
	}
	f := c.main()
	usage := machine.MemoryOf(f, options.Donated)
	a.before, a.curve, a.free = usage.Peak(), usage.Outline(), machine.Seconds(c.mesh, f)
	by := c.fitting
	if o.MemoryPolicies != nil { // what they did comes first
		a.before, a.curve = by.Before, by.Curve
		a.free -= by.Seconds
	} else {
		by.Before, by.After = a.before, a.before
	}
	if o.MemoryLimit == 0 {
		return a, nil
	}
	fitted, fitting, err := memory.Fit(f, options)
	if errors.As(err, &a.failed) {
		c.setMain(f, a.failed.Func)
		return a, nil
	}
	if err != nil {
		return a, err
	}
	c.setMain(f, fitted)
	a.limit = fitting.Seconds
	a.seconds = a.free + by.Seconds + a.limit
	by.Limit, by.After, by.Seconds = fitting.Limit, fitting.After, a.seconds-a.free
	if len(fitting.Values) > 0 || len(by.Values) > 0 {
		by.Curve = a.curve
	}
	by.Values = append(by.Values, fitting.Values...)
	return a, nil
}

// predictor returns the machine that predicts memory and times: that of the options, with the
// platform of the target.
func (c *compilation) predictor() *cost.Machine {
	machine := *c.options.machine()
	machine.Platform = cmp.Or(machine.Platform, c.options.target().Platform)
	return &machine
}

// doesNotFit returns the error of a, which does not fit.
func (a attempt) doesNotFit() error {
	p := &program.Program{Name: a.module.Name, Form: program.PerDevice, Mesh: a.mesh, Module: a.module, Inputs: a.inputs, Outputs: a.outputs}
	var why error
	if a.cannot != nil {
		why = a.cannot
	}
	return report.NewFor(p, a.predictor()).DoesNotFit(a.failed.Limit, memory.Usable(a.failed.Limit), a.before, a.fitting.MicroBatches, why)
}

// applyPolicies computes again what Options.MemoryPolicies say, and warns of rules that decide for
// no layer.
func applyPolicies(c *compilation, o memory.Options) error {
	dead, err := o.Policies.DeadRules(c.module)
	if err != nil {
		return err
	}
	for _, d := range dead {
		c.warn("memory policies", d.String())
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

// setMain replaces f, the function main, by another one.
func (c *compilation) setMain(f, by *ir.Func) { c.module.Funcs[slices.Index(c.module.Funcs, f)] = by }

// donors returns the function that says which parameter's memory a result of f takes over, or -1.
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
