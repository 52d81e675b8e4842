package compile

// This file implements pass memory, which makes the program fit into Options.MemoryLimit.

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// fitMemory computes values again in place of keeping them, where the predicted peak is over
// Options.MemoryLimit (package memory):
//
//	%h = tanh %x                         %h = tanh %x
//	…                              =>    …
//	%d = multiply %g, %h                 %x1, %a = optimization_barrier %x, %g
//	                                     %h1 = tanh %x1
//	                                     %d = multiply %g, %h1
func fitMemory(c *compilation) error {
	o := c.options
	if o.MemoryLimit == 0 {
		return nil
	}
	machine := *o.machine()
	machine.Platform = cmp.Or(machine.Platform, o.target().Platform)
	f := c.main()
	fitted, fitting, err := memory.Fit(f, memory.Options{
		Limit: o.MemoryLimit, Machine: &machine, Mesh: c.mesh, Donated: donors(f, c.inputs), KeepsBarriers: o.target().KeepsBarriers,
	})
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
	c.fitting = fitting
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
