package keras

// This file finds layouts that would cost less, and warns about those that are mistakes.

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/keras/distribution"
)

// Suggestions returns changes of the layout map that would lower the cost of the model's training
// step, or of the latest step if it has not been trained. The best stands first. They are lines
// that can be added to the map. It takes some seconds, as described at suggest.Find. Before any
// step has run, it is the step that ExplainSharding assumes.
func (m *Model) Suggestions() (*suggest.Suggestions, error) {
	step, err := m.explainedStep("suggestions")
	if err != nil {
		return nil, err
	}
	for _, key := range m.compiled.order {
		if train := m.compiled.programs[key]; train.kind == trainStep {
			step = train.recorded // the one that lint has seen
			break
		}
	}
	s, err := suggest.Find(step, m.suggestOptions())
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: suggestions: %w", m.name, err)
	}
	return s, nil
}

// suggestOptions are the same for suggestions and warnings, so that both say the same.
func (m *Model) suggestOptions() suggest.Options {
	return suggest.Options{Options: m.compilerOptions(), WeightsOnly: true}
}

// lint logs warnings about layouts of variables that are mistakes, with the changes that
// Suggestions begins with: of the model's first training step, and of its first other step
// if that comes before. Processes but the first would say the same.
func (m *Model) lint(p *stepProgram) {
	c := m.compiled
	mp, ok := m.dist.(*distribution.ModelParallel)
	if !ok || c.linted == trainStep || c.linted != "" && p.kind != trainStep {
		return
	}
	c.linted = p.kind
	if distribution.ProcessID() > 0 || !c.logger.Enabled(context.Background(), slog.LevelWarn) {
		return
	}
	found, err := suggest.Lint(p.recorded, m.suggestOptions())
	if err != nil {
		m.warn(c.logger, fmt.Sprintf("layouts could not be checked: %v", err))
		return
	}
	for _, text := range found.Texts() {
		m.warnLayouts(c.logger, mp, text, text)
	}
}
