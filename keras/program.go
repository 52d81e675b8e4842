package keras

// This file traces the steps of a model, and compiles, caches and runs them:
// one train, test or predict step for each shape of batch.

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
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
	if m.compiled.compiler.Machine == nil {
		m.compiled.compiler.Machine = machineOf(c, m.mesh())
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
	m.nameRules(r.module.Main())
	o := m.compilerOptions()
	if distribution.ProcessID() > 0 {
		o.Debug.Dump = "" // process 0 writes the same
	}
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
	if b := m.compiled.budget; !b.IsZero() {
		o.Budget = b
	}
	if d, ok := m.dist.(distribution.ShardedUpdater); ok && d.ShardedUpdate() {
		o.ShardedUpdate = true
	}
	if d, ok := m.dist.(*distribution.ModelParallel); ok && d.KeepLayouts() {
		o.KeepLayouts = true
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
	fmt.Fprintf(&s, " weighted %d", len(b.SampleWeight))
	return s.String()
}

// run queues one execution. It transfers the batch to the devices, sets the new
// values of assigned variables, and returns the other results. It waits for none
// of them.
func (p *stepProgram) run(client *runtime.Client, feed feed, b data.Batch) ([]*runtime.Array, error) {
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
		err := t.ConstFlatData(func(flat any) { a, putErr = feed.put(client, info.Type, info.Sharding, flat) })
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

// mesh returns the mesh of the model's distribution, nil for one device.
func (m *Model) mesh() *mesh.DeviceMesh {
	if m.dist == nil {
		return nil
	}
	return m.dist.DeviceMesh()
}

// recording is a traced step.
type recording struct {
	module   *ir.Module
	scope    *variable.StatelessScope
	logs     []string
	assigned []*variable.Variable
}

// record traces a step into a module. Its parameters are the batch, then the
// variables in the order of their first use. Its results are the assigned
// variables, then the logs; those of a predict step are the predictions.
func (m *Model) record(kind stepKind, b data.Batch) (*recording, error) {
	out := &recording{}
	var err error
	out.module, err = trace.Record(string(kind), m.mesh(), func(r *trace.Recorder) (outputs []trace.Output, err error) {
		r.At(m.compiled.place, func() { outputs, err = m.recordStep(r, out, kind, b) })
		return outputs, err
	})
	return out, err
}

// recordStep is record within a recorder. What is of no layer, such as the loss and
// the optimizer, comes from where the user has called Compile.
func (m *Model) recordStep(r *trace.Recorder, out *recording, kind stepKind, b data.Batch) ([]trace.Output, error) {
	out.scope = variable.NewScope(r)
	c := &layers.Context{StatelessScope: out.scope, Training: kind == trainStep, Distribution: m.dist}
	xs, ys, weightsOf, err := m.batchParams(r, b)
	if err != nil {
		return nil, err
	}
	trained := m.TrainableVariables()
	weights := make([]*graph.Node, len(trained))
	if kind == trainStep {
		for i, v := range trained {
			weights[i] = out.scope.Value(v)
		}
	}
	predictions, err := m.call(c, xs)
	if err != nil {
		return nil, err
	}
	if kind == predictStep { // a stateful layer goes on from its last states
		out.assigned = out.scope.Assigned()
		outputs, err := m.predictionOutputs(predictions)
		return append(out.scope.Outputs(), outputs...), err
	}
	batch, err := m.compiled.traced(c, ys, predictions, weightsOf)
	if err != nil {
		return nil, err
	}
	loss := m.addPenalties(r, c, m.traceLoss(r, batch))
	if kind == trainStep {
		gradients := r.Gradient(m.compiled.optimizer.ScaleLoss(out.scope, loss), weights...)
		r.Scope(m.compiled.optimizer.Name(), func() { m.compiled.optimizer.Apply(out.scope, gradients) })
	}
	logs := m.traceMetrics(r, out.scope, m.compiled.feed.rows(b.Size()), loss, batch)
	out.assigned = out.scope.Assigned()
	outputs := out.scope.Outputs()
	for _, l := range logs {
		out.logs = append(out.logs, l.Name)
		outputs = append(outputs, l)
	}
	return outputs, nil
}

// batchParams adds the tensors of a batch as parameters.
func (m *Model) batchParams(r *trace.Recorder, b data.Batch) (xs, ys, sampleWeight []*graph.Node, err error) {
	if xs, err = m.params(r, "x", b.X); err != nil {
		return nil, nil, nil, err
	}
	if ys, err = m.params(r, "y", b.Y); err != nil {
		return nil, nil, nil, err
	}
	sampleWeight, err = m.params(r, "sample_weight", b.SampleWeight)
	return xs, ys, sampleWeight, err
}

// params adds tensors of a batch as parameters, in the sharding that the
// distribution has for data.
func (m *Model) params(r *trace.Recorder, name string, ts []*tensors.Tensor) ([]*graph.Node, error) {
	nodes := make([]*graph.Node, len(ts))
	for i, t := range ts {
		dims := m.compiled.feed.dims(t.Shape().Dimensions)
		s, err := m.dataSharding(len(dims))
		if err != nil {
			return nil, err
		}
		param := name
		if len(ts) > 1 {
			param = fmt.Sprintf("%s%d", name, i)
		}
		nodes[i] = r.Param(param, ir.Tensor(t.DType(), dims...), s)
	}
	return nodes, nil
}

// dataSharding returns the sharding that the distribution has for data of the
// given rank, nil for one device.
func (m *Model) dataSharding(rank int) (*layout.Sharding, error) {
	if m.dist == nil {
		return nil, nil
	}
	return distribution.DataSharding(m.dist, rank)
}

// predictionOutputs returns the results of a predict step.
func (m *Model) predictionOutputs(predictions []*graph.Node) ([]trace.Output, error) {
	outputs := make([]trace.Output, len(predictions))
	for i, p := range predictions {
		s, err := m.dataSharding(p.Rank())
		if err != nil {
			return nil, err
		}
		outputs[i] = trace.Output{Name: fmt.Sprintf("output%d", i), Node: p, Sharding: s}
	}
	return outputs, nil
}

// tracedHead is an output while a step is traced.
type tracedHead struct {
	*head
	yTrue, yPred, sampleWeight *graph.Node // the first and the last may be nil
	mask                       *graph.Node // of yPred; nil where all counts
	value                      *graph.Node // of its loss, not weighted
}

// masked returns the sample weights of metrics, which do not count what is masked.
func (h *tracedHead) masked(sampleWeight *graph.Node) *graph.Node {
	return losses.ApplyMask(sampleWeight, h.mask, losses.Full(h.yPred), "sum")
}

// traced returns the outputs that have labels.
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

// traceLoss returns the scalar that is trained on.
func (m *Model) traceLoss(r *trace.Recorder, batch []*tracedHead) (loss *graph.Node) {
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
	return loss
}

// addPenalties adds what layers and the regularizers of variables add to the loss.
func (m *Model) addPenalties(r *trace.Recorder, c *layers.Context, loss *graph.Node) *graph.Node {
	add := func(x *graph.Node) { loss = graph.Add(loss, graph.ConvertDType(x, loss.DType())) }
	for _, x := range c.Losses() {
		add(x)
	}
	for _, v := range m.TrainableVariables() {
		if p := v.Regularizer(); p != nil {
			r.Scope(v.Path(), func() { add(p.Call(c.StatelessScope.Value(v))) })
		}
	}
	return loss
}

// traceMetrics updates the states and returns the logs. Like Keras it sorts them
// by name.
func (m *Model) traceMetrics(r *trace.Recorder, s *variable.StatelessScope, samples int, loss *graph.Node, batch []*tracedHead) []trace.Output {
	r.Scope("metrics", func() {
		m.compiled.loss.metric.UpdateMean(s, loss, samples)
		for _, h := range batch {
			if h.tracker != nil {
				h.tracker.metric.UpdateMean(s, h.value, samples)
			}
			for _, t := range h.metrics {
				t.metric.Update(s, h.yTrue, h.yPred, h.masked(nil))
			}
			for _, t := range h.weighted {
				t.metric.Update(s, h.yTrue, h.yPred, h.masked(h.sampleWeight))
			}
		}
	})
	var logs []trace.Output
	r.Scope("metrics", func() {
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

// replicated returns the replicated sharding of the given rank, nil for one
// device.
func (m *Model) replicated(rank int) *layout.Sharding {
	if dm := m.mesh(); dm != nil {
		return layout.Replicated(dm, rank)
	}
	return nil
}
