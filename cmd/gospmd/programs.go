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
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
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
// because the program was compiled with their values already. A flag that is given nevertheless, and
// a damaged file, are errors.
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
	machine, err := f.machineOfProgram(p, file)
	if err != nil {
		return err
	}
	r := report.NewFor(p, machine)
	if !showReport && budget.IsZero() {
		_, err = out.Write(p.Module.Text(ir.PrintOptions{Names: true}))
		return err
	}
	if showReport {
		if err := printParts(out, machine, []part{{"report", r}}, asJSON); err != nil {
			return err
		}
	}
	return checkBudget(r, budget, diag)
}

// machineOfProgram returns the machine for predictions about the program p of a file: that of
// -machine or, without the flag, the one that p was decided for. It is nil if that was the default
// machine, or one of a machine file. A machine file that names no platform describes devices of the
// program's target. A machine that needs a program for another target is an error.
func (f *flags) machineOfProgram(p *program.Program, file string) (*cost.Machine, error) {
	if f.machine == "" {
		return decidedFor(p), nil
	}
	machine, err := f.machineFor(p.Mesh) // the program's module does not have the order of the devices
	if err != nil {
		return nil, err
	}
	machine.Platform = cmp.Or(machine.Platform, target.Of(p.Target).Platform)
	return machine, f.suits(p, file, f.machine, machine.Platform)
}

// decidedFor returns the machine that p was decided for. It is nil if its name is not that of a
// target or of virtual devices.
func decidedFor(p *program.Program) *cost.Machine {
	if host := cost.Host(); p.Machine == host.Name {
		return host
	}
	t, err := hardware.ParseTarget(p.Machine)
	if err != nil || target.Of(t.Chip.Platform).Name != p.Target {
		return nil
	}
	machine, _ := cost.MachineFor(t, p.Mesh) // nil if the mesh does not fit
	return machine
}

// suits returns an error if the program p of a file was partitioned for another target than
// platform's. The text devices is what a flag calls devices of that platform.
func (f *flags) suits(p *program.Program, file, devices, platform string) error {
	if want := target.Of(platform).Name; p.Target != want {
		return fmt.Errorf("%s: %s was partitioned for the target %s, %s needs %s: write it with gospmd partition -machine %s -o FILE", f.Name(), file, p.Target, devices, want, devices)
	}
	return nil
}
