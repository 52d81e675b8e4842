package utils

// This file draws the graph of a model.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-graphviz"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// ShowShapes adds the shapes of the inputs and outputs of layers to the drawing.
func ShowShapes() Option {
	return Option{option.New("ShowShapes", func(c *config) { c.shapes = true })}
}

// ShowDType adds the element types of the outputs of layers to the drawing.
func ShowDType() Option { return Option{option.New("ShowDType", func(c *config) { c.dtypes = true })} }

// ShowTrainable adds to the drawing whether each layer is trainable.
func ShowTrainable() Option {
	return Option{option.New("ShowTrainable", func(c *config) { c.trainable = true })}
}

// ExpandNested draws the layers of models that are layers, each model in a box. Without it such a
// model is drawn as one layer.
func ExpandNested() Option {
	return Option{option.New("ExpandNested", func(c *config) { c.nested = true })}
}

// RankDir sets the direction of the drawing: "TB", from top to bottom (the default), or "LR", from
// left to right. Others are errors.
func RankDir(d string) Option {
	return Option{option.New("RankDir", func(c *config) { c.direction = d })}
}

// DPI sets the resolution of an image, in pixels an inch; the default is 96. A number below 1 is an
// error.
func DPI(n int) Option { return Option{option.New("DPI", func(c *config) { c.dpi = n })} }

// plotOptions are the names of the options of ModelToDot and PlotModel.
var plotOptions = []string{"ShowShapes", "ShowDType", "ShowTrainable", "ExpandNested", "RankDir", "DPI"}

// ModelToDot returns the graph of a model in the DOT language: keras.utils.model_to_dot. It has a
// node for each application of a layer and an edge for each of its inputs; the same model gives the
// same text. A model without layers, which is not built yet, is an error. Options: ShowShapes,
// ShowDType, ShowTrainable, ExpandNested, RankDir, DPI.
func ModelToDot(m *keras.Model, opts ...Option) (string, error) {
	c := config{direction: "TB", dpi: 96}
	if err := option.Apply("utils: ModelToDot", &c, opts, plotOptions...); err != nil {
		return "", err
	}
	if c.direction != "TB" && c.direction != "LR" {
		return "", fmt.Errorf(`utils: ModelToDot: RankDir: got %q, want "TB" or "LR"`, c.direction)
	}
	if c.dpi < 1 {
		return "", fmt.Errorf("utils: ModelToDot: DPI: got %d, want a positive number", c.dpi)
	}
	if m == nil || len(m.Nodes()) == 0 {
		return "", errors.New("utils: ModelToDot: the model has no layers yet: call Build")
	}
	d := &dot{config: c}
	fmt.Fprintf(&d.text, "digraph %s {\n", quoted(m.Name()))
	fmt.Fprintf(&d.text, "  graph [rankdir=%s, dpi=%d, concentrate=true]\n  node [shape=record, fontname=\"Helvetica\", fontsize=10]\n", c.direction, c.dpi)
	d.model(m, "  ")
	d.text.WriteString("}\n")
	return d.text.String(), nil
}

// PlotModel draws the graph of a model into a file: keras.utils.plot_model. The extension of its
// name determines the format: .svg, .png, .jpg or .dot; others are errors. The options are those of
// ModelToDot. The file is written completely or not at all.
func PlotModel(ctx context.Context, m *keras.Model, file string, opts ...Option) error {
	formats := map[string]graphviz.Format{".svg": graphviz.SVG, ".png": graphviz.PNG, ".jpg": graphviz.JPG, ".dot": ""}
	format, ok := formats[strings.ToLower(filepath.Ext(file))]
	if !ok {
		return fmt.Errorf("utils: PlotModel: got the file %s: want a name that ends in .svg, .png, .jpg or .dot", file)
	}
	text, err := ModelToDot(m, opts...)
	if err != nil {
		return err
	}
	drawn := []byte(text)
	if format != "" {
		if drawn, err = draw(ctx, text, format); err != nil {
			return fmt.Errorf("utils: PlotModel: %s: %w", file, err)
		}
	}
	err = atomicfile.Write(file, func(f *os.File) error {
		_, err := f.Write(drawn)
		return err
	})
	if err != nil {
		return fmt.Errorf("utils: PlotModel: %w", err)
	}
	return nil
}

