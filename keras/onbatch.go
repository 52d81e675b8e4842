package keras

// This file makes single steps, for training loops of the user's own.

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/runtime"
)

// TrainOnBatch makes one training step with all samples of x and y as its batch,
// and returns the loss before it and the metrics: keras.Model.train_on_batch.
// Options: SampleWeight, ClassWeight.
func (m *Model) TrainOnBatch(ctx context.Context, x, y any, opts ...RunOption) (Logs, error) {
	return m.onBatch(ctx, trainStep, "TrainOnBatch", x, y, opts, "SampleWeight", "ClassWeight")
}

// TestOnBatch returns loss and metrics of x and y as one batch:
// keras.Model.test_on_batch. It takes SampleWeight.
func (m *Model) TestOnBatch(ctx context.Context, x, y any, opts ...RunOption) (Logs, error) {
	return m.onBatch(ctx, testStep, "TestOnBatch", x, y, opts, "SampleWeight")
}

func (m *Model) onBatch(ctx context.Context, kind step, called string, x, y any, opts []RunOption, accepts ...string) (logs Logs, err error) {
	var c runConfig
	if err = option.Apply(called, &c, opts, accepts...); err == nil {
		err = m.needLoss()
	}
	var ds data.Dataset
	if err == nil {
		ds, err = c.oneBatch(x, y)
	}
	var client *runtime.Client
	if err == nil {
		client, err = m.client(ctx)
	}
	if err == nil {
		logs, err = m.run(ctx, client, pass{kind: kind, data: m.feed(ds, 0)})
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: %s: %w", m.name, called, err)
	}
	return logs, nil
}

// PredictOnBatch returns the model's outputs for x as one batch:
// keras.Model.predict_on_batch.
func (m *Model) PredictOnBatch(ctx context.Context, x any) ([]*tensors.Tensor, error) {
	n, err := samplesOf(x)
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: PredictOnBatch: %w", m.name, err)
	}
	return m.Predict(ctx, x, BatchSize(n), Verbose(0))
}

// oneBatch returns the dataset of one batch that holds all samples.
func (c *runConfig) oneBatch(x, y any) (data.Dataset, error) {
	n, err := samplesOf(x)
	if err != nil {
		return nil, err
	}
	ds, err := source{x: x, y: y, weights: c.sampleWeight, batchSize: n}.dataset()
	if err != nil {
		return nil, err
	}
	return c.weighClasses(ds)
}

// samplesOf returns how many samples x holds.
func samplesOf(x any) (int, error) {
	if _, ok := x.(data.Dataset); ok {
		return 0, fmt.Errorf("got a dataset, want the tensors of a batch")
	}
	xs, err := data.Tensors(x)
	if err != nil {
		return 0, fmt.Errorf("x: %w", err)
	}
	if len(xs) == 0 || xs[0].Shape().Rank() == 0 {
		return 1, nil // which the dataset refuses
	}
	return max(1, xs[0].Shape().Dimensions[0]), nil
}
