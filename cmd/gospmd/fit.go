package main

// This file implements gospmd fit.

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
	"github.com/gospmd/gospmd/mesh"
)

// runFit is the command fit: it prints to out a row for each candidate mesh of a target, the best
// first: whether the module of a file, or of in, fits there, and what it costs. For a program file
// there is one mesh, its own.
func runFit(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("fit", "Says on which meshes of a target a module fits, what it sends there by which link, and how long a\nrun should take: the best mesh first. It needs none of the devices. Layouts are those of the file\nand of -layout; they name the axes of the meshes.", diag,
		"-target v5e:2x4 step.mlir",
		"-target h100:8 -mesh 2x4,8x1 -compiler step.mlir",
		"-target v5e:2x4 step.gospmd      # what gospmd partition -machine v5e:2x4 -o wrote",
		"-target v5p:4x4x4 -mesh all -layout '.*/kernel=-,model' -json step.mlir")
	target := fs.targetFlag()
	meshes := fs.String("mesh", "all", "the candidates: shapes of the file's axes, such as 2x4,8x1, or one mesh such as data=2,model=4, or all that have all devices")
	compiler := fs.Bool("compiler", false, "ask the target's own compiler too, if its plugin is installed; gospmd doctor says how")
	asJSON := fs.Bool("json", false, "print JSON")
	var o fit.Options
	fs.StringVar(&o.AOT.Plugin, "plugin", "", "the file of the PJRT plugin for -compiler, instead of the one that gospmd finds")
	fs.layoutFlag()
	fs.machineFlag()
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	o.Compiler, o.Compile = *compiler, compile.Options{Partitioner: compile.SPMD}
	o.AOT.Progress, o.AOT.Logger = diag, plainlog.New(diag)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var t *fit.Table
	if isProgram(file) {
		t, err = fs.fitProgram(ctx, file, *target, o)
	} else {
		t, err = fs.fitModule(ctx, file, in, *target, *meshes, o)
	}
	if err != nil {
		return err
	}
	return printParts(out, nil, []part{{"fit", t}}, *asJSON)
}

// fitOn sets the target of o and, with -machine, the machine. Without either it is an error.
func (f *flags) fitOn(o *fit.Options, target string) error {
	if target == "" && f.machine == "" {
		return errors.New("fit: no target is given: want -target v5e:2x4, -target h100:8 or another, or -machine with a machine file")
	}
	if target != "" {
		var err error
		if o.Target, err = hardware.ParseTarget(target); err != nil {
			return fmt.Errorf("fit: -target: %w", err)
		}
	}
	if f.machine != "" {
		o.Machine = func(dm *mesh.DeviceMesh) (*cost.Machine, error) { return cost.MachineNamed(f.machine, dm) }
	}
	return nil
}

// fitProgram returns the table of one row: how the program of a file does on the target, on its own
// mesh.
func (f *flags) fitProgram(ctx context.Context, file, target string, o fit.Options) (*fit.Table, error) {
	p, err := f.openProgram(file, "mesh", "layout")
	if err != nil {
		return nil, err
	}
	if err := f.fitOn(&o, target); err != nil {
		return nil, err
	}
	return fit.Of(ctx, p, o)
}

// fitModule returns the table with a row for each of the meshes: how the module of a file, or of
// in, compiled for that mesh, does on the target. target and meshes are texts of flags. If -machine
// stands for the target, all meshes (all) are an error, because the number of devices is unknown.
func (f *flags) fitModule(ctx context.Context, file string, in io.Reader, target, meshes string, o fit.Options) (*fit.Table, error) {
	m, err := parseModule(file, in)
	if err != nil {
		return nil, err
	}
	if err := ir.Verify(m); err != nil {
		return nil, err
	}
	if err := f.fitOn(&o, target); err != nil {
		return nil, err
	}
	devices := 0
	switch {
	case o.Target.Chip != nil:
		devices = o.Target.Devices()
	case meshes == "all":
		return nil, errors.New("fit: -machine says not how many devices there are: name the meshes, such as -mesh 2x4,8x1")
	}
	axes := fit.Axes(m)
	if len(axes) == 0 && len(f.layouts) == 0 {
		axes = []string{"data"}
	}
	if o.Meshes, err = fit.ParseMeshes(meshes, axes, devices); err != nil {
		return nil, fmt.Errorf("-mesh: %w", err)
	}
	return fit.Search(ctx, fit.OnMesh(m, func(m *ir.Module) error {
		if err := annotate(m, f.layouts); err != nil {
			return fmt.Errorf("fit: -layout: %w", err)
		}
		m.LocateByText()
		return nil
	}), o)
}
