package layers

// This file defines Tensor, the symbolic tensor of which models are made, how
// layers are applied to it, and how tracing a layer gives the shape of its output.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// None is the size of an open dimension. When the model runs, each size of the
// dimension is compiled to its own program.
const None = -1

// Tensor is a symbolic tensor (KerasTensor): an output of a layer, to be computed
// when the model runs. If applying a layer fails, its Tensor holds the error, and so do
// those that are computed from it: keras.NewModel returns the errors of all layers.
type Tensor struct {
	spec     Spec
	producer *Node
	index    int
	err      error
}

// Shape returns the shape, batch first; open dimensions are None.
func (t *Tensor) Shape() []int { return t.spec.Shape }

// DType returns the element type.
func (t *Tensor) DType() dtypes.DType { return t.spec.DType }

// Err returns the error of the layers that compute t, if there was one.
func (t *Tensor) Err() error { return t.err }

// Producer returns the node that t is an output of, nil if t holds an error.
func (t *Tensor) Producer() *Node { return t.producer }

// Index returns t's position among its producer's outputs.
func (t *Tensor) Index() int { return t.index }

// Node is one application of a layer to tensors.
type Node struct {
	Layer   Layer
	Inputs  []*Tensor
	Outputs []*Tensor

	place ir.Location // the user's line that applied the layer
}

// Name returns the layer's name.
func (n *Node) Name() string { return n.Layer.base().name }

// Variables returns the layer's variables.
func (n *Node) Variables() []*variable.Variable { return n.Layer.base().Variables() }

// Path returns the prefix of the paths of the layer's variables: its name, in a
// Sequential after that of the model.
func (n *Node) Path() string { return n.Layer.base().path }

// IsInput reports whether the node is an Input.
func (n *Node) IsInput() bool { _, ok := n.Layer.(*inputLayer); return ok }

// Output returns the layer's output, of which other models can be made: the output of
// keras.layers.Layer. The layer must have been applied once, and have one output: of others,
// keep what Apply returns.
func (b *Base) Output() (*Tensor, error) {
	return b.single("output", func(n *Node) []*Tensor { return n.Outputs })
}

// Input is Output for the layer's input.
func (b *Base) Input() (*Tensor, error) {
	return b.single("input", func(n *Node) []*Tensor { return n.Inputs })
}

func (b *Base) single(what string, of func(*Node) []*Tensor) (*Tensor, error) {
	switch {
	case len(b.nodes) == 0:
		return nil, fmt.Errorf("layer %s has no %s: it was not applied to a tensor yet", b.name, what)
	case len(b.nodes) > 1:
		return nil, fmt.Errorf("layer %s has %d %ss, one for each time it was applied: keep what Apply returns", b.name, len(b.nodes), what)
	case len(of(b.nodes[0])) != 1:
		return nil, fmt.Errorf("layer %s has %d %ss, want one", b.name, len(of(b.nodes[0])), what)
	}
	return of(b.nodes[0])[0], nil
}

// inputLayer is the layer of an Input.
type inputLayer struct {
	Base
}

func (l *inputLayer) Call(_ *Context, in []*graph.Node) []*graph.Node { return in }

// Input returns the symbolic tensor of a model's input. shape has no batch
// dimension; None is an open dimension. Options: Name, DType (float32 by
// default).
func Input(shape []int, opts ...Option) *Tensor {
	l := &inputLayer{}
	o := l.configure("InputLayer", append([]Option{DType(dtypes.Float32)}, opts...), "Name", "DType")
	t := &Tensor{spec: Spec{Shape: append([]int{None}, shape...), DType: o.policy.compute}}
	for _, d := range shape {
		if d < None || d == 0 {
			l.fail("Input: dimension %d of shape %v cannot be used: want positive sizes, or None (-1) for an open dimension", d, shape)
		}
	}
	if err := t.spec.checkSize(); l.err == nil && err != nil {
		l.fail("Input: %w", err)
	}
	if t.err = ConstructionError(l); t.err != nil {
		return t
	}
	nameLayer(l, "input_layer")
	t.producer = &Node{Layer: l, Outputs: []*Tensor{t}}
	l.nodes = []*Node{t.producer}
	return t
}

// Apply connects l to t and returns l's output.
func (t *Tensor) Apply(l Layer) *Tensor { return Apply(l, t) }

// Apply connects l to its inputs and returns its first output, which is the
// only one of nearly every layer.
func Apply(l Layer, inputs ...*Tensor) *Tensor { return ApplyAll(l, inputs...)[0] }

// ApplyAll connects l to its inputs and returns all outputs. After an error it
// returns one tensor, which holds the error.
func ApplyAll(l Layer, inputs ...*Tensor) []*Tensor {
	outs, err := apply(l, "", inputs)
	if err != nil {
		return []*Tensor{{err: err}}
	}
	return outs
}

// ApplyIn is Apply for a layer of a submodel: the paths of its variables begin
// with scope, as in Keras' Sequential.
func ApplyIn(scope string, l Layer, inputs ...*Tensor) *Tensor {
	outs, err := apply(l, scope, inputs)
	if err != nil {
		return &Tensor{err: err}
	}
	return outs[0]
}

