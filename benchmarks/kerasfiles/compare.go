package main

// This file compares the results for one file with Keras'.

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/runtime"
)

// answer has Keras' results for a file.
type answer struct {
	Refused string  `json:"refused"` // a class of the user's, which the error must name; or empty
	Inputs  []array `json:"inputs"`
	Targets []array `json:"targets"`
	// it computes with 16 bits, so its results may differ more: each compiler rounds at other ops
	Half        bool                 `json:"half"`
	Predictions [][]float64          `json:"predictions"` // of each output
	Evaluate    map[string][]float64 `json:"evaluate"`    // the loss and the metrics; empty for a model that was not compiled
	// losses and metrics of each epoch of more training; empty if training is random
	Logs  map[string][][]float64 `json:"logs"`
	After [][]float64            `json:"after"` // predictions after it
}

// array is an input of a model, or the targets of an output.
type array struct {
	DType  string    `json:"dtype"`
	Shape  []int     `json:"shape"`
	Values []float64 `json:"values"`
}

func (a array) tensor() (*tensors.Tensor, error) {
	if a.DType != "int32" {
		return data.FromFlat(converted[float32](a.Values), a.Shape...)
	}
	return data.FromFlat(converted[int32](a.Values), a.Shape...)
}

func converted[T float32 | int32](values []float64) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = T(v)
	}
	return out
}

func tensorsOf(arrays []array) (out []any, err error) {
	for _, a := range arrays {
		t, err := a.tensor()
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

const batch = 4

// stages of a comparison, in order. A file passes each until one fails.
const (
	loads = iota
	predicts
	evaluates
	trains
	stages
)

var stageNames = [stages]string{"loaded", "predictions equal", "evaluation equal", "training equal"}

// comparison is one file and what it is compared with.
type comparison struct {
	want  answer
	model *keras.Model
	x, y  []any
	exact float64 // the tolerance of predictions and of evaluate
	later float64 // the tolerance after training
}

// compare returns how many stages a file passes, and what differs in the next one as an error. A
// file that must be refused passes all stages if loading it gives the error that it says. A panic
// is an error. compare writes the model that it has loaded into the directory ours, unless that is
// empty.
func compare(ctx context.Context, client *runtime.Client, file, ours string) (passed int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	c := comparison{exact: 1e-5, later: 1e-4}
	text, err := os.ReadFile(strings.TrimSuffix(file, ".keras") + ".json")
	if err != nil {
		return 0, err
	}
	if err := json.Unmarshal(text, &c.want); err != nil {
		return 0, err
	}
	if c.want.Half {
		c.exact, c.later = 2e-2, 5e-2
	}
	for _, stage := range []func() error{
		func() error { return c.load(ctx, client, file, ours) },
		func() error { return c.predict(ctx, c.want.Predictions, c.exact) },
		func() error { return c.evaluate(ctx) },
		func() error { return c.train(ctx) },
	} {
		if err := stage(); err != nil {
			return passed, fmt.Errorf("%s: %w", strings.Fields(stageNames[passed])[0], err)
		}
		if passed++; c.want.Refused != "" { // refused, as it must be
			return stages, nil
		}
	}
	return passed, nil
}

func (c *comparison) load(ctx context.Context, client *runtime.Client, file, ours string) (err error) {
	c.model, err = saving.LoadModel(ctx, file, keras.Client(client))
	if c.want.Refused != "" {
		if err == nil || !strings.Contains(err.Error(), c.want.Refused) {
			return fmt.Errorf("got the error %v, want one that names %s", err, c.want.Refused)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if c.x, err = tensorsOf(c.want.Inputs); err != nil {
		return err
	}
	if c.y, err = tensorsOf(c.want.Targets); err != nil || ours == "" {
		return err
	}
	return saving.SaveModel(ctx, c.model, filepath.Join(ours, filepath.Base(file)))
}

func (c *comparison) predict(ctx context.Context, want [][]float64, tolerance float64) error {
	out, err := c.model.Predict(ctx, c.x, keras.Verbose(0))
	if err != nil {
		return err
	}
	if len(out) != len(want) {
		return fmt.Errorf("%d outputs, Keras has %d", len(out), len(want))
	}
	for i, t := range out {
		got := make([]float64, t.Size())
		if err := data.Numbers(t, func(k int, v float64) bool { got[k] = v; return true }); err != nil {
			return err
		}
		if err := difference(want[i], got, tolerance); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

func (c *comparison) evaluate(ctx context.Context) error {
	if c.want.Evaluate == nil {
		return nil
	}
	got, err := c.model.Evaluate(ctx, c.x, c.y, keras.BatchSize(batch), keras.Verbose(0))
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.want.Evaluate)) {
		want := c.want.Evaluate[name]
		for i, key := range logNames(name, len(want)) {
			v, ok := got.Get(key)
			if !ok {
				return fmt.Errorf("no %s, there are %v", key, got)
			}
			if err := difference(want[i:i+1], []float64{v}, c.exact); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	return nil
}

// logNames returns the names in our logs of a metric of Keras that has n numbers: metric alone for
// one, and otherwise metric_0, metric_1, ….
func logNames(metric string, n int) []string {
	if n == 1 {
		return []string{metric}
	}
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s_%d", metric, i)
	}
	return out
}

func (c *comparison) train(ctx context.Context) error {
	epochs := len(c.want.Logs["loss"])
	if epochs == 0 {
		return nil
	}
	h, err := c.model.Fit(ctx, c.x, c.y, keras.BatchSize(batch), keras.Epochs(epochs), keras.Shuffle(false), keras.Verbose(0))
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.want.Logs)) {
		if c.want.Half && !strings.HasSuffix(name, "loss") {
			continue // a metric that counts jumps where a prediction rounds to the other side
		}
		for epoch, want := range c.want.Logs[name] {
			for i, key := range logNames(name, len(want)) {
				if len(h.Logs[key]) != epochs {
					return fmt.Errorf("no %s, there are %v", key, slices.Sorted(maps.Keys(h.Logs)))
				}
				if err := difference(want[i:i+1], h.Logs[key][epoch:epoch+1], c.later); err != nil {
					return fmt.Errorf("%s of epoch %d: %w", key, epoch, err)
				}
			}
		}
	}
	return c.predict(ctx, c.want.After, c.later)
}

// difference returns an error if numbers differ from Keras' by more than the tolerance, which is
// relative for numbers over 1.
func difference(want, got []float64, tolerance float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d numbers, Keras has %d", len(got), len(want))
	}
	for i, v := range want {
		if d := math.Abs(got[i] - v); !(d <= tolerance*max(1, math.Abs(v))) {
			return fmt.Errorf("number %d is %g, Keras has %g", i, got[i], v)
		}
	}
	return nil
}
