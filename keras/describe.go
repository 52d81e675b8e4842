package keras

// This file describes the layouts of a model: where they come from, and warnings about
// layout rules that do nothing.

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding"
)

// ExplainSharding writes how the layouts of the model's latest step came about. For each value it
// writes three things: the layout that was asked for, with the rule of the layout map or the ops
// that it comes from; the layout of the value on each device; and the reason for a difference
// between them. paths are the variables to explain. Without paths, it explains all inputs and
// results of the step, and every value that is not sharded along an axis that shards a neighbour.
// It then also lists the annotations that do not hold and the steps of the layout search.
// Explanation returns all values.
//
// The result depends on the shapes of the batch. Before any step has run, it explains the training
// step for the model's input shapes, a batch of 32 examples (Fit's default), and labels in the
// shapes that the losses expect. ExplainShardingFor explains the step for another batch. A model
// that is not compiled or is on one device, and an unknown path, are errors.
func (m *Model) ExplainSharding(w io.Writer, paths ...string) error {
	e, err := m.Explanation()
	if err != nil {
		return err
	}
	return m.writeSharding(w, e, paths)
}

// ExplainShardingFor does the same as ExplainSharding, for the training step on a batch with the
// shapes of b, which must have labels. The values in b do not matter. Nothing runs. A model that is
// not compiled or is on one device, and an unknown path, are errors.
func (m *Model) ExplainShardingFor(w io.Writer, b data.Batch, paths ...string) error {
	step, b, err := m.lower(b)
	if err != nil {
		return err
	}
	if m.mesh() == nil {
		return fmt.Errorf("keras: model %s: explain sharding: %w", m.name, errNoLayouts)
	}
	m.asCompiled(step)
	o := m.compilerOptions(trainStep)
	if p := m.compiled.programs[programKey(trainStep, []data.Batch{b})]; p != nil {
		o = optionsOf(p)
	}
	e, err := m.explain(step, o)
	if err != nil {
		return err
	}
	return m.writeSharding(w, e, paths)
}

// writeSharding writes to w what e says of the values at paths, or without paths of the whole step
// (writeStory). The error of e and a path that is no input of the step are errors; w then gets
// nothing.
func (m *Model) writeSharding(w io.Writer, e *explain.Explanation, paths []string) error {
	if e.Err != nil {
		return fmt.Errorf("keras: model %s: explain sharding: %w", m.name, e.Err)
	}
	var text strings.Builder
	for _, path := range paths {
		v, err := e.Input(path)
		if err != nil {
			return fmt.Errorf("keras: model %s: explain sharding: %w", m.name, err)
		}
		text.WriteString(v.String())
	}
	if len(paths) == 0 {
		writeStory(&text, e)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// writeStory writes to w the explanation of the whole step, that of ExplainSharding without paths:
// parameters and results, overridden annotations, the layout search, and values with conflicts.
func writeStory(w *strings.Builder, e *explain.Explanation) {
	for _, v := range e.Values {
		if v.Kind == explain.Parameter || v.Kind == explain.Result {
			w.WriteString(v.String())
		}
	}
	for _, o := range e.Overrides() {
		fmt.Fprintln(w, o)
	}
	for _, s := range e.Search() {
		fmt.Fprintln(w, s)
	}
	for _, v := range e.Values {
		if v.Kind != explain.Parameter && v.Kind != explain.Result && len(v.Conflicts()) > 0 {
			w.WriteString(v.String())
		}
	}
}

// Explanation returns how the layout of each value in the model's latest step came about: see
// package compile/explain. It compiles the step again, for the limit of memory that its program
// keeps (program.Fitting.Asked). If no step has run yet, it explains the same step as
// ExplainSharding. A model that is not compiled or is on one device is an error.
func (m *Model) Explanation() (*explain.Explanation, error) {
	step, o, err := m.explainedStep("explain sharding")
	if err != nil {
		return nil, err
	}
	return m.explain(step, o)
}

// explain returns the explanation of a step that is compiled with o, in fewer micro-batches where
// those of o do not divide the batch. If the step does not compile, the explanation has the error,
// but a step without shardings is an error of explain.
func (m *Model) explain(step *ir.Module, o compile.Options) (*explain.Explanation, error) {
	e, err := divided(o, func(o compile.Options) (*explain.Explanation, error) {
		e, err := compile.Explain(context.Background(), step, o)
		if err != nil {
			return nil, err
		}
		return e, e.Err
	})
	if e == nil {
		return nil, fmt.Errorf("keras: model %s: explain sharding: %w", m.name, err)
	}
	return e, nil
}

// LayoutCost compiles the model's latest step twice: with binding layouts
// (distribution.KeepLayouts) and without. It returns the costs of both. If no step has run yet, it
// uses the same step as ExplainSharding. A model that is not compiled or is on one device is an
// error.
func (m *Model) LayoutCost() (*compile.LayoutCost, error) {
	step, o, err := m.explainedStep("layout cost")
	if err != nil {
		return nil, err
	}
	c, err := divided(o, func(o compile.Options) (*compile.LayoutCost, error) {
		return compile.CostOfLayouts(context.Background(), step, o)
	})
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: layout cost: %w", m.name, err)
	}
	return c, nil
}

// nameRules marks the parameters of f, and the constraints on layer outputs and their gradients,
// with the rule of the layout map that sets their sharding. It changes f.
func (m *Model) nameRules(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind != ir.OpShardingConstraint {
			return
		}
		name := sharding.OutputName(op)
		if key, _ := m.layoutRule(name); name != "" && key != "" {
			op.Attrs = op.Attrs.With(sharding.LayoutRuleAttr, ir.String(fmt.Sprintf("%q: %s", key, op.ShardingConstraint().Sharding())))
		}
	})
	for i, v := range f.Params() {
		if key, _ := m.layoutRule(v.Name); key != "" {
			f.ArgAttrs[i] = f.ArgAttrs[i].With(sharding.LayoutRuleAttr, ir.String(fmt.Sprintf("%q: %s", key, v.Sharding)))
		}
	}
}

