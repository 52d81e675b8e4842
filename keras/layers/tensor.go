package layers

// This file defines Tensor, the symbolic tensor with which models are written
// down, and how layers are applied to it.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// None is the size of an open dimension: each size that it gets when the model
// runs is a program of its own.
const None = -1

// Tensor is a symbolic tensor: the output of a layer that will be computed
// when the model runs (KerasTensor). An error on the way to it is kept and
// reported by keras.NewModel.
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

// Err returns what went wrong on the way to t, if anything did.
func (t *Tensor) Err() error { return t.err }

// Producer returns the application of a layer that t is an output of, nil for
// a broken Tensor.
func (t *Tensor) Producer() *Node { return t.producer }

// Index returns t's position among its producer's outputs.
func (t *Tensor) Index() int { return t.index }

// Node is one application of a layer to tensors.
type Node struct {
	Layer   Layer
	Inputs  []*Tensor
	Outputs []*Tensor
}

// Name returns the layer's name.
func (n *Node) Name() string { return n.Layer.base().name }

// Variables returns the layer's variables.
func (n *Node) Variables() []*variable.Variable { return n.Layer.base().Variables() }

// Path returns the path that the paths of the layer's variables begin with: its
// name, in a Sequential after that of the model.
func (n *Node) Path() string { return n.Layer.base().path }

// IsInput reports whether the node is an Input.
func (n *Node) IsInput() bool { _, ok := n.Layer.(*inputLayer); return ok }

// inputLayer stands where data enters a model.
type inputLayer struct {
	Base
}

func (l *inputLayer) Call(_ *Context, in []*graph.Node) []*graph.Node { return in }

// Input returns the symbolic tensor of a model's input. shape leaves out the
// batch dimension; None leaves a dimension open. Options: Name, DType (float32
// by default).
func Input(shape []int, opts ...Option) *Tensor {
	l := &inputLayer{}
	o := l.configure("InputLayer", append([]Option{DType(dtypes.Float32)}, opts...), "Name", "DType")
	t := &Tensor{spec: Spec{Shape: append([]int{None}, shape...), DType: o.policy.compute}}
	for _, d := range shape {
		if d < None || d == 0 {
			l.fail("Input: dimension %d of shape %v cannot be used: want positive sizes, or None (-1) for an open dimension", d, shape)
		}
	}
	if l.err != nil {
		t.err = l.err
		return t
	}
	nameLayer(l, "input_layer")
	t.producer = &Node{Layer: l, Outputs: []*Tensor{t}}
	return t
}

// Apply connects l to t and returns l's output.
func (t *Tensor) Apply(l Layer) *Tensor { return Apply(l, t) }

// Apply connects l to its inputs and returns its first output, which is the
// only one of nearly every layer.
func Apply(l Layer, inputs ...*Tensor) *Tensor { return ApplyAll(l, inputs...)[0] }

// ApplyAll connects l to its inputs and returns all outputs. It always returns
// at least one tensor; after an error, one that holds it.
func ApplyAll(l Layer, inputs ...*Tensor) []*Tensor {
	outs, err := apply(l, "", inputs)
	if err != nil {
		return []*Tensor{{err: err}}
	}
	return outs
}

// ApplyIn is Apply for a layer inside of another named part of a model: the
// paths of its variables begin with scope, as those of Keras' Sequential do.
func ApplyIn(scope string, l Layer, inputs ...*Tensor) *Tensor {
	outs, err := apply(l, scope, inputs)
	if err != nil {
		return &Tensor{err: err}
	}
	return outs[0]
}

func apply(l Layer, scope string, inputs []*Tensor) ([]*Tensor, error) {
	b := l.base()
	if b.err != nil {
		return nil, b.err
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("%T is applied to no tensor: give it at least one", l)
	}
	specs := make([]Spec, len(inputs))
	for i, in := range inputs {
		if in == nil {
			return nil, fmt.Errorf("%T: input %d is nil: apply layers to tensors made by Input or by other layers", l, i)
		}
		if in.err != nil {
			return nil, in.err
		}
		specs[i] = in.spec
	}
	nameLayer(l, TypeName(l))
	if !b.built {
		if err := build(l, scope, specs); err != nil {
			return nil, err
		}
	}
	outSpecs, err := outputSpecs(l, specs)
	if err != nil {
		return nil, fmt.Errorf("layer %s (%s) with input %v: %w", b.name, TypeName(l), specs, err)
	}
	node := &Node{Layer: l, Inputs: slices.Clone(inputs)}
	for i, s := range outSpecs {
		node.Outputs = append(node.Outputs, &Tensor{spec: s, producer: node, index: i})
	}
	return node.Outputs, nil
}

// Call runs the node's layer while a model is traced.
func (n *Node) Call(c *Context, inputs []*graph.Node) ([]*graph.Node, error) {
	if n.IsInput() {
		return inputs, nil
	}
	return c.call(n.Layer, inputs)
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
