package compile

// This file implements the passes that keep inputs and outputs in the memory of the host: offload
// finds out which, and host_memory moves their values.

import (
	"fmt"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// offload records in c in which memory each input and output is. Its attribute mhlo.memory_kind
// states it, as JAX writes it; Options.OffloadOptimizer puts the state of the optimizer into the
// memory of the host. If the devices of the target compute in the host's memory, all are in
// DeviceMemory, and ops that move values between memories are removed. Errors are an unknown
// memory, the host's memory with XLA's partitioner, and a donated input in another memory than its
// output.
func offload(c *compilation) error {
	all := c.inputsAndOutputs()
	for _, t := range all {
		var ok bool
		if t.Memory, ok = ir.MemoryKindIn(t.attrs); !ok {
			return fmt.Errorf("%s has %s = %v: want %q, %q or %q", t, ir.MemoryKindAttr, t.attrs.Get(ir.MemoryKindAttr), ir.DeviceMemory, ir.PinnedHost, ir.UnpinnedHost)
		}
	}
	if c.options.OffloadOptimizer {
		c.offloadOptimizer()
	}
	if !c.options.target().HostMemory {
		useOneMemory(c.main(), all)
	}
	for _, t := range all {
		if t.Memory.OnHost() && c.options.Partitioner == XLA {
			return fmt.Errorf("%s is in the memory %s: the partitioner xla keeps all in the device's: take gospmd's, or leave %s out", t, t.Memory, ir.MemoryKindAttr)
		}
	}
	for _, in := range c.inputs {
		if in.Donated() && in.Memory != c.outputs[in.Alias].Memory {
			return fmt.Errorf("input %q is in the memory %s, and output %q, which takes it over, in %s: put both into one memory, or do not donate the input",
				in.Name, in.Memory, c.outputs[in.Alias].Name, c.outputs[in.Alias].Memory)
		}
	}
	return nil
}

// signatureTensor is an input or an output of a compilation, with the attributes that main has for
// it.
type signatureTensor struct {
	*program.TensorInfo
	kind  string // "input" or "output"
	attrs ir.Attrs
}

// String returns the kind and the name: input "x".
func (t signatureTensor) String() string { return fmt.Sprintf("%s %q", t.kind, t.Name) }

// inputsAndOutputs returns the inputs, then the outputs. Changes of them are changes of c's.
func (c *compilation) inputsAndOutputs() (list []signatureTensor) {
	f := c.main()
	for i := range c.inputs {
		list = append(list, signatureTensor{&c.inputs[i].TensorInfo, "input", f.ArgAttrs[i]})
	}
	for i := range c.outputs {
		list = append(list, signatureTensor{&c.outputs[i].TensorInfo, "output", f.Results[i].Attrs})
	}
	return list
}

// useOneMemory puts all inputs and outputs into the memory of the device, and removes the ops of f
// that move values between memories.
func useOneMemory(f *ir.Func, all []signatureTensor) {
	for _, t := range all {
		t.Memory = ir.DeviceMemory
	}
	f.Walk(func(op *ir.Op) {
		if _, ok := op.Placement(); ok {
			op.ReplaceWith(op.Operands[0])
		}
	})
}

// offloadOptimizer puts the state of the optimizer into the host's memory: the donated inputs with
// that role of at least memory.LeastOffload bytes, and their outputs. It warns if the target has no
// such memory, or if there are no such inputs.
func (c *compilation) offloadOptimizer() {
	if t := c.options.target(); !t.HostMemory {
		c.warn("OffloadOptimizer", fmt.Sprintf("it has no effect for the target %s, whose devices compute in the memory of the host", t.Name))
		return
	}
	some := false
	for i, in := range c.inputs {
		if in.Role == ir.RoleOptimizer && in.Donated() && in.Local.MemoryBytes() >= memory.LeastOffload {
			c.inputs[i].Memory, c.outputs[in.Alias].Memory, some = ir.PinnedHost, ir.PinnedHost, true
		}
	}
	if !some {
		c.warn("OffloadOptimizer", fmt.Sprintf("it has no effect: no donated input has the role %s and at least %s on a device", ir.RoleOptimizer, texttable.Bytes(memory.LeastOffload)))
	}
}

// hostMemory moves inputs that are in the host's memory to the device before their first use, and
// outputs that belong there to the host:
//
//	@main(%m) -> (%m2)                 @main(%m {pinned_host}) -> (%m3 {pinned_host})
//	                                     %d = annotate_device_placement %m "device"
//	  %m2 = add %m, %g           =>      %m2 = add %d, %g
//	                                     %m3 = annotate_device_placement %m2 "pinned_host"
//
// The compilers for accelerators copy beside other work. Slots of an optimizer take turns
// (takeTurns).
func hostMemory(c *compilation) error {
	f := c.main()
	fetches, stores := make([]*ir.Op, len(c.inputs)), make([]*ir.Op, len(c.outputs))
	for i, in := range c.inputs {
		if in.Memory.OnHost() {
			f.ArgAttrs[i] = f.ArgAttrs[i].With(ir.MemoryKindAttr, ir.String(in.Memory))
			fetches[i] = fetch(f, f.Params()[i])
		}
	}
	for i, out := range c.outputs {
		if out.Memory.OnHost() {
			f.Results[i].Attrs = f.Results[i].Attrs.With(ir.MemoryKindAttr, ir.String(out.Memory))
			stores[i] = c.store(f, i)
		}
	}
	var slots []slot
	for i, in := range c.inputs {
		if in.Role == ir.RoleOptimizer && in.Donated() && fetches[i] != nil && stores[in.Alias] != nil {
			slots = append(slots, slot{fetches[i], stores[in.Alias]})
		}
	}
	takeTurns(f, slots)
	return nil
}

// fetch moves p, a parameter of f in the host's memory, to the device before its first use, and
// returns the op that does it. Uses that return p, or move it themselves, stay; if there are no
// others, it returns nil.
func fetch(f *ir.Func, p *ir.Value) *ir.Op {
	stays := func(u ir.Use) bool {
		_, moves := u.Op.Placement()
		return moves || u.Op == f.Body.Terminator()
	}
	for u := range p.Uses() {
		if !stays(u) {
			first := p.FirstUse().In(f.Body) // not in each run of a loop
			var b ir.Builder
			onDevice := b.Before(first).Place(p, ir.DeviceMemory)
			p.ReplaceUsesIf(onDevice, func(u ir.Use) bool { return !stays(u) })
			return onDevice.Def()
		}
	}
	return nil
}

// store moves result i of f to the memory that its output says, and returns the op that does it;
// nil if it is there already.
func (c *compilation) store(f *ir.Func, i int) *ir.Op {
	v, memory := f.Returned()[i], c.outputs[i].Memory
	if v.IsArg() {
		if c.inputs[v.Index()].Memory == memory {
			return nil
		}
	} else if kind, ok := v.Def().Placement(); ok && kind == memory {
		return nil
	}
	var b ir.Builder
	stored := b.AfterValue(v).Place(v, memory)
	f.Body.Terminator().SetOperand(i, stored)
	return stored.Def()
}
