package callbacks

// This file defines SwapEMAWeights.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/keras"
)

// SwapEMAWeights replaces the model's weights by their moving averages during Evaluate, Predict and
// validation: keras.callbacks.SwapEMAWeights. The optimizer must have UseEMA. The replaced weights
// are kept on the host meanwhile.
type SwapEMAWeights struct {
	keras.EpochCallback
	// SwapOnEpoch also swaps at the end of an epoch, so that later callbacks, such as
	// ModelCheckpoint, see the averages.
	SwapOnEpoch bool

	model *keras.Model
	kept  []any // the weights, while the model has the averages
}

// OnTrainBegin stores m, whose weights are replaced later, and forgets the weights kept of an
// earlier training. It returns an error if m's optimizer has no moving averages.
func (c *SwapEMAWeights) OnTrainBegin(_ context.Context, m *keras.Model) error {
	c.model, c.kept = m, nil
	if !m.Optimizer().KeepsAverages() {
		return fmt.Errorf("SwapEMAWeights: the optimizer %s keeps no averages: give it the option UseEMA", m.Optimizer().Name())
	}
	return nil
}

// OnEpochBegin gives the model its weights back, if the averages are in their place.
func (c *SwapEMAWeights) OnEpochBegin(ctx context.Context, _ int) error { return c.leave(ctx) }

// OnEpochEnd replaces the weights by the averages, if SwapOnEpoch is set.
func (c *SwapEMAWeights) OnEpochEnd(ctx context.Context, _ int, _ keras.Logs) error {
	if !c.SwapOnEpoch {
		return nil
	}
	return c.enter(ctx, c.model)
}

// OnTrainEnd drops the kept weights. The model keeps the averages, as after each training with
// UseEMA.
func (c *SwapEMAWeights) OnTrainEnd(context.Context) error {
	c.kept = nil
	return nil
}

// OnTestBegin replaces the weights by the averages, unless that is done already.
func (c *SwapEMAWeights) OnTestBegin(ctx context.Context, m *keras.Model) error {
	return c.enter(ctx, m)
}

// OnTestEnd gives the model its weights back after a validation or an Evaluate.
func (c *SwapEMAWeights) OnTestEnd(ctx context.Context, _ keras.Logs) error { return c.leave(ctx) }

// OnPredictBegin replaces the weights by the averages, unless that is done already.
func (c *SwapEMAWeights) OnPredictBegin(ctx context.Context, m *keras.Model) error {
	return c.enter(ctx, m)
}

// OnPredictEnd gives the model the weights back that it had before OnPredictBegin.
func (c *SwapEMAWeights) OnPredictEnd(ctx context.Context) error { return c.leave(ctx) }

// enter keeps the weights on the host, and replaces them in the model by their averages. It does
// nothing if that is done already, or for a model without an optimizer.
func (c *SwapEMAWeights) enter(ctx context.Context, m *keras.Model) error {
	if c.kept != nil || m.Optimizer() == nil {
		return nil
	}
	c.model = m
	weights, averages := m.Optimizer().Averages()
	client, err := m.Client(ctx)
	if err != nil {
		return err
	}
	for i, v := range weights {
		flat, err := v.Value(ctx)
		if err != nil {
			return err
		}
		average, err := averages[i].Value(ctx)
		if err != nil {
			return err
		}
		c.kept = append(c.kept, flat)
		if err := v.Assign(client, average); err != nil {
			return err
		}
	}
	return nil
}

// leave gives the weights of the model back the values that they had before the averages replaced
// them. If the averages are not in use, it does nothing.
func (c *SwapEMAWeights) leave(ctx context.Context) error {
	if c.kept == nil {
		return nil
	}
	client, err := c.model.Client(ctx)
	if err != nil {
		return err
	}
	weights, _ := c.model.Optimizer().Averages()
	for i, v := range weights {
		if err := v.Assign(client, c.kept[i]); err != nil {
			return err
		}
	}
	c.kept = nil
	return nil
}
