package gomlx

// This file handles the worker's requests: it builds GoMLX's trainer of a model, and trains.

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime/debug"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
)

// peer is the state of the worker: GoMLX's trainer of one model, and the batches.
type peer struct {
	backend compute.Backend
	trainer *train.Trainer
	xs, ys  []*tensors.Tensor // batches, which the steps use in turn
	next    int
}

// Handlers returns the functions that handle the worker's requests.
func Handlers() worker.Handlers {
	p := &peer{}
	return worker.Handlers{"open": p.open, "step": p.steps}
}

// open builds the trainer of r.Model and runs a step, which compiles it. The answer has the seconds
// for opening the backend, for building and for the step, the loss and the versions of the modules.
// A mesh is an error: GoMLX trains on one device here.
func (p *peer) open(ctx context.Context, r worker.Request) (a worker.Answer, err error) {
	if len(r.Mesh) > 0 {
		return a, fmt.Errorf("got the mesh %v: GoMLX trains on one device here: %w", r.Mesh, errors.ErrUnsupported)
	}
	m, err := steps.Find(r.Model)
	if err != nil {
		return a, err
	}
	clock := worker.StartClock()
	if p.backend, err = OpenBackend(ctx); err != nil {
		return a, err
	}
	a.Import, _ = clock.Part()
	if err := p.build(ctx, m); err != nil {
		return a, err
	}
	a.Build, _ = clock.Part()
	losses, err := p.run(1, nil)
	if err != nil {
		return a, err
	}
	a.FirstStep, _ = clock.Part()
	a.Loss, a.Devices, a.CPU = losses[0], 1, worker.CPUSeconds()
	a.Versions = versions("github.com/gomlx/gomlx", "github.com/gomlx/go-xla")
	return a, nil
}

// build makes GoMLX's trainer of the model m, with m's weights, optimizer, loss and batches. It
// returns an error for a model or loss that GoMLX does not have.
func (p *peer) build(ctx context.Context, m steps.Model) error {
	build, ok := models[m.Name]
	if !ok {
		return fmt.Errorf("%s: GoMLX has no such model, nor have we written it of its layers: %w", m.Name, errors.ErrUnsupported)
	}
	lossOf, ok := losses[m.Loss]
	if !ok {
		return fmt.Errorf("%s: got the loss %q, want one that GoMLX has", m.Name, m.Loss)
	}
	opt, err := optimizerOf(m.Optimizer)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	weights, err := m.Weights(ctx)
	if err != nil {
		return err
	}
	store := model.NewStore()
	if err := load(store, weights); err != nil {
		return err
	}
	if p.xs, p.ys, err = m.Batches(); err != nil {
		return err
	}
	p.trainer = train.NewTrainer(p.backend, store, build, lossOf, opt, nil, nil)
	return nil
}

// losses has, by the name of a Keras loss, the loss of GoMLX that computes the same.
var losses = map[string]loss.LossFn{
	"mse":                             loss.MeanSquaredError,
	"categorical_crossentropy":        loss.CategoricalCrossEntropyLogits,
	"sparse_categorical_crossentropy": loss.SparseCategoricalCrossEntropyLogits,
}

// optimizerOf returns an optimizer with Keras' settings. GoMLX's Adam adds epsilon to the corrected
// mean of squares, Keras' to the uncorrected one: losses differ in the fourth digit. Another
// optimizer than adam and rmsprop is an error.
func optimizerOf(o steps.Optimizer) (optimizer.Interface, error) {
	switch o.Name {
	case "adam":
		return optimizer.Adam().LearningRate(o.LearningRate).Epsilon(1e-7).Done(), nil
	case "rmsprop":
		return rmsprop{learningRate: o.LearningRate, rho: 0.9, epsilon: 1e-7}, nil
	}
	return nil, fmt.Errorf("got the optimizer %q: want adam or rmsprop", o.Name)
}

// steps runs r.Count training steps by Trainer.TrainStep, and answers with the losses and times.
// The model must be open. A count below 1, and no open model, are errors.
func (p *peer) steps(_ context.Context, r worker.Request) (a worker.Answer, err error) {
	if p.trainer == nil || r.Count < 1 {
		return a, fmt.Errorf("got count %d, want at least 1, and a model that is open", r.Count)
	}
	a.Losses, err = p.run(r.Count, &a)
	return a, err
}

// run trains count steps, at least one, and returns their losses. It sets a.Wall and a.CPU to the
// time from the call of run until the loss of the last step is computed. a may be nil.
func (p *peer) run(count int, a *worker.Answer) (out []float64, err error) {
	var metrics [][]*tensors.Tensor
	clock := worker.StartClock()
	for range count {
		b, err := p.batch()
		if err != nil {
			return nil, err
		}
		m, err := p.trainer.TrainStep(b)
		if err != nil {
			return nil, err
		}
		metrics = append(metrics, m)
	}
	_ = metrics[count-1][0].Value() // waits for the result
	if a != nil {
		a.Wall, a.CPU = clock.Part()
	}
	for _, m := range metrics {
		out = append(out, float64(tensors.ToScalar[float32](m[0])))
		for _, t := range m {
			if err := t.FinalizeAll(); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// batch returns a copy of the next batch, which the trainer then owns. After the last batch comes
// the first again.
func (p *peer) batch() (b train.Batch, err error) {
	i := p.next % len(p.xs)
	p.next++
	x, err := p.xs[i].LocalClone()
	if err != nil {
		return b, err
	}
	y, err := p.ys[i].LocalClone()
	return train.Batch{Inputs: []*tensors.Tensor{x}, Labels: []*tensors.Tensor{y}}, err
}

// versions returns the versions of those of the given modules that the executable was built with,
// by the last element of their paths, such as gomlx. The map is empty if Go has not recorded them.
func versions(modules ...string) map[string]string {
	out := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return out
	}
	for _, m := range info.Deps {
		if slices.Contains(modules, m.Path) {
			out[path.Base(m.Path)] = m.Version
		}
	}
	return out
}
