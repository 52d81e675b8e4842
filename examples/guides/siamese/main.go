// Siamese is the example "Image similarity estimation using a Siamese Network with a
// contrastive loss": one network turns two images into vectors, and a loss of one's own
// brings those of equal images together.
//
//	go run ./examples/guides/siamese [-mesh 2x4]
package main

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
)

const size, samples = 14, 24

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "siamese", Batch: 12, Epochs: 2, Model: model, Data: pairs,
	Layout: map[string][]string{"c2/kernel": {"", "", "", "model"}, "vector/kernel": {"", "model"}},
}

// Distance is the distance of two vectors.
type Distance struct{ layers.Base }

// Call computes it for each pair.
func (*Distance) Call(_ *layers.Context, in []*graph.Node) []*graph.Node {
	d := graph.Sub(in[0], in[1])
	square := graph.ReduceAndKeep(graph.Mul(d, d), graph.ReduceSum, 1)
	return []*graph.Node{graph.Sqrt(graph.MaxScalar(square, 1e-7))}
}

// contrastiveLoss is the loss of a distance that is to be 0 for equal images (label 0), and at
// least 1 for others.
func contrastiveLoss(yTrue, yPred *graph.Node) *graph.Node {
	margin := graph.MaxScalar(graph.OneMinus(yPred), 0)
	return graph.ReduceMean(graph.Add(graph.Mul(graph.OneMinus(yTrue), graph.Mul(yPred, yPred)), graph.Mul(yTrue, graph.Mul(margin, margin))), -1)
}

func model() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 1})
	x := image.Apply(layers.Conv2D(4, 5, layers.Activation("tanh"), layers.Name("c1"))).Apply(layers.AveragePooling2D(layers.PoolSize(2)))
	x = x.Apply(layers.Conv2D(16, 3, layers.Activation("tanh"), layers.Name("c2"))).Apply(layers.Flatten())
	tower, err := keras.NewModel([]*layers.Tensor{image}, []*layers.Tensor{x.Apply(layers.Dense(10, layers.Activation("tanh"), layers.Name("vector")))})
	if err != nil {
		return nil, err
	}
	left, right := keras.Input([]int{size, size, 1}, layers.Name("left")), keras.Input([]int{size, size, 1}, layers.Name("right"))
	shared := tower.AsLayer()
	distance := layers.Apply(&Distance{}, left.Apply(shared), right.Apply(shared))
	y := distance.Apply(layers.Dense(1, layers.Activation("sigmoid"), layers.Name("differ")))
	m, err := keras.NewModel([]*layers.Tensor{left, right}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Optimizer("rmsprop"), keras.Loss(losses.New("contrastive", contrastiveLoss)))
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
