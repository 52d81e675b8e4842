package layers

// This file computes operations on arrays at once, by the interpreter of StableHLO.

import (
	"cmp"
	"fmt"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/trace"
)

// computeArrays returns the results of the operation l on the Tensors in, which are arrays: it
// records a program, compiles it for the Go engine and runs it. What is wrong with the operands is
// an error that names the operation.
func computeArrays(l *OperationLayer, in []*Tensor) (out []*Tensor, err error) {
	fail := func(err error) ([]*Tensor, error) { return nil, fmt.Errorf("operation %s of arrays: %w", l.class, err) }
	if l.err != nil {
		return nil, l.err
	}
	var failed error // without the place, which is within this package
	module, err := trace.Record(l.class, nil, func(r *trace.Recorder) (outputs []trace.Output, err error) {
		nodes := make([]*graph.Node, len(in))
		for i, t := range in {
			nodes[i] = r.Param(fmt.Sprintf("input%d", i), ir.Tensor(t.DType(), t.Shape()...), nil)
		}
		defer func() {
			if p := recover(); p != nil {
				failed, _ = p.(error)
				panic(p)
			}
		}()
		for i, x := range l.Call(&Context{StatelessScope: variable.NewScope(r)}, nodes) {
			outputs = append(outputs, trace.Output{Name: fmt.Sprintf("output%d", i), Node: x})
		}
		return outputs, nil
	})
	if err != nil {
		return fail(cmp.Or(failed, err))
	}
	code, err := interp.Compile(module)
	if err != nil {
		return fail(err)
	}
	args := make([]*interp.Tensor, len(in))
	for i, t := range in {
		args[i] = interp.New(ir.Tensor(t.DType(), t.Shape()...))
		if err := t.array.ConstBytes(func(data []byte) { copy(args[i].Data, data) }); err != nil {
			return fail(err)
		}
	}
	frame := code.NewFrame(&interp.State{}, args)
	if err := code.Exec(frame); err != nil {
		return fail(err)
	}
	for _, r := range code.Results(frame) {
		t := tensors.FromShape(shapes.Make(r.Type.DType, r.Type.Dims...))
		if err := t.MutableBytes(func(data []byte) { copy(data, r.Data) }); err != nil {
			return fail(err)
		}
		out = append(out, NewArray(t))
	}
	return out, nil
}
