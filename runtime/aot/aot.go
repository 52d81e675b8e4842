package aot

// This file compiles a program for a target.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// ErrNoPlugin says that the compiler of a target, or a tool that it needs, is not
// installed. The error around it says what is missing and which command mends it.
var ErrNoPlugin = errors.New("the compiler for this target is not installed")

// Options say how to compile. They are comparable.
type Options struct {
	// Plugin is the file of the PJRT plugin; "" takes what plugin.Find finds for the
	// target's platform.
	Plugin string
	// Install downloads a plugin that is not there. Without it, none is downloaded.
	Install bool
	// Flags are flags of XLA for this compilation, separated by spaces, such as
	// "xla_dump_to=/tmp/dump". $XLA_FLAGS does not count: it holds those of the
	// platform that this process runs on.
	Flags string
	// Warnings is where notices go; nil discards them.
	Warnings io.Writer
}

// Compile compiles p for devices of t, of which none needs to be there: device i of
// the program's mesh is the one with the number i among the target's. The program
// must have been partitioned for a mesh of at most as many devices as t has. The
// compiler runs in a process of its own, which ends when ctx does.
func Compile(ctx context.Context, p *program.Program, t hardware.Target, o Options) (*Executable, error) {
	e, err := compile(ctx, p, t, o)
	if err != nil {
		return nil, fmt.Errorf("aot: %s for %s: %w", p.Name, t, err)
	}
	return e, nil
}

func compile(ctx context.Context, p *program.Program, t hardware.Target, o Options) (*Executable, error) {
	known, ok := platforms[t.Chip.Platform]
	if !ok {
		return nil, fmt.Errorf("no compiler is known for its platform %q: want \"tpu\" or \"cuda\"", t.Chip.Platform)
	}
	if n, last := p.Mesh.Size(), slices.Max(p.Mesh.Devices()); last >= t.Devices() {
		return nil, fmt.Errorf("the program is for a mesh of %d devices, the last of which has the number %d, and the target has %d: choose a larger target or a smaller mesh", n, last, t.Devices())
	}
	flags, err := parseFlags(o.Flags)
	if err != nil {
		return nil, err
	}
	if !hasCgo {
		return nil, errors.New("this binary was built without cgo, which loading the compiler needs: build it with CGO_ENABLED=1 and a C compiler")
	}
	file, err := find(ctx, t, o)
	if err != nil {
		return nil, err
	}
	q := question{Plugin: file, Code: p.Text(), CompileOptions: compileOptions(p, flags)}
	if q.Topology, q.Options, err = known.topology(t, file); err != nil {
		return nil, err
	}
	env, err := known.environment(file)
	if err != nil {
		return nil, err
	}
	a, err := ask(ctx, q, env)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", file, err)
	}
	if a.Failed != nil {
		return nil, explain(a, t, file)
	}
	return executable(a, p, t)
}

// find returns the file of the plugin.
func find(ctx context.Context, t hardware.Target, o Options) (string, error) {
	file, err := plugin.Find(ctx, plugin.Options{Platform: t.Chip.Platform, Path: o.Plugin})
	if err != nil && o.Plugin == "" {
		return "", fmt.Errorf("%w: %w", ErrNoPlugin, err)
	}
	return file, err
}

// explain returns the error of a program that was not compiled.
func explain(a answer, t hardware.Target, file string) error {
	switch {
	case a.Failed.Function == "PJRT_TopologyDescription_Create":
		return fmt.Errorf("the plugin %s does not know this target: %s", file, a.Failed.Message)
	case a.Failed.Function == "PJRT_Compile" && a.Failed.Code == codeResourceExhausted:
		return outOfMemory(a, t)
	}
	return fmt.Errorf("plugin %s: %w", file, a.Failed)
}
