package keras

// This file defines what bounds the memory of a step: micro-batches, and values that are computed
// again in place of being kept, by a limit or by hand.

import (
	"errors"
	"fmt"
	"maps"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
)

// Memory bounds the memory that each step of the model takes on a device: a size such as "12GB" or
// "16GiB". Where the predicted peak of a step is over it, values of the forward pass are computed
// again in the backward pass in place of keeping them, the batch is computed in micro-batches, and
// the optimizer's slots are sharded over the devices that share the data or, on GPUs and TPUs, kept
// on the host, at the least predicted time (compile.Options.MemoryLimit). The first training step
// chooses where the slots are, and others of the training keep that. A step that cannot be made to
// fit is an error where it is compiled: a *report.OverBudgetError that names the least peak and what
// takes it. If the devices' compiler needs more than the limit all the same, that is a warning.
func Memory(size string) CompileOption {
	return CompileOption{compileSetting{Name: "Memory", Set: func(c *compileConfig) (err error) {
		if c.memory, err = texttable.ParseBytes(size); err != nil {
			return fmt.Errorf("the memory of a device: %w", err)
		}
		return nil
	}}}
}

// MicroBatches sets the number of parts in which a training step computes its batch, one after the
// other. The gradients of all parts are added up before the optimizer's one update, so that results
// are those of the whole batch, up to rounding; the memory of activations falls with the number of
// parts. Keras' optimizers have gradient_accumulation_steps in its place, which accumulates over
// whole batches and changes what a step is.
//
// A batch that n does not divide, such as the last one of an epoch, has the next smaller number of
// parts that divides it. A model whose results are no sums over the batch, such as one with batch
// normalization, is an error where the step is compiled. n below 1, and n above 1 together with
// StepsPerExecution above 1, are errors of Compile.
func MicroBatches(n int) CompileOption {
	return CompileOption{compileSetting{Name: "MicroBatches", Set: func(c *compileConfig) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number of micro-batches", n)
		}
		c.microBatches = n
		return nil
	}}}
}

// RematScope is keras.RematScope: what the layers that are made in it compute is not kept for the
// backward pass, but computed again.
//
//	err := keras.RematScope{Mode: "larger_than", OutputSizeThreshold: 1 << 20}.Do(func() error {
//		…
//	})
type RematScope = layers.RematScope

// MemoryPolicies says for layers, by their paths, what is computed again in the backward pass in
// place of keeping it, and what is kept whatever Memory says:
//
//	policies := memory.NewPolicies()
//	policies.Set("blocks_.*/attention", memory.Recompute)
//	model.Compile(keras.MemoryPolicies(policies))
//
// A layer that a key matches has its action, and not that of its RematScope. A key that matches no
// layer of a step is a warning, with the nearest paths. nil, and policies with an error, are errors
// of Compile.
func MemoryPolicies(p *memory.Policies) CompileOption {
	return CompileOption{compileSetting{Name: "MemoryPolicies", Set: func(c *compileConfig) error {
		if p == nil {
			return errors.New("the policies are nil: make them by memory.NewPolicies, or leave the option out")
		}
		c.policies = p
		return p.Err()
	}}}
}

// checkMemory warns if the engine needs more memory for a run of p, which is loaded, than the limit
// that the program was compiled for: the limit is kept by our prediction. The Go engine does not say
// what it needs.
func (m *Model) checkMemory(p *stepProgram) {
	f := p.compiled.Fitting
	if f == nil || f.Limit == 0 {
		return
	}
	stats, err := p.exe.Memory()
	if err != nil {
		return
	}
	needs := stats.Required() + report.New(p.compiled).Memory.Constants
	if needs > f.Limit {
		m.warn(m.compiled.logger, overLimit(p.compiled.Name, f, needs))
	}
}

// overLimit says that a run of the program name needs more bytes than its limit, and which smaller
// limit to ask for.
func overLimit(name string, f *program.Fitting, needs int) string {
	lower := fit.LowerLimit(f.Limit, f.After, needs, f.Limit)
	return fmt.Sprintf("%s: a device needs %s bytes of memory, and the limit is %s: %s were predicted; Memory(\"%dB\") asks for a smaller program",
		name, texttable.GroupDigits(needs), texttable.GroupDigits(f.Limit), texttable.GroupDigits(f.After), lower)
}

// memoryPolicies returns the policies of the option MemoryPolicies together with the RematScopes of
// layers; nil if neither says anything.
func (m *Model) memoryPolicies() *memory.Policies {
	scopes := map[string]string{}
	for _, n := range m.nodes {
		if !n.IsInput() {
			maps.Copy(scopes, layers.Recomputed(n.Layer))
		}
	}
	if len(scopes) == 0 {
		return m.compiled.policies
	}
	return m.compiled.policies.WithScopes(scopes)
}
