// Text_classification is the example "Text classification from scratch": texts become numbers in
// a stage of the dataset, a model of convolutions is trained on these, and then an end-to-end
// model, which begins with the same TextVectorization, takes raw texts.
//
//	go run ./examples/guides/text_classification [-mesh 2x4]
package main

import (
	"context"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

const samples, maxTokens, length = 48, 24, 12

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "text_classification", Batch: 12, Epochs: 3, Model: model, Data: dataset, Predict: predictEndToEnd,
	Layout: map[string][]string{"embedding/embeddings": {"", "model"}, "dense/kernel": {"", "model"}},
}

var words = strings.Fields("the a film plot actor song was is and but good bad great dull long short funny sad I liked hated never again twice story end music")

// reviews returns the texts that the model is trained on: 5 to 12 random words each, with capital
// letters and an exclamation mark for the vectorization to remove.
func reviews() []string {
	choices := guide.Classes(samples*length, 3, len(words))
	out := make([]string, samples)
	for i := range out {
		var text []string
		for k := range 5 + i%8 {
			text = append(text, words[choices[i*length+k]])
		}
		out[i] = strings.ToUpper(text[0]) + " " + strings.Join(text[1:], " ") + "!"
	}
	return out
}

// vectorize is the layer that numbers the words of texts. dataset adapts it.
var vectorize = layers.TextVectorization(layers.MaxTokens(maxTokens), layers.OutputSequenceLength(length), layers.Name("vectorize"))

// dataset adapts vectorize to the reviews. It returns the batches of numbered words and their
// classes as x; y is nil.
func dataset() (x, y any, err error) {
	raw := data.FromTensorSlices(reviews(), guide.Classes(samples, 5, 2)).Batch(12)
	if err := vectorize.Adapt(raw); err != nil {
		return nil, nil, err
	}
	return raw.Map(layers.OnBatch(vectorize)).Prefetch(2), nil, nil
}

func model() (*keras.Model, error) {
	x := keras.Input(layers.None, layers.DType("int64"))
	y := x.Call(layers.Embedding(maxTokens, 8), layers.Dropout(0))
	for _, name := range []string{"conv1", "conv2"} {
		y = y.Call(layers.Conv1D(16, 3, layers.Padding("valid"), layers.Activation("relu"), layers.Strides(2), layers.Name(name)))
	}
	y = y.Call(layers.GlobalMaxPooling1D(), layers.Dense(16, layers.Activation("relu")))
	y = y.Call(layers.Dropout(0), layers.Dense(1, layers.Activation("sigmoid")))
	m := keras.Must(keras.Functional(x, y))
	return m, compile(m)
}

func compile(m *keras.Model) error {
	return m.Compile(keras.Loss("binary_crossentropy"), keras.Optimizer("adam"), keras.Metrics("accuracy"))
}

// predictEndToEnd puts the vectorization of texts before the trained model, and returns the
// predictions of this new model for six raw texts.
func predictEndToEnd(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	texts := keras.Input(1, layers.DType(layers.String))
	m := keras.Must(keras.Functional(texts, r.Model.Apply(texts.Call(vectorize))))
	if err := compile(m); err != nil {
		return nil, err
	}
	return m.Predict(ctx, reviews()[:6], keras.Verbose(0))
}
