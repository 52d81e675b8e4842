package keras

// This file warns of layouts that do not do what the user may think.

import (
	"fmt"
	"io"
	"strings"

	"github.com/gospmd/gospmd/keras/distribution"
)

// lintLayouts names the rules of the model's layout map that match nothing:
// as warnings, or as an error where the distribution is strict.
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
			outputs = append(outputs, n.Name()+"/output")
		}
	}
	dead, err := mp.Unmatched(variables, outputs)
	if err != nil || len(dead) == 0 {
		return err
	}
	texts := make([]string, len(dead))
	for i, d := range dead {
		texts[i] = d.String()
	}
	if mp.Strict() {
		return fmt.Errorf("layout map: %s", strings.Join(texts, "; "))
	}
	for _, t := range texts {
		m.warn(w, "layout map: "+t)
	}
	return nil
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
