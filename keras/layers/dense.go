package layers

// This file defines Dense.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// DenseLayer computes activation(x · kernel + bias) over the last dimension:
// keras.layers.Dense.
type DenseLayer struct {
	Base
	Units  int
	Kernel *variable.Variable // [input features, units]
	Bias   *variable.Variable // [units]; nil without bias
	opts   options
}

// Dense returns a fully connected layer with the given number of outputs.
// Options: Name, Activation, UseBias, KernelInitializer, BiasInitializer,
// DType.
func Dense(units int, opts ...Option) *DenseLayer {
	l := &DenseLayer{Units: units}
	l.opts = l.configure("Dense", append([]Option{KernelInitializer("glorot_uniform"), BiasInitializer("zeros")}, opts...),
		"Name", "Activation", "UseBias", "KernelInitializer", "BiasInitializer", "DType")
	if units < 1 {
		l.fail("Dense: got %d units, want a positive number", units)
	}
	return l
}

// Build makes kernel and bias.
func (l *DenseLayer) Build(b *Builder, inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) < 2 {
		return fmt.Errorf("got inputs %v, want one of at least 2 dimensions: (batch, features)", inputs)
	}
	features := inputs[0].Shape[len(inputs[0].Shape)-1]
	var err error
	if l.Kernel, err = b.AddWeight("kernel", []int{features, l.Units}, l.DType(), l.opts.kernelInitializer); err != nil {
		return err
	}
	if l.opts.useBias {
		l.Bias, err = b.AddWeight("bias", []int{l.Units}, l.DType(), l.opts.biasInitializer)
	}
	return err
}

// Call computes the output.
func (l *DenseLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, c.Value(l.Kernel), []int{0}, nil)
	if l.Bias != nil {
		y = graph.Add(y, graph.BroadcastToShape(graph.ExpandLeftToRank(c.Value(l.Bias), y.Rank()), y.Shape()))
	}
	return []*graph.Node{l.opts.activation(y)}
}
