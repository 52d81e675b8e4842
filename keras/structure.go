package keras

// This file gives access to what a model is made of, for packages that save,
// load and describe models.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/runtime"
)

// Inputs returns the model's inputs, none for a Sequential that is not built.
func (m *Model) Inputs() []*layers.Tensor { return m.inputs }

// Outputs returns the model's outputs, none for a Sequential that is not built.
func (m *Model) Outputs() []*layers.Tensor { return m.outputs }

// Nodes returns the applications of layers that make the model, each after
// those it depends on.
func (m *Model) Nodes() []*layers.Node { return m.nodes }

// IsSequential reports whether the model was made by NewSequential.
func (m *Model) IsSequential() bool { return m.sequential != nil }

// SetName renames the model. The paths of a Sequential's variables begin with
// its name, so that has to be done before it is built.
func (m *Model) SetName(name string) error {
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("keras: model %s: got the new name %q, want one without \"/\"", m.name, name)
	}
	if (m.IsSequential() || m.own != nil) && m.built() && name != m.name {
		return fmt.Errorf("keras: model %s is built already: rename it to %s before", m.name, name)
	}
	if m.own != nil {
		m.own.(interface{ SetName(string) }).SetName(name)
	}
	m.name = name
	return nil
}

// DTypePolicy returns the name of the policy that the model was made under.
func (m *Model) DTypePolicy() string { return m.policy }

// SetDTypePolicy tells which policy the model counts as from the next Compile
// on; its layers keep theirs. Loading does so, because the policy of a model is
// not that of the process that loads it.
func (m *Model) SetDTypePolicy(name string) error {
	if err := layers.CheckDTypePolicy(name); err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	m.policy = name
	return nil
}

// SetTrainable freezes all layers (false) or thaws them, from the next Compile
// on: keras.Model.trainable. While training, a frozen BatchNormalization uses
// its moving averages and leaves them as they are.
func (m *Model) SetTrainable(t bool) {
	all := slices.Concat(m.sequential, m.Layers())
	if m.own != nil {
		all = append(all, m.own)
	}
	for _, l := range all {
		l.(interface{ SetTrainable(bool) }).SetTrainable(t)
	}
}

// IsCompiled reports whether Compile was called.
func (m *Model) IsCompiled() bool { return m.compiled != nil }

// Optimizer returns the optimizer of Compile, nil before.
func (m *Model) Optimizer() *optimizers.Optimizer {
	if m.compiled == nil {
		return nil
	}
	return m.compiled.optimizer
}

// BuildOptimizer makes the optimizer's variables now, which the first training
// step does else.
func (m *Model) BuildOptimizer() error {
	if m.compiled == nil || !m.built() {
		return fmt.Errorf("keras: model %s: its optimizer cannot be built: want a model that is built and compiled", m.name)
	}
	if err := m.compiled.optimizer.Build(m.TrainableVariables(), m.mesh()); err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// Losses returns the losses of Compile.
func (m *Model) Losses() []*losses.Loss {
	if m.compiled == nil {
		return nil
	}
	return m.compiled.losses
}

// Metrics returns the metrics of Compile: names and *metrics.Metric.
func (m *Model) Metrics() []any {
	if m.compiled == nil {
		return nil
	}
	return m.compiled.metrics
}

// Client returns the client that the model runs on, the process' client unless
// Compile was given another one.
func (m *Model) Client(ctx context.Context) (*runtime.Client, error) {
	if m.compiled == nil {
		return distribution.Client(ctx)
	}
	return m.client(ctx)
}
