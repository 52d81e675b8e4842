package keras

// This file predicts.

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// Predict returns the model's outputs for x, one tensor for each output:
// keras.Model.predict. x is as in Fit; labels of a dataset are ignored.
// Options: BatchSize, Steps, Verbose, Output.
func (m *Model) Predict(ctx context.Context, x any, opts ...RunOption) ([]*tensors.Tensor, error) {
	c := runConfig{verbose: 1, output: os.Stdout}
	err := option.Apply("Predict", &c, opts, "BatchSize", "Steps", "Verbose", "Output")
	var out []*tensors.Tensor
	if err == nil {
		out, err = m.predict(ctx, x, c)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: predict: %w", m.name, err)
	}
	return out, nil
}

func (m *Model) predict(ctx context.Context, x any, c runConfig) ([]*tensors.Tensor, error) {
	if m.compiled == nil {
		if err := m.Compile(); err != nil {
			return nil, err
		}
	}
	ds, err := source{x: x, batchSize: c.batchSize, steps: c.steps, unlabelled: true}.dataset()
	if err != nil {
		return nil, err
	}
	client, err := m.client(ctx)
	if err != nil {
		return nil, err
	}
	batches := m.feed(ds, c.steps)
	defer batches.close()
	bar := newProgressBar(c.output, c.verbose, batches.size())
	var all predictions
	batch := 0
	_, err = m.run(ctx, client, pass{kind: predictStep, data: batches, onOutputs: func(outputs []*runtime.Array) error {
		batch++
		if err := all.add(ctx, outputs); err != nil {
			return err
		}
		return bar.update(ctx, batch, nil)
	}})
	if err == nil {
		err = all.fetch(ctx)
	}
	if err != nil {
		return nil, err
	}
	bar.finish(nil)
	return all.join()
}

// predictions collects the outputs of predict steps. Those of a step are
// fetched when the next one is queued, so that the devices do not wait.
type predictions struct {
	pending []*runtime.Array
	types   []ir.Type // by output, of the last batch
	flats   [][]any   // by output and batch
	samples int
}

func (p *predictions) add(ctx context.Context, outputs []*runtime.Array) error {
	err := p.fetch(ctx)
	p.pending = outputs
	return err
}

func (p *predictions) fetch(ctx context.Context) error {
	if len(p.pending) == 0 {
		return nil
	}
	if p.flats == nil {
		p.flats = make([][]any, len(p.pending))
		p.types = make([]ir.Type, len(p.pending))
	}
	for i, a := range p.pending {
		flat, err := a.Get(ctx)
		if err != nil {
			return err
		}
		if t := p.types[i]; t.Rank() > 0 && !slices.Equal(t.Dims[1:], a.Type().Dims[1:]) {
			return fmt.Errorf("output %d has samples of shape %v in batch %d and of shape %v before, so they do not fit into one tensor: predict batches of different sizes apart",
				i, a.Type().Dims[1:], len(p.flats[i]), t.Dims[1:])
		}
		p.flats[i], p.types[i] = append(p.flats[i], flat), a.Type()
		a.Release()
	}
	p.samples += p.types[0].Dims[0]
	p.pending = nil
	return nil
}

// join returns for each output its batches, one after the other.
func (p *predictions) join() ([]*tensors.Tensor, error) {
	out := make([]*tensors.Tensor, len(p.flats))
	for i, t := range p.types {
		dims := slices.Concat([]int{p.samples}, t.Dims[1:])
		out[i] = tensors.FromShape(shapes.Make(t.DType, dims...))
		err := out[i].MutableFlatData(func(to any) {
			dst := reflect.ValueOf(to)
			for _, flat := range p.flats[i] {
				n := reflect.Copy(dst, reflect.ValueOf(flat))
				dst = dst.Slice(n, dst.Len())
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
