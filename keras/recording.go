package keras

// This file traces the steps of a model: the forward pass, the loss, gradients and
// optimizer, metrics.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/trace"
)

// recording is a traced program: its module, the scope with its variables, and the variables that
// it assigns.
type recording struct {
	module   *ir.Module
	scope    *variable.StatelessScope
	logs     []string
	assigned []*variable.Variable
}

// record traces a step for each of the batches into a module, one after the other. Its
// parameters are the tensors of the batch, of several batches stacks of them, then the
// variables in the order of their first use. Its
// results are the assigned variables, then the logs of the last step; those of predict
// steps are the predictions of all.
func (m *Model) record(kind stepKind, bs ...data.Batch) (*recording, error) {
	out := &recording{}
	build := m.recordStep
	if len(bs) > 1 {
		one, err := m.oneStep(kind, bs[0])
		if err != nil {
			return nil, err
		}
		build = one.recordLoop
	}
	var err error
	out.module, err = trace.Record(string(kind), m.mesh(), func(r *trace.Recorder) (outputs []trace.Output, err error) {
		out.scope = variable.NewScope(r)
		r.At(m.compiled.place, func() { outputs, err = build(out, kind, bs) })
		return outputs, err
	})
	return out, err
}

// recordStep records one step for the batch bs[0] in the current recorder, and returns its results.
// Ops of no layer, such as those of the loss and the optimizer, get the place where the user has
// called Compile.
func (m *Model) recordStep(out *recording, kind stepKind, bs []data.Batch) ([]trace.Output, error) {
	s, err := m.newTracedStep(out.scope, kind, bs[:1])
	if err != nil {
		return nil, err
	}
	results, err := s.record()
	if err != nil {
		return nil, err
	}
	m.noteOwn(out.scope)
	return out.outputs(s, [][]*graph.Node{results})
}

// outputs returns the results of steps like s, given what each step returned: the new values of
// assigned variables, then the predictions of all steps, or the logs of the last one. It also sets
// out.assigned to these variables, and out.logs to the names of the logs.
func (out *recording) outputs(s *tracedStep, results [][]*graph.Node) ([]trace.Output, error) {
	out.assigned = out.scope.Assigned()
	outputs := out.scope.Outputs()
	if s.kind == predictStep { // a stateful layer goes on from its last states
		predictions, err := s.model.predictionOutputs(results)
		return append(outputs, predictions...), err
	}
	logs := s.model.ownOutputs(s.logs, results[len(results)-1])
	if s.model.ownStep(s.kind) == nil {
		logs = s.model.metricResults(out.scope)
	}
	for _, l := range logs {
		out.logs = append(out.logs, l.Name)
		outputs = append(outputs, l)
	}
	return outputs, nil
}

// tracedStep is a training, test or predict step while its graph is recorded: the inputs of the
// step as nodes, and the scope with its variables.
type tracedStep struct {
	model   *Model
	kind    stepKind
	r       *trace.Recorder
	scope   *variable.StatelessScope
	samples int // of the global batch

	xs, ys, sampleWeight []*graph.Node

	logs []string // names of the results of a step of the user's own
}

// newTracedStep starts a step of that kind in scope: it adds the tensors of the batches as
// parameters, stacked if there are several batches.
func (m *Model) newTracedStep(scope *variable.StatelessScope, kind stepKind, bs []data.Batch) (s *tracedStep, err error) {
	r, b, n := scope.Recorder, bs[0], len(bs)
	s = &tracedStep{model: m, kind: kind, r: r, scope: scope, samples: m.compiled.feed.rows(b.Size())}
	if s.xs, err = m.params(r, "x", b.X, n); err != nil {
		return nil, err
	}
	if s.ys, err = m.params(r, "y", b.Y, n); err != nil {
		return nil, err
	}
	s.sampleWeight, err = m.params(r, "sample_weight", b.SampleWeight, n)
	return s, err
}

