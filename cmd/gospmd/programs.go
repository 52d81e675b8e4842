package main

// This file reads the program files that gospmd partition -o writes.

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// archiveMark is the beginning of program files. No module begins with it.
const archiveMark = "PK\x03\x04"

// isProgram reports whether a file is a program file, and not the text of a module. It is false for
// "", which is standard input, and for a file that cannot be read.
func isProgram(file string) bool {
	if file == "" {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(archiveMark))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == archiveMark
}

// openProgram reads a program file. The named flags, and those of memoryFlags, must not be given,
// because the program was compiled with their values already. A flag that is given nevertheless, and a damaged file, are
// errors.
func (f *flags) openProgram(file string, decided ...string) (*program.Program, error) {
	var given error
	f.Visit(func(x *flag.Flag) {
		if given == nil && (slices.Contains(decided, x.Name) || slices.Contains(memoryFlags, x.Name)) {
			given = fmt.Errorf("%s: %s is a partitioned program, for which -%s comes too late: give it with the module", f.Name(), file, x.Name)
		}
	})
	if given != nil {
		return nil, given
	}
	p, err := program.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return p, nil
}

// showProgram prints the compiled program in a file to out; with showReport it prints its report
// instead, as text or, with asJSON, as JSON. With a budget alone it prints neither, only a line to
// diag if the program is within it. It returns an error if the program exceeds the budget.
func (f *flags) showProgram(file string, showReport, asJSON bool, budget *report.Budget, out, diag io.Writer) error {
	p, err := f.openProgram(file, "o", "suggest", "layout-cost", "keep-layouts", "mesh", "layout", "debug")
	if err != nil {
		return err
	}
	machine, err := f.machineOf(p.Module)
	if err != nil {
		return err
	}
	r := report.NewFor(p, cmp.Or(machine, cost.Default()))
	if !showReport && budget.IsZero() {
		_, err = out.Write(p.Module.Text(ir.PrintOptions{Names: true}))
		return err
	}
	if showReport {
		if err := printParts(out, []part{{"report", r}}, asJSON); err != nil {
			return err
		}
	}
	return checkBudget(r, budget, diag)
}
