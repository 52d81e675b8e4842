package keras

// This file defines Step: a training or test step of the user's own, as it is traced.

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/trace"
)

// StepLogs are the logs of a step: tensors with one number, or a few in a row, by their names.
type StepLogs = map[string]*layers.Tensor

// StepFunc is a step of your own: what overriding train_step or test_step is in Keras. It is traced
// once for each shape of batch, and partitioned and run like the built-in step.
//
//	func(s *keras.Step) keras.StepLogs {
//		predictions := s.Call(s.X...)
//		loss := s.ComputeLoss(predictions...)
//		s.Optimize(loss)
//		s.UpdateMetrics(loss, predictions...)
//		return s.Metrics()
//	}
type StepFunc func(s *Step) StepLogs

// TrainStep sets the step of Fit and TrainOnBatch. Without it, that of the model's type is taken
// (see TrainStepper), else the built-in one. nil is an error of Compile.
func TrainStep(step StepFunc) CompileOption { return ownStep("TrainStep", trainStep, step) }

// TestStep sets the step of Evaluate, TestOnBatch and validations, as TrainStep does.
func TestStep(step StepFunc) CompileOption { return ownStep("TestStep", testStep, step) }

func ownStep(name string, kind stepKind, step StepFunc) CompileOption {
	return CompileOption{compileSetting{Name: name, Set: func(c *compileConfig) error {
		if step == nil {
			return fmt.Errorf("got no function, want one that traces the step; leave it out for the built-in step")
		}
		if c.steps == nil {
			c.steps = make(map[stepKind]StepFunc)
		}
		c.steps[kind] = step
		return nil
	}}}
}

// TrainStepper is a Go type given to NewSubclassed with a training step of its own, as a
// subclass of keras.Model that overrides train_step.
type TrainStepper interface {
	layers.Layer
	TrainStep(s *Step) StepLogs
}

// TestStepper is a Go type given to NewSubclassed with a test step of its own, as a subclass of
// keras.Model that overrides test_step.
type TestStepper interface {
	layers.Layer
	TestStep(s *Step) StepLogs
}

// LossFunc is the loss of a step in place of the compiled one: what overriding compute_loss is in
// Keras. It returns a number. s.ComputeLoss(predictions...) is the compiled loss, with the
// losses that layers and regularizers add: super().compute_loss.
//
//	func(s *keras.Step, predictions ...*layers.Tensor) *layers.Tensor {
//		return s.ComputeLoss(predictions...).Add(ops.Mean(ops.Absolute(predictions[0])).Mul(0.1))
//	}
type LossFunc func(s *Step, predictions ...*layers.Tensor) *layers.Tensor

// ComputeLoss sets the loss of training and test steps. Without it, that of the model's type is
// taken (see LossComputer), else the compiled one. Metrics are those of Compile. nil is an error of
// Compile.
func ComputeLoss(loss LossFunc) CompileOption {
	return CompileOption{compileSetting{Name: "ComputeLoss", Set: func(c *compileConfig) error {
		c.computeLoss = loss
		if loss == nil {
			return fmt.Errorf("got no function, want one that computes the loss; leave it out for the compiled loss")
		}
		return nil
	}}}
}

// LossComputer is a Go type given to NewSubclassed with a loss of its own, as a subclass of
// keras.Model that overrides compute_loss.
type LossComputer interface {
	layers.Layer
	ComputeLoss(s *Step, predictions ...*layers.Tensor) *layers.Tensor
}

// ownLoss returns the loss function of the option ComputeLoss, or of the model's type if that is a
// LossComputer; nil if the compiled losses apply.
func (m *Model) ownLoss() LossFunc {
	if loss := m.compiled.computeLoss; loss != nil {
		return loss
	}
	if l, ok := m.subclassed.(LossComputer); ok {
		return l.ComputeLoss
	}
	return nil
}

// stepOnOwnLoss is the training or test step of a model with a loss of the user's own
// (ComputeLoss): it computes predictions and loss, optimizes in training, and updates and returns
// the metrics.
func stepOnOwnLoss(s *Step) StepLogs {
	predictions := s.Call(s.X...)
	loss := s.ComputeLoss(predictions...)
	if s.traced.kind == trainStep {
		s.Optimize(loss)
	}
	s.UpdateMetrics(loss, predictions...)
	return s.Metrics()
}

