package keras

// This file explains the layouts of a model and suggests better ones.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// ExplainSharding writes why values of the model's latest step are laid out as
// they are: the rule of the layout map, or whatever else pinned an axis, the
// ops that it travelled through, and which side of a conflict lost. Paths name
// the variables to explain; without any, all inputs and results of the step
// are, and every value that an axis of a neighbour did not reach.
//
// The model must have run a step: its shapes decide.
func (m *Model) ExplainSharding(w io.Writer, paths ...string) error {
	p, err := m.latestStep("explain sharding")
	if err != nil {
		return err
	}
	module := p.recorded.Clone()
	f := module.Main()
	m.nameRules(f)
	r, err := sharding.Propagate(module, sharding.Options{})
	if err != nil {
		return err
	}
	var known []string
	explained := make(map[string]bool)
	for _, v := range f.Params() {
		known = append(known, v.Name)
		if len(paths) == 0 || slices.Contains(paths, v.Name) {
			explained[v.Name] = true
			io.WriteString(w, r.Explain(v))
		}
	}
	for _, path := range paths {
		if !explained[path] {
			return fmt.Errorf("keras: model %s: explain sharding: %s has no input %q%s: it has %s",
				m.name, p.kind, path, suggest.DidYouMean(path, known), suggest.Quoted(known))
		}
	}
	if len(paths) > 0 {
		return nil
	}
	var text strings.Builder
	f.Walk(func(op *ir.Op) {
		for _, v := range op.Results {
			if e := r.Explanation(v); e != nil && len(e.Lost) > 0 {
				text.WriteString(e.String())
			}
		}
	})
	for i := range f.Results {
		text.WriteString(r.ExplainResult(f, i))
	}
	_, err = io.WriteString(w, text.String())
	return err
}

// Suggestions says for each collective of the model's latest step which line
// of the layout map would remove it, if one does, and what the step would cost
// then. Compile's Suggest tells how lines are found; it compiles the step once
// for each that it tries.
//
// The model must have run a step: its shapes decide.
func (m *Model) Suggestions() (*compile.Suggestions, error) {
	p, err := m.latestStep("suggestions")
	if err != nil {
		return nil, err
	}
	s, err := compile.Suggest(p.recorded, m.compilerOptions())
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: suggestions: %w", m.name, err)
	}
	return s, nil
}

// latestStep returns the step that was compiled last; what wants it.
func (m *Model) latestStep(what string) (*stepProgram, error) {
	if m.compiled == nil || len(m.compiled.order) == 0 {
		return nil, fmt.Errorf("keras: model %s: %s: no step has been compiled yet: call Fit, Evaluate or Predict first", m.name, what)
	}
	if m.mesh() == nil {
		return nil, fmt.Errorf("keras: model %s: %s: the model is on one device: there are no layouts; set a distribution before the model is made", m.name, what)
	}
	return m.compiled.programs[m.compiled.order[len(m.compiled.order)-1]], nil
}

// nameRules marks the parameters of f with the rules of the layout map that
// pinned them.
func (m *Model) nameRules(f *ir.Func) {
	for i, v := range f.Params() {
		if key := m.layoutRule(v.Name); key != "" {
			f.ArgAttrs[i] = f.ArgAttrs[i].With(sharding.RuleAttr, ir.String(fmt.Sprintf("%q: %s", key, v.Sharding)))
		}
	}
}
