package keras

// This file traces, compiles and caches the functions of a model: one train,
// test or predict step for each shape of batch.

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// step is a kind of function that a model has.
type step string

const (
	trainStep   step = "train_step"
	testStep    step = "test_step"
	predictStep step = "predict_step"
)

// stepProgram is one traced and compiled function of a model.
type stepProgram struct {
	kind     step
	recorded *ir.Module // as traced, with the layouts that are pinned
	compiled *program.Program
	exe      *runtime.Executable
	batch    int                  // number of inputs that are data: X, then Y
	read     []*variable.Variable // the inputs after the data
	assigned []*variable.Variable // the first results
	logs     []string             // names of the results after them (train, test)
}

// recording is what tracing a step gives beside the module.
type recording struct {
	module   *ir.Module
	scope    *variable.StatelessScope
	logs     []string
	assigned []*variable.Variable
}

// program returns the step for batches of b's shape, compiling it when it is
// new.
func (m *Model) program(ctx context.Context, c *runtime.Client, kind step, b data.Batch) (*stepProgram, error) {
	key := programKey(kind, b)
	if p, ok := m.compiled.programs[key]; ok {
		return p, nil
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

// Programs returns the compiled functions of the model so far, in the order
// they were first needed: its train, test and predict steps, one for each
// shape of batch.
func (m *Model) Programs() []*program.Program {
	var out []*program.Program
	if m.compiled != nil {
		for _, key := range m.compiled.order {
			out = append(out, m.compiled.programs[key].compiled)
		}
	}
	return out
}

// prepare traces and compiles a step without a device.
func (m *Model) prepare(kind step, b data.Batch) (*stepProgram, error) {
	r, err := m.record(kind, b)
	if err != nil {
		return nil, err
	}
	o := m.compilerOptions()
	if o.DumpDir != "" {
		o.DumpDir = filepath.Join(o.DumpDir, fmt.Sprintf("%02d_%s", len(m.compiled.order), r.module.Name))
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

// compilerOptions returns what steps are compiled with.
func (m *Model) compilerOptions() compile.Options {
	o := m.compiled.compiler
	if d, ok := m.dist.(distribution.ShardedUpdater); ok && d.ShardedUpdate() {
		o.ShardedUpdate = true
	}
	return o
}

// allocate brings the variables that the program reads to the devices in the
// layout that the program wants them in: those that are not there yet, and
// those that were loaded before there was a program.
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

func programKey(kind step, b data.Batch) string {
	var s strings.Builder
	s.WriteString(string(kind))
	for _, t := range b.Tensors() {
		s.WriteByte(' ')
		s.WriteString(t.Shape().String())
	}
	if b.SampleWeight != nil {
		s.WriteString(" weighted")
	}
	return s.String()
}

// mesh returns the mesh of the model's distribution, nil for one device.
func (m *Model) mesh() *mesh.DeviceMesh {
	if m.dist == nil {
		return nil
	}
	return m.dist.DeviceMesh()
}

// record traces a step into a module. Its parameters are the batch and then
// the variables in the order of their first use; its results the assigned
// variables and then the logs, or the predictions.
func (m *Model) record(kind step, b data.Batch) (*recording, error) {
	out := &recording{}
	var err error
	out.module, err = trace.Record(string(kind), m.mesh(), func(r *trace.Recorder) ([]trace.Output, error) {
		out.scope = variable.NewScope(r)
		c := &layers.Context{StatelessScope: out.scope, Training: kind == trainStep, Distribution: m.dist}
		xs, err := m.params(r, "x", b.X)
		if err != nil {
			return nil, err
		}
		ys, err := m.params(r, "y", b.Y)
		if err != nil {
			return nil, err
		}
		var sampleWeight *graph.Node
		if b.SampleWeight != nil {
			w, err := m.params(r, "sample_weight", []*tensors.Tensor{b.SampleWeight})
			if err != nil {
				return nil, err
			}
			sampleWeight = w[0]
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
		if kind == predictStep {
			return m.predictionOutputs(predictions)
		}
		loss := m.traceLoss(r, ys, predictions, sampleWeight)
		if kind == trainStep {
			gradients := r.Gradient(m.compiled.optimizer.ScaleLoss(out.scope, loss), weights...)
			r.Scope(m.compiled.optimizer.Name(), func() { m.compiled.optimizer.Apply(out.scope, gradients) })
		}
		logs := m.traceMetrics(r, out.scope, b.Size(), loss, ys, predictions, sampleWeight)
		out.assigned = out.scope.Assigned()
		outputs := out.scope.Outputs()
		for _, l := range logs {
			out.logs = append(out.logs, l.Name)
			outputs = append(outputs, l)
		}
		return outputs, nil
	})
	return out, err
}

// params adds the tensors of a batch as parameters, split along the batch as
// the distribution says.
func (m *Model) params(r *trace.Recorder, name string, ts []*tensors.Tensor) ([]*graph.Node, error) {
	nodes := make([]*graph.Node, len(ts))
	for i, t := range ts {
		dims := t.Shape().Dimensions
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

// dataSharding returns the layout of data of the given rank: its batch split
// as the distribution says.
func (m *Model) dataSharding(rank int) (*layout.Sharding, error) {
	if m.dist == nil {
		return nil, nil
	}
	return distribution.DataSharding(m.dist, rank)
}

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

// traceLoss returns the scalar that is trained on.
func (m *Model) traceLoss(r *trace.Recorder, ys, predictions []*graph.Node, sampleWeight *graph.Node) (loss *graph.Node) {
	for i, l := range m.compiled.losses {
		r.Scope(l.Name(), func() {
			one := losses.Reduce(l.Call(ys[i], predictions[i]), sampleWeight)
			if loss == nil {
				loss = one
			} else {
				loss = graph.Add(loss, one)
			}
		})
	}
	return loss
}

// traceMetrics updates the totals and returns what is shown, by name in
// alphabetical order, as Keras shows it.
func (m *Model) traceMetrics(r *trace.Recorder, s *variable.StatelessScope, samples int, loss *graph.Node, ys, predictions []*graph.Node, sampleWeight *graph.Node) []trace.Output {
	var logs []trace.Output
	show := func(metric *metrics.Metric) {
		logs = append(logs, trace.Output{Name: metric.Name(), Node: metric.Result(s), Sharding: m.replicated(0)})
	}
	r.Scope("metrics", func() {
		m.compiled.lossTracker.UpdateMean(s, loss, samples)
		show(m.compiled.lossTracker)
		for i, metric := range m.compiled.resolved {
			w := sampleWeight
			if i < len(m.compiled.metrics) {
				w = nil
			}
			metric.Update(s, ys[0], predictions[0], w)
			show(metric)
		}
	})
	slices.SortStableFunc(logs, func(a, b trace.Output) int { return strings.Compare(a.Name, b.Name) })
	return logs
}

func (m *Model) replicated(rank int) *layout.Sharding {
	if dm := m.mesh(); dm != nil {
		return layout.Replicated(dm, rank)
	}
	return nil
}

// resolve makes what depends on the shapes of a first batch: the graph of a
// Sequential, metrics, the optimizer's slots.
func (m *Model) resolve(b data.Batch, training bool) error {
	if !m.built() {
		if err := m.buildFor(b.X); err != nil {
			return err
		}
		if err := m.checkOutputs(m.compiled.compileConfig); err != nil {
			return err
		}
		if err := m.lintLayouts(m.compiled.warnings); err != nil {
			return err
		}
	}
	if err := m.checkBatch(b); err != nil {
		return err
	}
	if len(b.Y) == 0 {
		return nil
	}
	dm := m.mesh()
	if len(m.compiled.lossTracker.Variables()) == 0 {
		if err := m.compiled.lossTracker.Build(dm); err != nil {
			return err
		}
		for i, id := range slices.Concat(m.compiled.metrics, m.compiled.weightedMetrics) {
			metric, err := metrics.Get(id, b.Y[0].Shape().Dimensions, m.outputs[0].Shape())
			if err != nil {
				return err
			}
			if i >= len(m.compiled.metrics) && m.compiled.shows(metric.Name()) {
				metric.SetName("weighted_" + metric.Name())
			}
			if err := metric.Build(dm); err != nil {
				return err
			}
			m.compiled.resolved = append(m.compiled.resolved, metric)
		}
	}
	if training {
		return m.compiled.optimizer.Build(m.TrainableVariables(), dm)
	}
	return nil
}

// checkBatch compares a batch with the model's inputs and outputs.
func (m *Model) checkBatch(b data.Batch) error {
	if len(b.X) != len(m.inputs) {
		return fmt.Errorf("got %d input tensors, the model has %d inputs", len(b.X), len(m.inputs))
	}
	for i, t := range m.inputs {
		got := b.X[i].Shape().Dimensions
		if !fits(got, t.Shape()) {
			return fmt.Errorf("input %s wants data of shape %s, got %s",
				t.Producer().Name(), layers.ShapeText(t.Shape()), layers.ShapeText(got))
		}
		if got, want := b.X[i].DType(), t.DType(); got.IsComplex() && !want.IsComplex() {
			return fmt.Errorf("input %s wants %s data, got %s", t.Producer().Name(), want, got)
		}
	}
	if len(b.Y) > 0 && len(b.Y) != len(m.outputs) {
		return fmt.Errorf("got %d label tensors, the model has %d outputs", len(b.Y), len(m.outputs))
	}
	for i, y := range b.Y {
		if y.DType() == dtypes.Complex64 || y.DType() == dtypes.Complex128 {
			return fmt.Errorf("labels %d are %s, want real numbers", i, y.DType())
		}
	}
	return nil
}

func fits(got, want []int) bool {
	return slices.EqualFunc(got, want, func(g, w int) bool { return w < 0 || g == w })
}
