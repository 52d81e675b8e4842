package keras

// This file warns of layouts that do not do what the user may think.

import (
	"fmt"
	"io"
	"strings"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/layout"
)

// lintLayouts names the rules of the model's layout map that match nothing,
// and layouts that waste memory: as warnings, or as an error where the
// distribution is strict.
func (m *Model) lintLayouts(w io.Writer) error {
	mp, ok := m.dist.(*distribution.ModelParallel)
	if !ok {
		return nil
	}
	var variables, outputs []string
	for _, v := range m.Variables() {
		variables = append(variables, v.Path())
	}
	for _, n := range m.nodes {
		if !n.IsInput() {
			outputs = append(outputs, layers.OutputPaths(n.Layer)...)
		}
	}
	dead, err := mp.Unmatched(variables, outputs)
	if err != nil {
		return err
	}
	var texts []string
	for _, d := range dead {
		texts = append(texts, d.String())
	}
	for _, f := range layout.Lint(m.lintTensors(), layout.LintOptions{BatchAxis: mp.BatchDimName(), Keys: mp.LayoutMap().Keys()}) {
		texts = append(texts, f.Text)
	}
	if mp.Strict() && len(texts) > 0 {
		return fmt.Errorf("layout map: %s", strings.Join(texts, "; "))
	}
	for _, t := range texts {
		m.warn(w, "layout map: "+t)
	}
	return nil
}

// lintTensors returns the model's variables as the lint sees them.
func (m *Model) lintTensors() []layout.LintTensor {
	var out []layout.LintTensor
	for _, v := range m.Variables() {
		out = append(out, layout.LintTensor{
			Path: v.Path(), Rule: m.layoutRule(v.Path()), Dims: v.Shape(), Bytes: v.Type().Bytes(), Sharding: v.Sharding(),
		})
	}
	return out
}

// layoutRule returns the key of the layout map that lays out the path, or
// nothing.
func (m *Model) layoutRule(path string) string {
	mp, ok := m.dist.(*distribution.ModelParallel)
	if !ok {
		return ""
	}
	key, l, err := mp.LayoutMap().Match(path)
	if err != nil || l == nil {
		return "" // two keys that match are an error where the variable is made
	}
	return key
}

// warn writes a warning, each text once for a model.
func (m *Model) warn(w io.Writer, text string) {
	if m.warned[text] {
		return
	}
	if m.warned == nil {
		m.warned = make(map[string]bool)
	}
	m.warned[text] = true
	fmt.Fprintf(w, "WARNING: model %s: %s\n", m.name, text)
}
