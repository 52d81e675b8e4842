package main

// This file implements gospmd diff.

import (
	"context"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// runDiff is the command diff: it prints to out the differences between the costs of two programs.
// They are from the two files in args, modules or program files, or from one module with other
// layouts or another mesh. One file without -b-mesh and -b-layout, more than two files, and standard
// input for both, are errors.
func runDiff(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("diff", "Compares what two modules A and B cost, or one module A in two layouts or on two meshes:\nwhat changes in time, bytes sent, memory and collectives, by layer. -mesh and -layout are for\nboth, -b-mesh and -b-layout for B alone. Without a second file B is A with these. Both files may be\nprograms that gospmd partition -o wrote.", diag,
		"a.mlir b.mlir",
		"before.gospmd after.gospmd",
		"-mesh data=2,model=4 -b-mesh data=8,model=1 step.mlir",
		"-json -b-layout '.*up/kernel=-,model' step.mlir")
	fs.arguments = "A.mlir [B.mlir]"
	asJSON := fs.Bool("json", false, "print the comparison as JSON")
	fs.annotations()
	fs.machineFlag()
	b := fs.sideB()
	files, err := fs.parseFiles(args)
	if err != nil {
		return err
	}
	switch {
	case len(files) == 0 || len(files) > 2:
		return fmt.Errorf("diff: got %d files %q, want A and B, or A alone and -b-mesh or -b-layout", len(files), files)
	case len(files) == 1 && !b.differs():
		return fmt.Errorf("diff: got one file and neither -b-mesh nor -b-layout: want a second file or one of these, or nothing differs")
	case len(files) == 2 && files[0] == "" && files[1] == "":
		return fmt.Errorf("diff: got standard input twice: name a file for A or B, or give -b-mesh or -b-layout")
	}
	var modules [2]*ir.Module // nil for program files
	for i, file := range files {
		if isProgram(file) {
			continue
		}
		if modules[i], err = parseModule(file, in); err != nil {
			return err
		}
	}
	if len(files) == 1 {
		files = append(files, files[0])
		if modules[0] != nil {
			modules[1] = modules[0].Clone()
		}
	}
	pa, machineA, err := fs.side("A", files[0], modules[0], diag)
	if err != nil {
		return err
	}
	pb, machineB, err := fs.with(b).side("B", files[1], modules[1], diag)
	if err != nil {
		return err
	}
	d := report.CompareOn(pa, machineA, pb, machineB)
	if d.A.Machine != "" {
		machineA = nil // A and B name theirs
	}
	return printParts(out, machineA, []part{{"diff", d}}, *asJSON)
}

// side returns the program of side A or B and its machine, nil for the default one. The program is
// that of the program file or, if m is not nil, of m.
func (f *flags) side(side, file string, m *ir.Module, diag io.Writer) (*program.Program, *cost.Machine, error) {
	if m != nil {
		return f.compileSide(side, m, diag)
	}
	decided := []string{"mesh", "layout"}
	if side == "B" {
		decided = append(decided, "b-mesh", "b-layout")
	}
	p, err := f.openProgram(file, decided...)
	if err != nil {
		return nil, nil, err
	}
	machine, err := f.machineOfProgram(p, file)
	return p, machine, err
}

// compileSide compiles m, the program of side A or B, with the mesh, the layouts and the machine of
// that side's flags. It returns the program and the machine, nil without -machine. It changes m, and
// prints the compiler's warnings to diag. An error names the side.
func (f *flags) compileSide(side string, m *ir.Module, diag io.Writer) (*program.Program, *cost.Machine, error) {
	if err := f.prepare(m); err != nil {
		return nil, nil, fmt.Errorf("%w (of %s)", err, side)
	}
	machine, err := f.machineOf(m)
	if err != nil {
		return nil, nil, fmt.Errorf("%w (of %s)", err, side)
	}
	p, err := compile.Compile(context.Background(), m, compile.Options{Machine: machine})
	if err != nil {
		return nil, nil, fmt.Errorf("diff: %s: %w", side, err)
	}
	for _, d := range p.Diagnostics {
		fmt.Fprintf(diag, "warning: %s: %s\n", side, d)
	}
	return p, machine, nil
}
