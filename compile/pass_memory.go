package compile

// This file implements pass memory, which does what Options.MemoryPolicies say, and makes the
// program fit into Options.MemoryLimit.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

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
// Before that it does so where Options.MemoryPolicies ask for it.
func fitMemory(c *compilation) error {
	o := c.options
	if o.MemoryLimit == 0 && o.MemoryPolicies == nil {
		return nil
	}
	machine := *o.machine()
	machine.Platform = cmp.Or(machine.Platform, o.target().Platform)
	f := c.main()
	options := memory.Options{
		Limit: o.MemoryLimit, Machine: &machine, Mesh: c.mesh, Donated: donors(f, c.inputs), KeepsBarriers: !o.target().Has(target.DropsBarriers), Policies: o.MemoryPolicies,
	}
	if o.MemoryPolicies != nil {
		if err := applyPolicies(c, options); err != nil {
			return err
		}
	}
	if o.MemoryLimit == 0 {
		return nil
	}
	f = c.main()
	fitted, fitting, err := memory.Fit(f, options)
	var none *memory.NoFitError
	if errors.As(err, &none) {
		c.setMain(f, none.Func)
		p := &program.Program{Name: c.module.Name, Form: program.PerDevice, Mesh: c.mesh, Module: c.module, Inputs: c.inputs, Outputs: c.outputs}
		return report.NewFor(p, &machine).DoesNotFit(none.Limit, memory.Usable(none.Limit), none.Before)
	}
	if err != nil {
		return err
	}
	c.setMain(f, fitted)
	if by := c.fitting; by != nil { // what the policies did comes first
		fitting.Before, fitting.Curve = by.Before, by.Curve
		fitting.Seconds += by.Seconds
		fitting.Values = append(by.Values, fitting.Values...)
	}
	c.fitting = fitting
	return nil
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
	c.fitting = &program.Fitting{Before: did.Before, After: did.After, Seconds: did.Seconds, Curve: did.Curve, Values: did.Values}
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