// record records the step: it assigns the variables that change. It returns the
// predictions of a predict step, and the logs of a step of the user's own; those of others
// are in the states of metrics.
func (s *tracedStep) record() (results []*graph.Node, err error) {
	m, scope := s.model, s.scope
	c := &layers.Context{StatelessScope: scope, Training: s.kind == trainStep, Distribution: m.dist}
	if step := m.ownStep(s.kind); step != nil {
		return s.recordOwn(step, c)
	}
	trained := m.TrainableVariables()
	weights := make([]*graph.Node, len(trained))
	if s.kind == trainStep {
		for i, v := range trained {
			weights[i] = scope.Value(v)
		}
	}
	predictions, err := m.call(c, s.xs)
	if err != nil || s.kind == predictStep {
		return predictions, err
	}
	batch, err := m.compiled.traced(c, s.ys, predictions, s.sampleWeight)
	if err != nil {
		return nil, err
	}
	loss, err := m.traceLoss(s.r, c, batch)
	if err != nil {
		return nil, err
	}
	if s.kind == trainStep {
		scope.Restore()
		gradients := s.r.Gradient(m.compiled.optimizer.ScaleLoss(scope, loss), weights...)
		s.r.Scope(m.compiled.optimizer.Name(), func() { m.compiled.optimizer.Apply(scope, gradients) })
	}
	m.updateMetrics(c, s.samples, loss, batch)
	return nil, nil
}

// params adds tensors of a batch as parameters called name, or name0, name1 and so on for several.
// They have their shapes in the global batch, and the sharding that the distribution has for data.
// If batches is above 1, each is a stack of that many, along a new first dimension that is not
// sharded.
func (m *Model) params(r *trace.Recorder, name string, ts []*tensors.Tensor, batches int) ([]*graph.Node, error) {
	nodes := make([]*graph.Node, len(ts))
	for i, t := range ts {
		dims := m.compiled.feed.dims(t.Shape().Dimensions)
		s, err := m.dataSharding(len(dims))
		if err != nil {
			return nil, err
		}
		if batches > 1 {
			dims = slices.Concat([]int{batches}, dims)
			if s != nil {
				s = &layout.Sharding{Mesh: s.Mesh, Dims: slices.Concat([]layout.DimSharding{{}}, s.Dims)}
			}
		}
		param := name
		if len(ts) > 1 {
			param = fmt.Sprintf("%s%d", name, i)
		}
		nodes[i] = r.Param(param, ir.Tensor(t.DType(), dims...), s)
	}
	return nodes, nil
}

// predictionOutputs returns the predictions of all steps as outputs of a recording, sharded as
// data.
func (m *Model) predictionOutputs(predictions [][]*graph.Node) (outputs []trace.Output, err error) {
	for _, step := range predictions {
		for _, p := range step {
			s, err := m.dataSharding(p.Rank())
			if err != nil {
				return nil, err
			}
			outputs = append(outputs, trace.Output{Name: fmt.Sprintf("output%d", len(outputs)), Node: p, Sharding: s})
		}
	}
	return outputs, nil
}

// tracedHead is an output of the model with its loss and metrics, while a step is traced: its
// labels, prediction and weights.
type tracedHead struct {
	*head
	// nodes of the labels, the prediction and the sample weights; yTrue and sampleWeight may be nil
	yTrue, yPred, sampleWeight *graph.Node
	mask                       *graph.Node // of yPred; nil where all counts
	value                      *graph.Node // of its loss, not weighted
}

// masked returns the sample weights for the output's metrics: sampleWeight with 0 for the samples
// that the mask of the prediction excludes.
func (h *tracedHead) masked(sampleWeight *graph.Node) *graph.Node {
	return losses.ApplyMask(sampleWeight, h.mask, losses.Full(h.yPred), "sum")
}

