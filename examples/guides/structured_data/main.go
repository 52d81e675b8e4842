// Structured_data is the example "Structured data classification from scratch": a table with
// numeric and categorical columns. Each column has its own input and its own preprocessing. The
// model concatenates them.
//
//	go run ./examples/guides/structured_data [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

const samples = 48

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "structured_data", Batch: 12, Epochs: 3, Model: model, Data: patients,
	Layout: map[string][]string{"hidden/kernel": {"", "model"}, "ill/kernel": {"model", ""}},
}

// The columns of the table: names of those with numbers, and the categories with the number of
// their values.
var (
	numbers    = []string{"age", "blood_pressure", "cholesterol", "heart_rate"}
	categories = []string{"sex", "chest_pain", "thalassemia"}
	values     = map[string]int{"sex": 2, "chest_pain": 5, "thalassemia": 4}
)

func model() (*keras.Model, error) {
	var inputs, features []*layers.Tensor
	for _, name := range numbers {
		x := keras.Input(1, layers.Name(name))
		inputs, features = append(inputs, x), append(features, x.Call(layers.Rescaling(2, layers.Offset(-1))))
	}
	for _, name := range categories {
		x := keras.Input(1, layers.Name(name), layers.DType("int32"))
		y := x.Call(layers.Embedding(values[name], 3, layers.Name(name+"_values")), layers.Flatten())
		inputs, features = append(inputs, x), append(features, y)
	}
	x := layers.Apply(layers.Concatenate(), features...)
	x = x.Call(layers.Dense(32, layers.Activation("relu"), layers.Name("hidden")), layers.Dropout(0))
	m := keras.Must(keras.Functional(inputs, x.Call(layers.Dense(1, layers.Activation("sigmoid"), layers.Name("ill")))))
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss("binary_crossentropy"), keras.Metrics("accuracy"))
}

func patients() (x, y any, err error) {
	var columns []any
	for i := range numbers {
		c, err := data.FromFlat(guide.Fractions(samples, i), samples, 1)
		if err != nil {
			return nil, nil, err
		}
		columns = append(columns, c)
	}
	for i, name := range categories {
		c, err := data.FromFlat(guide.Classes(samples, i+10, values[name]), samples, 1)
		if err != nil {
			return nil, nil, err
		}
		columns = append(columns, c)
	}
	return columns, guide.Classes(samples, 20, 2), nil
}