// draw lays out the graph that text describes in the DOT language, and returns it in the format,
// such as SVG.
func draw(ctx context.Context, text string, format graphviz.Format) (out []byte, err error) {
	g, err := graphviz.New(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	graph, err := graphviz.ParseBytes([]byte(text))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, graph.Close()) }()
	var b bytes.Buffer
	if err := g.Render(ctx, graph, format, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// dot writes the graphs of a model and of its nested models in the DOT language.
type dot struct {
	config
	text         strings.Builder
	nodes, boxes int
}

// model writes the nodes of m and the edges between them. It returns the names of the nodes for m's
// inputs, and of the nodes for its outputs.
func (d *dot) model(m *keras.Model, indent string) (inputs, outputs []string) {
	from := make(map[*layers.Node][]string) // the names of the nodes for the outputs of a node
	name := func(t *layers.Tensor) string { return from[t.Producer()][t.Index()] }
	for _, n := range m.Nodes() {
		var to []string
		if inner, ok := n.Layer.(*keras.ModelLayer); ok && d.nested && len(inner.Model().Nodes()) > 0 {
			to, from[n] = d.box(inner.Model(), indent)
		} else {
			id := d.node(n, indent)
			to, from[n] = slices.Repeat([]string{id}, len(n.Inputs)), slices.Repeat([]string{id}, len(n.Outputs))
		}
		for i, in := range n.Inputs {
			fmt.Fprintf(&d.text, "%s%s -> %s\n", indent, name(in), to[i])
		}
	}
	for _, t := range m.Inputs() {
		inputs = append(inputs, name(t))
	}
	for _, t := range m.Outputs() {
		outputs = append(outputs, name(t))
	}
	return inputs, outputs
}

// box writes the box (cluster) of m, a model that is a layer, with the nodes in it. It returns the
// names of the nodes for m's inputs and outputs.
func (d *dot) box(m *keras.Model, indent string) (inputs, outputs []string) {
	d.boxes++
	fmt.Fprintf(&d.text, "%ssubgraph cluster_%d {\n%s  label=%s\n", indent, d.boxes, indent, quoted(m.Name()))
	inputs, outputs = d.model(m, indent+"  ")
	fmt.Fprintf(&d.text, "%s}\n", indent)
	return inputs, outputs
}

// node writes the layer of the call n into the drawing, with its shapes and types as the options
// say, and returns the name of its node. indent begins the line.
func (d *dot) node(n *layers.Node, indent string) string {
	d.nodes++
	rows := []string{field(n.Name()) + "|" + field(layers.TypeName(n.Layer))}
	if d.trainable {
		rows = append(rows, fmt.Sprintf("trainable: %t", n.Layer.Trainable()))
	}
	if d.shapes && len(n.Inputs) > 0 {
		rows = append(rows, "input: "+field(shapesOf(n.Inputs)))
	}
	if d.shapes {
		rows = append(rows, "output: "+field(shapesOf(n.Outputs)))
	}
	if d.dtypes {
		var types []string
		for _, t := range n.Outputs {
			types = append(types, layers.DTypeName(t.DType()))
		}
		rows = append(rows, "dtype: "+strings.Join(types, ", "))
	}
	label := strings.Join(rows, "|")
	if d.direction == "TB" { // the fields of a record are side by side, unless it is turned
		label = "{" + label + "}"
	}
	id := fmt.Sprintf("n%d", d.nodes)
	fmt.Fprintf(&d.text, "%s%s [label=%s]\n", indent, id, quoted(label))
	return id
}

// shapesOf returns the shapes of tensors as Keras writes them, such as (None, 28).
func shapesOf(list []*layers.Tensor) string {
	var out []string
	for _, t := range list {
		out = append(out, layers.ShapeText(t.Shape()))
	}
	return strings.Join(out, ", ")
}

// field returns s without the characters that have a meaning in the fields of records of the DOT
// language.
func field(s string) string {
	return strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`, "|", `\|`, "<", `\<`, ">", `\>`).Replace(s)
}

// quoted returns s as a quoted text of the DOT language.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