// lintLayouts logs a warning for each rule of the layout map that matches nothing, and for each
// layout that pads much or is too short, unless it was logged before. If the distribution is strict,
// it returns them as an error instead, and also much replicated memory. Otherwise the first step
// warns of replicated weights, if another layout costs less. Other distributions than ModelParallel
// are not checked.
func (m *Model) lintLayouts(c compileConfig) error {
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
	var texts, about []string
	for _, d := range dead {
		texts, about = append(texts, d.String()), append(about, "rule "+d.Key)
	}
	o := layout.LintOptions{BatchAxis: mp.BatchDimName()}
	if !mp.Strict() {
		o.ReplicatedShare = 1
	}
	for _, f := range layout.Lint(m.lintTensors(), o) {
		texts, about = append(texts, f.Text), append(about, f.Text)
	}
	if mp.Strict() && len(texts) > 0 {
		return fmt.Errorf("layout map: %s", strings.Join(texts, "; "))
	}
	for i, t := range texts {
		m.warnLayouts(c.logger, mp, about[i], t)
	}
	return nil
}

// lintTensors returns the model's variables, and the outputs of its layers that a rule
// matches, in the form that layout.Lint takes.
func (m *Model) lintTensors() []layout.LintTensor {
	var out []layout.LintTensor
	for _, v := range m.Variables() {
		rule, l := m.layoutRule(v.Path())
		out = append(out, layout.LintTensor{
			Path: v.Path(), Rule: rule, Layout: l, Dims: v.Shape(), Bytes: v.Type().Bytes(), Sharding: v.Sharding(),
		})
	}
	for _, n := range m.nodes {
		path := n.Path() + "/output"
		if rule, l := m.layoutRule(path); l != nil && !n.IsInput() {
			out = append(out, layout.LintTensor{Path: path, Rule: rule, Layout: l, Dims: n.Outputs[0].Shape()})
		}
	}
	return out
}

// layoutRule returns the key of the layout map that matches the path, and its layout;
// "" and nil if none does.
func (m *Model) layoutRule(path string) (string, *layout.TensorLayout) {
	mp, ok := m.dist.(*distribution.ModelParallel)
	if !ok {
		return "", nil
	}
	key, l, err := mp.LayoutMap().Match(path)
	if err != nil || l == nil {
		return "", nil // two keys that match are an error where the variable is made
	}
	return key, l
}

// warnLayouts logs the warning text about the layout map of mp to l. Models that share mp log only
// the first warning with the same subject about.
func (m *Model) warnLayouts(l *slog.Logger, mp *distribution.ModelParallel, about, text string) {
	if mp.FirstWarning(about) {
		m.warn(l, "layout map: "+text)
	}
}

// warn logs text, with the model's name, as a warning to l, unless it has been logged for this
// model before.
func (m *Model) warn(l *slog.Logger, text string) {
	if m.warned[text] {
		return
	}
	if m.warned == nil {
		m.warned = make(map[string]bool)
	}
	m.warned[text] = true
	l.Warn(fmt.Sprintf("keras: model %s: %s", m.name, text))
}