// traced returns, for each head that has labels, the labels, the prediction, its mask and the
// sample weights that belong together. ys and sampleWeight are those of the batch, in the model's
// order; a single tensor of weights counts for all heads. A number of labels or weights that does
// not suit the model is an error.
func (c *compiled) traced(context *layers.Context, ys, predictions, sampleWeight []*graph.Node) ([]*tracedHead, error) {
	labels, err := c.labelsOf("label tensors", len(ys))
	if err != nil {
		return nil, err
	}
	weights := make([]int, len(c.heads))
	if len(sampleWeight) > 1 {
		if weights, err = c.labelsOf("sample weights", len(sampleWeight)); err != nil {
			return nil, err
		}
	}
	var out []*tracedHead
	for i, h := range c.heads {
		if labels[i] < 0 {
			continue
		}
		t := &tracedHead{head: h, yTrue: ys[labels[i]], yPred: predictions[i], mask: context.Mask(predictions[i])}
		if len(sampleWeight) > 0 && weights[i] >= 0 {
			t.sampleWeight = sampleWeight[weights[i]]
		}
		out = append(out, t)
	}
	return out, nil
}

// traceLoss returns the scalar that is trained on: the losses of the heads of the batch, times
// their weights, plus what layers and the regularizers of variables add. It stores each head's loss
// in the head. A model without any loss is an error.
func (m *Model) traceLoss(r *trace.Recorder, c *layers.Context, batch []*tracedHead) (loss *graph.Node, err error) {
	for _, h := range batch {
		if h.loss == nil {
			continue
		}
		r.Scope(h.loss.Name(), func() {
			h.value = h.loss.Value(h.yTrue, h.yPred, h.sampleWeight, h.mask)
			one := h.value
			if h.weight != 1 {
				one = graph.MulScalar(one, h.weight)
			}
			if loss == nil {
				loss = one
			} else {
				loss = graph.Add(loss, one)
			}
		})
	}
	add := func(x *graph.Node) {
		if loss == nil {
			loss = x
		} else {
			loss = graph.Add(loss, graph.ConvertDType(x, loss.DType()))
		}
	}
	for _, x := range c.Losses() {
		add(x)
	}
	for _, v := range m.TrainableVariables() {
		if p := v.Regularizer(); p != nil {
			r.Scope(v.Path(), func() { add(p.Call(c.StatelessScope.Value(v))) })
		}
	}
	if loss == nil {
		return nil, errNoLoss
	}
	return loss, nil
}

// updateMetrics records the updates of the states of all metrics: of the loss of the batch, which
// has that many samples, and of each output.
func (m *Model) updateMetrics(c *layers.Context, samples int, loss *graph.Node, batch []*tracedHead) {
	s := c.StatelessScope
	s.Recorder.Scope("metrics", func() {
		m.compiled.loss.metric.UpdateMean(s, loss, samples)
		for _, h := range batch {
			if h.tracker != nil && h.value != nil { // a loss of the user's own may not compute it
				h.tracker.metric.UpdateMean(s, h.value, samples)
			}
			for _, t := range h.metrics {
				t.metric.Update(s, h.yTrue, h.yPred, h.masked(nil))
			}
			for _, t := range h.weighted {
				t.metric.Update(s, h.yTrue, h.yPred, h.masked(h.sampleWeight))
			}
		}
		for _, added := range c.AddedMetrics() {
			m.compiled.addedMetric(added.Name).UpdateMean(s, added.Value, 1)
		}
	})
}

// addedMetric returns the metric that a layer has added by AddMetric under that name. It panics if
// none was added when the layers were applied.
func (c *compiled) addedMetric(name string) *metrics.Metric {
	i := slices.IndexFunc(c.added, func(t *tracked) bool { return t.log == name })
	if i < 0 {
		panic(fmt.Errorf("AddMetric: the log %q was not added when the layer was applied: a layer adds the same names at each call", name))
	}
	return c.added[i].metric
}

// metricResults returns the results of all metrics as logs, replicated, in the order of their
// names, as Keras sorts them.
func (m *Model) metricResults(s *variable.StatelessScope) (logs []trace.Output) {
	s.Recorder.Scope("metrics", func() {
		for _, t := range m.compiled.all() {
			if t.metric != nil {
				result := t.metric.Result(s)
				logs = append(logs, trace.Output{Name: t.log, Node: result, Sharding: m.replicated(result.Rank())})
			}
		}
	})
	slices.SortStableFunc(logs, func(a, b trace.Output) int { return strings.Compare(a.Name, b.Name) })
	return logs
}
