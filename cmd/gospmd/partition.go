package main

// This file implements gospmd partition.

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
)

// runPartition is the command partition: it compiles the module of a file for its mesh, or opens
// the program of a file, and prints the per-device program to out, or what flags ask for in its
// place: its cost, the cost of binding layouts, or cheaper layouts. -o saves the program; with -o
// or -budget alone nothing goes to out. With -budget, a program that is over it is an
// *OverBudgetError.
func runPartition(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("partition", "Partitions a module for its mesh and prints what each device runs.", diag,
		"step.mlir",
		"-report -mesh data=4,model=2 -layout '.*/kernel=-,model' step.mlir",
		"-report -machine v5e:2x4 step.mlir",
		"-report -machine v5e:2x4 -memory 12GB step.mlir",
		"-suggest -report step.mlir",
		"-machine v5e:2x4 -o step.gospmd step.mlir",
		"-report step.gospmd",
		"-budget bytes=10MB,memory=16GB,forbid=all_to_all step.mlir")
	showReport := fs.Bool("report", false, "print the cost of a run on each device instead of the module")
	showSuggestions := fs.Bool("suggest", false, "print the layouts by which the program would cost less, as flags -layout and as lines of a layout map, instead of the module; with -report both")
	keep := fs.Bool("keep-layouts", false, "make layouts binding: values stay as annotations and their propagation ask for, at whatever cost")
	layoutCost := fs.Bool("layout-cost", false, "print what -keep-layouts costs, and which annotations do not hold without it, instead of the module")
	asJSON := fs.Bool("json", false, "print the report, or what else is asked for, as JSON; of several an object")
	output := fs.String("o", "", "write the program into this file, which gospmd partition, fit, aot, diff and explain take in place of a module; with -machine it is for those devices, and fit and aot take it for no other platform")
	budget := fs.budget()
	fs.annotations()
	fs.machineFlag()
	fs.memoryFlag()
	debug := fs.debug(diag)
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	if isProgram(file) {
		return fs.showProgram(file, *showReport || *asJSON, *asJSON, budget, out, diag)
	}
	m, err := fs.module(file, in)
	if err != nil {
		return err
	}
	machine, err := fs.machineOf(m)
	if err != nil {
		return err
	}
	o := fs.memoryOptions(compile.Options{Partitioner: compile.SPMD, Debug: *debug, KeepLayouts: *keep, Machine: machine})
	p, err := compile.Compile(context.Background(), m, o)
	if err != nil {
		return err
	}
	for _, d := range p.Diagnostics {
		fmt.Fprintln(diag, "warning:", d)
	}
	if *output != "" {
		if err := p.Save(*output); err != nil {
			return fmt.Errorf("partition: %w", err)
		}
	}
	r := report.NewFor(p, cmp.Or(machine, cost.Default()))
	o.MemoryLimit, o.MicroBatches = 0, 0 // layouts are compared as they are
	var parts []part
	if *showReport || *asJSON && !*showSuggestions && !*layoutCost {
		parts = append(parts, part{"report", r})
	}
	if *layoutCost {
		c, err := compile.CostOfLayouts(context.Background(), m, o)
		if err != nil {
			return err
		}
		parts = append(parts, part{"layout_cost", c})
	}
	if *showSuggestions {
		s, err := suggest.Find(m, suggest.Options{Options: o})
		if err != nil {
			return err
		}
		parts = append(parts, part{"suggestions", s})
	}
	if len(parts) == 0 && budget.IsZero() && *output == "" {
		_, err = out.Write(p.Module.Text(ir.PrintOptions{Names: true}))
		return err
	}
	if err := printParts(out, machine, parts, *asJSON); err != nil {
		return err
	}
	return checkBudget(r, budget, diag)
}

// checkBudget returns an *OverBudgetError if the program of the report is over the budget.
// Otherwise it prints to diag that the program is within it. It does nothing without a budget.
func checkBudget(r *report.Report, b *report.Budget, diag io.Writer) error {
	if b.IsZero() {
		return nil
	}
	if err := b.Check(r); err != nil {
		return err
	}
	fmt.Fprintf(diag, "%s is within its budget: a device sends %s bytes and needs %s bytes of memory\n",
		report.ProgramName(r.Program), texttable.GroupDigits(r.Bytes), texttable.GroupDigits(r.Memory.Peak))
	return nil
}
