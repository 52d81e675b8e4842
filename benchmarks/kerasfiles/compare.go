package main

// This file compares the results for one file with Keras'.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/runtime"
)

// answer has Keras' results for a file.
type answer struct {
	Predictions []float32 `json:"predictions"`
	Losses      []float64 `json:"losses"` // losses of two more epochs; empty if training is random
	After       []float32 `json:"after"`
}

const samples, classes, batch, epochs = 8, 3, 4, 2

// compare returns whether the file could be loaded, and a text that says how the results differ
// from Keras'.
func compare(ctx context.Context, client *runtime.Client, file string) (loaded bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	text, err := os.ReadFile(strings.TrimSuffix(file, ".keras") + ".json")
	if err != nil {
		return false, err
	}
	var want answer
	if err := json.Unmarshal(text, &want); err != nil {
		return false, err
	}
	m, err := saving.LoadModel(ctx, file, keras.Client(client))
	if err != nil {
		return false, err
	}
	x, err := inputs(m)
	if err != nil {
		return true, err
	}
	exact, trained := 1e-5, 1e-4
	for _, l := range m.Layers() {
		if strings.HasPrefix(l.DTypePolicy(), "mixed") {
			exact, trained = 2e-2, 2e-2
		}
	}
	if err := requirePredictions(ctx, m, x, want.Predictions, exact, "predictions"); err != nil || want.Losses == nil {
		return true, err
	}
	y := make([]float32, samples*classes)
	for i := range samples {
		y[i*classes+i%classes] = 1
	}
	labels, err := data.FromFlat(y, samples, classes)
	if err != nil {
		return true, err
	}
	h, err := m.Fit(ctx, x, labels, keras.BatchSize(batch), keras.Epochs(epochs), keras.Shuffle(false), keras.Verbose(0))
	if err != nil {
		return true, fmt.Errorf("fit: %w", err)
	}
	got := h.Logs["loss"]
	for i, loss := range want.Losses {
		if i >= len(got) || math.Abs(got[i]-loss) > trained*max(1, math.Abs(loss)) {
			return true, fmt.Errorf("losses %v, Keras has %v", got, want.Losses)
		}
	}
	return true, requirePredictions(ctx, m, x, want.After, trained, "predictions after training")
}

// requirePredictions compares predictions with Keras'.
func requirePredictions(ctx context.Context, m *keras.Model, x any, want []float32, tolerance float64, what string) error {
	out, err := m.Predict(ctx, x, keras.Verbose(0))
	if err != nil {
		return fmt.Errorf("predict: %w", err)
	}
	got, err := data.Floats(out[0])
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d numbers, Keras has %d", what, len(got), len(want))
	}
	for i, v := range want {
		if d := math.Abs(float64(got[i] - v)); !(d <= tolerance) {
			return fmt.Errorf("%s: number %d is %g, Keras has %g", what, i, got[i], v)
		}
	}
	return nil
}

// inputs returns the inputs that the script uses for a model.
func inputs(m *keras.Model) ([]any, error) {
	var out []any
	for _, in := range m.Inputs() {
		dims := append([]int{samples}, in.Shape()[1:]...)
		n := 1
		for _, d := range dims {
			if d == layers.None {
				return nil, fmt.Errorf("input %s has an open dimension", in.Producer().Name())
			}
			n *= d
		}
		fractions, integers := make([]float32, n), make([]int32, n)
		for i := range n {
			integers[i] = int32(i * 7 % 11)
			fractions[i] = float32(float64(integers[i]) / 11)
		}
		var t *tensors.Tensor
		var err error
		if in.DType() == dtypes.Int32 {
			t, err = data.FromFlat(integers, dims...)
		} else {
			t, err = data.FromFlat(fractions, dims...)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
