package keras

// This file writes the summary of a model.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/program"
)

// summaryConfig holds the values of Summary's options: whether nested layers and the column of
// trained layers are shown, and the width in characters, 0 if not given.
type summaryConfig struct {
	nested, trainable bool
	width             int
}

// SummaryOption is an option of Summary: ExpandNested, ShowTrainable or LineLength.
type SummaryOption struct{ summarySetting }

// summarySetting is the name of an option, and the function that sets it in a summaryConfig.
type summarySetting = option.Option[summaryConfig]

// ExpandNested makes Summary also list the layers of nested models, below these.
func ExpandNested() SummaryOption {
	return SummaryOption{option.New("ExpandNested", func(c *summaryConfig) { c.nested = true })}
}

// ShowTrainable makes Summary add a column that says whether a layer is trained: Y, N, or - for a
// layer without weights.
func ShowTrainable() SummaryOption {
	return SummaryOption{option.New("ShowTrainable", func(c *summaryConfig) { c.trainable = true })}
}

// LineLength limits the lines of tables to a number of characters; below 20 is an error. Longer
// cells are wrapped. By default, the lines fit the terminal that the summary is written to.
// Elsewhere they are not limited.
func LineLength(characters int) SummaryOption {
	return SummaryOption{summarySetting{Name: "LineLength", Set: func(c *summaryConfig) error {
		if characters < 20 {
			return fmt.Errorf("got %d characters, want at least 20", characters)
		}
		c.width = characters
		return nil
	}}}
}

// Summary writes what keras.Model.summary prints. A table of the layers has output shapes, numbers
// of parameters, and, unless each layer follows the one before, the layers' inputs. Then come the
// totals, with their size. They include the optimizer once it is built. Unlike Keras, which takes
// the unit that fits, Summary writes all sizes in bytes.
//
// On a mesh it also writes the bytes on each device, a table of all variables with their layouts
// and the rules of the layout map that set them, and the memory of a device. Once a training step
// is compiled, that is the peak memory of the step, with activations, as package compile/report
// predicts it.
//
// A model that is not built is an error. Options: ExpandNested, ShowTrainable, LineLength.
func (m *Model) Summary(w io.Writer, opts ...SummaryOption) error {
	var c summaryConfig
	err := option.Apply("Summary", &c, opts, "ExpandNested", "ShowTrainable", "LineLength")
	if err == nil && !m.built() {
		err = fmt.Errorf("the model has no input shape yet: call Build")
	}
	if err != nil {
		return fmt.Errorf("keras: model %s: summary: %w", m.name, err)
	}
	s := summary{summaryConfig: c, model: m, distributed: m.dist != nil, connections: !m.isChain()}
	var text strings.Builder
	fmt.Fprintf(&text, "Model: %q\n\n", m.name)
	width := cmp.Or(c.width, widthOf(w))
	t := summaryTable{s.header()}
	s.rows(&t, m, "")
	t.writeTo(&text, width)
	if s.distributed {
		text.WriteByte('\n')
		s.variables().writeTo(&text, width)
		text.WriteByte('\n')
		s.memory().writeTo(&text, width)
	}
	s.totals(&text)
	_, err = io.WriteString(w, texttable.Trim(text.String()))
	return err
}

// summary is a summary of model that is being written, with the options and the columns that it
// has.
type summary struct {
	summaryConfig
	model       *Model
	distributed bool // bytes per device are shown
	connections bool // the column "Connected to" is
}

// isChain reports whether each layer is applied once, to the output of the one before.
func (m *Model) isChain() bool {
	for i, n := range m.nodes {
		if i > 0 && (len(n.Inputs) != 1 || n.Inputs[0].Producer() != m.nodes[i-1]) || len(n.Outputs) != 1 {
			return false
		}
		if slices.ContainsFunc(m.nodes[:i], func(other *layers.Node) bool { return other.Layer == n.Layer }) {
			return false
		}
	}
	return true
}

func (s *summary) header() []string {
	cells := []string{"Layer (type)", "Output Shape", "Param #"}
	if s.connections {
		cells = append(cells, "Connected to")
	}
	if s.trainable {
		cells = append(cells, "Trainable")
	}
	if s.distributed {
		cells = append(cells, "Bytes per device")
	}
	return cells
}

// rows adds a row to table t for each layer of m, and below it the rows of a nested model if the
// summary expands these. prefix is in front of the names.
func (s *summary) rows(t *summaryTable, m *Model, prefix string) {
	for _, l := range m.Layers() {
		nodes, own := m.NodesOf(l), slices.DeleteFunc(slices.Clone(l.Variables()), (*variable.Variable).IsSeedState)
		cells := []string{prefix + l.Name() + " (" + classOf(l, nodes) + ")", outputShapes(nodes), texttable.GroupDigits(sizeOf(own...).parameters)}
		if s.connections {
			cells = append(cells, m.connectedTo(nodes))
		}
		if s.trainable {
			cells = append(cells, trainability(l, own))
		}
		if s.distributed {
			cells = append(cells, texttable.GroupDigits(sizeOf(own...).onDevice))
		}
		t.add(cells...)
		if nested, ok := l.(*ModelLayer); ok && s.nested && nested.model.built() {
			s.rows(t, nested.model, "   "+strings.TrimSuffix(prefix, "└ ")+"└ ")
		}
	}
}

// variables returns the table of the variables of the model and of its optimizer.
func (s *summary) variables() summaryTable {
	t := summaryTable{{"Variable", "Shape", "Rule", "Layout", "Bytes per device"}}
	for _, v := range slices.Concat(s.model.Variables(), s.optimizer()) {
		rule, _ := s.model.layoutRule(v.Path())
		t.add(v.Path(), layers.ShapeText(v.Shape()), cmp.Or(rule, "-"), fmt.Sprint(v.Sharding()), texttable.GroupDigits(sizeOf(v).onDevice))
	}
	return t
}

