package compile

// This file defines the options of Compile.

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// Partitioner selects the partitioner for a module that has a sharding on every value.
type Partitioner int

const (
	// SPMD is package partition, which makes programs of Form PerDevice: the default.
	SPMD Partitioner = iota
	// XLA is XLA's own partitioner, which gets programs of Form Annotated. It serves as a
	// cross-check.
	XLA
)

// variant returns the variant of the pipeline that ends with p.
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

// DebugVar is the environment variable that holds debug options, as pass.ParseDebug reads them.
// Compilations without Options.Debug use it.
const DebugVar = "GOSPMD_DEBUG"

// Options are the options of Compile. The zero value has the defaults.
type Options struct {
	Partitioner Partitioner
	// ShardedUpdate shards the optimizer's slots and its work over the axes that shard the data:
	// each device updates a part of the weights, and the weights are then gathered. This sends as
	// many bytes as an all-reduce of the gradients, and the slots take less memory.
	ShardedUpdate bool
	// FullySharded shards weights as well, those of at least two dimensions, over the axes that shard
	// the data (Rajbhandari and others, ZeRO, 2020, stage 3; PyTorch's FSDP, fully sharded data
	// parallel). Layers gather a weight, or exchange activations, where they need it. Weights then
	// take less memory, and collectives more time. It includes ShardedUpdate. Programs that only read
	// the weights, such as those of inference, have them in the same shardings.
	FullySharded bool
	// OffloadOptimizer keeps the state of the optimizer in the memory of the host. The step copies
	// each tensor to the device before it updates it, and back. The state then takes memory of a
	// device only while it is updated; the copies take time, which predictions count. Tensors of
	// less than 64 KiB on a device stay there. Where devices compute in the memory of the host, as
	// on CPUs, it has no effect, and the Program says so. It needs the partitioner SPMD.
	OffloadOptimizer bool
	// ReduceDType is the element type in which a training step sums the gradients of weights over
	// the devices that share the data: Float32, BFloat16, Float16 or Float64. A narrow type sends
	// fewer bytes. A wide one keeps what rounding would lose, up to the update, where a layer
	// computes in 16 bits. dtypes.InvalidDType, the zero value, sums in the type in which the
	// gradient is computed. Sums of losses and statistics do not change, nor do those of the
	// gradients of activations. It needs the partitioner SPMD.
	ReduceDType dtypes.DType
	// KeepLayouts makes layouts binding: all values keep the shardings that annotations and
	// propagation give them, at whatever cost. Without it, package autoshard and the passes after
	// it may change the shardings of values other than inputs and outputs, if that costs less.
	// CostOfLayouts returns the cost of KeepLayouts. Program.Overrides lists the annotations that
	// were changed without it.
	KeepLayouts bool
	// Machine is the machine for all decisions by cost: shardings, strategies, the places of
	// collectives, the collectives to combine, and suggestions. It must fit the module's mesh
	// (cost.Machine.Validate). Pass it to report.NewFor as well. nil stands for cost.Default.
	Machine *cost.Machine
	// Platform names the compiler or engine that gets the program: the platform of its devices as
	// PJRT names it, "cpu", "cuda" or "tpu"; "goengine"; or target.Other. Another name is an error.
	// Passes for limits that it does not have (package target) do not run. If it is empty, it is
	// that of Machine and, if that has none either, target.Any.
	Platform string
	// Budget limits the cost of the program. If the program costs more, Compile returns an error
	// that names the most expensive parts. It needs the partitioner SPMD.
	Budget report.Budget
	// MemoryLimit bounds the memory of a device in bytes; 0 is no limit. Where the predicted peak
	// is over it, values are computed again in place of keeping them or, on targets whose devices
	// have memory of their own, moved to the host and back, at the least predicted time (package
	// memory). Where that costs time or is not enough, the limit may also choose MicroBatches,
	// ShardedUpdate, FullySharded and OffloadOptimizer. Program.Fitting tells what was done. If no
	// program is found that fits, Compile returns a *report.OverBudgetError that names the least peak
	// and what takes it. It needs the partitioner SPMD.
	MemoryLimit int
	// KeepPlacement leaves weights and the state of the optimizer where ShardedUpdate, FullySharded
	// and OffloadOptimizer put them, also with a MemoryLimit: the layouts and memories of a running
	// training, whose state is on the devices, stay as they are. KeepLayouts does so too. If no
	// program fits, the error says whether another place would help.
	KeepPlacement bool
	// MicroBatches is the number of parts in which a step computes its batch, one after the other,
	// to need less memory (package microbatch). Results are those of the whole batch, up to
	// rounding. 0 stands for 1 without a MemoryLimit, and for the number that fits at the least
	// predicted time with one. Above 1 it needs the partitioner SPMD, and must divide the samples
	// of a device; a step that cannot be divided is an error.
	MicroBatches int
	// MemoryPolicies say for layers, by their paths, what is computed again in the backward pass,
	// moved to the host or kept in fewer bits until then, and what is saved whatever MemoryLimit is
	// (package memory). A key that matches no layer gives the Program a warning. nil has no rules.
	// They need the partitioner SPMD.
	MemoryPolicies *memory.Policies
	// Cache keeps Programs for later calls, also of other processes. Get it from
	// runtime.Client.CompilationCache. If it is nil, or if Debug or GOSPMD_DEBUG is set, each call
	// compiles.
	Cache cache.Cache
	// Debug dumps the module after passes and switches passes off. If it is not set, the
	// environment variable GOSPMD_DEBUG is used.
	Debug pass.Debug
}