func apply(l Layer, scope string, inputs []*Tensor) ([]*Tensor, error) {
	var f faults
	for i, in := range inputs {
		if in == nil {
			f = f.with(at(trace.Caller(), fmt.Errorf("%T: input %d is nil: apply layers to tensors made by Input or by other layers", l, i)))
		} else {
			f = f.with(in.err)
		}
	}
	if IsNil(l) {
		return nil, f.with(errNilLayer("the layer"))
	}
	b := l.base()
	if len(inputs) == 0 {
		f = f.with(at(trace.Caller(), fmt.Errorf("%T is applied to no tensor: give it at least one", l)))
	}
	if f = f.with(ConstructionError(l)); len(f) > 0 {
		return nil, f
	}
	specs := make([]Spec, len(inputs))
	for i, in := range inputs {
		specs[i] = in.spec
	}
	nameLayer(l, TypeName(l))
	place := b.applied(scope)
	outSpecs, err := specsOf(l, scope, specs)
	if err != nil {
		return nil, f.with(at(place, err))
	}
	node := &Node{Layer: l, Inputs: slices.Clone(inputs), place: place}
	for i, s := range outSpecs {
		node.Outputs = append(node.Outputs, &Tensor{spec: s, producer: node, index: i})
	}
	b.nodes = append(b.nodes, node)
	return node.Outputs, nil
}

// specsOf returns the specs of a layer's outputs. It builds the layer if it is not
// built.
func specsOf(l Layer, scope string, inputs []Spec) ([]Spec, error) {
	b := l.base()
	if !b.built {
		if err := build(l, scope, inputs); err != nil {
			return nil, err
		}
	}
	outputs, err := outputSpecs(l, inputs)
	if err != nil {
		return nil, fmt.Errorf("layer %s (%s) with input %v: %w", b.name, TypeName(l), inputs, err)
	}
	for _, s := range outputs {
		if err := s.checkSize(); err != nil {
			return nil, fmt.Errorf("layer %s (%s) with input %v: output: %w", b.name, TypeName(l), inputs, err)
		}
	}
	return outputs, nil
}

// Call runs the node's layer while a model is traced.
func (n *Node) Call(c *Context, inputs []*graph.Node) (outputs []*graph.Node, err error) {
	if n.IsInput() {
		return inputs, nil
	}
	c.Recorder.At(n.place, func() { outputs, err = c.call(n.Layer, inputs) })
	return outputs, err
}

// ShapeText returns a shape as Keras writes it: (None, 28, 28).
func ShapeText(shape []int) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.Itoa(d)
		if d < 0 {
			parts[i] = "None"
		}
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// openSizes are pairs of sizes that replace an open dimension while a layer is
// traced twice: sizes of the output that differ between the traces are open. The
// sizes of a pair are far apart, so that they differ also behind windows and
// strides up to their difference, and they have many divisors, so that reshapes
// fit. The second pair is for layers that cannot take a dimension as large as
// those of the first.
var openSizes = [][2]int{{5040, 10080}, {60, 84}}

// checkSize returns an error if a tensor of the spec would be too large to compute
// with its size, with open dimensions as large as those that layers are traced with.
func (s Spec) checkSize() error {
	dims := slices.Clone(s.Shape)
	for i, d := range dims {
		if d == None {
			dims[i] = openSizes[0][1]
		}
	}
	if _, ok := ir.Elements(dims...); !ok {
		return fmt.Errorf("a tensor of shape %s is too large: want fewer than 2^56 elements, with %d for each open dimension", ShapeText(s.Shape), openSizes[0][1])
	}
	return nil
}

// outputSpecs traces l.Call and returns the specs of its outputs.
func outputSpecs(l Layer, inputs []Spec) ([]Spec, error) {
	var first error
	for _, sizes := range openSizes {
		a, err := traceSpecs(l, inputs, sizes[0])
		if err == nil {
			var b []Spec
			if b, err = traceSpecs(l, inputs, sizes[1]); err == nil {
				return merged(a, b), nil
			}
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// merged returns a, with the sizes that differ from those of b replaced by None.
func merged(a, b []Spec) []Spec {
	for i := range a {
		for d := range a[i].Shape {
			if a[i].Shape[d] != b[i].Shape[d] {
				a[i].Shape[d] = None
			}
		}
	}
	return a
}

func traceSpecs(l Layer, inputs []Spec, open int) ([]Spec, error) {
	var specs []Spec
	_, err := trace.Record("spec", meshOf(l.base().Variables()), func(r *trace.Recorder) ([]trace.Output, error) {
		c := &Context{StatelessScope: variable.NewScope(r), open: open}
		nodes := make([]*graph.Node, len(inputs))
		for i, in := range inputs {
			dims := make([]int, len(in.Shape))
			for d, size := range in.Shape {
				dims[d] = size
				if size < 0 {
					dims[d] = open
				}
			}
			nodes[i] = r.Param(fmt.Sprintf("input%d", i), ir.Tensor(in.DType, dims...), nil)
		}
		outs, err := c.call(l, nodes)
		if err != nil {
			return nil, err
		}
		if len(outs) == 0 {
			return nil, fmt.Errorf("Call returned no output")
		}
		results := make([]trace.Output, len(outs))
		for i, n := range outs {
			specs = append(specs, Spec{Shape: append([]int{}, n.Shape().Dimensions...), DType: n.DType()})
			results[i] = trace.Output{Name: fmt.Sprintf("output%d", i), Node: n}
		}
		return results, nil
	})
	return specs, err
}

// meshOf returns the mesh of a layer's variables, nil for one device. Before
// there are variables, it is the mesh of those that will be made.
func meshOf(vs []*variable.Variable) *mesh.DeviceMesh {
	for _, v := range vs {
		if s := v.Sharding(); s != nil {
			return s.Mesh
		}
	}
	if d := distribution.Current(); d != nil && len(vs) == 0 {
		return d.DeviceMesh()
	}
	return nil
}
