// Functional_api is the model with several inputs and outputs of the guide "The Functional API".
// From the title, the text and the tags of an issue it predicts the priority of the issue and the
// department that handles it.
//
//	go run ./examples/guides/functional_api [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
)

const (
	words, tags, departments = 100, 12, 4
	titleLength, textLength  = 6, 10
	samples                  = 48
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "functional_api", Batch: 12, Epochs: 2, Model: model, Data: issues,
	Layout: map[string][]string{"embedding/embeddings": {"", "model"}, "priority/kernel": {"model", ""}},
}

func model() (*keras.Model, error) {
	title := keras.Input(titleLength, layers.Name("title"), layers.DType("int32"))
	text := keras.Input(textLength, layers.Name("text"), layers.DType("int32"))
	tagged := keras.Input(tags, layers.Name("tags"))

	embedding := layers.Embedding(words, 16) // shared
	titles := title.Call(embedding, layers.LSTM(16))
	texts := text.Call(embedding, layers.LSTM(8))
	x := layers.Apply(layers.Concatenate(), titles, texts, tagged)

	priority, department := x.Call(layers.Dense(1, layers.Name("priority"))), x.Call(layers.Dense(departments, layers.Name("department")))
	m := keras.Must(keras.Functional(keras.Tensors(title, text, tagged), keras.Tensors(priority, department)))
	return m, m.Compile(
		keras.Optimizer("rmsprop"),
		keras.Loss(map[string]any{
			"priority":   losses.BinaryCrossentropy(losses.FromLogits()),
			"department": losses.SparseCategoricalCrossentropy(losses.FromLogits()),
		}),
		keras.LossWeights(map[string]float64{"priority": 1, "department": .2}),
	)
}

func issues() (x, y any, err error) {
	titles, err := data.FromFlat(guide.Classes(samples*titleLength, 1, words), samples, titleLength)
	if err != nil {
		return nil, nil, err
	}
	texts, err := data.FromFlat(guide.Classes(samples*textLength, 2, words), samples, textLength)
	if err != nil {
		return nil, nil, err
	}
	tagged, err := data.FromFlat(guide.Fractions(samples*tags, 3), samples, tags)
	if err != nil {
		return nil, nil, err
	}
	urgent, err := data.FromFlat(guide.Classes(samples, 4, 2), samples, 1)
	return []any{titles, texts, tagged}, []any{urgent, guide.Classes(samples, 5, departments)}, err
}
