// Pointnet is the example "Point cloud classification with PointNet": convolutions of width 1 read
// points in any order, small networks turn the points and their features by matrices, and a
// regularizer of one's own keeps these matrices near orthogonal ones.
//
//	go run ./examples/guides/pointnet [-mesh 2x4]
package main

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/layout"
)

const samples, numPoints, numClasses = 24, 16, 4

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "pointnet", Batch: 12, Epochs: 2, Model: model, Data: clouds,
	Layout: map[string][]string{"conv1d_2/kernel": {"", "", "model"}, "dense/kernel": {"model", ""}},
}

func convBN(x *layers.Tensor, filters int) *layers.Tensor {
	x = x.Apply(layers.Conv1D(filters, 1, layers.Padding("valid")))
	return x.Apply(layers.BatchNormalization(layers.Momentum(0))).Apply(layers.ReLU())
}

func denseBN(x *layers.Tensor, filters int) *layers.Tensor {
	x = x.Apply(layers.Dense(filters))
	return x.Apply(layers.BatchNormalization(layers.Momentum(0))).Apply(layers.ReLU())
}

// orthogonal punishes matrices whose products with their transposes are not the unit matrix.
func orthogonal(numFeatures int, l2reg float64) *regularizers.Regularizer {
	return regularizers.New(func(x *graph.Node) *graph.Node {
		x = graph.Reshape(x, -1, numFeatures, numFeatures)
		xxt := graph.Reshape(graph.Einsum("abc,dec->abde", x, x), -1, numFeatures, numFeatures)
		eye := graph.DiagonalWithValue(graph.ScalarOne(x.Graph(), x.DType()), numFeatures)
		return graph.MulScalar(graph.ReduceAllSum(graph.Square(graph.Sub(xxt, graph.ExpandAxes(eye, 0)))), l2reg)
	})
}

// eye makes a vector the elements of a unit matrix of that size.
type eye int

// Fill writes the elements.
func (n eye) Fill(dst any, _ dtypes.DType, _ []int, ranges []layout.Range) error {
	for i := ranges[0].Start; i < ranges[0].Limit; i++ {
		if i%(int(n)+1) == 0 {
			dst.([]float32)[i-ranges[0].Start] = 1
		}
	}
	return nil
}

// Name returns the name.
func (eye) Name() string { return "Eye" }

// Config returns the options.
func (n eye) Config() map[string]any { return map[string]any{"n": int(n)} }

func tnet(inputs *layers.Tensor, numFeatures int) *layers.Tensor {
	x := convBN(inputs, 8)
	x = convBN(x, 16)
	x = convBN(x, 32)
	x = x.Apply(layers.GlobalMaxPooling1D())
	x = denseBN(x, 16)
	x = denseBN(x, 8)
	x = x.Apply(layers.Dense(
		numFeatures*numFeatures,
		layers.KernelInitializer("zeros"),
		layers.BiasInitializer(eye(numFeatures)), // the bias begins as the identity matrix
		layers.ActivityRegularizer(orthogonal(numFeatures, .001)),
	))
	featT := x.Apply(layers.Reshape([]int{numFeatures, numFeatures}))
	// affine transformation of the features
	return layers.Apply(layers.Dot([]int{2, 1}), inputs, featT)
}

func model() (*keras.Model, error) {
	inputs := keras.Input([]int{numPoints, 3})
	x := tnet(inputs, 3)
	x = convBN(x, 8)
	x = tnet(x, 8)
	x = convBN(x, 8)
	x = convBN(x, 16)
	x = x.Apply(layers.GlobalMaxPooling1D())
	x = denseBN(x, 16).Apply(layers.Dropout(.3))
	outputs := x.Apply(layers.Dense(numClasses, layers.Activation("softmax")))
	m, err := keras.NewModel(keras.Tensors(inputs), keras.Tensors(outputs), keras.Name("pointnet"))
	if err != nil {
		return nil, err
	}
	return m, m.Compile(
		keras.Loss("sparse_categorical_crossentropy"),
		keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.001), optimizers.Epsilon(.001))),
		keras.Metrics("sparse_categorical_accuracy"),
	)
}

func clouds() (x, y any, err error) {
	points, err := data.FromFlat(guide.Fractions(samples*numPoints*3, 1), samples, numPoints, 3)
	return points, guide.Classes(samples, 2, numClasses), err
}
