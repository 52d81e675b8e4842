package callbacks

// This file defines SwapEMAWeights.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/keras"
)

// SwapEMAWeights gives the model the moving averages of its weights, of an optimizer with
// UseEMA, while it is evaluated or predicts: keras.callbacks.SwapEMAWeights. Meanwhile the weights
// are kept on the host.
type SwapEMAWeights struct {
	keras.EpochCallback
	// SwapOnEpoch gives the averages to callbacks that come after this one at the end of an epoch
	// too, such as ModelCheckpoint.
	SwapOnEpoch bool

	model *keras.Model
	kept  []any // the weights, while the model has the averages
}

// OnTrainBegin checks the optimizer.
func (c *SwapEMAWeights) OnTrainBegin(_ context.Context, m *keras.Model) error {
	c.model, c.kept = m, nil
	if !m.Optimizer().KeepsAverages() {
		return fmt.Errorf("SwapEMAWeights: the optimizer %s keeps no averages: give it the option UseEMA", m.Optimizer().Name())
	}
	return nil
}

// OnEpochBegin gives the model its weights.
func (c *SwapEMAWeights) OnEpochBegin(ctx context.Context, _ int) error { return c.leave(ctx) }

// OnEpochEnd gives the model the averages, with SwapOnEpoch.
func (c *SwapEMAWeights) OnEpochEnd(ctx context.Context, _ int, _ keras.Logs) error {
	if !c.SwapOnEpoch {
		return nil
	}
	return c.enter(ctx, c.model)
}

// OnTrainEnd forgets the weights: the model has the averages from here on, as after each
// training with UseEMA.
func (c *SwapEMAWeights) OnTrainEnd(context.Context) error {
	c.kept = nil
	return nil
}

// OnTestBegin gives the model the averages.
func (c *SwapEMAWeights) OnTestBegin(ctx context.Context, m *keras.Model) error {
	return c.enter(ctx, m)
}

// OnTestEnd gives the model its weights.
func (c *SwapEMAWeights) OnTestEnd(ctx context.Context, _ keras.Logs) error { return c.leave(ctx) }

// OnPredictBegin gives the model the averages.
func (c *SwapEMAWeights) OnPredictBegin(ctx context.Context, m *keras.Model) error {
	return c.enter(ctx, m)
}

// OnPredictEnd gives the model its weights.
func (c *SwapEMAWeights) OnPredictEnd(ctx context.Context) error { return c.leave(ctx) }

// enter keeps the weights and gives the model the averages.
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

// leave gives the model its weights.
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