// ownStep returns the user's step for training or tests: that of the options, of the model's type,
// or stepOnOwnLoss for a loss of the user's own. nil stands for the built-in step.
func (m *Model) ownStep(kind stepKind) StepFunc {
	if step := m.compiled.steps[kind]; step != nil {
		return step
	}
	if t, ok := m.subclassed.(TrainStepper); ok && kind == trainStep {
		return t.TrainStep
	}
	if t, ok := m.subclassed.(TestStepper); ok && kind == testStep {
		return t.TestStep
	}
	if kind != predictStep && m.ownLoss() != nil {
		return stepOnOwnLoss
	}
	return nil
}

// Step is one step while it is traced. Its tensors are values, as in the Compute of a layer:
// layers, models and the functions of package ops apply to them. Its Context has the values of
// variables (s.Weight). Like the functions that build GoMLX graphs, its methods panic if shapes do
// not fit.
type Step struct {
	*layers.Context
	// X, Y and SampleWeight are the tensors of the batch.
	X, Y, SampleWeight []*layers.Tensor

	traced      *tracedStep
	inOwnLoss   bool          // the user's loss is being computed
	predictions []*graph.Node // of lossHeads
	lossHeads   []*tracedHead
}

// own is what steps of the user's own use besides the model and its optimizer: it is part
// of the training's state.
type own struct {
	optimizers []*optimizers.Optimizer
	metrics    []*tracked
	means      map[string]*metrics.Metric // of Step.Mean
	seeds      map[*random.SeedGenerator]*variable.Variable
	variables  []*variable.Variable // of other models, and of seeds
}

// Model returns the model whose training step is traced.
func (s *Step) Model() *Model { return s.traced.model }

// Call returns the model's outputs for inputs: the call of a model in Keras. inputs are as many as
// in X: behind a part that runs on the host, such as lookups, they are its results. It panics for
// another number of them, or if they do not fit.
func (s *Step) Call(inputs ...*layers.Tensor) []*layers.Tensor {
	m := s.Model()
	if len(inputs) != len(m.deviceInputs) {
		panic(fmt.Errorf("Call: got %d inputs, the model has %d", len(inputs), len(m.deviceInputs)))
	}
	outputs, err := m.call(s.Context, s.Nodes(inputs...))
	if err != nil {
		panic(err)
	}
	return s.Tensors(outputs...)
}

// ComputeLoss returns the loss of predictions of s.Y: what the option ComputeLoss or a LossComputer
// returns, else the compiled loss. Within that function of the user's it is the compiled loss: the
// losses of the outputs with their weights and sample weights, and the losses that layers and
// regularizers add. It panics if the user's loss is not one number, and for the compiled loss if
// predictions has not one tensor for each output, or the model has no loss.
func (s *Step) ComputeLoss(predictions ...*layers.Tensor) *layers.Tensor {
	if own := s.Model().ownLoss(); own != nil && !s.inOwnLoss {
		return s.computeOwnLoss(own, predictions)
	}
	heads := s.heads("ComputeLoss", s.Nodes(predictions...))
	loss, err := s.Model().traceLoss(s.Recorder, s.Context, heads)
	if err != nil {
		panic(err)
	}
	return s.Tensor(loss)
}

func (s *Step) computeOwnLoss(own LossFunc, predictions []*layers.Tensor) *layers.Tensor {
	s.inOwnLoss = true
	defer func() { s.inOwnLoss = false }()
	loss := own(s, predictions...)
	if err := checkResult(loss, 0); err != nil {
		panic(fmt.Errorf("ComputeLoss: %w", err))
	}
	return loss
}

func (s *Step) heads(what string, predictions []*graph.Node) []*tracedHead {
	c := s.Model().compiled
	if len(predictions) != len(c.heads) {
		panic(fmt.Errorf("%s: got %d predictions, the model has %d outputs", what, len(predictions), len(c.heads)))
	}
	if slices.Equal(s.predictions, predictions) { // those of ComputeLoss, with their losses
		return s.lossHeads
	}
	heads, err := c.traced(s.Context, s.Nodes(s.Y...), predictions, s.Nodes(s.SampleWeight...))
	if err != nil {
		panic(fmt.Errorf("%s: %w", what, err))
	}
	s.predictions, s.lossHeads = predictions, heads
	return heads
}

// Gradients returns the gradient of the scalar loss for each of the variables, at their current
// values in this step.
func (s *Step) Gradients(loss *layers.Tensor, variables ...*variable.Variable) []*layers.Tensor {
	return s.Tensors(s.gradients(s.Nodes(loss)[0], variables)...)
}

