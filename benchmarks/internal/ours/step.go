package ours

// This file runs training steps, and fit.

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/runtime"
)

// steps runs r.Count training steps, at least one, and answers with the losses and times. A smaller
// count is an error.
func (t *trainer) steps(ctx context.Context, r worker.Request) (a worker.Answer, err error) {
	if r.Count < 1 {
		return a, fmt.Errorf("got count %d, want at least 1", r.Count)
	}
	a.Losses, err = t.run(ctx, r.Count, &a)
	return a, err
}

// run runs training steps, each with the next batch, which it puts on the devices, and returns
// their losses. It first sets the totals of metrics to zero. If a is not nil, run sets its times:
// they end when all results of the last step are ready.
func (t *trainer) run(ctx context.Context, count int, a *worker.Answer) ([]float64, error) {
	if err := t.zeroTotals(); err != nil {
		return nil, err
	}
	var means []*runtime.Array
	clock := worker.StartClock()
	var last []*runtime.Array
	for range count {
		results, err := t.runStep()
		if err != nil {
			return nil, err
		}
		last, means = results, append(means, results[t.lossIndex()])
	}
	for _, r := range last {
		if err := r.Wait(ctx); err != nil {
			return nil, err
		}
	}
	if a != nil {
		a.Wall, a.CPU = clock.Part()
	}
	return lossesOf(ctx, means)
}

// runStep queues a step with the next batch, and returns its results, which may not be ready. It
// replaces the arrays of the variables and the totals by those among the results.
func (t *trainer) runStep() ([]*runtime.Array, error) {
	args, err := t.put(t.batch())
	if err != nil {
		return nil, err
	}
	batch := len(args)
	for _, in := range t.state() {
		if v, ok := t.variables[in.Name]; ok {
			args = append(args, v.Array())
		} else {
			args = append(args, t.totals[in.Name])
		}
	}
	results, err := t.step.Run(args...)
	if err != nil {
		return nil, err
	}
	for i, out := range t.program.Outputs {
		if v, ok := t.variables[out.Name]; ok {
			v.SetArray(results[i])
		} else if _, ok := t.totals[out.Name]; ok {
			t.totals[out.Name] = results[i]
		}
	}
	for _, x := range args[:batch] {
		x.Release()
	}
	return results, nil
}

// batch returns the next batch of the model. After the last one comes the first again.
func (t *trainer) batch() data.Batch {
	b := t.batches[t.next%len(t.batches)]
	t.next++
	return b
}

// put puts the inputs and labels of b on the devices, in the shardings of the step's inputs, and
// returns the arrays.
func (t *trainer) put(b data.Batch) (args []*runtime.Array, err error) {
	for i, x := range b.Tensors() {
		in := t.program.Inputs[i]
		var a *runtime.Array
		var failed error
		if err := x.ConstFlatData(func(flat any) { a, failed = t.client.Put(in.Type, in.Sharding, flat) }); err != nil {
			return nil, err
		}
		if failed != nil {
			return nil, failed
		}
		args = append(args, a)
	}
	return args, nil
}

// zeroTotals replaces the totals of metrics on the devices by zeros.
func (t *trainer) zeroTotals() error {
	for _, in := range t.state() {
		if t.variables[in.Name] != nil {
			continue
		}
		zeros := dtypes.MakeAnySlice(in.Type.DType, in.Type.Size())
		a, err := t.client.Put(in.Type, in.Sharding, zeros)
		if err != nil {
			return err
		}
		t.totals[in.Name] = a
	}
	return nil
}

// lossIndex returns which result is the loss: the mean since the last zeroTotals.
func (t *trainer) lossIndex() int { return len(t.program.Outputs) - 1 }

// lossesOf returns the losses of steps. means has the mean of the losses up to each step; its
// arrays are released.
func lossesOf(ctx context.Context, means []*runtime.Array) (losses []float64, err error) {
	before := 0.0
	for i, a := range means {
		mean, err := runtime.Values[float32](ctx, a)
		if err != nil {
			return nil, err
		}
		sum := float64(mean[0]) * float64(i+1)
		losses = append(losses, sum-before)
		before = sum
		a.Release()
	}
	return losses, nil
}

// fit trains r.Count steps by keras.Model.Fit, and answers with the time and the mean of the
// losses. The first call also compiles. A count below 1 and a loss that is no number are errors.
func (t *trainer) fit(ctx context.Context, r worker.Request) (a worker.Answer, err error) {
	if r.Count < 1 {
		return a, fmt.Errorf("got count %d, want at least 1", r.Count)
	}
	var xs, ys []*tensors.Tensor
	for range r.Count {
		b := t.batch()
		xs, ys = append(xs, b.X[0]), append(ys, b.Y[0])
	}
	x, err := steps.Join(xs)
	if err != nil {
		return a, err
	}
	y, err := steps.Join(ys)
	if err != nil {
		return a, err
	}
	clock := worker.StartClock()
	history, err := t.keras.Fit(ctx, x, y, keras.BatchSize(t.model.Batch), keras.Shuffle(false), keras.Verbose(0))
	if err != nil {
		return a, err
	}
	a.Wall, a.CPU = clock.Part()
	a.Losses = history.Logs["loss"]
	if len(a.Losses) != 1 || math.IsNaN(a.Losses[0]) {
		return a, fmt.Errorf("the losses are %v, want one number", a.Losses)
	}
	return a, nil
}
