package fit

// This file tries a program on each mesh of a target.

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/target"
)

// Build returns the program for a mesh: a module with annotations, before any pass. Search may
// change the module.
type Build func(dm *mesh.DeviceMesh) (*ir.Module, error)

// Options describe the devices and the meshes that a program is tried on.
type Options struct {
	// Target describes the devices. It may be unset if Machine is set.
	Target hardware.Target
	// Machine returns the machine with the devices of a mesh; nil stands for cost.MachineFor of
	// Target. The Target's platform goes for a machine that names none; a machine of another
	// platform is an error.
	Machine func(dm *mesh.DeviceMesh) (*cost.Machine, error)
	// Meshes are the meshes among which Search chooses.
	Meshes []*mesh.DeviceMesh
	// Compile holds the options of the partitioner. Search sets Machine and Platform for each mesh.
	Compile compile.Options
	// Compiler says to ask the target's own compiler, too. If that is not installed, or if main has
	// not called aot.Serve first, the table says so.
	Compiler bool
	AOT      aot.Options
}

// Search compiles a program for each of the meshes, and returns a table with its cost on each, the
// best mesh first. If it cannot be compiled for a mesh, by us or by the target's compiler, the row
// of that mesh says why. Search returns an error only if its cause does not depend on the mesh:
// options that are missing or contradict each other, a cancelled context, a bug in a pass.
func Search(ctx context.Context, build Build, o Options) (*Table, error) {
	t, err := o.table(ctx)
	if err != nil {
		return nil, err
	}
	if len(o.Meshes) == 0 {
		return nil, errors.New("fit: Options.Meshes is empty: want meshes, such as those of fit.Meshes")
	}
	for _, dm := range o.Meshes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := t.row(ctx, dm, build, &o)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, r)
	}
	t.sort()
	t.compareTimes()
	return t, nil
}

// Of returns the cost of a program that is partitioned already, as a table with one row, for the
// program's mesh. It ignores Options.Meshes and Options.Compile. A program that is not PerDevice,
// that was partitioned for another target, or that the target's compiler cannot compile, is an
// error.
func Of(ctx context.Context, p *program.Program, o Options) (*Table, error) {
	t, err := o.table(ctx)
	if err != nil {
		return nil, err
	}
	if p.Form != program.PerDevice {
		return nil, fmt.Errorf("fit: program %q is %s, whose collectives only XLA's partitioner knows: partition it by compile.SPMD", p.Name, p.Form)
	}
	machine, err := o.Machine(p.Mesh)
	if err != nil {
		return nil, fmt.Errorf("fit: program %q: %w", p.Name, err)
	}
	if err := o.setPlatform(machine, target.Of(p.Target).Platform); err != nil {
		return nil, err
	}
	if want := target.Of(machine.Platform).Name; p.Target != want {
		return nil, fmt.Errorf("fit: program %q was partitioned for the target %s, %s needs %s: partition its module for that machine", p.Name, p.Target, machine.Name, want)
	}
	r := &Row{Mesh: p.Mesh.String(), Devices: p.Mesh.Size()}
	t.Rows = []*Row{r}
	if err := t.fill(ctx, r, p, machine, &o); err != nil {
		return nil, fmt.Errorf("fit: mesh %s: %w", p.Mesh, err)
	}
	t.compareTimes()
	return t, nil
}

// table checks the options, sets Machine if it is missing, and returns a table without rows. It is
// an error if neither Target nor Machine is set, if Compiler is set without a target, or if ctx is
// nil.
func (o *Options) table(ctx context.Context) (*Table, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	switch {
	case o.Target.Chip == nil && o.Machine == nil:
		return nil, errors.New("fit: Options.Target is not set: want one of hardware.ParseTarget")
	case o.Target.Chip == nil && o.Compiler:
		return nil, errors.New("fit: Options.Compiler is set without a target: a machine file has no compiler")
	}
	if o.Machine == nil {
		of := o.Target
		o.Machine = func(dm *mesh.DeviceMesh) (*cost.Machine, error) { return cost.MachineFor(of, dm) }
	}
	t := &Table{}
	if o.Target.Chip != nil {
		t.Target = o.Target.String()
	}
	return t, nil
}

// setPlatform sets the platform of machine to that of o.Target; a machine of another platform is an
// error. Without a target the machine keeps its platform or, if that is not known, gets otherwise.
func (o *Options) setPlatform(machine *cost.Machine, otherwise string) error {
	platform := cmp.Or(machine.Platform, otherwise)
	if o.Target.Chip != nil {
		platform = o.Target.Chip.Platform
	}
	if err := machine.SetPlatform(platform); err != nil {
		return fmt.Errorf("fit: target %s: %w", o.Target, err)
	}
	return nil
}

// row returns the table's row for the mesh dm: it compiles the program that build returns for the
// mesh, with the options o, and predicts it. A limit of memory is kept by the figures of the
// target's compiler, if that is asked. If this fails, the error is in the mesh's row. Errors of row
// are only a machine of another platform than the target's, a bug in a pass, and the end of ctx. row
// also sets t.Machine.
func (t *Table) row(ctx context.Context, dm *mesh.DeviceMesh, build Build, o *Options) (*Row, error) {
	r := &Row{Mesh: dm.String(), Devices: dm.Size()}
	machine, err := o.Machine(dm)
	if err != nil {
		r.Error = err.Error()
		return r, nil
	}
	if err := o.setPlatform(machine, ""); err != nil {
		return nil, err
	}
	t.Machine = machine.Name // before compiling, which may fail
	m, err := build(dm)
	if err != nil {
		r.Error = err.Error()
		return r, nil
	}
	options := o.Compile
	options.Machine, options.Platform = machine, machine.Platform
	tried, err := Within(options.MemoryLimit, Answer{}, func(ask int) (*Row, int, int, error) {
		options.MemoryLimit = ask
		filled := *r
		p, err := compile.Compile(ctx, m.Clone(), options)
		if err == nil {
			err = t.fill(ctx, &filled, p, machine, o)
		}
		return &filled, filled.Memory.Peak, filled.Compiler.peak(), err
	}, nil)
	if fault := (*pass.Error)(nil); err != nil && (ctx.Err() != nil || errors.As(err, &fault) && fault.Bug) {
		// A bug in a pass does not depend on the mesh.
		return nil, fmt.Errorf("fit: mesh %s: %w", dm, err)
	}
	if err != nil {
		r.Error = err.Error()
		return r, nil
	}
	return tried.Made, nil
}

// fill sets the row r to our estimates for program p and, if the options ask for it, to the figures
// of the target's compiler. If that is not installed, it notes so in the table and asks no more.
// Another failure of the compiler is an error, except a program that needs too much memory.
func (t *Table) fill(ctx context.Context, r *Row, p *program.Program, machine *cost.Machine, o *Options) (err error) {
	t.Program, t.Machine = p.Name, machine.Name
	r.estimate(p, machine)
	if !o.Compiler {
		return nil
	}
	r.Compiler, err = ask(ctx, p, o)
	if errors.Is(err, aot.ErrNoPlugin) {
		t.NoCompiler, o.Compiler = err.Error(), false // the plugin is missing for all meshes
		return nil
	}
	if err != nil {
		return err
	}
	r.decide()
	return nil
}
