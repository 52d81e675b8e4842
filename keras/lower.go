package keras

// This file traces a training step without compiling or running it.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
)

// Lower returns the traced training step for batches of b's shapes, before any pass: the input of
// package compile. The layouts of the model's distribution are annotations in it. The model must be
// compiled. No device is needed, and nothing runs.
func (m *Model) Lower(b data.Batch) (*ir.Module, error) {
	if m.compiled == nil {
		return nil, fmt.Errorf("keras: model %s: lower: the model is not compiled: call Compile first", m.name)
	}
	b, err := m.load(b)
	if err == nil {
		b, err = m.conforming(b)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: lower: %w", m.name, err)
	}
	if len(b.Y) == 0 {
		return nil, fmt.Errorf("keras: model %s: lower: the batch has no labels: a training step needs them", m.name)
	}
	if err := m.resolve(b, trainStep); err != nil {
		return nil, fmt.Errorf("keras: model %s: lower: %w", m.name, err)
	}
	r, err := m.record(trainStep, b)
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: lower: %w", m.name, err)
	}
	m.nameRules(r.module.Main())
	return r.module, nil
}
