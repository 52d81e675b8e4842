// Grad_cam is the example "Grad-CAM class activation visualization": it shows where in an image a
// model sees its class, by the gradient of the class with respect to the output of the last
// convolution.
//
//	go run ./examples/guides/grad_cam [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
)

const size, samples, animals = 12, 24, 5

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "grad_cam", Batch: 12, Epochs: 2, Model: model, Data: images, Predict: heatmaps,
	Layout: map[string][]string{"last/kernel": {"", "", "", "model"}, "animals/kernel": {"model", ""}},
}

func model() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 3})
	relu := layers.Activation("relu")
	x := image.Apply(layers.Conv2D(8, 3, relu, layers.Name("c1"))).Apply(layers.MaxPooling2D())
	x = x.Apply(layers.Conv2D(12, 3, relu, layers.Name("last")))
	x = x.Apply(layers.GlobalAveragePooling2D(layers.Name("pool"))).Apply(layers.Dense(animals, layers.Name("animals")))
	m, err := keras.NewModel(keras.Tensors(image), keras.Tensors(x))
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())))
}

// GradCAM gives the heatmaps of images.
type GradCAM struct {
	layers.Base
	Features, Pool, Classes layers.Layer
}

// Call weighs the channels of the last convolution by the mean gradient of the class that is
// predicted: jax.grad in a function is Recorder.Gradient in a Call.
func (m *GradCAM) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	last := c.Apply(m.Features, in[0])
	classes := c.Apply(m.Classes, c.Apply(m.Pool, last))
	best := graph.OneHot(graph.ArgMax(classes, 1), animals, classes.DType())
	gradient := c.Recorder.Gradient(graph.ReduceAllSum(graph.Mul(classes, best)), last)[0]
	weights := graph.ReduceAndKeep(gradient, graph.ReduceMean, 1, 2)
	heat := graph.MaxScalar(graph.ReduceSum(graph.Mul(last, weights), -1), 0)
	return []*graph.Node{graph.Div(heat, graph.ReduceAndKeep(heat, graph.ReduceMax, 1, 2))}
}

// heatmaps returns the heatmaps of the first two images.
func heatmaps(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	last, err := r.Model.Output("last")
	if err != nil {
		return nil, err
	}
	features, err := keras.NewModel(r.Model.Inputs(), keras.Tensors(last))
	if err != nil {
		return nil, err
	}
	cam, err := keras.NewSubclassed(&GradCAM{Features: features.AsLayer(), Pool: keras.Must(r.Model.Layer("pool")), Classes: keras.Must(r.Model.Layer("animals"))})
	if err != nil {
		return nil, err
	}
	two, err := data.Slice(r.X.(*tensors.Tensor), 0, 2)
	if err != nil {
		return nil, err
	}
	return cam.Predict(ctx, two, keras.Verbose(0))
}

func images() (x, y any, err error) {
	in, err := data.FromFlat(guide.Fractions(samples*size*size*3, 1), samples, size, size, 3)
	return in, guide.Classes(samples, 2, animals), err
}
