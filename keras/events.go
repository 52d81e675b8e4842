package keras

// This file calls callbacks at the events of a loop of steps, in Keras' order.

import (
	"context"

	"github.com/gospmd/gospmd/runtime"
)

// each calls f for each callback in order, and returns the first error.
func each(callbacks []Callback, f func(Callback) error) error {
	for _, cb := range callbacks {
		if err := f(cb); err != nil {
			return err
		}
	}
	return nil
}

// runTest runs the test steps of l, and calls the callbacks' test events before, between and after
// them.
func (m *Model) runTest(ctx context.Context, callbacks []Callback, l stepLoop, run func(stepLoop) (Logs, error)) (Logs, error) {
	if err := each(callbacks, func(cb Callback) error { return cb.OnTestBegin(ctx, m) }); err != nil {
		return nil, err
	}
	l.kind = testStep
	l.onBegin = func(batch int) error {
		return each(callbacks, func(cb Callback) error { return cb.OnTestBatchBegin(ctx, batch) })
	}
	l.onBatch = func(batch int, logs *BatchLogs) error {
		return each(callbacks, func(cb Callback) error { return cb.OnTestBatchEnd(ctx, batch, logs) })
	}
	logs, err := run(l)
	if err != nil {
		return nil, err
	}
	return logs, each(callbacks, func(cb Callback) error { return cb.OnTestEnd(ctx, logs) })
}

// runPredict runs the predict steps of a prediction, and calls the callbacks' predict events
// before, between and after them. It adds the outputs to the predictions.
func (m *Model) runPredict(ctx context.Context, callbacks []Callback, to *predictions, run func(stepLoop) (Logs, error)) error {
	if err := each(callbacks, func(cb Callback) error { return cb.OnPredictBegin(ctx, m) }); err != nil {
		return err
	}
	first := 0 // batch of the execution
	_, err := run(stepLoop{
		kind: predictStep,
		onBegin: func(batch int) error {
			first = to.size()
			return each(callbacks, func(cb Callback) error { return cb.OnPredictBatchBegin(ctx, batch) })
		},
		onOutputs: func(outputs []*runtime.Array) error { return to.add(ctx, outputs) },
		onBatch: func(batch int, _ *BatchLogs) error {
			return each(callbacks, func(cb Callback) error {
				return cb.OnPredictBatchEnd(ctx, batch, &BatchOutputs{to, first})
			})
		},
		onEnd: func() error { return to.fetch(ctx) },
	})
	if err != nil {
		return err
	}
	return each(callbacks, func(cb Callback) error { return cb.OnPredictEnd(ctx) })
}
