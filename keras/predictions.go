package keras

// This file collects the outputs of predict steps.

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// predictions collects the outputs of predict steps. It fetches the outputs of a step after the
// next step is queued, so that the devices are never idle.
type predictions struct {
	pending []*runtime.Array // outputs of the last step, not fetched yet
	batches []prediction
}

// prediction holds the outputs of one step, on the host: the types, and the elements as flat
// slices.
type prediction struct {
	types []ir.Type
	flats []any
}

// BatchOutputs are the outputs of the predict steps of an execution, still on the devices.
type BatchOutputs struct {
	all   *predictions
	first int // number of the first batch
}

// Get waits for the steps of the execution, and returns their outputs or their error. There is one
// tensor for each output of the model, with the samples of all steps. A callback that calls Get at
// every batch keeps the devices idle meanwhile.
func (b *BatchOutputs) Get(ctx context.Context) ([]*tensors.Tensor, error) {
	if err := b.all.fetch(ctx); err != nil {
		return nil, err
	}
	return joined(b.all.batches[b.first:])
}

// add fetches the outputs of the previous step, and keeps those of this step for the next call.
func (p *predictions) add(ctx context.Context, outputs []*runtime.Array) error {
	err := p.fetch(ctx)
	p.pending = outputs
	return err
}

// size returns the number of steps whose outputs were added so far.
func (p *predictions) size() int {
	if len(p.pending) > 0 {
		return len(p.batches) + 1
	}
	return len(p.batches)
}

// fetch waits for the pending outputs, copies them to the host as one more batch, and releases
// their arrays. Without pending ones it does nothing.
func (p *predictions) fetch(ctx context.Context) error {
	if len(p.pending) == 0 {
		return nil
	}
	var b prediction
	for _, a := range p.pending {
		flat, err := a.Gather(ctx)
		if err != nil {
			return err
		}
		b.flats, b.types = append(b.flats, flat), append(b.types, a.Type())
		a.Release()
	}
	p.batches, p.pending = append(p.batches, b), nil
	return nil
}

// joined returns the outputs of several steps, at least one: one tensor for each output of the
// model, with the samples of all steps. For several steps it is an error if an output is a single
// number, or has samples of several shapes.
func joined(batches []prediction) ([]*tensors.Tensor, error) {
	out := make([]*tensors.Tensor, len(batches[0].types))
	for i, first := range batches[0].types {
		dims := slices.Clone(first.Dims)
		for k, b := range batches[1:] {
			t := b.types[i]
			if t.Rank() == 0 {
				return nil, fmt.Errorf("output %d is one number for each batch, not for each sample, so the %d batches do not fit into one tensor: predict them one by one, by PredictOnBatch", i, len(batches))
			}
			if !slices.Equal(t.Dims[1:], dims[1:]) {
				return nil, fmt.Errorf("output %d has samples of shape %v in batch %d and of shape %v before, so they do not fit into one tensor: predict batches of different sizes separately",
					i, t.Dims[1:], k+1, dims[1:])
			}
			dims[0] += t.Dims[0]
		}
		out[i] = tensors.FromShape(shapes.Make(first.DType, dims...))
		err := out[i].MutableFlatData(func(to any) {
			dst := reflect.ValueOf(to)
			for _, b := range batches {
				n := reflect.Copy(dst, reflect.ValueOf(b.flats[i]))
				dst = dst.Slice(n, dst.Len())
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Named returns the outputs, in the order of Predict, by the names of the model's outputs, as
// Predict returns them in Keras if the outputs of the model are a dict. It panics for more outputs
// than the model has.
func (m *Model) Named(outputs []*tensors.Tensor) map[string]*tensors.Tensor {
	named := make(map[string]*tensors.Tensor, len(outputs))
	for i, name := range m.OutputNames()[:len(outputs)] {
		named[name] = outputs[i]
	}
	return named
}
