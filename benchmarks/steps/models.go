package steps

// This file has the models.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/applications"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// Models are the models that benchmarks compares with its peers.
var Models = []Model{quickstart, mlp, convNet, resNet50, UsualTransformer.Model("transformer")}

// Loops are models that benchmarks compares on request: an LSTM over short and over long
// sequences, and a scan over layers.
var Loops = []Model{lstm(12), lstm(400), scan}

// Perceptrons are the quickstart's model, and a perceptron with two different layouts.
var Perceptrons = []Model{quickstart, mlp, mlpColumns}

// Names returns the names of models.
func Names(models []Model) (names []string) {
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}

// Find returns the model with the given name, from Models and Loops. An unknown name is an error
// that lists all.
func Find(name string) (Model, error) {
	all := slices.Concat(Models, Loops)
	i := slices.IndexFunc(all, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return Model{}, fmt.Errorf("got the model %q: want one of %s", name, strings.Join(Names(all), ", "))
	}
	return all[i], nil
}

var adam = Optimizer{Name: "adam", LearningRate: 0.001}

const (
	classes          = 10
	crossentropy     = "categorical_crossentropy"
	seedX, seedY int = 1, 2
)

var quickstart = Model{
	Name: "quickstart", Batch: 16, Optimizer: Optimizer{Name: "rmsprop", LearningRate: 0.001}, Loss: "mse",
	build: chain([]int{28, 28, 1}, func() []layers.Layer {
		return []layers.Layer{
			layers.Flatten(),
			layers.Dense(200, layers.Name("d1"), layers.UseBias(false), layers.Activation("relu")),
			layers.Dropout(0.4, layers.Seed(15)),
			layers.Dense(classes, layers.Name("d2"), layers.Activation("softmax")),
		}
	}),
	data: func(examples int) (x, y *tensors.Tensor, err error) {
		if x, err = random.Normal([]int{examples, 28, 28, 1}, random.Seed(seedX)); err != nil {
			return nil, nil, err
		}
		y, err = random.Uniform([]int{examples, classes}, random.Seed(seedY))
		return x, y, err
	},
	Rules: []Rule{{"d1/kernel", []string{none, "model"}}, {"d2/output", []string{"data", none}}},
}

// mlp shards the columns of one layer's kernel and the rows of the next one's.
var mlp = perceptron("mlp", []Rule{
	{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}},
})

// mlpColumns is the perceptron whose kernels are all sharded by columns.
var mlpColumns = perceptron("mlp, columns", []Rule{
	{"d[12]/kernel", []string{none, "model"}}, {"d[12]/bias", []string{"model"}},
})

func perceptron(name string, rules []Rule) Model {
	return Model{
		Name: name, Batch: 256, Optimizer: adam, Loss: crossentropy, Rules: rules,
		build: chain([]int{784}, func() []layers.Layer {
			return []layers.Layer{
				layers.Dense(256, layers.Name("d1"), layers.Activation("relu")),
				layers.Dense(256, layers.Name("d2"), layers.Activation("relu")),
				layers.Dense(classes, layers.Name("d3"), layers.Activation("softmax")),
			}
		}),
		data: classifiedExamples(784),
	}
}

// convNet shards the filters of a convolution and the channels that the next one reads.
var convNet = Model{
	Name: "conv_net", Batch: 128, Optimizer: adam, Loss: crossentropy,
	build: chain([]int{28, 28, 1}, func() []layers.Layer {
		return []layers.Layer{
			layers.Conv2D(32, []int{3, 3}, layers.Name("c1"), layers.Activation("relu")),
			layers.MaxPooling2D(),
			layers.Conv2D(64, []int{3, 3}, layers.Name("c2"), layers.Activation("relu")),
			layers.MaxPooling2D(),
			layers.Flatten(),
			layers.Dense(classes, layers.Name("d1"), layers.Activation("softmax")),
		}
	}),
	data: classifiedExamples(28, 28, 1),
	Rules: []Rule{
		{"c1/kernel", []string{none, none, none, "model"}}, {"c1/bias", []string{"model"}}, {"c2/kernel", []string{none, none, "model", none}},
	},
}

// resNet50 shards, in each block, the filters of the second convolution and the channels that the
// third one reads; and the normalization between the two. Its training amplifies rounding
// differences: weights that differ by 1e-7 make the second loss differ by 5e-3 at the learning rate
// 1e-4, by 5e-5 at this one.
var resNet50 = Model{
	Name: "resnet50", Batch: 32, Optimizer: Optimizer{Name: "sgd", LearningRate: 1e-6, Momentum: 0.9}, Loss: crossentropy,
	build: func() (*keras.Model, error) {
		return applications.ResNet50(context.Background(), applications.Weights(""), applications.InputShape(64, 64, 3), applications.Classes(classes))
	},
	data: classifiedExamples(64, 64, 3),
	Rules: []Rule{
		{`.*block\d_2_conv/kernel`, []string{none, none, none, "model"}}, {`.*block\d_2_conv/bias`, []string{"model"}},
		{`.*block\d_2_bn/(gamma|beta|moving_mean|moving_variance)`, []string{"model"}}, {`.*block\d_3_conv/kernel`, []string{none, none, "model", none}},
	},
}

// chain returns a function that builds a new model: an input of the given shape, without the batch
// dimension, and the layers of list one after the other.
func chain(input []int, list func() []layers.Layer) func() (*keras.Model, error) {
	return func() (*keras.Model, error) {
		x := keras.Input(input)
		y := x
		for _, l := range list() {
			y = y.Apply(l)
		}
		return keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	}
}

// classifiedExamples returns a function that makes random examples for a classifier: x has one
// input of the given shape for each example, from a normal distribution, and y a random class each,
// one-hot. All calls use the same seeds.
func classifiedExamples(shape ...int) func(examples int) (x, y *tensors.Tensor, err error) {
	return func(examples int) (x, y *tensors.Tensor, err error) {
		if x, err = random.Normal(append([]int{examples}, shape...), random.Seed(seedX)); err != nil {
			return nil, nil, err
		}
		r := rand.New(rand.NewPCG(uint64(seedY), 0))
		oneHot := make([]float32, examples*classes)
		for i := range examples {
			oneHot[i*classes+r.IntN(classes)] = 1
		}
		return x, tensors.FromFlatDataAndDimensions(oneHot, examples, classes), nil
	}
}
