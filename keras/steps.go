package keras

// This file runs steps over a dataset.

import (
	"context"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// errStop, returned by onBatch, ends run without an error.
var errStop = errors.New("a callback stops the training")

var errNoBatch = errors.New("the dataset yielded no batch: want at least one")

// pass is one way over a dataset.
type pass struct {
	kind step
	data *feed
	done int // batches that another process did, in whose metrics this one goes on
	// onBatch, unless nil, sees the logs of every train or test step, and
	// onOutputs the results of every predict step.
	onBatch   func(batch int, logs *BatchLogs) error
	onOutputs func(outputs []*runtime.Array) error
}

// run makes the steps of a pass and returns the logs after the last one; nil
// when all had been done before.
//
// A step is queued, not waited for: while it runs the next batch is made here
// and put on the devices. The runtime bounds how many are queued.
func (m *Model) run(ctx context.Context, client *runtime.Client, p pass) (Logs, error) {
	kind, batch := p.kind, p.done
	var last *BatchLogs
	for b, err := range p.data.epoch(ctx, p.done) {
		if err != nil {
			return nil, fmt.Errorf("batch %d: %w", batch, err)
		}
		if b.Size() == 0 || kind != predictStep && len(b.Y) == 0 {
			return nil, fmt.Errorf("batch %d of the dataset has %d samples and %d label tensors: want samples, and labels to train or evaluate", batch, b.Size(), len(b.Y))
		}
		if kind == predictStep {
			b.Y, b.SampleWeight = nil, nil
		}
		if err := m.resolve(b, kind == trainStep); err != nil {
			return nil, fmt.Errorf("batch %d: %w", batch, err)
		}
		if err := m.checkLabels(b); err != nil {
			return nil, fmt.Errorf("batch %d: %w", batch, err)
		}
		if batch == 0 && kind != predictStep {
			if err := m.resetMetrics(client); err != nil {
				return nil, err
			}
		}
		step, err := m.program(ctx, client, kind, b)
		if err != nil {
			return nil, err
		}
		results, err := step.run(client, b)
		if err != nil {
			return nil, fmt.Errorf("batch %d: %w", batch, err)
		}
		if kind == predictStep {
			err = p.onOutputs(results)
		} else {
			last.release()
			last = &BatchLogs{names: step.logs, arrays: results}
			if p.onBatch != nil {
				err = p.onBatch(batch, last)
			}
		}
		if err != nil && err != errStop {
			return nil, err
		}
		batch++
		if err == errStop {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if batch == 0 {
		return nil, errNoBatch
	}
	defer last.release()
	return last.Get(ctx)
}

// resetMetrics sets all totals to 0.
func (m *Model) resetMetrics(client *runtime.Client) error {
	reset := func(vs []*variable.Variable) error {
		for _, v := range vs {
			if v.Array() == nil {
				continue
			}
			if err := v.Reset(client); err != nil {
				return err
			}
		}
		return nil
	}
	if err := reset(m.compiled.lossTracker.Variables()); err != nil {
		return err
	}
	for _, metric := range m.compiled.resolved {
		if err := reset(metric.Variables()); err != nil {
			return err
		}
	}
	return nil
}

// run queues one execution: the batch goes to the devices, assigned variables
// get their new values, and the other results are returned, all pending.
func (p *stepProgram) run(client *runtime.Client, b data.Batch) ([]*runtime.Array, error) {
	args := make([]*runtime.Array, 0, p.batch+len(p.read))
	defer func() {
		for _, a := range args[:min(p.batch, len(args))] {
			a.Release()
		}
	}()
	for _, t := range b.Tensors() {
		port := p.compiled.Inputs[len(args)]
		var a *runtime.Array
		var putErr error
		err := t.ConstFlatData(func(flat any) { a, putErr = client.Put(port.Type, port.Sharding, flat) })
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
