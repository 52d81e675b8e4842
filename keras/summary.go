package keras

// This file prints a model as a table.

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gospmd/gospmd/keras/layers"
)

// Summary writes a table of the layers, with the shapes of their outputs and
// the numbers of their parameters, and of the variables, with the rules of the
// layout map that lay them out and their layouts: keras.Model.summary.
func (m *Model) Summary(w io.Writer) error {
	if !m.built() {
		return fmt.Errorf("keras: model %s: summary: the model has no input shape yet: call Build", m.name)
	}
	fmt.Fprintf(w, "Model: %q\n\n", m.name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "Layer\tType\tOutput shape\tParameters")
	for _, n := range m.nodes {
		params := 0
		for _, v := range n.Variables() {
			params += v.Type().Size()
		}
		shapes := make([]string, len(n.Outputs))
		for i, o := range n.Outputs {
			shapes[i] = layers.ShapeText(o.Shape())
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\n", n.Name(), layers.TypeName(n.Layer), strings.Join(shapes, ", "), params)
	}
	fmt.Fprintln(t)
	total, trained := 0, 0
	fmt.Fprintln(t, "Variable\tShape\tRule\tLayout\tBytes per device")
	for _, v := range m.Variables() {
		s := v.Sharding()
		local := v.Type().WithDims(s.LocalShape(v.Shape()))
		layoutText := "one device"
		if s != nil {
			layoutText = s.String()
		}
		rule := m.layoutRule(v.Path())
		if rule == "" {
			rule = "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\n", v.Path(), layers.ShapeText(v.Shape()), rule, layoutText, local.Bytes())
		total += v.Type().Size()
		if v.Trainable() {
			trained += v.Type().Size()
		}
	}
	fmt.Fprintf(t, "\nTotal parameters: %d\nTrainable parameters: %d\n", total, trained)
	if m.compiled != nil {
		m.summarizeOptimizer(t)
	}
	return t.Flush()
}

// summarizeOptimizer writes the lines of the optimizer, whose variables are
// there once it is built.
func (m *Model) summarizeOptimizer(w io.Writer) {
	o := m.compiled.optimizer
	if vs := o.Variables(); len(vs) > 0 {
		size := 0
		for _, v := range vs {
			size += v.Type().Size()
		}
		fmt.Fprintf(w, "Optimizer parameters: %d\n", size)
	}
	if c := o.LossScaleConfig(); c != nil {
		fmt.Fprintf(w, "Loss scale: from %g on, doubled after %d finite steps, halved after one that is not\n", c["initial_scale"], c["dynamic_growth_steps"])
	}
}
