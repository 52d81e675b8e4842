package keras

// This file gives access to the parts of a model, for packages that save, load and describe
// models, and to its weights.

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// Inputs returns the model's inputs, in the order in which data are given; none for a model that is
// not built. The list is the model's own: do not change it.
func (m *Model) Inputs() []*layers.Tensor { return m.inputs }

// Outputs returns the model's outputs, in the order of Predict's results; none for a model that is
// not built. The list is the model's own: do not change it.
func (m *Model) Outputs() []*layers.Tensor { return m.outputs }

// Output returns the output of the layer with the given name. It is an error if the model is not
// built, if it has no such layer, or if the layer is applied several times or has several outputs.
// Another model can be made of the output, such as one that returns features:
//
//	feature, err := model.Output("dense_1")
//	extractor, err := keras.NewModel(model.Inputs(), []*layers.Tensor{feature})
func (m *Model) Output(layer string) (*layers.Tensor, error) {
	var names []string
	var found []*layers.Node
	for _, n := range m.nodes {
		names = append(names, n.Name())
		if n.Name() == layer {
			found = append(found, n)
		}
	}
	switch {
	case !m.built():
		return nil, fmt.Errorf("keras: model %s: the model has no graph yet: call Build", m.name)
	case len(found) == 0:
		return nil, fmt.Errorf("keras: model %s: got the layer %q%s: it has %s", m.name, layer, suggest.DidYouMean(layer, names), brief.Quote(names))
	case len(found) > 1 || len(found[0].Outputs) != 1:
		return nil, fmt.Errorf("keras: model %s: layer %s is applied %d times, with %d outputs: want one output; Nodes has all of them", m.name, layer, len(found), len(found[0].Outputs))
	}
	return found[0].Outputs[0], nil
}

// Nodes returns the nodes of the model's graph, which are its inputs and the applications of
// layers, in Keras' order, each after those it depends on. It is empty if the model is not built.
// The list is the model's own: do not change it.
func (m *Model) Nodes() []*layers.Node { return m.nodes }

// NodesOf returns the applications of l in the model, in Keras' order; none if the model does not
// apply it.
func (m *Model) NodesOf(l layers.Layer) []*layers.Node {
	return slices.DeleteFunc(slices.Clone(m.nodes), func(n *layers.Node) bool { return n.Layer != l })
}

// IsSequential reports whether the model was made by NewSequential.
func (m *Model) IsSequential() bool { return m.sequential != nil }

// SetName renames the model. A model that is built already, unless it is functional, is an error:
// the paths of its variables begin with its name. So is a name that is empty or has a "/".
func (m *Model) SetName(name string) error {
	if err := checkName(name); err != nil {
		return fmt.Errorf("keras: model %s: SetName: %w", m.name, err)
	}
	if (m.IsSequential() || m.subclassed != nil) && m.built() && name != m.name {
		return fmt.Errorf("keras: model %s is built already: rename it to %s before", m.name, name)
	}
	if m.subclassed != nil {
		m.subclassed.SetName(name)
	}
	m.name = name
	return nil
}

// checkName returns an error if the name is empty or contains "/".
func checkName(name string) error {
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("got %q, want a name without \"/\"", name)
	}
	return nil
}

// Keys returns the names given by the options InputNames and OutputNames of NewModel, in
// alphabetical order; nil where they were not given. The lists are the model's own: do not change
// them.
func (m *Model) Keys() (inputs, outputs []string) { return m.inputKeys, m.outputKeys }

// DTypePolicy returns the name of the dtype policy under which the model was made, such as
// "float32", or that SetDTypePolicy has set.
func (m *Model) DTypePolicy() string { return m.policy }

// SetDTypePolicy sets the policy of the model, from the next Compile on. Its layers keep theirs.
// Loading a model calls it, because the policy of the process may differ from that of the model. An
// unknown name is an error.
func (m *Model) SetDTypePolicy(name string) error {
	if err := layers.CheckDTypePolicy(name); err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	m.policy = name
	return nil
}

// SetTrainable freezes (false) or unfreezes all layers, from the next Compile on:
// keras.Model.trainable. While training, a frozen BatchNormalization uses its
// moving averages and does not update them.
func (m *Model) SetTrainable(t bool) {
	all := m.Layers()
	if m.subclassed != nil {
		all = append(all, m.subclassed)
	}
	for _, l := range all {
		l.SetTrainable(t)
	}
}

// IsCompiled reports whether the model is compiled, by Compile, or by Predict or Export with the
// defaults. It is not after Add, Pop, or a Distribute that has resharded its variables.
func (m *Model) IsCompiled() bool { return m.compiled != nil }

// Optimizer returns the optimizer of Compile, nil before Compile.
func (m *Model) Optimizer() *optimizers.Optimizer {
	if m.compiled == nil {
		return nil
	}
	return m.compiled.optimizer
}

