package keras

// This file traces steps without running them: Lower, and the step that a model is explained by
// before it has run one.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

// Lower returns the traced training step for batches of b's shapes, before any pass: the input of
// package compile. The layouts of the model's distribution are annotations in it. A model that is
// not compiled, and a b that has no labels or does not fit the model, are errors. Like a first
// batch, b builds a Sequential that is not built, the metrics and the slots of the optimizer. No
// device is needed, and nothing runs.
func (m *Model) Lower(b data.Batch) (*ir.Module, error) {
	step, _, err := m.lower(b)
	return step, err
}

// lower is Lower. It also returns b as steps get it: loaded, in the shapes of the model's inputs.
func (m *Model) lower(b data.Batch) (*ir.Module, data.Batch, error) {
	if m.compiled == nil {
		return nil, b, fmt.Errorf("keras: model %s: lower: the model is not compiled: call Compile first", m.name)
	}
	b, err := m.load(b)
	if err == nil {
		b, err = m.conforming(b)
	}
	if err != nil {
		return nil, b, fmt.Errorf("keras: model %s: lower: %w", m.name, err)
	}
	if len(b.Y) == 0 {
		return nil, b, fmt.Errorf("keras: model %s: lower: the batch has no labels: a training step needs them", m.name)
	}
	if err := m.resolve(b, trainStep); err != nil {
		return nil, b, fmt.Errorf("keras: model %s: lower: %w", m.name, err)
	}
	r, err := m.record(trainStep, b)
	if err != nil {
		return nil, b, fmt.Errorf("keras: model %s: lower: %w", m.name, err)
	}
	m.nameRules(r.module.Main())
	return r.module, b, nil
}

// assumedBatch is the number of examples of the assumed step: Fit's default.
const assumedBatch = 32

// explainedStep returns the step that was compiled last, as it is traced, and the options that it
// was compiled with (optionsOf). Before any step it is the step of assumedStep: the training step,
// or the prediction of a model without a loss, for assumedBatch examples. A model that is not
// compiled, or is on one device, is an error; what names the caller in errors.
func (m *Model) explainedStep(what string) (*ir.Module, compile.Options, error) {
	fail := func(err error) (*ir.Module, compile.Options, error) {
		return nil, compile.Options{}, fmt.Errorf("keras: model %s: %s: %w", m.name, what, err)
	}
	switch {
	case m.compiled == nil:
		return fail(fmt.Errorf("the model is not compiled: call Compile first"))
	case m.mesh() == nil:
		return fail(errNoLayouts)
	}
	if p := m.latest(); p != nil {
		return p.recorded, optionsOf(p), nil
	}
	module, kind, err := m.assumedStep()
	if err != nil {
		return fail(fmt.Errorf("no step has run, and none can be assumed: %w; call Fit, Evaluate or Predict first, or ExplainShardingFor with a batch", err))
	}
	return module, m.compilerOptions(kind), nil
}

// latest returns the program of the step that was compiled last; nil if there is none.
func (m *Model) latest() *stepProgram {
	if n := len(m.compiled.order); n > 0 {
		return m.compiled.programs[m.compiled.order[n-1]]
	}
	return nil
}

// optionsOf returns the options that made the program p: a limit of memory is the one that was
// asked for in the end.
func optionsOf(p *stepProgram) compile.Options {
	o := p.options
	if f := p.compiled.Fitting; f != nil {
		o.MemoryLimit = cmp.Or(f.Asked, o.MemoryLimit)
		o.MicroBatches = min(o.MicroBatches, f.MicroBatches)
	}
	return o
}

// errNoLayouts is the error of calls that need layouts for models on one device.
var errNoLayouts = errors.New("the model is on one device: there are no layouts; set a distribution before the model is made")

// assumedStep traces the training step, or without a loss the predict step, for assumedBatch
// samples of inputs and labels of the shapes that the model states, and completes it (asCompiled).
// It also returns the kind of the step. The metrics that are made for these labels are made again
// for those of the first batch. A model that is not built, that runs in part on the host, or that
// has open dimensions besides the batch, is an error.
func (m *Model) assumedStep() (step *ir.Module, kind stepKind, err error) {
	if !m.built() {
		return nil, "", fmt.Errorf("the model has no input shape yet")
	}
	if m.hasHost() {
		return nil, "", fmt.Errorf("a part of the model runs on the host, and decides the shapes")
	}
	x, err := samplesOfShapes(m.deviceTensors(), assumedBatch)
	if err != nil {
		return nil, "", err
	}
	b := data.Batch{X: x}
	kind = predictStep
	if m.compiled.hasLoss() {
		kind = trainStep
	}
	for i, h := range m.compiled.heads {
		if kind == predictStep || !h.labelled() {
			continue
		}
		y, err := samplesOfShapes(m.outputs[i:i+1], assumedBatch)
		if err != nil {
			return nil, "", err
		}
		if h.loss != nil {
			y[0] = tensors.FromShape(h.loss.Labels(y[0].Shape()))
		}
		b.Y = append(b.Y, y[0])
	}
	defer m.forgetMetrics()
	if err := m.resolve(b, kind); err != nil {
		return nil, "", err
	}
	r, err := m.record(kind, b)
	if err != nil {
		return nil, "", err
	}
	m.asCompiled(r.module)
	return r.module, kind, nil
}

// samplesOfShapes returns tensors of zeros with the shapes and types of ts, tensors of the model,
// for a batch of the given size. Other open dimensions are an error.
func samplesOfShapes(ts []*layers.Tensor, batch int) (out []*tensors.Tensor, err error) {
	for _, t := range ts {
		if dims := t.Shape(); len(dims) > 1 && slices.Min(dims[1:]) < 0 {
			return nil, fmt.Errorf("%s has the open shape %s", t.Producer().Name(), layers.ShapeText(dims))
		}
		out = append(out, tensors.FromShape(sampleShape(t, batch, batch)))
	}
	return out, nil
}

// forgetMetrics removes the metrics that buildMetrics has made, so that the next batch makes new
// ones.
func (m *Model) forgetMetrics() {
	for _, t := range m.compiled.all() {
		t.metric = nil
	}
}

// asCompiled completes a traced step as the first run compiles it: it names the rules of the layout
// map in the module, and sets the machine, the platform and the cache in the model's compiler
// options to those of the model's devices, unless they are given. Where the devices cannot be
// opened, they stay as they are.
func (m *Model) asCompiled(step *ir.Module) {
	m.nameRules(step.Main())
	c := m.compiled.client
	if c == nil {
		c, _ = distribution.Client(context.Background())
	}
	if c != nil {
		m.targetClient(c)
	}
}

// sampleShape returns the type and shape of data for the input t. An open first dimension becomes
// batch, and other open ones become open.
func sampleShape(t *layers.Tensor, batch, open int) shapes.Shape {
	dims := slices.Clone(t.Shape())
	for i, n := range dims {
		if n < 0 {
			dims[i] = open
		}
	}
	if len(dims) > 0 && t.Shape()[0] < 0 {
		dims[0] = batch
	}
	return shapes.Make(t.DType(), dims...)
}
