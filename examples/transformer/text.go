package main

// This file turns text into batches, and logits into text.

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
)

// text is a text as indices into its vocabulary.
type text struct {
	vocabulary []rune // sorted
	tokens     []int32
}

func newText(s string) *text {
	t := &text{vocabulary: []rune(s)}
	slices.Sort(t.vocabulary)
	t.vocabulary = slices.Compact(t.vocabulary)
	t.tokens, _ = t.encode(s) // the vocabulary has all its characters
	return t
}

func (t *text) encode(s string) ([]int32, error) {
	var tokens []int32
	for _, r := range s {
		i, ok := slices.BinarySearch(t.vocabulary, r)
		if !ok {
			return nil, fmt.Errorf("the text has no %q", r)
		}
		tokens = append(tokens, int32(i))
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("got no characters, want at least one")
	}
	return tokens, nil
}

// windows is a dataset of random pieces of the text; the labels are the next
// characters. Each epoch continues the random sequence of the last one.
type windows struct {
	text                  *text
	context, batch, steps int
	order                 *rand.Rand
}

// Cardinality returns the number of steps.
func (w *windows) Cardinality() int { return w.steps }

// Batches yields the batches of an epoch.
func (w *windows) Batches(context.Context) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for range w.steps {
			var x, y []int32
			for range w.batch {
				at := w.order.IntN(len(w.text.tokens) - w.context)
				x = append(x, w.text.tokens[at:at+w.context]...)
				y = append(y, w.text.tokens[at+1:at+w.context+1]...)
			}
			tensor := func(tokens []int32) []*tensors.Tensor {
				return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(tokens, w.batch, w.context)}
			}
			if !yield(data.Batch{X: tensor(x), Y: tensor(y)}, nil) {
				return
			}
		}
	}
}

// write lets the model continue the prompt.
func (c config) write(ctx context.Context, m *keras.Model, t *text) (string, error) {
	tokens, err := t.encode(c.prompt)
	if err != nil {
		return "", err
	}
	numbers := c.rand()
	n := c.model.context
	for range c.sample {
		seen := tokens[max(0, len(tokens)-n):]
		x := make([]int32, n) // zeros after the text have no effect: attention is causal
		copy(x, seen)
		out, err := m.Predict(ctx, tensors.FromFlatDataAndDimensions(x, 1, n), keras.Verbose(0))
		if err != nil {
			return "", err
		}
		logits, err := tensors.CopyFlatData[float32](out[0])
		if err != nil {
			return "", err
		}
		v := len(t.vocabulary)
		tokens = append(tokens, int32(choose(logits[(len(seen)-1)*v:len(seen)*v], c.temperature, numbers)))
	}
	var runes []rune
	for _, token := range tokens {
		runes = append(runes, t.vocabulary[token])
	}
	return string(runes) + "\n", nil
}

// choose draws from softmax(logits / temperature); at temperature 0 it takes the
// largest.
func choose(logits []float32, temperature float64, numbers *rand.Rand) int {
	largest := slices.Max(logits)
	if temperature == 0 {
		return slices.Index(logits, largest)
	}
	weights, sum := make([]float64, len(logits)), 0.0
	for i, l := range logits {
		weights[i] = math.Exp(float64(l-largest) / temperature)
		sum += weights[i]
	}
	left := numbers.Float64() * sum
	for i, w := range weights {
		if left -= w; left < 0 {
			return i
		}
	}
	return len(logits) - 1
}
