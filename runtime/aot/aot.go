package aot

// This file compiles a program for a target.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/xlaflag"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/plugin"
	"github.com/gospmd/gospmd/target"
)

// ErrNoPlugin is wrapped by the errors of a compiler that cannot be used: it is not installed,
// lacks a tool, cannot be loaded by a binary without cgo, or the program has not called Serve. They
// say what is missing and how to fix it.
var ErrNoPlugin = plugin.ErrMissing

// Options are the options of Compile. They are comparable.
type Options struct {
	// Plugin is the file of the PJRT plugin. If it is empty, plugin.Find chooses one for the
	// target's platform.
	Plugin string
	// Install allows the download of a plugin that is not installed.
	Install bool
	// Flags are flags of XLA for this compilation, separated by spaces, such as
	// "xla_dump_to=/tmp/dump". $XLA_FLAGS is ignored: it has flags for the platform of this
	// process, and a flag that a plugin does not know ends the compiler.
	Flags string
	// MemoryBound is the bytes of a device that the compiler may plan to use. 0 is what the target
	// says for the program (target.Target.MemoryBound), or else all memory of a device. XLA for GPUs
	// compiles a program that needs more once again, in the order that needs the least memory.
	MemoryBound int
	// AllowDropped allows the compiler to keep values that the program computes again. It saves less
	// memory then than was predicted. Without it, that is a *DroppedError.
	AllowDropped bool
	// Progress gets messages about the progress of an installation; nil is os.Stderr.
	Progress io.Writer
	// Logger gets warnings about plugins that are not used. nil is slog.Default.
	Logger *slog.Logger
}

// compiler says how to describe the devices of a platform to its plugin.
type compiler struct {
	// topology returns the name and the options that describe t to the plugin in file.
	topology func(t hardware.Target, file string) (name string, options []option, err error)
	// environment returns the environment variables that the plugin's process needs.
	environment func(file string) ([]string, error)
	// bound changes q such that the compiler knows of at most that many bytes of memory of a device.
	bound func(q *question, t hardware.Target, bytes int)
}

// compilers has the functions that compile for each platform: how the topology, the environment and
// a bound of the memory are made.
var compilers = map[string]compiler{
	hardware.TPU:  {tpuTopology, tpuEnvironment, boundTPU},
	hardware.CUDA: {gpuTopology, gpuEnvironment, boundGPU},
}

// Compile compiles p for devices of t. The devices need not exist on this machine. Device i of the
// program's mesh is the device with id i of t: on a torus, ids count along the first axis first.
// The program may use fewer devices than t has. The compiler runs in a child process, which ends
// when ctx ends: the program must call Serve first in main.
//
// If the program is too large, the error is an *OutOfMemoryError. If the compiler keeps what the
// program computes again, it is a *DroppedError; if it keeps on the device what the program keeps on
// the host or moves there, an *OffloadError. If the compiler is missing, it wraps ErrNoPlugin.
func Compile(ctx context.Context, p *program.Program, t hardware.Target, o Options) (*Executable, error) {
	e, err := compile(ctx, p, t, o)
	if err != nil {
		return nil, fmt.Errorf("compiling %s for %s: %w", p.Name, t, err)
	}
	return e, nil
}

// compiled is an executable and its optimized module.
type compiled struct {
	*Executable
	module *hloModule
}

func compile(ctx context.Context, p *program.Program, t hardware.Target, o Options) (*Executable, error) {
	c, err := compilerFor(p, t)
	if err != nil {
		return nil, err
	}
	flags, err := xlaflag.Parse(o.Flags)
	if err != nil {
		return nil, err
	}
	to := target.Of(t.Chip.Platform)
	q := question{Code: to.Text(p)}
	file, env, err := c.find(ctx, t, o)
	if err != nil {
		return nil, err
	}
	q.Plugin = file
	if q.Topology, q.Options, err = c.topology(t, file); err != nil {
		return nil, err
	}
	bound := cmp.Or(o.MemoryBound, to.MemoryBound(p))
	once := func(more ...xlaflag.Flag) (made compiled, err error) {
		q.CompileOptions = compileOptions(p, slices.Concat(more, flags))
		a, err := c.ask(ctx, q, p, t, env, bound)
		if err != nil {
			return made, fmt.Errorf("plugin %s: %w", file, err)
		}
		if a.Failed != nil {
			return made, explain(a, p, t, file)
		}
		made.Executable, made.module, err = newExecutable(a, p, t, file)
		return made, err
	}
	within := bound
	if !to.FillsMemory {
		within = 0
	}
	e, err := xlaflag.Within(within, once, func(c compiled) int { return c.Memory.Peak }, func(compiled) {})
	if err != nil {
		return nil, err
	}
	if !o.AllowDropped {
		if err := e.module.droppedError(p); err != nil {
			return nil, err
		}
		if err := e.module.offloadError(p); err != nil {
			return nil, err
		}
	}
	if oom := e.tooLargeError(p); oom != nil {
		return nil, oom
	}
	return e.Executable, nil
}