// machine returns Machine, or the default one if it is nil.
func (o Options) machine() *cost.Machine {
	if o.Machine == nil {
		return cost.Default()
	}
	return o.Machine
}

// mayDivideBatch reports whether the options ask for micro-batches, or let pass memory choose them.
func (o Options) mayDivideBatch() bool {
	return o.MicroBatches > 1 || o.MicroBatches == 0 && o.MemoryLimit > 0
}

// keepsPlacement reports whether a limit may not choose where weights and the state of the optimizer
// are.
func (o Options) keepsPlacement() bool { return o.KeepPlacement || o.KeepLayouts }

// target returns the target that the program is for: that of Platform or, if it is empty, of the
// machine's platform.
func (o Options) target() *target.Target {
	return target.Of(cmp.Or(o.Platform, o.machine().Platform))
}

// check returns an error if the options are wrong. If Debug is not set, check sets it from the
// environment variable DebugVar. list holds the passes, whose names Debug may use.
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
	if t := o.ReduceDType; t != dtypes.InvalidDType && !t.IsFloat() {
		return fmt.Errorf("Options.ReduceDType is %s: want a type of floats, such as Float32 or BFloat16", t)
	}
	if o.ReduceDType != dtypes.InvalidDType && o.Partitioner != SPMD {
		return errors.New("Options.ReduceDType is set, but XLA's partitioner makes the sums that it is about: use compile.SPMD")
	}
	if o.OffloadOptimizer && o.Partitioner != SPMD {
		return errors.New("Options.OffloadOptimizer is set, but XLA's partitioner keeps all in the memory of the device: use compile.SPMD")
	}
	if o.MemoryLimit < 0 {
		return fmt.Errorf("Options.MemoryLimit is %d bytes: want a positive number, or 0 for no limit", o.MemoryLimit)
	}
	if o.MemoryLimit > 0 && o.Partitioner != SPMD {
		return errors.New("Options.MemoryLimit is set, but what XLA's partitioner makes is not known when it is compiled: use compile.SPMD")
	}
	if o.MicroBatches < 0 {
		return fmt.Errorf("Options.MicroBatches is %d: want a positive number, or 0 for the default", o.MicroBatches)
	}
	if o.MicroBatches > 1 && o.Partitioner != SPMD {
		return fmt.Errorf("Options.MicroBatches is %d, but XLA's partitioner makes no micro-batches: use compile.SPMD", o.MicroBatches)
	}
	if err := o.MemoryPolicies.Err(); err != nil {
		return fmt.Errorf("Options.MemoryPolicies: %w", err)
	}
	if o.MemoryPolicies != nil && o.Partitioner != SPMD {
		return errors.New("Options.MemoryPolicies is set, but XLA's partitioner makes the ops that it is about: use compile.SPMD")
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
