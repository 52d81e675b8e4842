package keras

// This file compiles, caches and runs the steps of a model: a program for each kind of
// step and shape of batch, of one step or of as many as an execution has.

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// stepKind is a kind of step.
type stepKind string

const (
	trainStep   stepKind = "train_step"
	testStep    stepKind = "test_step"
	predictStep stepKind = "predict_step"
)

// stepProgram is one traced and compiled function of a model.
type stepProgram struct {
	kind     stepKind
	recorded *ir.Module // as traced, with its sharding annotations
	compiled *program.Program
	exe      *runtime.Executable
	// number of inputs that are tensors of the batch, or stacks of those of several batches: X,
	// then Y
	batch    int
	read     []*variable.Variable // the other inputs
	assigned []*variable.Variable // the first results
	logs     []string             // names of the other results, of train and test steps
}

// program returns the program of a step for each of the batches, which are of one
// shape. It compiles and loads it on the first call.
func (m *Model) program(ctx context.Context, c *runtime.Client, kind stepKind, bs ...data.Batch) (*stepProgram, error) {
	key := programKey(kind, bs)
	if p, ok := m.compiled.programs[key]; ok {
		return p, nil
	}
	m.targetClient(c)
	pending := m.pendingAs(key)
	p, err := m.preparedOr(ctx, pending, kind, bs)
	if err != nil {
		return nil, err
	}
	for _, d := range p.compiled.Diagnostics {
		m.warn(m.compiled.logger, d.String())
	}
	m.lint(p)
	if err := m.allocate(ctx, c, p); err != nil {
		return nil, err
	}
	if pending != nil {
		m.compiled.pending = slices.DeleteFunc(m.compiled.pending, func(p *pendingProgram) bool { return p == pending })
	} else {
		pending = loadPending(ctx, c, key, p)
	}
	if err := pending.wait(); err != nil {
		return nil, err
	}
	m.compiled.programs[key] = p
	m.compiled.order = append(m.compiled.order, key)
	return p, nil
}

// targetClient makes steps be compiled for the devices of a client, and kept where it keeps them.
func (m *Model) targetClient(c *runtime.Client) {
	if m.compiled.compiler.Machine == nil {
		m.compiled.compiler.Machine = machineOf(c, m.mesh())
	}
	if m.compiled.compiler.Platform == "" {
		m.compiled.compiler.Platform = target.NameOf(c.Platform())
	}
	if m.compiled.compiler.Cache == nil {
		m.compiled.compiler.Cache = c.CompilationCache()
	}
}

// Programs returns the train, test and predict steps that have been compiled so
// far, one for each shape of batch, in the order of their first use.
func (m *Model) Programs() []*program.Program {
	var out []*program.Program
	if m.compiled != nil {
		for _, key := range m.compiled.order {
			out = append(out, m.compiled.programs[key].compiled)
		}
	}
	return out
}

// prepare traces and compiles a program. It needs no device.
func (m *Model) prepare(ctx context.Context, kind stepKind, bs []data.Batch) (*stepProgram, error) {
	r, err := m.record(kind, bs...)
	if err != nil {
		return nil, err
	}
	m.nameRules(r.module.Main())
	o := m.compilerOptions()
	if distribution.ProcessID() > 0 {
		o.Debug.Dump = "" // process 0 writes the same
	}
	if o.Debug.Dump != "" {
		o.Debug.Dump = filepath.Join(o.Debug.Dump, fmt.Sprintf("%02d_%s", len(m.compiled.order), r.module.Name))
	}
	p, err := compile.Compile(ctx, r.module, o)
	if err != nil {
		return nil, err
	}
	return &stepProgram{
		kind:     kind,
		recorded: r.module,
		compiled: p,
		batch:    len(bs[0].Tensors()),
		read:     r.scope.Read(),
		assigned: r.assigned,
		logs:     r.logs,
	}, nil
}

// compilerOptions returns the options that steps are compiled with.
func (m *Model) compilerOptions() compile.Options {
	o := m.compiled.compiler
	if b := m.compiled.budget; !b.IsZero() {
		o.Budget = b
	}
	if n := m.compiled.memory; n > 0 {
		o.MemoryLimit = n
	}
	if p := m.memoryPolicies(); p != nil {
		o.MemoryPolicies = p
	}
	if d, ok := m.dist.(distribution.ShardedUpdater); ok && d.ShardedUpdate() {
		o.ShardedUpdate = true
	}
	if d, ok := m.dist.(*distribution.ModelParallel); ok && d.KeepLayouts() {
		o.KeepLayouts = true
	}
	return o
}

// allocate puts the variables that the program reads on the devices, in the
// shardings of its inputs, unless they are there already. Variables that were
// loaded before the program was compiled may have another sharding.
func (m *Model) allocate(ctx context.Context, c *runtime.Client, p *stepProgram) error {
	for i, v := range p.read {
		want := p.compiled.Inputs[p.batch+i].Sharding
		if v.Sharding() != nil && (v.Array() == nil || !v.Array().Sharding().SameLayout(want)) {
			if err := v.Relayout(ctx, want); err != nil {
				return err
			}
		}
		if err := v.Allocate(c); err != nil {
			return err
		}
	}
	return nil
}

// programKey returns the key of a program in compiled.programs.
func programKey(kind stepKind, bs []data.Batch) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d %s", len(bs), kind)
	for _, t := range bs[0].Tensors() {
		s.WriteByte(' ')
		s.WriteString(t.Shape().String())
	}
	fmt.Fprintf(&s, " weighted %d", len(bs[0].SampleWeight))
	return s.String()
}

// run queues one execution. It transfers the batches to the devices, sets the new
// values of assigned variables, and returns the other results. It waits for none
// of them.
func (p *stepProgram) run(client *runtime.Client, feed feed, bs ...data.Batch) ([]*runtime.Array, error) {
	args := make([]*runtime.Array, 0, p.batch+len(p.read))
	defer func() {
		for _, a := range args[:min(p.batch, len(args))] {
			a.Release()
		}
	}()
	for i := range p.batch {
		a, err := p.put(client, feed, i, bs)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	for _, v := range p.read {
		args = append(args, v.Array())
	}
	results, err := p.exe.Run(args...)
	if err != nil {
		return nil, err
	}
	for i, v := range p.assigned {
		v.SetArray(results[i])
	}
	return results[len(p.assigned):], nil
}

// put transfers tensor i of the batches to the devices.
func (p *stepProgram) put(client *runtime.Client, feed feed, i int, bs []data.Batch) (a *runtime.Array, err error) {
	in := p.compiled.Inputs[i]
	if len(bs) > 1 {
		return feed.putStack(client, in.Type, in.Sharding, flats(i, bs))
	}
	if got := bs[0].Tensors()[i].ConstFlatData(func(flat any) { a, err = feed.put(client, in.Type, in.Sharding, flat) }); got != nil {
		err = got
	}
	return a, err
}

// flats yields the elements of tensor i of the batches.
func flats(i int, bs []data.Batch) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for _, b := range bs {
			more := false
			if err := b.Tensors()[i].ConstFlatData(func(flat any) { more = yield(flat, nil) }); err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
		}
	}
}

// devices returns the number of devices of the model's distribution.
func (m *Model) devices() int {
	if dm := m.mesh(); dm != nil {
		return dm.Size()
	}
	return 1
}

// mesh returns the mesh of the model's distribution, nil for one device.
func (m *Model) mesh() *mesh.DeviceMesh {
	if m.dist == nil {
		return nil
	}
	return m.dist.DeviceMesh()
}
