package compile

// This file defines the options of Compile.

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// Partitioner splits a module that has a sharding on every value.
type Partitioner int

const (
	// SPMD partitions by package partition (Form PerDevice): the default.
	SPMD Partitioner = iota
	// XLA leaves the partitioning to XLA (Form Annotated): the cross-check.
	XLA
)

// variant returns the variant of the pipeline that ends in p.
func (p Partitioner) variant() variant {
	if p == XLA {
		return xla
	}
	return spmd
}

// form returns the form of the programs that p makes.
func (p Partitioner) form() program.Form {
	if p == XLA {
		return program.Annotated
	}
	return program.PerDevice
}

// DebugVar is the environment variable that gives Options.Debug, as
// pass.ParseDebug reads it, to every compilation whose options have none.
const DebugVar = "GOSPMD_DEBUG"

// Options control Compile. The zero value is the default.
type Options struct {
	Partitioner Partitioner
	// ShardedUpdate shards the optimizer's slots and its work over the axes that shard the data:
	// each device updates a part of the weights, and the weights are then gathered. This sends as
	// many bytes as summing the gradients, and the slots take less memory.
	ShardedUpdate bool
	// KeepLayouts makes layouts binding: all values keep the shardings that annotations and their
	// propagation give them, at whatever cost. Without it, package autoshard and the passes after
	// it may change layouts of values between inputs and outputs, if that costs less. LayoutCost
	// tells the cost of KeepLayouts. Program.Overrides lists the annotations that do not hold
	// without it.
	KeepLayouts bool
	// Machine is the machine for all decisions by cost: shardings, strategies, the places of
	// collectives, the collectives to combine, and suggestions. It must fit the module's mesh
	// (cost.Machine.Validate). Give it to report.NewFor as well. nil: cost.Default.
	Machine *cost.Machine
	// Platform names the compiler or engine that gets the program: the platform of its devices
	// as PJRT names it, "cpu", "cuda" or "tpu"; "goengine"; or target.Other. Passes for limits that
	// it has not (package target) do not run. Empty: that of Machine; if that has none either,
	// target.Any.
	Platform string
	// Budget bounds the cost of the program. If the program costs more, Compile returns an error
	// that names the most expensive parts. It needs the partitioner SPMD.
	Budget report.Budget
	// MemoryLimit bounds the memory of a device in bytes; 0 is no limit. Where the predicted peak is
	// over it, values are computed again in place of keeping them, at the least predicted time
	// (package memory). Program.Fitting tells which. If no program is found that fits, Compile
	// returns a *report.OverBudgetError that names the least peak and what takes it. It needs the
	// partitioner SPMD.
	MemoryLimit int
	// Cache keeps Programs for later calls, also of other processes: that of a client,
	// runtime.Client.CompilationCache. nil: each call compiles, as it does with Debug.
	Cache cache.Cache
	// Debug dumps the module after passes and switches passes off. Without it,
	// the environment variable GOSPMD_DEBUG is read.
	Debug pass.Debug
}

// machine returns Machine, or the default.
func (o Options) machine() *cost.Machine {
	if o.Machine == nil {
		return cost.Default()
	}
	return o.Machine
}

// target returns what the program is for.
func (o Options) target() *target.Target {
	return target.Of(cmp.Or(o.Platform, o.machine().Platform))
}

// check returns what is wrong with the options. It completes Debug from the
// environment.
func (o *Options) check(list []pipelinePass) error {
	if o.Partitioner != SPMD && o.Partitioner != XLA {
		return fmt.Errorf("Options.Partitioner is %d: want compile.XLA or compile.SPMD", o.Partitioner)
	}
	if err := target.Check(o.Platform); err != nil {
		return fmt.Errorf("Options.Platform %w", err)
	}
	if err := o.Budget.Validate(); err != nil {
		return fmt.Errorf("Options.Budget %w", err)
	}
	if !o.Budget.IsZero() && o.Partitioner != SPMD {
		return errors.New("Options.Budget is set, but what XLA's partitioner makes is not known when it is compiled: use compile.SPMD")
	}
	if o.MemoryLimit < 0 {
		return fmt.Errorf("Options.MemoryLimit is %d bytes: want a positive number, or 0 for no limit", o.MemoryLimit)
	}
	if o.MemoryLimit > 0 && o.Partitioner != SPMD {
		return errors.New("Options.MemoryLimit is set, but what XLA's partitioner makes is not known when it is compiled: use compile.SPMD")
	}
	source := "Options.Debug"
	if o.Debug.IsZero() {
		source = DebugVar
		var err error
		if o.Debug, err = pass.ParseDebug(os.Getenv(DebugVar)); err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
	}
	var names []string
	for _, s := range list {
		names = append(names, s.name)
	}
	if err := o.Debug.Check(names); err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	return nil
}
