// Gated_residual is the example "Classification with Gated Residual and Variable Selection
// Networks": each column of a table is encoded, and a network weighs the columns of each row.
//
//	go run ./examples/guides/gated_residual [-mesh 2x4]
package main

import (
	"context"
	"maps"
	"math"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const samples, encodingSize, dropoutRate = 48, 8, .15

// The columns of the table: names of those with numbers, and the categories with the size of their
// vocabulary.
var (
	numericFeatures     = []string{"age", "dividends", "wage"}
	categoricalFeatures = []struct {
		name           string
		vocabularySize int
	}{{"education", 7}, {"sex", 2}, {"union", 3}}
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "gated_residual", Batch: 12, Epochs: 2, Model: model, Data: people, Predict: predict,
	Layout: map[string][]string{".*/dense/kernel": {"", "model"}, ".*/dense_1/kernel": {"model", ""}},
}

// GatedLinearUnit is a layer that multiplies a linear function of its input by a gate, which is
// between 0 and 1.
type GatedLinearUnit struct {
	layers.Base
	Linear, Sigmoid layers.Layer
}

// Compute returns the linear function of the input, multiplied by the gate.
func (u *GatedLinearUnit) Compute(inputs *layers.Tensor) *layers.Tensor {
	return inputs.Call(u.Linear).Mul(inputs.Call(u.Sigmoid))
}

// GatedResidualNetwork adds what it computes to its input; a gate says how much of it.
type GatedResidualNetwork struct {
	layers.Base
	EluDense, LinearDense, Dropout, GatedLinearUnit, LayerNorm, Project layers.Layer

	units int
}

// NewGatedResidualNetwork returns a GatedResidualNetwork with that many outputs.
func NewGatedResidualNetwork(units int, dropoutRate float64) *GatedResidualNetwork {
	return &GatedResidualNetwork{
		EluDense:        layers.Dense(units, layers.Activation("elu")),
		LinearDense:     layers.Dense(units),
		Dropout:         layers.Dropout(dropoutRate),
		GatedLinearUnit: &GatedLinearUnit{Linear: layers.Dense(units), Sigmoid: layers.Dense(units, layers.Activation("sigmoid"))},
		LayerNorm:       layers.LayerNormalization(),
		Project:         layers.Dense(units),
		units:           units,
	}
}

// Compute returns the normalized sum of the inputs, [batch, features], and the network's result for
// them, times a gate. If the inputs do not have n.units features, a dense layer projects them
// first.
func (n *GatedResidualNetwork) Compute(inputs *layers.Tensor) *layers.Tensor {
	x := inputs.Call(n.EluDense, n.LinearDense, n.Dropout, n.GatedLinearUnit)
	if inputs.Shape()[1] != n.units {
		inputs = inputs.Call(n.Project)
	}
	return inputs.Add(x).Call(n.LayerNorm)
}

// VariableSelection is a layer that encodes the features of a row and weighs them against each
// other.
type VariableSelection struct {
	layers.Base
	Grns               []layers.Layer // one for each feature
	GrnConcat, Softmax layers.Layer   // of all together
}

// NewVariableSelection returns a VariableSelection of numFeatures features, each encoded by units
// numbers.
func NewVariableSelection(numFeatures, units int, dropoutRate float64) *VariableSelection {
	l := &VariableSelection{GrnConcat: NewGatedResidualNetwork(units, dropoutRate), Softmax: layers.Dense(numFeatures, layers.Activation("softmax"))}
	for range numFeatures {
		l.Grns = append(l.Grns, NewGatedResidualNetwork(units, dropoutRate))
	}
	return l
}

// Compute returns the sum of the encoded features, [batch, units], weighted by numbers that follow
// from all features. inputs has one tensor for each feature, in the order of Grns.
func (l *VariableSelection) Compute(inputs ...*layers.Tensor) *layers.Tensor {
	v := ops.Concatenate(inputs, -1).Call(l.GrnConcat, l.Softmax)
	v = ops.ExpandDims(v, -1)
	var x []*layers.Tensor
	for i, input := range inputs {
		x = append(x, input.Call(l.Grns[i]))
	}
	return ops.Squeeze(ops.Transpose(v, 0, 2, 1).MatMul(ops.Stack(x, 1)), ops.Axis(1))
}

func createModelInputs() (inputs []*layers.Tensor) {
	for _, f := range numericFeatures {
		inputs = append(inputs, keras.Input(1, layers.Name(f)))
	}
	for _, f := range categoricalFeatures {
		inputs = append(inputs, keras.Input([]int{}, layers.Name(f.name), layers.DType("int32")))
	}
	return inputs
}

func encodeInputs(inputs []*layers.Tensor, encodingSize int) (encoded []*layers.Tensor) {
	for i := range numericFeatures {
		encoded = append(encoded, inputs[i].Call(layers.Dense(encodingSize)))
	}
	for _, f := range categoricalFeatures {
		embedding := layers.Embedding(f.vocabularySize, encodingSize)
		encoded = append(encoded, inputs[len(encoded)].Call(embedding))
	}
	return encoded
}

func model() (*keras.Model, error) {
	inputs := createModelInputs()
	featureList := encodeInputs(inputs, encodingSize)
	features := layers.Apply(NewVariableSelection(len(featureList), encodingSize, dropoutRate), featureList...)
	m := keras.Must(keras.Functional(inputs, features.Call(layers.Dense(1, layers.Activation("sigmoid")))))
	return m, m.Compile(
		keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.001))),
		keras.Loss(losses.BinaryCrossentropy()),
		keras.Metrics(metrics.BinaryAccuracy(metrics.Name("accuracy"))),
	)
}

func predict(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	x := maps.Clone(r.X.(map[string]*tensors.Tensor))
	for name, values := range x {
		var err error
		if x[name], err = data.Slice(values, 0, 6); err != nil {
			return nil, err
		}
	}
	return r.Model.Predict(ctx, x, keras.Verbose(0))
}

func people() (x, y any, err error) {
	columns := make(map[string]*tensors.Tensor)
	for i, name := range numericFeatures {
		columns[name] = keras.Must(data.FromFlat(guide.Fractions(samples, i), samples, 1))
	}
	for i, f := range categoricalFeatures {
		columns[f.name] = keras.Must(data.FromFlat(guide.Classes(samples, i+len(numericFeatures), f.vocabularySize), samples))
	}
	income := guide.Fractions(samples, 9)
	for i, v := range income {
		income[i] = float32(math.RoundToEven(float64(v)))
	}
	rich, err := data.FromFlat(income, samples, 1)
	return columns, rich, err
}
