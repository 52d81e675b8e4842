package steps

// This file has the recurrent models: one LSTM over sequences of different lengths.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/layers"
)

// lstm has sequences of the given number of steps. Its weights are replicated, and the batch is
// sharded.
func lstm(length int) Model {
	return Model{
		Name: fmt.Sprintf("lstm%d", length), Batch: 32, Optimizer: adam, Loss: crossentropy,
		build: chain([]int{length, 64}, func() []layers.Layer {
			return []layers.Layer{
				layers.LSTM(128, layers.Name("lstm")),
				layers.Dense(classes, layers.Name("d1"), layers.Activation("softmax")),
			}
		}),
		data:  classifiedExamples(length, 64),
		Rules: []Rule{},
	}
}
