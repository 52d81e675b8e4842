// Grad_cam is the example "Grad-CAM class activation visualization": it shows where in an image a
// model sees its class, by the gradient of the class with respect to the output of the last
// convolution.
//
//	go run ./examples/guides/grad_cam [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/ops"
)

const size, samples, animals = 12, 24, 5

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "grad_cam", Batch: 12, Epochs: 2, Model: model, Data: images, Predict: heatmaps,
	Layout: map[string][]string{"last/kernel": {"", "", "", "model"}, "dense/kernel": {"model", ""}},
}

func model() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 3})
	relu := layers.Activation("relu")
	x := image.Call(layers.Conv2D(8, 3, relu), layers.MaxPooling2D(), layers.Conv2D(12, 3, relu, layers.Name("last")))
	m := keras.Must(keras.Functional(image, x.Call(layers.GlobalAveragePooling2D(), layers.Dense(animals))))
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())))
}

// GradCAM gives the heatmaps of images: it weighs the channels of the last convolution by the mean
// gradient of the class that is predicted.
type GradCAM struct {
	layers.Base
	Features, Head *keras.Model
}

// Compute returns the heatmaps of x: how much each place speaks for the predicted class, from 0 to
// 1, or NaN for an image where no place does. jax.grad of a function is Context.Gradient of its
// value.
func (g *GradCAM) Compute(c *layers.Context, x *layers.Tensor) *layers.Tensor {
	a := g.Features.Apply(x)
	best := ops.Max(g.Head.Apply(a), ops.Axis(1))
	pooled := ops.Mean(c.Gradient(best, a), ops.Axis(1, 2), ops.KeepDims())
	heat := ops.Maximum(ops.Sum(a.Mul(pooled), ops.Axis(3)), 0)
	return heat.Div(ops.Max(heat, ops.Axis(1, 2), ops.KeepDims()))
}

// heatmaps returns one tensor, [2, height, width] of the last convolution: the heatmaps of the
// first two images, by a GradCAM of the model.
func heatmaps(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	last := keras.Must(r.Model.Output("last"))
	features, head := keras.Must(keras.Functional(r.Model.Inputs(), last)), keras.Must(keras.Functional(last, r.Model.Outputs()))
	cam := keras.Must(keras.NewSubclassed(&GradCAM{Features: features, Head: head}))
	return cam.Predict(ctx, keras.Must(data.Slice(r.X.(*tensors.Tensor), 0, 2)), keras.Verbose(0))
}

func images() (x, y any, err error) {
	in, err := data.FromFlat(guide.Fractions(samples*size*size*3, 1), samples, size, size, 3)
	return in, guide.Classes(samples, 2, animals), err
}
