// Gated_residual is the example "Classification with Gated Residual and Variable Selection
// Networks": each column of a table is encoded, and a network weighs the columns of each row.
//
//	go run ./examples/guides/gated_residual [-mesh 2x4]
package main

import (
	"context"
	"maps"
	"math"

	"github.com/gomlx/compute/dtypes"
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

// features are the columns: numbers, and categories by the size of their vocabulary.
var features = []struct {
	name           string
	vocabularySize int
}{{"age", 0}, {"dividends", 0}, {"wage", 0}, {"education", 7}, {"sex", 2}, {"union", 3}}

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "gated_residual", Batch: 12, Epochs: 2, Model: model, Data: people, Predict: predict,
	Layout: map[string][]string{".*/dense/kernel": {"", "model"}, ".*/dense_1/kernel": {"model", ""}},
}

// GatedLinearUnit computes how much of its input passes.
type GatedLinearUnit struct {
	layers.Base
	Linear, Sigmoid layers.Layer
}

// Compute weighs the input.
func (u *GatedLinearUnit) Compute(_ *layers.Context, inputs ...*layers.Tensor) *layers.Tensor {
	return inputs[0].Apply(u.Linear).Mul(inputs[0].Apply(u.Sigmoid))
}

// GatedResidualNetwork adds what it computes to its input; a gate says how much of it.
type GatedResidualNetwork struct {
	layers.Base
	EluDense, LinearDense, Dropout, GatedLinearUnit, LayerNorm, Project layers.Layer

	units int
}

// NewGatedResidualNetwork returns a GatedResidualNetwork.
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

// Compute runs the network.
func (n *GatedResidualNetwork) Compute(_ *layers.Context, in ...*layers.Tensor) *layers.Tensor {
	inputs := in[0]
	x := inputs.Apply(n.EluDense).Apply(n.LinearDense).Apply(n.Dropout)
	if inputs.Shape()[1] != n.units {
		inputs = inputs.Apply(n.Project)
	}
	x = inputs.Add(x.Apply(n.GatedLinearUnit))
	return x.Apply(n.LayerNorm)
}

// VariableSelection weighs features against each other.
type VariableSelection struct {
	layers.Base
	Grns               []*GatedResidualNetwork // one for each feature
	GrnConcat, Softmax layers.Layer            // of all together
}

// NewVariableSelection returns a VariableSelection.
func NewVariableSelection(numFeatures, units int, dropoutRate float64) *VariableSelection {
	l := &VariableSelection{GrnConcat: NewGatedResidualNetwork(units, dropoutRate), Softmax: layers.Dense(numFeatures, layers.Activation("softmax"))}
	for range numFeatures {
		l.Grns = append(l.Grns, NewGatedResidualNetwork(units, dropoutRate))
	}
	return l
}

// Compute returns the weighted sum of the features.
func (l *VariableSelection) Compute(_ *layers.Context, inputs ...*layers.Tensor) *layers.Tensor {
	v := ops.Concatenate(inputs, -1).Apply(l.GrnConcat)
	v = ops.ExpandDims(v.Apply(l.Softmax), -1)
	var x []*layers.Tensor
	for i, input := range inputs {
		x = append(x, input.Apply(l.Grns[i]))
	}
	return ops.Squeeze(ops.Transpose(v, 0, 2, 1).MatMul(ops.Stack(x, 1)), ops.Axis(1))
}

func createModelInputs() (inputs []*layers.Tensor) {
	for _, f := range features {
		if f.vocabularySize == 0 {
			inputs = append(inputs, keras.Input([]int{1}, layers.Name(f.name)))
		} else {
			inputs = append(inputs, keras.Input(nil, layers.Name(f.name), layers.DType(dtypes.Int32)))
		}
	}
	return inputs
}

func encodeInputs(inputs []*layers.Tensor, encodingSize int) (encodedFeatures []*layers.Tensor) {
	for i, f := range features {
		var encoder layers.Layer = layers.Dense(encodingSize)
		if f.vocabularySize > 0 {
			encoder = layers.Embedding(f.vocabularySize, encodingSize)
		}
		encodedFeatures = append(encodedFeatures, inputs[i].Apply(encoder))
	}
	return encodedFeatures
}

func model() (*keras.Model, error) {
	inputs := createModelInputs()
	featureList := encodeInputs(inputs, encodingSize)
	selected := layers.Apply(NewVariableSelection(len(featureList), encodingSize, dropoutRate), featureList...)
	outputs := selected.Apply(layers.Dense(1, layers.Activation("sigmoid")))
	m, err := keras.NewModel(inputs, keras.Tensors(outputs))
	if err != nil {
		return nil, err
	}
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
	for i, f := range features {
		if f.vocabularySize == 0 {
			columns[f.name], err = data.FromFlat(guide.Fractions(samples, i), samples, 1)
		} else {
			columns[f.name], err = data.FromFlat(guide.Classes(samples, i, f.vocabularySize), samples)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	income := guide.Fractions(samples, 9)
	for i, v := range income {
		income[i] = float32(math.RoundToEven(float64(v)))
	}
	rich, err := data.FromFlat(income, samples, 1)
	return columns, rich, err
}
