package keras

// This file finds cheaper layouts, and warns about layouts that are mistakes.

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/keras/distribution"
)

// Suggestions returns changes of the layout map that would lower the cost of the model's first
// training step, the best first. Each is a line to add to the map. If the model has not been
// trained, it uses the latest step; if no step has run, the same step as ExplainSharding. It takes
// some seconds, as described at suggest.Find. A model that is not compiled or is on one device is
// an error.
func (m *Model) Suggestions() (*suggest.Suggestions, error) {
	step, o, err := m.explainedStep("suggestions")
	if err != nil {
		return nil, err
	}
	for _, key := range m.compiled.order {
		if train := m.compiled.programs[key]; train.kind == trainStep {
			step, o = train.recorded, optionsOf(train) // the one that lint has seen
			break
		}
	}
	s, err := divided(o, func(o compile.Options) (*suggest.Suggestions, error) { return suggest.Find(step, suggestOptions(o)) })
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: suggestions: %w", m.name, err)
	}
	return s, nil
}

// suggestOptions returns the options for Suggestions and for warnings about a step that is compiled
// with o: only layouts of weights. Both use the same ones, so that they agree.
func suggestOptions(o compile.Options) suggest.Options {
	return suggest.Options{Options: o, WeightsOnly: true}
}

// lint logs warnings about layouts of variables that are mistakes, with the first changes that
// Suggestions returns. It checks the model's first training step, and the first other step if that
// runs earlier; p may be any program of a step. It does nothing for other distributions than
// ModelParallel. In a job only process 0 logs: all would log the same.
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
	o := suggestOptions(optionsOf(p))
	o.Compiled = p.compiled
	found, err := suggest.Lint(p.recorded, o)
	if err != nil {
		m.warn(c.logger, fmt.Sprintf("layouts could not be checked: %v", err))
		return
	}
	for _, text := range found.Brief() {
		m.warnLayouts(c.logger, mp, text, text+" (model.Suggestions says why)")
	}
}