// optimizer returns the variables of the model's optimizer; none for a model that is not compiled,
// or before the optimizer is built.
func (s *summary) optimizer() []*variable.Variable {
	if s.model.compiled == nil {
		return nil
	}
	return s.model.compiled.optimizer.Variables()
}

// memory returns the table of the memory of a device: for the training step that was compiled last,
// or if there is none, for the variables alone.
func (s *summary) memory() summaryTable {
	t := summaryTable{{"Memory", "Bytes per device"}}
	step := s.model.latestTraining()
	if step == nil {
		for _, part := range []struct {
			name string
			of   []*variable.Variable
		}{{"parameters", s.model.Variables()}, {"optimizer", s.optimizer()}} {
			if n := sizeOf(part.of...).onDevice; n > 0 {
				t.add(part.name, texttable.GroupDigits(n))
			}
		}
		return t
	}
	r := report.NewFor(step, s.model.compiled.compiler.Machine) // which program has set
	for _, part := range r.Memory.Parts() {
		name := part.Name
		if name == "temporary" {
			name = "activations and other temporary values, predicted"
		}
		if part.Bytes > 0 {
			t.add(name, texttable.GroupDigits(part.Bytes))
		}
	}
	t.add("at the peak", texttable.GroupDigits(r.Memory.Peak))
	return t
}

// latestTraining returns the training step that gospmd's partitioner has compiled last, or nil if
// there is none.
func (m *Model) latestTraining() *program.Program {
	if m.compiled == nil {
		return nil
	}
	for _, key := range slices.Backward(m.compiled.order) {
		if p := m.compiled.programs[key]; p.kind == trainStep && p.compiled.Form == program.PerDevice {
			return p.compiled
		}
	}
	return nil
}

// classOf returns the name of Keras' class for the layer l, whose calls are nodes. For an input it
// is InputLayer, for a model Functional, Sequential or the name of its Go type.
func classOf(l layers.Layer, nodes []*layers.Node) string {
	if len(nodes) > 0 && nodes[0].IsInput() {
		return "InputLayer"
	}
	nested, ok := l.(*ModelLayer)
	switch {
	case !ok:
		return layers.ClassName(l)
	case nested.model.IsSequential():
		return "Sequential"
	case nested.model.subclassed != nil:
		return layers.ClassName(nested.model.subclassed)
	}
	return "Functional"
}

// outputShapes returns the shape of a layer's output in its last application, or a list for several
// outputs. It returns "?" if the shape is not known: for layers inside a user's own type.
func outputShapes(nodes []*layers.Node) string {
	if len(nodes) == 0 {
		return "?"
	}
	var shapes []string
	for _, o := range nodes[len(nodes)-1].Outputs {
		shapes = append(shapes, layers.ShapeText(o.Shape()))
	}
	if len(shapes) == 1 {
		return shapes[0]
	}
	return "[" + strings.Join(shapes, ", ") + "]"
}

// connectedTo lists the tensors that a layer is applied to in the calls nodes, as Keras does:
// layer[call][output], separated by commas; "-" if there are none.
func (m *Model) connectedTo(nodes []*layers.Node) string {
	var from []string
	for _, n := range nodes {
		for _, t := range n.Inputs {
			call := slices.Index(m.NodesOf(t.Producer().Layer), t.Producer())
			from = append(from, fmt.Sprintf("%s[%d][%d]", t.Producer().Name(), call, t.Index()))
		}
	}
	return cmp.Or(strings.Join(from, ", "), "-")
}

// trainability returns the cell of ShowTrainable for a layer with the variables own: Y, N, or - if
// it has none.
func trainability(l layers.Layer, own []*variable.Variable) string {
	switch {
	case len(own) == 0:
		return "-"
	case l.Trainable():
		return "Y"
	}
	return "N"
}

// totals writes to w the numbers of parameters and their sizes, trainable or not and of the
// optimizer, and the loss scaling of a compiled model's optimizer.
func (s *summary) totals(w io.Writer) {
	fixed := slices.DeleteFunc(s.model.Variables(), (*variable.Variable).Trainable)
	trained, optimizer := s.model.TrainableVariables(), s.optimizer()
	line := func(what string, vs []*variable.Variable) {
		of := sizeOf(vs...)
		fmt.Fprintf(w, "%s params: %s (%s bytes", what, texttable.GroupDigits(of.parameters), texttable.GroupDigits(of.bytes))
		if s.distributed {
			fmt.Fprintf(w, ", %s per device", texttable.GroupDigits(of.onDevice))
		}
		fmt.Fprintln(w, ")")
	}
	fmt.Fprintln(w)
	line("Total", slices.Concat(trained, fixed, optimizer))
	line("Trainable", trained)
	line("Non-trainable", fixed)
	if len(optimizer) > 0 {
		line("Optimizer", optimizer)
	}
	if s.model.compiled == nil {
		return
	}
	if c := s.model.compiled.optimizer.LossScaleConfig(); c != nil {
		fmt.Fprintf(w, "Loss scale: from %g on, doubled after %d finite steps, halved after one that is not\n", c["initial_scale"], c["dynamic_growth_steps"])
	}
}

// size is a number of parameters, their bytes, and the bytes on one device, of some variables.
type size struct{ parameters, bytes, onDevice int }

func sizeOf(vs ...*variable.Variable) (s size) {
	for _, v := range vs {
		if v.IsSeedState() {
			continue // no parameters in Keras
		}
		s.parameters += v.Type().Size()
		s.bytes += v.Type().Bytes()
		s.onDevice += v.Type().WithDims(v.Sharding().LocalShape(v.Shape())).Bytes()
	}
	return s
}
