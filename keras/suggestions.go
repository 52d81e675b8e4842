package keras

// This file finds layouts that would cost less, and warns about those that are in
// conflict with what is around them.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
)

// Suggestions returns the changes of the layout map by which the model's latest
// step would cost less, the best first, as lines that can be added to the map. It
// takes some seconds, as described at suggest.Find. Before any step has run, it is the step
// that ExplainSharding assumes.
func (m *Model) Suggestions() (*suggest.Suggestions, error) {
	step, err := m.explainedStep("suggestions")
	if err != nil {
		return nil, err
	}
	s, err := suggest.Find(step, suggest.Options{Options: m.compilerOptions(), WeightsOnly: true})
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: suggestions: %w", m.name, err)
	}
	return s, nil
}

// lintBatch and lintSize are the sizes that stand for a batch on one device, and
// for other open dimensions, where layouts are checked before there is data.
const lintBatch, lintSize = 16, 64

// lintConflicts logs warnings about layouts of variables that are in conflict
// with what is around them, once for a model and its layout map. The model's
// forward pass decides, for a batch of lintBatch examples on each device. A model
// that cannot be traced or partitioned with such sizes is not checked: whether that
// is a fault, its first step tells.
func (m *Model) lintConflicts() {
	mp, ok := m.dist.(*distribution.ModelParallel)
	if !ok || !m.built() || m.conflictsLinted {
		return
	}
	m.conflictsLinted = true
	var b data.Batch
	for _, t := range m.deviceTensors() {
		b.X = append(b.X, tensors.FromShape(sampleShape(t, lintBatch*m.mesh().AxisSize(m.dist.BatchDimName()), lintSize)))
	}
	r, err := m.record(predictStep, b)
	if err != nil {
		return
	}
	found, err := suggest.Lint(r.module, suggest.Options{Options: compile.Options{Machine: m.compiled.compiler.Machine}, WeightsOnly: true})
	if err != nil {
		return
	}
	for _, text := range found.Texts() {
		m.warnLayouts(m.compiled.logger, mp, text, text)
	}
}
