package fit

// This file looks at a program on each mesh of a target.

import (
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
	"github.com/gospmd/gospmd/runtime/aot"
)

// Build returns the program for a mesh, with its layouts as annotations, before any
// pass. The module is Search's own.
type Build func(dm *mesh.DeviceMesh) (*ir.Module, error)

// Options say where a program shall fit.
type Options struct {
	// Target is the devices. Where Machine is set, it may be left out.
	Target hardware.Target
	// Machine describes the devices of a mesh; nil: cost.MachineFor of Target.
	Machine func(dm *mesh.DeviceMesh) (*cost.Machine, error)
	// Meshes are the candidates.
	Meshes []*mesh.DeviceMesh
	// Compile are the options of the partitioner; its Machine and Platform are set for each mesh.
	Compile compile.Options
	// Compiler asks the target's own compiler too. Where it is not installed, or the program
	// has not called aot.Serve first in main, the table says so.
	Compiler bool
	AOT      aot.Options
}

// Search compiles a program for each of the meshes, and returns what it costs there,
// the best mesh first. A mesh on which it cannot be compiled is a row that says why;
// the error is what is wrong with all of them.
func Search(ctx context.Context, build Build, o Options) (*Table, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	switch {
	case o.Target.Chip == nil && o.Machine == nil:
		return nil, errors.New("fit: Options.Target is not set: want one of hardware.ParseTarget")
	case o.Target.Chip == nil && o.Compiler:
		return nil, errors.New("fit: Options.Compiler is set without a target: a machine file has no compiler")
	case len(o.Meshes) == 0:
		return nil, errors.New("fit: Options.Meshes is empty: want meshes, such as those of fit.Meshes")
	}
	if o.Machine == nil {
		o.Machine = func(dm *mesh.DeviceMesh) (*cost.Machine, error) { return cost.MachineFor(o.Target, dm) }
	}
	t := &Table{}
	if o.Target.Chip != nil {
		t.Target = o.Target.String()
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
	return t, nil
}

// row makes the row of a mesh.
func (t *Table) row(ctx context.Context, dm *mesh.DeviceMesh, build Build, o *Options) (*Row, error) {
	r := &Row{Mesh: dm.String(), Devices: dm.Size()}
	machine, err := o.Machine(dm)
	if err != nil {
		r.Error = err.Error()
		return r, nil
	}
	t.Machine = machine.Name
	m, err := build(dm)
	if err != nil {
		r.Error = err.Error()
		return r, nil
	}
	options := o.Compile
	options.Machine, options.Platform = machine, machine.Platform
	p, err := compile.Compile(ctx, m, options)
	if fault := (*pass.Error)(nil); errors.As(err, &fault) && fault.Bug {
		return nil, fmt.Errorf("fit: mesh %s: %w", dm, err) // a fault of ours is no property of the mesh
	}
	if err != nil {
		r.Error = err.Error()
		return r, nil
	}
	t.Program = p.Name
	r.estimate(p, machine)
	if !o.Compiler {
		return r, nil
	}
	r.Compiler, err = ask(ctx, p, o)
	if errors.Is(err, aot.ErrNoPlugin) {
		t.NoCompiler, o.Compiler = err.Error(), false // of no mesh
		return r, nil
	}
	if err != nil {
		return nil, fmt.Errorf("fit: mesh %s: %w", dm, err)
	}
	r.decide()
	return r, nil
}
