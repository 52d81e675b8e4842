package main

// This file implements gospmd aot.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// runAOT is the command aot: it partitions the module of a file, or reads a program that gospmd
// partition -o wrote, compiles it for devices of -target that need not exist here, and prints the
// compiler's figures to out. Without -target, it prints those in a file that its flag -o wrote.
func runAOT(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("aot", "Compiles a module for accelerators that need not be there, with their own compiler, and prints\nits figures: memory, arithmetic, collectives. The compiler is in a plugin: gospmd doctor says which\nare there, and how to install one.", diag,
		"-target v5e:2x4 step.mlir",
		"-target h100:8 -mesh data=8 -o step.aot step.mlir",
		"-target v5e:2x4 step.gospmd      # what gospmd partition -machine v5e:2x4 -o wrote",
		"step.aot      # what -o wrote")
	target := fs.targetFlag()
	output := fs.String("o", "", "write the figures and the executable into this file, which gospmd aot reads again")
	hlo := fs.String("hlo", "", "write the optimized module into this file, as an HloModuleProto")
	partitioner := fs.String("partitioner", "gospmd", "who partitions: gospmd, or xla for XLA's own")
	asJSON := fs.Bool("json", false, "print JSON")
	var o aot.Options
	fs.StringVar(&o.Plugin, "plugin", "", "the file of the PJRT plugin, instead of the one that gospmd finds")
	fs.BoolVar(&o.Install, "install", false, "install the plugin where there is none")
	fs.BoolVar(&o.AllowDropped, "allow-dropped", false, "allow the compiler to keep values that the module computes again to save memory")
	fs.StringVar(&o.Flags, "xla-flags", "", "flags of XLA, separated by spaces, such as xla_dump_to=/tmp/dump; $XLA_FLAGS does not count")
	fs.annotations()
	fs.machineFlag()
	fs.memoryFlag()
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	o.Progress, o.Logger = diag, plainlog.New(diag)
	by, ok := partitioners[*partitioner]
	if !ok {
		return fmt.Errorf("aot: -partitioner %q is not known: want gospmd or xla", *partitioner)
	}
	var e *aot.Executable
	if *target == "" {
		e, err = openExecutable(file)
	} else {
		e, err = compileAhead(fs, file, in, *target, by, o)
	}
	if err != nil {
		return err
	}
	if *hlo != "" {
		if err := os.WriteFile(*hlo, e.HLO, 0o644); err != nil {
			return err
		}
	}
	if *output != "" {
		if err := e.Save(*output); err != nil {
			return err
		}
	}
	return printParts(out, nil, []part{{"executable", e}}, *asJSON)
}

// partitioners has the partitioner for each value of the flag -partitioner.
var partitioners = map[string]compile.Partitioner{"gospmd": compile.SPMD, "xla": compile.XLA}

// openExecutable returns the executable in a file that -o has written. A file name of "", and a
// file that is no executable, are errors; they ask for -target.
func openExecutable(file string) (*aot.Executable, error) {
	const want = "aot: no target is given: want -target v5e:2x4, -target h100:8 or another"
	if file == "" {
		return nil, errors.New(want)
	}
	e, err := aot.Open(file)
	if err != nil {
		return nil, fmt.Errorf(want+"; without one, the file is what -o wrote: %w", err)
	}
	return e, nil
}

// compileAhead compiles the module or the program of a file (in, if the file is standard input) for
// the devices of the target, which need not exist here. Warnings go to o.Logger. If gospmd
// partitions, the result also has the machine and the predicted time. Ctrl-C cancels it. The error
// of a target that is not known names the flag.
func compileAhead(fs *flags, file string, in io.Reader, target string, by compile.Partitioner, o aot.Options) (*aot.Executable, error) {
	t, err := hardware.ParseTarget(target)
	if err != nil {
		return nil, fmt.Errorf("aot: -target: %w", err)
	}
	partition, err := fs.programFor(file, in, by, t)
	if err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	type made struct {
		program *program.Program
		machine *cost.Machine
		*aot.Executable
	}
	tried, err := fit.Within(fs.memory, fit.Answer{}, func(ask int) (made, int, int, error) {
		p, machine, err := partition(ask)
		if err != nil {
			return made{}, 0, 0, err
		}
		e, err := aot.Compile(ctx, p, t, o)
		if err != nil {
			return made{}, 0, 0, err
		}
		predicted := 0
		if p.Fitting != nil {
			predicted = p.Fitting.After
		}
		return made{p, machine, e}, predicted, e.Memory.Peak, nil
	}, nil)
	if err != nil {
		return nil, err
	}
	p, machine, e := tried.Made.program, tried.Made.machine, tried.Made.Executable
	for _, d := range p.Diagnostics {
		o.Logger.Warn("warning: " + d.String())
	}
	if by == compile.SPMD {
		if e.Machine = p.Machine; e.Machine != machine.Name { // a program file, for another machine than the target's
			e.PredictedOn = machine.Name
		}
		if machine.MemoryBandwidth > 0 {
			e.PredictedSeconds = machine.Predict(p.Mesh, p.Module.Main()).Seconds
		}
	}
	return e, nil
}

// compileFor compiles m for the target t, a limit of memory and the flags' number of micro-batches,
// on the machine of -machine or else that of t. It returns the program and that machine.
func (f *flags) compileFor(t hardware.Target, m *ir.Module, by compile.Partitioner, limit int) (*program.Program, *cost.Machine, error) {
	machine, err := f.machineOn(t, m)
	if err != nil {
		return nil, nil, err
	}
	o := f.memoryOptions(compile.Options{Partitioner: by, Platform: t.Chip.Platform, Machine: machine})
	o.MemoryLimit = limit
	p, err := compile.Compile(context.Background(), m, o)
	return p, machine, err
}

// partitioned is a function that returns the per-device program whose peak memory is within limit
// bytes, and the machine that its time is predicted for.
type partitioned func(limit int) (*program.Program, *cost.Machine, error)

// programFor returns the program of a file that partition -o wrote, or the function that partitions
// a file's module for the target. A program for another platform than the target's is an error.
func (f *flags) programFor(file string, in io.Reader, by compile.Partitioner, t hardware.Target) (partitioned, error) {
	if isProgram(file) {
		p, err := f.openProgram(file, "partitioner", "mesh", "layout", "machine")
		if err != nil {
			return nil, err
		}
		if err := f.suits(p, file, t.String(), t.Chip.Platform); err != nil {
			return nil, err
		}
		machine, err := cost.MachineFor(t, p.Mesh)
		return func(int) (*program.Program, *cost.Machine, error) { return p, machine, err }, nil
	}
	m, err := f.module(file, in)
	if err != nil {
		return nil, err
	}
	return func(limit int) (*program.Program, *cost.Machine, error) { return f.compileFor(t, m, by, limit) }, nil
}
