// Layers_by_subclassing is the guide "Making new layers and models via subclassing": a
// Linear layer, a block that is made of three of them, and a loss that a layer adds.
//
//	go run ./examples/guides/layers_by_subclassing [-mesh 2x4]
package main

import (
	"errors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/variable"
)

const samples, features, classes = 48, 8, 3

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "layers_by_subclassing", Batch: 12, Epochs: 3, Model: model, Data: points,
	Layout: map[string][]string{".*/first/w": {"", "model"}, ".*/second/w": {"model", ""}},
}

// Linear computes x·w + b. Build makes its variables, once the size of x is known.
type Linear struct {
	layers.Base
	units int
	w, b  *variable.Variable
}

// NewLinear returns a Linear layer with the given number of outputs.
func NewLinear(units int, name string) *Linear {
	l := &Linear{units: units}
	l.SetName(name)
	return l
}

// Build makes the weights w and b.
func (l *Linear) Build(b *layers.Builder, inputs []layers.Spec) error {
	l.w = b.Weight("w", "random_normal", inputs[0].Shape[1], l.units)
	l.b = b.Weight("b", "zeros", l.units)
	return nil
}

// Compute returns x·w + b.
func (l *Linear) Compute(c *layers.Context, x *layers.Tensor) *layers.Tensor {
	return x.MatMul(c.Weight(l.w)).Add(c.Weight(l.b))
}

// ActivityRegularization adds the sum of its inputs, times a rate, to the loss.
type ActivityRegularization struct {
	layers.Base
	rate float64
}

// Compute adds the sum of x, times the rate, to the loss, and returns x unchanged.
func (l *ActivityRegularization) Compute(c *layers.Context, x *layers.Tensor) *layers.Tensor {
	c.AddLoss(ops.Sum(x).Mul(l.rate))
	return x
}

// MLPBlock is a block of three Linear layers, with an ActivityRegularization after the first.
type MLPBlock struct {
	layers.Base
	First, Second, Third, Activity layers.Layer
}

// Compute runs First, a relu, Activity, Second, a relu and Third, one after the other, and returns
// the result.
func (b *MLPBlock) Compute(x *layers.Tensor) *layers.Tensor {
	x = ops.Relu(x.Call(b.First)).Call(b.Activity)
	return ops.Relu(x.Call(b.Second)).Call(b.Third)
}

func model() (*keras.Model, error) {
	m := keras.Must(keras.NewSubclassed(&MLPBlock{
		First: NewLinear(32, "first"), Second: NewLinear(32, "second"), Third: NewLinear(classes, "third"),
		Activity: &ActivityRegularization{rate: 1e-2},
	}))
	return m, errors.Join(m.Build([]int{features}), m.Compile(keras.Optimizer("adam"), keras.Loss("mse")))
}

func points() (x, y any, err error) {
	in, err := data.FromFlat(guide.Fractions(samples*features, 1), samples, features)
	if err != nil {
		return nil, nil, err
	}
	out, err := data.FromFlat(guide.Fractions(samples*classes, 2), samples, classes)
	return in, out, err
}
