package keras

// This file compiles, caches and runs the functions of a model: one train, test
// or predict step for each shape of batch.

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
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
	batch    int                  // number of inputs that are the batch: X, then Y
	read     []*variable.Variable // the other inputs
	assigned []*variable.Variable // the first results
	logs     []string             // names of the other results, of train and test steps
}

// program returns the step for batches of b's shape. It compiles and loads it on
// the first call.
func (m *Model) program(ctx context.Context, c *runtime.Client, kind stepKind, b data.Batch) (*stepProgram, error) {
	key := programKey(kind, b)
	if p, ok := m.compiled.programs[key]; ok {
		return p, nil
	}
	p, err := m.prepare(kind, b)
	if err != nil {
		return nil, err
	}
	for _, d := range p.compiled.Diagnostics {
		m.warn(m.compiled.warnings, d.String())
	}
	if err := m.allocate(ctx, c, p); err != nil {
		return nil, err
	}
	if p.exe, err = c.Load(ctx, p.compiled); err != nil {
		return nil, err
	}
	m.compiled.programs[key] = p
	m.compiled.order = append(m.compiled.order, key)
	return p, nil
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

// prepare traces and compiles a step. It needs no device.
func (m *Model) prepare(kind stepKind, b data.Batch) (*stepProgram, error) {
	r, err := m.record(kind, b)
	if err != nil {
		return nil, err
	}
	o := m.compilerOptions()
	if o.Debug.Dump != "" {
		o.Debug.Dump = filepath.Join(o.Debug.Dump, fmt.Sprintf("%02d_%s", len(m.compiled.order), r.module.Name))
	}
	p, err := compile.Compile(r.module, o)
	if err != nil {
		return nil, err
	}
	return &stepProgram{
		kind:     kind,
		recorded: r.module,
		compiled: p,
		batch:    len(b.Tensors()),
		read:     r.scope.Read(),
		assigned: r.assigned,
		logs:     r.logs,
	}, nil
}

// compilerOptions returns the options that steps are compiled with.
func (m *Model) compilerOptions() compile.Options {
	o := m.compiled.compiler
	if d, ok := m.dist.(distribution.ShardedUpdater); ok && d.ShardedUpdate() {
		o.ShardedUpdate = true
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

// programKey returns the key of a step in compiled.programs.
func programKey(kind stepKind, b data.Batch) string {
	var s strings.Builder
	s.WriteString(string(kind))
	for _, t := range b.Tensors() {
		s.WriteByte(' ')
		s.WriteString(t.Shape().String())
	}
	if b.SampleWeight != nil {
		s.WriteString(" weighted")
	}
	return s.String()
}

// run queues one execution. It transfers the batch to the devices, sets the new
// values of assigned variables, and returns the other results. It waits for none
// of them.
func (p *stepProgram) run(client *runtime.Client, b data.Batch) ([]*runtime.Array, error) {
	args := make([]*runtime.Array, 0, p.batch+len(p.read))
	defer func() {
		for _, a := range args[:min(p.batch, len(args))] {
			a.Release()
		}
	}()
	for _, t := range b.Tensors() {
		info := p.compiled.Inputs[len(args)]
		var a *runtime.Array
		var putErr error
		err := t.ConstFlatData(func(flat any) { a, putErr = client.Put(info.Type, info.Sharding, flat) })
		if err == nil {
			err = putErr
		}
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
