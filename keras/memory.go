package keras

// This file defines what bounds the memory of a step: micro-batches, and values that are computed
// again in place of being kept, by a limit or by hand.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// Memory bounds the memory that each step of the model takes on a device: a size such as "12GB" or
// "16GiB". Where the predicted peak of a step is over it, values of the forward pass are computed
// again in the backward pass in place of keeping them, the batch is computed in micro-batches, and
// the optimizer's slots are sharded over the devices that share the data or, on GPUs and TPUs, kept
// on the host, at the least predicted time (compile.Options.MemoryLimit). The first training step
// chooses where the slots are, and others of the training keep that. A step that cannot be made to
// fit is an error where it is compiled: a *report.OverBudgetError that names the least peak and what
// takes it. Where the devices' compiler needs more memory than was predicted, the step is compiled
// again for a lower limit, before its variables come to the devices; the compilation cache keeps the
// outcome. If that does not help, the smallest of these programs runs, and a warning has both sizes.
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

// loadWithin compiles the step for its limit of memory and loads it, so that the engine's figures
// are within the limit too (fit.Within); the Go engine has none. It sets p.compiled and p.exe, and
// p.over if no program is within the limit by the engine's figures. It keeps in the compilation
// cache which program that is. The processes of job, nil for one process, take the same program:
// that for the largest figure.
func (p *stepProgram) loadWithin(ctx context.Context, c *runtime.Client, job agree.Job) error {
	limit := p.options.MemoryLimit
	kept := p.options.Kept(p.recorded, cache.Limit)
	var known fit.Answer
	kept.Get(func(content []byte) error { return json.Unmarshal(content, &known) })
	answers, err := exchanged(ctx, job, known, nil)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(answers, func(a fit.Answer) bool { return a != known }) {
		known = fit.Answer{}
	}
	type loaded struct {
		program *program.Program
		exe     *runtime.Executable
	}
	tried, err := fit.Within(limit, known, func(ask int) (l loaded, predicted, peak int, err error) {
		if l.program, err = p.compile(ctx, ask); err == nil {
			l.exe, err = c.Load(ctx, l.program)
		}
		if err == nil {
			peak = neededBy(l.exe)
		}
		peaks, err := exchanged(ctx, job, peak, err)
		if err != nil {
			if l.exe != nil {
				l.exe.Close()
			}
			return l, 0, 0, err
		}
		return l, l.program.Fitting.After, slices.Max(peaks), nil
	}, func(l loaded) { l.exe.Close() })
	if err != nil && !errors.As(err, &p.over) {
		return err
	}
	kept.Put(func(b *bytes.Buffer) error { return json.NewEncoder(b).Encode(tried.Answer) })
	p.compiled, p.exe = tried.Made.program, tried.Made.exe
	f := p.compiled.Fitting
	f.Limit, f.Compiled = limit, tried.Peak
	if tried.Ask != limit {
		f.Asked = tried.Ask
	}
	return nil
}

// neededBy returns the memory of a device that a run of exe needs by the engine's figures, in bytes;
// 0 if the engine has none. They leave constants out, which ours count.
func neededBy(exe *runtime.Executable) int {
	stats, err := exe.Memory()
	if err != nil {
		return 0
	}
	return stats.Required() + report.New(exe.Program()).Memory.Constants
}

// exchanged returns the values of all processes of job, and otherwise value alone. failed is an
// error of this process, or nil: all processes then get an error.
func exchanged[T any](ctx context.Context, job agree.Job, value T, failed error) ([]T, error) {
	if job == nil {
		return []T{value}, failed
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("BUG: %w", err)
	}
	all, err := agree.On(ctx, job, "memory of a program", text, failed)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(all))
	for rank, text := range all {
		if err := json.Unmarshal(text, &out[rank]); err != nil {
			return nil, fmt.Errorf("process %d sent %q: %w: want the same program in all processes", rank, text, err)
		}
	}
	return out, nil
}

// noteLimit takes note of p, which is loaded within a limit of memory. Later programs have the
// optimizer's state where the first training step has it. If the engine needs more memory than the
// limit, it warns.
func (m *Model) noteLimit(p *stepProgram) {
	if p.kind == trainStep && m.compiled.fitted == nil {
		m.compiled.fitted = p.compiled.Fitting
	}
	if p.over == nil {
		return
	}
	m.warn(m.compiled.logger, fmt.Sprintf("%s: a device needs %s bytes of memory, and the limit is %s: %s were predicted, and lower limits have led to no smaller program",
		p.compiled.Name, texttable.GroupDigits(p.over.Least), texttable.GroupDigits(p.over.Limit), texttable.GroupDigits(p.compiled.Fitting.After)))
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