// BuildOptimizer makes the optimizer's variables. The first training step does so too. A model that
// is not built and compiled is an error.
func (m *Model) BuildOptimizer() error {
	if m.compiled == nil || !m.built() {
		return fmt.Errorf("keras: model %s: its optimizer cannot be built: want a model that is built and compiled", m.name)
	}
	if err := m.compiled.optimizer.Build(m.TrainableVariables(), m.mesh()); err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// Losses returns the losses of Compile, one for each output, nil for one without; none if
// the model is not compiled with a loss. Before the model is built it returns those that
// Compile was given.
func (m *Model) Losses() (list []*losses.Loss) {
	if m.compiled == nil || !m.compiled.hasLoss() {
		return nil
	}
	if len(m.compiled.heads) > 0 {
		for _, h := range m.compiled.heads {
			list = append(list, h.loss)
		}
		return list
	}
	for _, given := range m.compiled.losses.values() {
		l, _ := losses.Get(given)
		list = append(list, l)
	}
	return list
}

// hasLoss reports whether Compile was given a loss for any output.
func (c *compiled) hasLoss() bool {
	return slices.ContainsFunc(c.losses.values(), func(l any) bool { return l != nil })
}

// CompileArguments are the arguments that Compile was given, as Keras' compile takes them: a []any
// with a value for each output, or a map by their names; nil for none. A single loss or loss weight
// is the value itself.
type CompileArguments struct {
	Loss, LossWeights, Metrics, WeightedMetrics any
	StepsPerExecution                           int
	OwnSteps                                    bool // TrainStep, TestStep or ComputeLoss
}

// CompileArguments returns the arguments of Compile: losses and metrics are names, *losses.Loss,
// *metrics.Metric and functions. StepsPerExecution is 1 if it was not given. Those of a model that
// is not compiled are zero.
func (m *Model) CompileArguments() (a CompileArguments) {
	if c := m.compiled; c != nil {
		a.Loss, a.LossWeights = c.losses.argument(true), c.lossWeights.argument(true)
		a.Metrics, a.WeightedMetrics = c.metrics.argument(false), c.weightedMetrics.argument(false)
		a.StepsPerExecution = max(1, c.perExecution)
		a.OwnSteps = m.ownStep(trainStep) != nil || m.ownStep(testStep) != nil
	}
	return a
}

// argument returns the values as Compile was given them: a map, a list, or the only value; single
// says that a list of one value stands for this value.
func (p perOutput) argument(single bool) any {
	switch {
	case p.byName != nil:
		return p.byName
	case len(p.list) == 0:
		return nil
	case single && len(p.list) == 1:
		return p.list[0]
	}
	return p.list
}

// Client returns the client that the model runs on: that of Compile's option Client, or the
// process' client, which it opens if necessary; the error is that of opening it.
func (m *Model) Client(ctx context.Context) (*runtime.Client, error) {
	if m.compiled == nil {
		return distribution.Client(ctx)
	}
	return m.client(ctx)
}

// weights returns the variables of the model that are not states of random generators:
// keras.Model.weights.
func (m *Model) weights() []*variable.Variable {
	return slices.DeleteFunc(m.Variables(), (*variable.Variable).IsSeedState)
}

// Weights returns the values of all variables in the order of Variables, without the states of
// random generators: keras.Model.get_weights. In a job all processes must call it together. It
// waits for the devices, and returns their errors.
func (m *Model) Weights(ctx context.Context) ([]*tensors.Tensor, error) {
	if err := m.usable(ctx); err != nil {
		return nil, fmt.Errorf("keras: weights: %w", err)
	}
	var out []*tensors.Tensor
	for _, v := range m.weights() {
		flat, err := v.Value(ctx)
		if err != nil {
			return nil, fmt.Errorf("keras: model %s: %w", m.name, err)
		}
		t := tensors.FromShape(shapes.Make(v.DType(), v.Shape()...))
		if err := t.MutableFlatData(func(to any) { reflect.Copy(reflect.ValueOf(to), reflect.ValueOf(flat)) }); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// SetWeights replaces the values that Weights returns, in that order: keras.Model.set_weights. Each
// is a tensor or slices of slices. Another number of them, and one whose shape or type does not
// fit, are errors, and change nothing.
func (m *Model) SetWeights(ctx context.Context, weights ...any) error {
	if err := m.usable(ctx); err != nil {
		return fmt.Errorf("keras: set weights: %w", err)
	}
	if err := m.setWeights(ctx, weights); err != nil {
		return fmt.Errorf("keras: model %s: set weights: %w", m.name, err)
	}
	return nil
}

func (m *Model) setWeights(ctx context.Context, weights []any) error {
	vs := m.weights()
	if len(weights) != len(vs) {
		return fmt.Errorf("got %d weights for %d variables", len(weights), len(vs))
	}
	values := make([]*tensors.Tensor, len(vs))
	for i, v := range vs {
		t, ok := weights[i].(*tensors.Tensor)
		if !ok || t == nil || t.DType() != v.DType() {
			var err error
			if t, err = data.Tensor(weights[i]); err != nil {
				return fmt.Errorf("%s: %w", v.Path(), err)
			}
		}
		if t.DType() != v.DType() || !slices.Equal(t.Shape().Dimensions, v.Shape()) {
			return fmt.Errorf("%s wants %s %s, got %s %s", v.Path(),
				v.DType(), layers.ShapeText(v.Shape()), t.DType(), layers.ShapeText(t.Shape().Dimensions))
		}
		values[i] = t
	}
	var c *runtime.Client // needed only for variables that are on the devices
	for i, v := range vs {
		if v.Array() != nil && c == nil {
			var err error
			if c, err = m.client(ctx); err != nil {
				return err
			}
		}
		var assigned error
		if err := values[i].ConstFlatData(func(flat any) { assigned = v.Assign(c, flat) }); err != nil {
			return err
		}
		if assigned != nil {
			return assigned
		}
	}
	return nil
}

// SetLearningRate changes the learning rate of the model's optimizer from the next step on. A model
// that is not compiled, an optimizer with a schedule, and a MultiOptimizer, are errors.
func (m *Model) SetLearningRate(ctx context.Context, rate float64) error {
	if m.compiled == nil {
		return fmt.Errorf("keras: model %s: set learning rate: the model is not compiled: call Compile first", m.name)
	}
	client, err := m.client(ctx)
	if err == nil {
		err = m.compiled.optimizer.SetLearningRate(client, rate)
	}
	if err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}
