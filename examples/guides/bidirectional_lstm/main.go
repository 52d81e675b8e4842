// Bidirectional_lstm is the example "Bidirectional LSTM on IMDB": two bidirectional LSTMs read
// padded reviews of different lengths, and predict whether a review is positive.
//
//	go run ./examples/guides/bidirectional_lstm [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/utils"
)

const words, length, samples = 200, 12, 48

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "bidirectional_lstm", Batch: 12, Epochs: 2, Model: model, Data: reviews,
	Layout: map[string][]string{"embedding/embeddings": {"", "model"}, "dense/kernel": {"model", ""}},
}

func model() (*keras.Model, error) {
	x := keras.Input(layers.None, layers.DType("int32"))
	y := x.Call(
		layers.Embedding(words, 16),
		layers.Bidirectional(layers.LSTM(8, layers.ReturnSequences())),
		layers.Bidirectional(layers.LSTM(8)),
		layers.Dense(1, layers.Activation("sigmoid")),
	)
	m := keras.Must(keras.Functional(x, y))
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss("binary_crossentropy"), keras.Metrics("accuracy"))
}

// reviews returns, as x, invented reviews of 5 to 18 words, each padded or cut to 12, and, as y,
// their labels.
func reviews() (x, y any, err error) {
	texts := make([][]int32, samples)
	for i := range texts {
		texts[i] = guide.Classes(5+i%14, i, words)
	}
	padded, err := utils.PadSequences(texts, utils.MaxLen(length))
	return padded, guide.Classes(samples, 99, 2), err
}
