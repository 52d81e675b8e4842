package keras

// This file writes the inference of a model as a StableHLO program.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
)

// Export writes the model's inference into a file as the text of a StableHLO program, for JAX, for
// XLA, or for package ir: keras.Model.export. The arguments of its function main are the inputs for
// a batch of the given number of samples, its results are the outputs. The size of the batch is
// fixed: call Export once for each size that is needed, or pad smaller batches. The weights are
// constants in the program. It has no layouts, so that it runs on any number of devices. The file
// is replaced at the end: after a failure it is as before.
//
// A model that is not compiled is compiled, with the defaults. A model that is not built, one with
// a part that runs on the host, such as a lookup of texts, and inputs with open dimensions other
// than the batch are errors.
func (m *Model) Export(ctx context.Context, file string, batch int) error {
	if err := m.usable(ctx); err != nil {
		return fmt.Errorf("keras: export: %w", err)
	}
	module, err := m.inference(ctx, batch)
	if err == nil {
		err = atomicfile.Write(file, func(f *os.File) error { return ir.Print(f, module, ir.PrintOptions{Names: true}) })
	}
	if err != nil {
		return fmt.Errorf("keras: model %s: export to %s: %w", m.name, file, err)
	}
	return nil
}

// inference returns the module that Export writes: the model's forward pass for batches of that
// size, with the current weights as constants. It compiles a model that is not compiled. A batch
// below 1, a model that is not built or has a part that runs on the host, and inputs with open
// dimensions other than the batch are errors.
func (m *Model) inference(ctx context.Context, batch int) (*ir.Module, error) {
	switch {
	case batch < 1:
		return nil, fmt.Errorf("got a batch of %d samples, want a positive number", batch)
	case !m.built():
		return nil, errors.New("the model has no graph yet: call Build")
	case m.hasHost():
		return nil, errors.New("a part of the model, such as a lookup of texts, runs on the host: export the model behind it")
	}
	if m.compiled == nil {
		if err := m.Compile(); err != nil {
			return nil, err
		}
	}
	x, err := samplesOfShapes(m.deviceTensors(), batch)
	if err != nil {
		return nil, err
	}
	r, err := m.record(predictStep, data.Batch{X: x})
	if err != nil {
		return nil, err
	}
	main, err := withConstants(ctx, r.module.Main(), m.InputNames(), r.scope.Read())
	if err != nil {
		return nil, err
	}
	returned := main.Body.Terminator()
	predictions := slices.Clone(returned.Operands[len(r.assigned):]) // behind the states of stateful layers
	returned.Erase()
	main.Return(predictions...)
	for i, name := range m.OutputNames() {
		main.Results[i].Name = name
	}
	out := &ir.Module{Name: r.module.Name, Funcs: []*ir.Func{main}}
	for _, f := range r.module.Funcs {
		if f != r.module.Main() {
			out.Funcs = append(out.Funcs, f.Clone())
		}
	}
	for _, f := range out.Funcs {
		dropLayouts(f)
	}
	return out, nil
}

// withConstants returns a copy of f whose first parameters are inputs with these names. The
// parameters behind them are replaced by constants with the current values of variables, in their
// order. The copy has no list of results yet.
func withConstants(ctx context.Context, f *ir.Func, inputs []string, variables []*variable.Variable) (*ir.Func, error) {
	out := ir.NewFunc(f.Name)
	copied := make(ir.Cloner)
	for i, name := range inputs {
		p := f.Params()[i]
		copied[p] = out.AddParam(name, p.Type, nil)
	}
	b := ir.NewBuilder(out.Body)
	b.AtEnd(out.Body)
	for i, v := range variables {
		flat, err := v.Value(ctx)
		if err != nil {
			return nil, err
		}
		value, err := ir.DenseFromFlat(v.Type(), flat)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		c := b.Constant(value)
		c.Name = v.Path()
		copied[f.Params()[len(inputs)+i]] = c
	}
	for op := range f.Body.Ops() {
		out.Body.Append(copied.Op(op))
	}
	return out, nil
}

// dropLayouts removes the shardings of all values of f, and its sharding constraints. It changes f.
func dropLayouts(f *ir.Func) {
	var constraints []*ir.Op
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpShardingConstraint {
			constraints = append(constraints, op)
		}
		for _, v := range op.Results {
			v.Sharding = nil
		}
	})
	for _, op := range constraints {
		op.Result().ReplaceAllUsesWith(op.Operands[0])
		op.Erase()
	}
	for i := range f.Results {
		f.Results[i].Sharding = nil
	}
}
