package layers

// This file defines Tensor, the symbolic tensor that models are made of, and the application of
// layers to it.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/trace"
)

// None is the size of a dimension of unknown size. When a model runs, a program is compiled for
// each size of the dimension.
const None = -1

// Tensor is a symbolic tensor (Keras' KerasTensor): an output of a layer, computed when the model
// runs. Two other kinds are values in the Call of a layer, and arrays, which NewArray makes. If a
// layer cannot be applied, its Tensor holds the error, and so do the Tensors computed from it.
// keras.NewModel returns the errors of all layers.
type Tensor struct {
	spec     Spec
	mask     *Spec // nil where the tensor has no mask
	producer *Node
	index    int
	err      error

	// These fields are for the other kinds of tensors (values.go).
	value   *graph.Node     // in the Call of a layer
	context *Context        // of value
	array   *tensors.Tensor // a constant
}

// Shape returns the shape, in a model with the batch first. A dimension of unknown size is None,
// which is -1. It is nil if t holds an error. Do not change the list.
func (t *Tensor) Shape() []int { return t.spec.Shape }

// DType returns the type of the elements; String for texts.
func (t *Tensor) DType() dtypes.DType { return t.spec.DType }

// Err returns the error of the layers that compute t, or nil.
func (t *Tensor) Err() error { return t.err }

// Producer returns the node that has t as an output. It returns nil if t holds an error, and for
// tensors outside of a model: arrays, and values in the Call of a layer.
func (t *Tensor) Producer() *Node { return t.producer }

// Index returns t's position among its producer's outputs, counted from 0.
func (t *Tensor) Index() int { return t.index }

// Node is one application of a layer to tensors: the layer, its inputs and its outputs. An Input is
// a Node without inputs.
type Node struct {
	Layer   Layer
	Inputs  []*Tensor
	Outputs []*Tensor

	as      Layer       // Layer as it is called: see Called
	place   ir.Location // the user's line that applied the layer
	metrics []string    // see AddMetric
}

// Name returns the name of the node's layer.
func (n *Node) Name() string { return n.Layer.base().name }

// Variables returns the variables of the node's layer, and of the layers that it consists of.
func (n *Node) Variables() []*variable.Variable { return n.Layer.base().Variables() }

// Arguments returns the arguments of the layer's call that are not tensors, by Keras' names. It
// returns nil if there are none.
func (n *Node) Arguments() map[string]any {
	_, arguments := Called(n.as)
	return arguments
}

// Path returns the prefix of the paths of the layer's variables: the layer's name. In a Sequential
// it begins with the name of the model.
func (n *Node) Path() string { return n.Layer.base().path }

// IsInput reports whether the node is an Input of a model.
func (n *Node) IsInput() bool { _, ok := n.Layer.(*inputLayer); return ok }

// Output returns the layer's output, to make other models: the attribute output of
// keras.layers.Layer. It fails unless the layer was applied once and has one output. For other
// layers, keep the result of Apply.
func (b *Base) Output() (*Tensor, error) {
	return b.single("output", func(n *Node) []*Tensor { return n.Outputs })
}

// Input returns the tensor that the layer was applied to. It fails unless the layer was applied
// once, to one tensor.
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

// inputLayer is the layer whose only output is a tensor that Input returns.
type inputLayer struct {
	Base
}

func (l *inputLayer) Call(_ *Context, in []*graph.Node) []*graph.Node { return in }

// Input returns the symbolic tensor of a model's input. shape does not include the batch: the sizes
// of the dimensions, or the size of the only one. None is a dimension of unknown size. Other sizes
// below 1, and wrong options, are errors, which the tensor holds. Options: Name, DType (float32 by
// default).
func Input[S Sizes](shape S, opts ...Option) *Tensor { return input(sizesOf(shape), opts) }

