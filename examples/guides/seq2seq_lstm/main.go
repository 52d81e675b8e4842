// Seq2seq_lstm is the example "Character-level recurrent sequence-to-sequence model": the
// states of an encoder are those that a decoder starts with; for inference both become models
// of their own, and the decoder goes on from its states letter by letter.
//
//	go run ./examples/guides/seq2seq_lstm [-mesh 2x4]
package main

import (
	"context"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/utils"
)

const (
	samples, units          = 24, 16
	sourceLength, sourceSet = 7, 12
	targetLength, targetSet = 5, 9
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "seq2seq_lstm", Batch: 12, Epochs: 2, Model: model, Data: pairs, Predict: decode,
	Layout: map[string][]string{".*/lstm_cell/kernel": {"", "model"}},
}

func model() (*keras.Model, error) {
	source := keras.Input([]int{layers.None, sourceSet}, layers.Name("source"))
	target := keras.Input([]int{layers.None, targetSet}, layers.Name("target"))
	states := layers.ApplyAll(layers.LSTM(units, layers.ReturnState(), layers.Name("encoder")), source)[1:]
	decoder := layers.LSTM(units, layers.ReturnSequences(), layers.ReturnState(), layers.Name("decoder"))
	sequence := layers.Apply(decoder, target, states[0], states[1])
	letters := sequence.Call(layers.Dense(targetSet, layers.Activation("softmax"), layers.Name("characters")))
	m := keras.Must(keras.Functional(keras.Tensors(source, target), letters))
	return m, m.Compile(keras.Optimizer("rmsprop"), keras.Loss("categorical_crossentropy"), keras.Metrics("accuracy"))
}

// inference returns the encoder, whose outputs are its states, and the decoder, which takes the
// states as inputs and returns them after its outputs.
func inference(m *keras.Model) (encoder, decoder *keras.Model) {
	states := m.NodesOf(keras.Must(m.Layer("encoder")))[0].Outputs[1:]
	target, h, c := keras.Input([]int{layers.None, targetSet}), keras.Input(units), keras.Input(units)
	out := layers.ApplyAll(keras.Must(m.Layer("decoder")), target, h, c)
	out[0] = out[0].Call(keras.Must(m.Layer("characters")))
	return keras.Must(keras.Functional(m.Inputs()[0], states)), keras.Must(keras.Functional(keras.Tensors(target, h, c), out))
}

// decode returns one tensor, [4, letters]: the decoder's probabilities of each letter in four steps
// for the first input sequence. The first step gets letter 0, and each other one the most probable
// letter of the one before.
func decode(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	encoder, decoder := inference(r.Model)
	states, err := encoder.Predict(ctx, keras.Must(data.Slice(r.X.([]any)[0].(*tensors.Tensor), 0, 1)), keras.Verbose(0))
	if err != nil {
		return nil, err
	}
	var said [][]float32
	for letter := 0; len(said) < 4; {
		in := make([]float32, targetSet)
		in[letter] = 1
		out, err := decoder.Predict(ctx, []any{[][][]float32{{in}}, states[0], states[1]}, keras.Verbose(0))
		if err != nil {
			return nil, err
		}
		shares := out[0].Value().([][][]float32)[0][0]
		letter = slices.Index(shares, slices.Max(shares))
		said, states = append(said, shares), out[1:]
	}
	t, err := data.Tensor(said)
	return []*tensors.Tensor{t}, err
}

func pairs() (x, y any, err error) {
	source, err := data.FromFlat(guide.Fractions(samples*sourceLength*sourceSet, 1), samples, sourceLength, sourceSet)
	if err != nil {
		return nil, nil, err
	}
	target, err := data.FromFlat(guide.Fractions(samples*targetLength*targetSet, 2), samples, targetLength, targetSet)
	if err != nil {
		return nil, nil, err
	}
	letters, err := data.FromFlat(guide.Classes(samples*targetLength, 3, targetSet), samples, targetLength)
	if err != nil {
		return nil, nil, err
	}
	after, err := utils.ToCategorical(letters, targetSet)
	return []any{source, target}, after, err
}