func (s *Step) gradients(loss *graph.Node, variables []*variable.Variable) []*graph.Node {
	s.Restore()
	values := make([]*graph.Node, len(variables))
	for i, v := range variables {
		values[i] = s.StatelessScope.Value(v)
	}
	return s.Recorder.Gradient(loss, values...)
}

// ApplyGradients updates variables by an optimizer: optimizer.apply(gradients, variables). Each
// optimizer always gets the same variables. For gradients that are taken later, the new values are
// constants. It panics for another number of gradients than variables, and without an optimizer.
func (s *Step) ApplyGradients(o *optimizers.Optimizer, gradients []*layers.Tensor, variables ...*variable.Variable) {
	if len(gradients) != len(variables) {
		panic(fmt.Errorf("ApplyGradients: got %d gradients for %d variables", len(gradients), len(variables)))
	}
	s.build("ApplyGradients", o, variables)
	s.apply(o, s.Nodes(gradients...))
}

func (s *Step) apply(o *optimizers.Optimizer, gradients []*graph.Node) {
	s.Restore()
	s.Recorder.Scope(o.Name(), func() { o.Apply(s.StatelessScope, gradients) })
	s.Detach()
}

// Minimize computes the gradients of the loss for the variables and updates them by the optimizer
// o, with the scaling of the loss that o does: optimizer.minimize. It is Gradients and
// ApplyGradients in one. It panics if o is nil.
func (s *Step) Minimize(o *optimizers.Optimizer, loss *layers.Tensor, variables ...*variable.Variable) {
	s.build("Minimize", o, variables)
	s.apply(o, s.gradients(o.ScaleLoss(s.StatelessScope, s.Nodes(loss)[0]), variables))
}

func (s *Step) build(what string, o *optimizers.Optimizer, variables []*variable.Variable) {
	if o == nil {
		panic(fmt.Errorf("%s: got no optimizer, want one such as optimizers.Adam(), made before Compile", what))
	}
	if err := o.Build(variables, s.Model().mesh()); err != nil {
		panic(fmt.Errorf("%s: %w", what, err))
	}
	c := s.Model().compiled
	if o != c.optimizer && !slices.Contains(c.own.optimizers, o) {
		c.own.optimizers = append(c.own.optimizers, o)
	}
}

// UpdateMetrics adds the loss of the batch, and the predictions, one for each output, with the
// labels s.Y, to the metrics that the model was compiled with. It panics for another number of
// predictions.
func (s *Step) UpdateMetrics(loss *layers.Tensor, predictions ...*layers.Tensor) {
	s.Model().updateMetrics(s.Context, s.traced.samples, s.Nodes(loss)[0], s.heads("UpdateMetrics", s.Nodes(predictions...)))
}

// Metrics returns the current results of the metrics that the model was compiled with, by the names
// of their logs: also the loss, and the metrics that layers add, but not metrics of your own. They
// are over all batches since the epoch began. To count this batch, call UpdateMetrics before.
func (s *Step) Metrics() StepLogs {
	out := make(StepLogs)
	for _, l := range s.Model().metricResults(s.StatelessScope) {
		out[l.Name] = s.Tensor(l.Node)
	}
	return out
}

// UpdateMean adds value, a scalar, to m, a Mean of your own such as
// metrics.Mean(metrics.Name("d_loss")). m becomes the mean of all added numbers. Its first use adds
// it to the metrics of the training. Like all metrics it begins again with each epoch.
func (s *Step) UpdateMean(m *metrics.Metric, value *layers.Tensor) {
	s.own(m, nil, nil)
	m.UpdateMean(s.StatelessScope, s.Nodes(value)[0], 1)
}

// UpdateValues adds values to a Mean or a Sum of your own, such as the losses of tokens:
// metric.update_state(values, sample_weight). weights may be nil. Its first use adds the metric to
// those of the training, as for UpdateMean.
func (s *Step) UpdateValues(m *metrics.Metric, values, weights *layers.Tensor) {
	s.own(m, nil, nil)
	m.UpdateValues(s.StatelessScope, s.Nodes(values)[0], s.nodeOrNil(weights))
}

// Update adds the labels yTrue and the predictions yPred of a batch to the metric m of your own.
// weights may be nil. Its first use adds m to the metrics of the training, as for UpdateMean. It
// panics if m does not fit their shapes.
func (s *Step) Update(m *metrics.Metric, yTrue, yPred, weights *layers.Tensor) {
	if err := metrics.Check(m); err != nil {
		panic(err)
	}
	s.own(m, yTrue.Shape(), yPred.Shape())
	both := s.Nodes(yTrue, yPred)
	m.Update(s.StatelessScope, both[0], both[1], s.nodeOrNil(weights))
}