func input(shape []int, opts []Option) *Tensor {
	l := &inputLayer{}
	l.configure("InputLayer", append([]Option{DType(dtypes.Float32)}, opts...))
	t := &Tensor{spec: Spec{Shape: append([]int{None}, shape...), DType: l.policy.compute}}
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

// Apply applies l to t and returns l's first output. It handles errors as ApplyAll does.
func (t *Tensor) Apply(l Layer) *Tensor { return Apply(l, t) }

// Call applies layers one after the other and returns the output of the last one, t if there are
// none: x.Call(a, b, c) is c(b(a(x))) in Keras. It handles errors as ApplyAll does.
func (t *Tensor) Call(ls ...Layer) *Tensor {
	for _, l := range ls {
		t = t.Apply(l)
	}
	return t
}

// Apply applies l to its inputs and returns its first output. Nearly every layer has only one.
// It handles errors as ApplyAll does.
func Apply(l Layer, inputs ...*Tensor) *Tensor { return ApplyAll(l, inputs...)[0] }

// ApplyAll applies l to its inputs, at least one, and returns all outputs. After an error, of l or
// of an input too, it returns one tensor, which holds the error. In the Call of another layer,
// where inputs are values, it panics instead.
func ApplyAll(l Layer, inputs ...*Tensor) []*Tensor {
	c := contextOf(inputs)
	if c == nil && isArrays(inputs) {
		c = callingContext(l)
	}
	if c != nil {
		return c.applyTensors(l, inputs)
	}
	outs, err := apply(l, "", inputs)
	if err != nil {
		return []*Tensor{{err: err}}
	}
	return outs
}

// ApplyIn is Apply for a layer of a submodel: the paths of its variables begin with scope, the
// submodel's name, as in Keras' Sequential.
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
		} else if in.array != nil {
			f = f.with(at(trace.Caller(), fmt.Errorf("%T: input %d is an array, %s: apply layers to tensors made by Input or by other layers; operations take arrays too, and so do, in a layer's Compute, the layers in its exported fields", l, i, in.spec)))
		} else {
			f = f.with(in.err)
		}
	}
	if IsNil(l) {
		return nil, f.with(errNilLayer("the layer"))
	}
	of, _ := Called(l)
	b := of.base()
	if len(inputs) == 0 {
		f = f.with(at(trace.Caller(), fmt.Errorf("%T is applied to no tensor: give it at least one", l)))
	}
	if f = f.with(ConstructionError(of)); len(f) > 0 {
		return nil, f
	}
	specs, masks := make([]Spec, len(inputs)), make([]*Spec, len(inputs))
	for i, in := range inputs {
		specs[i], masks[i] = in.spec, in.mask
	}
	nameLayer(of, TypeName(of))
	place := b.applied(scope)
	if err := checkPlace(of, inputs); err != nil {
		return nil, f.with(at(place, err))
	}
	out, err := specsOf(plain(l), scope, specs, masks)
	if err != nil {
		return nil, f.with(at(place, err))
	}
	node := &Node{Layer: of, as: l, Inputs: slices.Clone(inputs), place: place, metrics: out.metrics}
	for i, s := range out.specs {
		t := &Tensor{spec: s, producer: node, index: i}
		if out.masks != nil { // layers on the host have none
			t.mask = out.masks[i]
		}
		node.Outputs = append(node.Outputs, t)
	}
	b.nodes = append(b.nodes, node)
	return slices.Clone(node.Outputs), nil
}

// ApplyAgain applies the node's layer, with the arguments of its call, to other inputs, and returns
// all outputs.
func (n *Node) ApplyAgain(inputs ...*Tensor) []*Tensor { return ApplyAll(n.as, inputs...) }

// Call runs the node's layer on the inputs while a model is traced, and returns its outputs. An
// Input returns its inputs. The error is one of the distribution's layouts.
func (n *Node) Call(c *Context, inputs []*graph.Node) (outputs []*graph.Node, err error) {
	if n.IsInput() {
		return inputs, nil
	}
	c.Recorder.At(n.place, func() { outputs, err = c.call(plain(n.as), inputs) })
	return outputs, err
}

// ShapeText returns a shape as Keras writes it: (None, 28, 28).
func ShapeText(shape []int) string { return nodes.ShapeText(shape) }
