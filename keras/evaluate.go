package keras

// This file evaluates.

import (
	"context"
	"fmt"
	"os"

	"github.com/gospmd/gospmd/internal/option"
)

// Evaluate returns loss and metrics over the data: keras.Model.evaluate. x and
// y are as in Fit. Options: BatchSize, SampleWeight, Steps,
// Verbose, Output.
func (m *Model) Evaluate(ctx context.Context, x, y any, opts ...RunOption) (Logs, error) {
	c := runConfig{verbose: 1, output: os.Stdout}
	err := option.Apply("Evaluate", &c, opts, "BatchSize", "SampleWeight", "Steps", "Verbose", "Output")
	var logs Logs
	if err == nil {
		logs, err = m.evaluate(ctx, x, y, c)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: evaluate: %w", m.name, err)
	}
	return logs, nil
}

func (m *Model) evaluate(ctx context.Context, x, y any, c runConfig) (Logs, error) {
	if err := m.needLoss(); err != nil {
		return nil, err
	}
	ds, err := source{x: x, y: y, weights: c.sampleWeight, batchSize: c.batchSize, steps: c.steps}.dataset()
	if err != nil {
		return nil, err
	}
	client, err := m.client(ctx)
	if err != nil {
		return nil, err
	}
	batches := m.feed(ds, c.steps)
	defer batches.close()
	bar := newProgressBar(c.output, c.verbose, batches.size())
	logs, err := m.run(ctx, client, pass{kind: testStep, data: batches, onBatch: func(batch int, logs *BatchLogs) error {
		return bar.update(ctx, batch+1, logs)
	}})
	if err == nil {
		bar.finish(logs)
	}
	return logs, err
}