func (s *Step) nodeOrNil(t *layers.Tensor) *graph.Node {
	if t == nil {
		return nil
	}
	return s.Nodes(t)[0]
}

// Result returns the current result of m, a metric of your own that the step has updated.
func (s *Step) Result(m *metrics.Metric) *layers.Tensor { return s.Tensor(m.Result(s.StatelessScope)) }

// own makes the state of a metric of the user's own in its first use, for labels and predictions of
// these shapes, and adds the metric to those of the model's training. It panics if the metric does
// not fit the shapes.
func (s *Step) own(m *metrics.Metric, labels, predictions []int) {
	o := &s.Model().compiled.own
	if slices.ContainsFunc(o.metrics, func(t *tracked) bool { return t.metric == m }) {
		return
	}
	if _, err := metrics.Get(m, labels, predictions); err != nil {
		panic(err)
	}
	if err := m.Build(m.Name(), s.Model().mesh(), labels, predictions); err != nil {
		panic(err)
	}
	o.metrics = append(o.metrics, &tracked{log: m.Name(), given: m, metric: m})
}

// NextKey draws a key for random numbers from a generator, whose state goes on from step
// to step: what seed=generator is in keras.random. Normal and Uniform draw the common numbers.
//
//	coins := s.Tensor(s.NextKey(generator).Bernoulli(0.5, batch))
func (s *Step) NextKey(g *random.SeedGenerator) random.TracedKey {
	o := &s.Model().compiled.own
	v := o.seeds[g]
	if v == nil {
		v = variable.New(g.Name()+"/"+variable.SeedState, []int{2}, dtypes.Uint32, g, variable.NonTrainable(), variable.As(ir.RoleState))
		if err := v.SetSharding(s.Model().replicated(1)); err != nil {
			panic(err)
		}
		if o.seeds == nil {
			o.seeds = make(map[*random.SeedGenerator]*variable.Variable)
		}
		o.seeds[g] = v
	}
	key, next := random.Next(s.StatelessScope.Value(v))
	s.Assign(v, next)
	return key
}

// recordOwn runs step, a step of the user's own, on the traced batch, and returns its logs in the
// order of their names, as float32. A log that is no number, or a few in a row, is an error.
func (s *tracedStep) recordOwn(step StepFunc, c *layers.Context) (logs []*graph.Node, err error) {
	results := step(&Step{Context: c, X: c.Tensors(s.xs...), Y: c.Tensors(s.ys...), SampleWeight: c.Tensors(s.sampleWeight...), traced: s})
	s.logs = slices.Sorted(maps.Keys(results))
	for _, name := range s.logs {
		if err := checkResult(results[name], 1); err != nil {
			return nil, fmt.Errorf("the log %q of the step: %w", name, err)
		}
		logs = append(logs, graph.ConvertDType(c.Nodes(results[name])[0], dtypes.Float32))
	}
	return logs, nil
}

// checkResult returns an error if t is nil, holds an error, or has more dimensions than rank.
func checkResult(t *layers.Tensor, rank int) error {
	switch {
	case t == nil:
		return errors.New("got nil, want a tensor with one number")
	case t.Err() != nil:
		return t.Err()
	case len(t.Shape()) > rank:
		return fmt.Errorf("got a tensor of shape %s, want one number%s: reduce it, as by ops.Mean", layers.ShapeText(t.Shape()), []string{"", ", or a few in a row"}[rank])
	}
	return nil
}

// noteOwn adds to m.compiled.own.variables those that the step read and that are neither the
// model's nor its optimizers' nor its metrics'.
func (m *Model) noteOwn(s *variable.StatelessScope) {
	o := &m.compiled.own
	known := slices.Concat(m.Variables(), m.compiled.optimizer.Variables(), m.compiled.metricVariables(), o.variables)
	for _, other := range o.optimizers {
		known = append(known, other.Variables()...)
	}
	for _, v := range s.Read() {
		if !slices.Contains(known, v) {
			o.variables = append(o.variables, v)
		}
	}
}

// ownOutputs returns the logs of a step of the user's own, called names, as replicated results of
// the traced step.
func (m *Model) ownOutputs(names []string, logs []*graph.Node) (outputs []trace.Output) {
	for i, name := range names {
		outputs = append(outputs, trace.Output{Name: name, Node: logs[i], Sharding: m.replicated(logs[i].Rank())})
	}
	return outputs
}