// ask returns the compiler's answer to q, for program p and the environment variables env. If bound
// is not 0, the compiler may use that many bytes of a device; if it refuses p for that, the answer
// is the one without the bound: its figures then tell by how much p is too large.
func (c compiler) ask(ctx context.Context, q question, p *program.Program, t hardware.Target, env []string, bound int) (answer, error) {
	if bound > 0 {
		bounded := q
		bounded.Options, bounded.CompileOptions = slices.Clone(q.Options), slices.Clone(q.CompileOptions)
		c.bound(&bounded, t, bound)
		a, err := child.Ask(ctx, bounded, environment(env))
		if err == nil && a.Failed == nil && a.Attributes[memoryLimit] > 0 {
			a.Attributes[memoryLimit] = float64(t.Chip.UsableMemory())
		}
		if err != nil || a.Failed == nil || refusalError(a, p, t) == nil {
			return a, err
		}
	}
	return child.Ask(ctx, q, environment(env))
}

// compilerFor returns the compiler for p and t, or an error if p cannot be compiled for t.
func compilerFor(p *program.Program, t hardware.Target) (compiler, error) {
	c, ok := compilers[t.Chip.Platform]
	if !ok {
		return c, fmt.Errorf("its platform %q has no compiler: want a TPU or a GPU", t.Chip.Platform)
	}
	if last := slices.Max(p.Mesh.Devices()); last >= t.Devices() {
		return c, fmt.Errorf("the program's mesh %s has device %d, and the target %d devices: choose a smaller mesh or a larger target", p.Mesh, last, t.Devices())
	}
	if !hasCgo {
		return c, fmt.Errorf("compiler %w: this binary was built without cgo, which loads compilers: build it with CGO_ENABLED=1 and a C compiler", ErrNoPlugin)
	}
	if !child.IsServed() {
		return c, fmt.Errorf("compiler %w: it runs in a child process of this program, which the program has not allowed: call aot.Serve first in main, or use the commands gospmd aot and gospmd fit", ErrNoPlugin)
	}
	return c, nil
}

// find returns the file of the plugin and what its process needs in its environment. If
// Options.Install is set, it installs what is missing.
func (c compiler) find(ctx context.Context, t hardware.Target, o Options) (file string, env []string, err error) {
	for try := 0; ; try++ {
		file, err = plugin.Find(ctx, plugin.Options{Platform: t.Chip.Platform, Path: o.Plugin, Logger: o.Logger})
		if err == nil {
			env, err = c.environment(file)
		}
		if !o.Install || try > 0 || !errors.Is(err, plugin.ErrMissing) {
			return file, env, err
		}
		if _, err := plugin.Install(ctx, t.Chip.Platform, o.Progress); err != nil {
			return "", nil, err
		}
	}
}

// explain returns the error of a program p that the plugin in file could not compile for t; a is
// the plugin's answer. The error is an OutOfMemoryError, says that the target is unknown, or has
// the plugin's message.
func explain(a answer, p *program.Program, t hardware.Target, file string) error {
	if oom := refusalError(a, p, t); oom != nil {
		return oom
	}
	if a.Failed.Function == "PJRT_TopologyDescription_Create" {
		return fmt.Errorf("the plugin %s does not know this target: %s", file, a.Failed.Message)
	}
	return fmt.Errorf("plugin %s: %w", file, a.Failed)
}
