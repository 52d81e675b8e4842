// Siamese is the example "Image similarity estimation using a Siamese Network with a
// contrastive loss": one network turns two images into vectors, and a loss of one's own
// brings those of equal images together.
//
//	go run ./examples/guides/siamese [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
)

const size, samples = 14, 24

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "siamese", Batch: 12, Epochs: 2, Model: model, Data: pairs,
	Layout: map[string][]string{"conv2d_1/kernel": {"", "", "", "model"}, "dense/kernel": {"", "model"}},
}

// Distance is a layer that returns the Euclidean distance of two vectors.
type Distance struct{ layers.Base }

// Compute returns the distance of each pair of vectors, [batch, 1].
func (*Distance) Compute(left, right *layers.Tensor) *layers.Tensor {
	square := ops.Sum(ops.Square(left.Sub(right)), ops.Axis(1), ops.KeepDims())
	return ops.Sqrt(ops.Maximum(square, 1e-7))
}

// contrastive returns the loss, [batch], of distances yPred, [batch, 1], that are to be 0 for equal
// images (label 0 in yTrue), and at least 1 for others (label 1).
func contrastive(yTrue, yPred *layers.Tensor) *layers.Tensor {
	margin := ops.Maximum(yPred.Neg().Add(1), 0)
	return ops.Mean(yTrue.Neg().Add(1).Mul(ops.Square(yPred)).Add(yTrue.Mul(ops.Square(margin))), ops.Axis(-1))
}

func model() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 1})
	tanh := layers.Activation("tanh")
	x := image.Call(layers.Conv2D(4, 5, tanh), layers.AveragePooling2D())
	x = x.Call(layers.Conv2D(16, 3, tanh), layers.Flatten(), layers.Dense(10, tanh))
	tower := keras.Must(keras.Functional(image, x))
	left, right := keras.Input([]int{size, size, 1}), keras.Input([]int{size, size, 1})
	y := layers.Apply(&Distance{}, tower.Apply(left), tower.Apply(right))
	y = y.Call(layers.Dense(1, layers.Activation("sigmoid")))
	m := keras.Must(keras.Functional(keras.Tensors(left, right), y))
	return m, m.Compile(keras.Optimizer("rmsprop"), keras.Loss(contrastive))
}

func pairs() (x, y any, err error) {
	left, err := data.FromFlat(guide.Fractions(samples*size*size, 1), samples, size, size, 1)
	if err != nil {
		return nil, nil, err
	}
	right, err := data.FromFlat(guide.Fractions(samples*size*size, 2), samples, size, size, 1)
	if err != nil {
		return nil, nil, err
	}
	differ := make([]float32, samples)
	for i, c := range guide.Classes(samples, 3, 2) {
		differ[i] = float32(c)
	}
	labels, err := data.FromFlat(differ, samples, 1)
	return []any{left, right}, labels, err
}
