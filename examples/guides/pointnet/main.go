// Pointnet is the example "Point cloud classification with PointNet": convolutions of width 1 read
// points in any order, small networks turn the points and their features by matrices, and a
// regularizer of one's own keeps these matrices near orthogonal ones.
//
//	go run ./examples/guides/pointnet [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const samples, numPoints, numClasses = 24, 16, 4

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "pointnet", Batch: 12, Epochs: 2, Model: model, Data: clouds,
	Layout: map[string][]string{"conv1d_2/kernel": {"", "", "model"}, "dense/kernel": {"model", ""}},
}

func convBN(x *layers.Tensor, filters int) *layers.Tensor {
	return x.Call(
		layers.Conv1D(filters, 1, layers.Padding("valid")),
		layers.BatchNormalization(layers.Momentum(0)),
		layers.ReLU(),
	)
}

func denseBN(x *layers.Tensor, filters int) *layers.Tensor {
	return x.Call(layers.Dense(filters), layers.BatchNormalization(layers.Momentum(0)), layers.ReLU())
}

// orthogonal returns a regularizer of matrices with numFeatures rows and columns. For a batch x of
// matrices it returns a number: l2reg times the sum of the squares of x·xᵀ minus the unit matrix.
func orthogonal(numFeatures int, l2reg float64) func(x *layers.Tensor) *layers.Tensor {
	return func(x *layers.Tensor) *layers.Tensor {
		x = ops.Reshape(x, -1, numFeatures, numFeatures)
		xxt := ops.Reshape(ops.Tensordot(x, x, []int{2}, []int{2}), -1, numFeatures, numFeatures)
		return ops.Sum(ops.Square(xxt.Sub(ops.Identity(numFeatures))).Mul(l2reg))
	}
}

func tnet(inputs *layers.Tensor, numFeatures int) *layers.Tensor {
	// the bias begins as the identity matrix
	bias := initializers.Constant(ops.Ravel(ops.Identity(numFeatures)).Array())

	x := convBN(inputs, 8)
	x = convBN(x, 16)
	x = convBN(x, 32)
	x = x.Call(layers.GlobalMaxPooling1D())
	x = denseBN(x, 16)
	x = denseBN(x, 8)
	x = x.Call(layers.Dense(
		numFeatures*numFeatures,
		layers.KernelInitializer("zeros"),
		layers.BiasInitializer(bias),
		layers.ActivityRegularizer(orthogonal(numFeatures, .001)),
	))
	featT := x.Call(layers.Reshape([]int{numFeatures, numFeatures}))
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
	x = x.Call(layers.GlobalMaxPooling1D())
	x = denseBN(x, 16)
	outputs := x.Call(layers.Dropout(.3), layers.Dense(numClasses, layers.Activation("softmax")))
	m := keras.Must(keras.Functional(inputs, outputs, keras.Name("pointnet")))
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
